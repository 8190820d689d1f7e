# SPDX-License-Identifier: MIT
"""The sizes of the study, its tables, and the measures of transported points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from common.files import replacing
from common.places import SCRATCH, results_folder
from common.rows import Rows
from common.tables import read_table
from lbw.metrics import support_agreement

from .silhouettes import Picture, Points, triangle
from .truth import truths

MEASURES = ["iou", "pixel_agreement", "inside", "coverage"]
Weights = tuple[float, ...]


@dataclass(frozen=True)
class Study:
    """The sizes of the study and the folder of its results."""

    name: str
    results: Path  # tables and figures
    scratch: Path  # pictures and ground truths that can be computed again
    grid: list[Weights]  # weights of the barycenters
    splits: list[int]  # seeds
    atoms: list[int]  # values of k for the curves
    rival_atoms: list[int]  # fewer values for slow methods, in this order
    rival_points: int  # training points per shape for the comparison of times
    drawn_atoms: list[int]  # values of k for the triangles

    def rows(self, name: str, keys: Sequence[str], columns: Sequence[str]) -> Rows:
        """Return a table of the study."""
        return Rows(self.results / f"{name}.csv", keys, columns)

    def table(self, name: str) -> pd.DataFrame | None:
        """Return a measured table, or None."""
        return read_table(self.results, name)

    def truths(self) -> dict[Weights, Picture]:
        """Return the ground truth at every weight of the grid."""
        return truths(self.grid, SCRATCH / "shapes-truth")


FULL = Study(
    name="full",
    results=results_folder("shapes"),
    scratch=SCRATCH / "shapes",
    grid=triangle(),
    splits=list(range(10)),
    atoms=[2, 5, 10, 15, 20, 30, 40, 60, 80, 100],
    rival_atoms=[20, 10, 100, 40, 5, 2],
    rival_points=500,
    drawn_atoms=[10, 20, 100],
)
QUICK = Study(
    name="quick",
    results=SCRATCH / "shapes-quick",
    scratch=SCRATCH / "shapes-quick",
    grid=[(0.5, 0.5, 0.0), (0.5, 0.25, 0.25), (0.0, 0.5, 0.5)],
    splits=[0, 1],
    atoms=[2, 5, 10, 20, 40],
    rival_atoms=[5, 20],
    rival_points=200,
    drawn_atoms=[20],
)


def text_of_weights(weights: Sequence[float]) -> str:
    """Return weights as text of a table, such as ``0.5 0.25 0.25``."""
    return " ".join(f"{weight:g}" for weight in weights)


def weights_of_text(text: str) -> Weights:
    """Return the weights from the text of a table."""
    return tuple(float(word) for word in text.split())


def agreement(points: Points, truth: Picture) -> dict[str, float]:
    """Return the measures of transported points. Points that are not finite are dropped."""
    finite = points[np.isfinite(points).all(axis=1)]
    if len(finite) == 0:
        return dict.fromkeys(MEASURES, float("nan"))
    found = support_agreement(finite, truth)
    return {name: float(getattr(found, name)) for name in MEASURES}


def save_points(study: Study, method: str, k: int, weights: Weights, points: Points) -> None:
    """Save transported points for the triangles, in half precision."""
    with replacing(points_path(study, method, k, weights)) as part:
        np.save(part, points.astype(np.float16))


def points_path(study: Study, method: str, k: int, weights: Weights) -> Path:
    """Return the file of the transported points of a method."""
    name = f"{method}-{k}-{text_of_weights(weights)}".replace(" ", "_").replace(",", "")
    return study.scratch / "points" / f"{name}.npy"
