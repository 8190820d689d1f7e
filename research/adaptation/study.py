# SPDX-License-Identifier: MIT
"""The sizes of the full and the quick study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from common.places import SCRATCH, results_folder


@dataclass(frozen=True)
class Study:
    """The sizes of the study and the folder of its results."""

    results: Path
    angles: tuple[int, ...]
    n_seeds: int
    n_points: int
    n_splits: int


FULL = Study(
    results=results_folder("adaptation"),
    angles=tuple(range(10, 91, 10)),
    n_seeds=10,
    n_points=500,
    n_splits=5,
)
QUICK = Study(
    results=SCRATCH / "adaptation",
    angles=(20, 40, 60),
    n_seeds=2,
    n_points=200,
    n_splits=1,
)
