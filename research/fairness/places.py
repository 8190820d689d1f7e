# SPDX-License-Identifier: MIT
"""The folder of the results and the size of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from common.places import SCRATCH, results_folder

from .protocol import N_SPLITS
from .tasks import LOADERS

RESULTS = results_folder("fairness")
QUICK_RESULTS = SCRATCH / "fairness"


@dataclass(frozen=True)
class Scale:
    """The size of a run and the folder of its results."""

    results: Path = RESULTS
    n_splits: int = N_SPLITS
    tasks: tuple[str, ...] = field(default=tuple(LOADERS))
    n_workers: int = 2
    n_repetitions: int = 5  # repetitions of each point of the picture over time
    n_plain_splits: int = N_SPLITS  # splits on which scikit-learn + NumPy is timed


QUICK = Scale(
    results=QUICK_RESULTS,
    n_splits=1,
    tasks=("wine, colour", "german, sex", "compas, race"),
    n_repetitions=1,
    n_plain_splits=1,
)
