# SPDX-License-Identifier: MIT
"""Times of several contestants in turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Clock = Callable[[], float]


def timed(work: Callable[[], Any], clock: Clock = time.perf_counter) -> tuple[float, Any]:
    """Return the seconds that `work` took, and its result.

    On a machine that others use too, give `time.process_time` as the clock and run on one thread:
    waiting for a core is then not counted.
    """
    start = clock()
    result = work()
    return clock() - start, result


def interleaved(
    contestants: Mapping[str, Callable[[], Any]],
    repetitions: int,
    *,
    rest: float = 0.05,
    clock: Clock = time.perf_counter,
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
            seconds, result = timed(work, clock)
            if repetition >= 0:
                yield repetition, name, seconds, result
