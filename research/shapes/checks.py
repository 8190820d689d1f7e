# SPDX-License-Identifier: MIT
"""Compare the ground truth with POT and with exact assignments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import ot

from common.progress import progress
from lbw.metrics import support_agreement

from .measure import Study, text_of_weights
from .silhouettes import SHAPES, Points, silhouette
from .truth import (
    FLOOR,
    ITERATIONS,
    REGULARISATION,
    assigned_barycenter,
    convolutional_barycenter,
    otsu,
)

WEIGHTS = (0.5, 0.25, 0.25)
BANDWIDTHS = (2, 3)  # pixels: the bandwidth of the measure, and about the distance between points
# name, regularization, floor; at 4e-3 POT's own floor has no effect
AGAINST_POT = [
    ("POT, regularisation 4e-3", 4e-3, 1e-30),
    ("POT, its floor 1e-30", REGULARISATION, 1e-30),
    ("POT, floor 1e-300", REGULARISATION, FLOOR),
]


def measure_checks(study: Study) -> None:
    """Measure the differences from the ground truth."""
    rows = study.rows("truth", ["check", "weights"], ["iou", "largest_difference"])
    truths = study.truths()
    if study.name == "full":  # each takes half a minute
        for check, regularisation, floor in progress(AGAINST_POT, "ground truth against POT"):
            key = {"check": check, "weights": text_of_weights(WEIGHTS)}
            if not rows.done(**key):
                rows.add({**key, **against_pot(WEIGHTS, regularisation, floor)})
    n_points = 2000 if study.name == "full" else 1000
    clouds = [lattice(silhouette(name), n_points) for name in SHAPES]
    for weights in progress(study.grid, "ground truth against assignments"):
        text = text_of_weights(weights)
        if rows.done(check=f"exact assignment, bandwidth {BANDWIDTHS[-1]}", weights=text):
            continue
        points = assigned_barycenter(clouds, weights)
        rows.add(
            {
                "check": f"exact assignment, bandwidth {width}",
                "weights": text,
                "iou": support_agreement(points, truths[weights], bandwidth=width).iou,
                "largest_difference": float("nan"),
            }
            for width in BANDWIDTHS
        )


def against_pot(weights: Sequence[float], regularisation: float, floor: float) -> dict[str, float]:
    """Compare the convolutional barycenter with that of POT."""
    pictures = np.stack([silhouette(name) / silhouette(name).sum() for name in SHAPES])
    ours = convolutional_barycenter(pictures, weights, regularisation=regularisation)
    theirs = ot.bregman.convolutional_barycenter2d(
        pictures,
        regularisation,
        np.array(weights),
        numItermax=ITERATIONS,
        stopThr=0.0,
        stabThr=floor,
        warn=False,
    )
    a, b = ours > otsu(ours), theirs > otsu(np.nan_to_num(theirs))
    return {
        "iou": float(np.sum(a & b) / np.sum(a | b)),
        "largest_difference": float(np.abs(ours - theirs).max() / ours.max()),
    }


def lattice(picture: np.ndarray, n_points: int) -> Points:
    """Return points on a square lattice inside a picture, with small random displacements.

    They represent the silhouette with less noise than random points.
    """
    random = np.random.default_rng(0)
    size = picture.shape[0]
    step = np.sqrt(picture.sum() / n_points)  # spacing of the lattice in pixels
    axis = (np.arange(0, size / step) + 0.5) * step
    x, y = np.meshgrid(axis, axis)
    spread = np.column_stack([x.ravel(), y.ravel()])
    spread = np.clip(spread + random.uniform(-0.3, 0.3, spread.shape) * step, 0, size - 1e-9)
    inside = spread[picture[spread[:, 1].astype(int), spread[:, 0].astype(int)]]
    return fitted_number(inside, n_points, picture, random) / size


def fitted_number(
    points: Points, n_points: int, picture: np.ndarray, random: np.random.Generator
) -> Points:
    """Remove or add random points to reach the required number."""
    if len(points) >= n_points:
        return points[random.choice(len(points), n_points, replace=False)]
    row, column = np.nonzero(picture)
    chosen = random.integers(len(row), size=n_points - len(points))
    more = np.column_stack([column[chosen], row[chosen]]) + random.uniform(size=(len(chosen), 2))
    return np.concatenate([points, more])
