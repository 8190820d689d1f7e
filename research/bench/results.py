# SPDX-License-Identifier: MIT
"""The files of a run: ``results.json`` has all results, ``runs.csv`` has all timings."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from common.files import write_json
from common.rows import write_rows

CSV_FIELDS = ("key", "side", "threads", "n", "d", "k", "repetition", "seconds")


@dataclass
class Side:
    """One contestant of a comparison: lbw, a peer, or the peak rate of the machine."""

    name: str
    threads: int
    seconds: list[float] = field(default_factory=list)
    checks: dict[str, float] = field(default_factory=dict)  # medians over the repetitions
    error: str = ""  # the reason if there is no time

    @property
    def median(self) -> float:
        """The median of the repetitions in seconds."""
        return statistics.median(self.seconds)

    @property
    def least(self) -> float:
        """The shortest repetition in seconds."""
        return min(self.seconds)


@dataclass
class Comparison:
    """The contestants of one job, of which lbw is the first, and the targets for lbw."""

    key: str
    title: str
    sizes: dict[str, int]
    sides: list[Side]
    targets: list[dict[str, Any]] = field(default_factory=list)

    @property
    def ours(self) -> Side:
        """The side of lbw."""
        return self.sides[0]

    def ours_on(self, threads: int) -> Side:
        """Return the side of lbw on this number of threads."""
        for side in self.sides:
            if side.name == self.ours.name and side.threads == threads:
                return side
        raise KeyError(f"{self.key} has no side of lbw on {threads} threads")

    def side(self, name: str) -> Side:
        """Return the contestant with a name."""
        for side in self.sides:
            if side.name == name:
                return side
        raise KeyError(f"{self.key} has no side '{name}'")


@dataclass
class Results:
    """The results of a run."""

    about: dict[str, Any]  # command, date, commit, machine, load, versions
    comparisons: list[Comparison]
    sweeps: list[Comparison]


def write_results(folder: Path, results: Results) -> None:
    """Write ``results.json`` and ``runs.csv``."""
    write_json(folder / "results.json", asdict(results), indent=1)
    write_rows(folder / "runs.csv", CSV_FIELDS, csv_rows([*results.comparisons, *results.sweeps]))


def csv_rows(comparisons: Iterable[Comparison]) -> Iterable[dict[str, Any]]:
    """Yield one row per timing."""
    for comparison in comparisons:
        sizes = {name: comparison.sizes.get(name, "") for name in ("n", "d", "k")}
        for side in comparison.sides:
            for repetition, seconds in enumerate(side.seconds):
                yield {
                    "key": comparison.key,
                    "side": side.name,
                    "threads": side.threads,
                    **sizes,
                    "repetition": repetition,
                    "seconds": f"{seconds:.9g}",
                }


def read_results(folder: Path) -> Results:
    """Read ``results.json``."""
    raw = json.loads((folder / "results.json").read_text())
    return Results(
        about=raw["about"],
        comparisons=[comparison_from(entry) for entry in raw["comparisons"]],
        sweeps=[comparison_from(entry) for entry in raw["sweeps"]],
    )


def comparison_from(raw: dict[str, Any]) -> Comparison:
    """Return the comparison from its dictionary, as made by ``asdict``."""
    return Comparison(**{**raw, "sides": [Side(**side) for side in raw["sides"]]})
