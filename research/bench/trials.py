# SPDX-License-Identifier: MIT
"""Trials: contestants that run in turns, with repetitions."""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import Any

from .results import Comparison, Side
from .workers import Worker

COUNTED_WARM_UP = 10.0  # seconds; a first run that takes longer counts, a shorter one is a warm-up
REST = 0.1  # seconds, because OpenBLAS and OpenMP keep their threads spinning for a while
PATIENCE = 150.0  # seconds per contestant and trial, after which it is not run again


@dataclass
class Contestant:
    """A worker and its request. Without a worker it is listed as not built."""

    name: str
    worker: Worker | None
    request: dict[str, Any]
    fresh: bool = False  # start a new process for every run, to measure memory
    best_of_threads: tuple[int, ...] = ()  # use the fastest of these numbers

    @property
    def threads(self) -> int:
        """The requested number of threads."""
        return int(self.request.get("threads", 1))


@dataclass
class Trial:
    """A comparison to run."""

    key: str
    title: str
    sizes: dict[str, int]
    contestants: list[Contestant]
    targets: list[dict[str, Any]] = field(default_factory=list)
    repetitions: int = 5
    seeded: bool = False  # each repetition has its own seed, the same for all contestants
    patience: float = PATIENCE


def ask(contestant: Contestant, request: dict[str, Any]) -> dict[str, Any]:
    """Run a contestant once, after the idle threads of the previous one have stopped spinning."""
    time.sleep(REST)
    worker = contestant.worker
    if worker is None:
        return {"error": "not built"}
    if contestant.fresh:
        worker.stop()
    answer = worker.ask(request)
    if contestant.fresh:
        worker.stop()
    return answer


def warm_up(contestant: Contestant) -> dict[str, Any]:
    """Run a contestant for the first time and select its fastest number of threads."""
    choices = contestant.best_of_threads or (contestant.threads,)
    answers = {
        threads: ask(contestant, {**contestant.request, "threads": threads, "check": True})
        for threads in choices
    }
    best = min(answers, key=lambda threads: answers[threads].get("seconds", float("inf")))
    contestant.request = {**contestant.request, "threads": best}
    return answers[best]


class Record:
    """The answers of one contestant."""

    def __init__(self, contestant: Contestant) -> None:
        self.contestant = contestant
        self.answers: list[dict[str, Any]] = []
        self.first_checks: dict[str, float] = {}
        self.error = ""

    @property
    def seconds(self) -> list[float]:
        """The times that count."""
        return [answer["seconds"] for answer in self.answers]

    def start(self) -> None:
        """Warm up, unless every run has a fresh process. A long first run counts."""
        if self.contestant.fresh:
            return
        answer = warm_up(self.contestant)
        self.error = answer.get("error", "")
        self.first_checks = answer.get("checks", {})
        if not self.error and answer["seconds"] > COUNTED_WARM_UP:
            self.answers.append(answer)

    def run(self, trial: Trial, repetition: int) -> None:
        """Run once more, unless a run failed, all repetitions are done or the time is used up."""
        if self.error or len(self.answers) >= trial.repetitions:
            return
        if self.answers and sum(self.seconds) + self.seconds[-1] > trial.patience:
            return
        seed = {"seed": repetition} if trial.seeded else {}
        answer = ask(self.contestant, {**self.contestant.request, **seed})
        self.error = answer.get("error", "")
        if not self.error:
            self.answers.append(answer)

    def side(self) -> Side:
        """Return the summary of all runs."""
        names = {name for answer in self.answers for name in answer.get("checks", {})}
        medians = {
            name: statistics.median(a["checks"][name] for a in self.answers if name in a["checks"])
            for name in sorted(names)
        }
        return Side(
            name=self.contestant.name,
            threads=self.contestant.threads,
            seconds=self.seconds,
            checks={**self.first_checks, **medians},
            error=self.error,
        )


def run_trial(trial: Trial) -> Comparison:
    """Run all contestants in turns for all repetitions."""
    print(f"{trial.key}: {trial.title}", file=sys.stderr, flush=True)
    records = [Record(contestant) for contestant in trial.contestants]
    for record in records:
        record.start()
    for repetition in range(trial.repetitions):
        for record in records:
            record.run(trial, repetition)
    sides = [record.side() for record in records]
    for side in sides:
        words = f"{side.median:.6g} s of {len(side.seconds)}" if side.seconds else side.error
        print(f"  {side.name}, {side.threads}: {words}", file=sys.stderr, flush=True)
    return Comparison(trial.key, trial.title, trial.sizes, sides, trial.targets)
