# SPDX-License-Identifier: MIT
"""Measure times."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Clock = Callable[[], float]


class Stopwatch:
    """Measure the seconds of a ``with`` block.

    On a shared machine, use `time.process_time` as the clock and run on one thread, so that waiting
    for a core is not counted.
    """

    def __init__(self, clock: Clock = time.perf_counter) -> None:
        self.clock = clock
        self.seconds = 0.0

    def __enter__(self) -> Stopwatch:
        self._start = self.clock()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = self.clock() - self._start


def timed(work: Callable[[], Any], clock: Clock = time.perf_counter) -> tuple[float, Any]:
    """Return the seconds that `work` took, and its result."""
    with Stopwatch(clock) as watch:
        result = work()
    return watch.seconds, result


def core_timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of processor time that `work` took, and its result."""
    return timed(work, time.process_time)


def interleaved(
    contestants: Mapping[str, Callable[[], Any]],
    repetitions: int,
    *,
    rest: float = 0.05,
    clock: Clock = time.perf_counter,
) -> Iterator[tuple[int, str, float, Any]]:
    """Run every contestant once per repetition, in turns, and yield the times.

    Other work on the machine then affects all of them alike. The first round is a warm-up and is
    not counted. A short pause lets idle threads of the previous contestant stop spinning.

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
