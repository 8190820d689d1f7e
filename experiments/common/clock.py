# SPDX-License-Identifier: MIT
"""Wall times of several contestants in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that `work` took, and its result."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def interleaved(
    contestants: Mapping[str, Callable[[], Any]], repetitions: int, *, rest: float = 0.05
) -> Iterator[tuple[int, str, float, Any]]:
    """Run every contestant once per repetition, in turns, and yield what it took.

    What else the machine does then hits all of them alike. A first round warms up and is not
    counted; a short rest lets idle threads of the one before stop spinning.

    Yields
    ------
    repetition, name, seconds, result
    """
    for repetition in range(-1, repetitions):
        for name, work in contestants.items():
            time.sleep(rest)
            seconds, result = timed(work)
            if repetition >= 0:
                yield repetition, name, seconds, result
