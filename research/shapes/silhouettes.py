# SPDX-License-Identifier: MIT
"""The silhouettes, the points in them, and their splits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from common.places import data_file

Points = NDArray[np.float64]
Picture = NDArray[np.bool_]

SHAPES = ("cat", "rabbit", "tooth")
SIZE = 200  # pixels per side
N_POINTS = 10_000  # points of each silhouette
HELD_OUT = 0.3
STEPS = 4  # steps of the grid of weights


@cache
def silhouette(name: str) -> Picture:
    """Return a silhouette as a binary picture of 200 x 200 pixels, with row 0 at the top."""
    suffix = "jpg" if name == "clover" else "png"
    with Image.open(data_file("shapes", f"{name}.{suffix}")) as image:
        ground = Image.new("RGBA", image.size, "white")
        grey = Image.alpha_composite(ground, image.convert("RGBA")).convert("L")
    # the filter width follows the scale: large pictures are averaged, small ones interpolated
    small = grey.resize((SIZE, SIZE), Image.Resampling.BILINEAR)
    return np.asarray(small) < 128


def points_in(picture: Picture, n_points: int, random: np.random.Generator) -> Points:
    """Draw points uniformly inside a picture, in the unit square with y downwards."""
    row, column = np.nonzero(picture)
    chosen = random.integers(len(row), size=n_points)
    corner = np.column_stack([column[chosen], row[chosen]])
    return (corner + random.uniform(size=(n_points, 2))) / picture.shape[0]


@dataclass(frozen=True)
class Split:
    """Training points and held-out points, with one array per shape."""

    train: list[Points]
    held_out: list[Points]

    def thinned(self, n_train: int) -> Split:
        """Return the split with only the first training points, for slow methods."""
        return Split([points[:n_train] for points in self.train], self.held_out)


def split_of(seed: int, n_points: int = N_POINTS) -> Split:
    """Draw points in every shape and split them at random, with 70 % for training."""
    random = np.random.default_rng([seed, 2019])
    n_train = round((1 - HELD_OUT) * n_points)
    train, held_out = [], []
    for name in SHAPES:
        points = random.permutation(points_in(silhouette(name), n_points, random))
        train.append(points[:n_train])
        held_out.append(points[n_train:])
    return Split(train, held_out)


def triangle(steps: int = STEPS, *, vertices: bool = False) -> list[tuple[float, ...]]:
    """Return a grid of weights on the triangle, by default without its three corners."""
    grid = [
        (a / steps, b / steps, (steps - a - b) / steps)
        for a in range(steps, -1, -1)
        for b in range(steps - a, -1, -1)
    ]
    return [weights for weights in grid if vertices or max(weights) < 1.0]
