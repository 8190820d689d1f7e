# SPDX-License-Identifier: MIT
"""Computed pictures, so that the repository needs no third-party pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float64]  # (height, width, 3), from 0 to 1

SIZE = 128


def smooth_noise(rng: np.random.Generator, size: int, cells: int) -> NDArray[np.float64]:
    """Return noise between 0 and 1 on a grid of random values, interpolated by cosines."""
    grid = rng.uniform(size=(cells + 1, cells + 1))
    place = np.linspace(0, cells, size, endpoint=False)
    first = place.astype(int)
    step = (1 - np.cos(np.pi * (place - first))) / 2
    rows = grid[first] * (1 - step)[:, None] + grid[first + 1] * step[:, None]
    return rows[:, first] * (1 - step) + rows[:, first + 1] * step


def clouds(rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Return noise of several scales, between 0 and 1."""
    layers = [smooth_noise(rng, size, 2**level) / 2**level for level in range(1, 6)]
    total = sum(layers)
    return (total - total.min()) / (total.max() - total.min())


def blended(low: object, high: object, amount: NDArray[np.float64]) -> Picture:
    """Interpolate between two colours, with one parameter per pixel."""
    return np.asarray(low) * (1 - amount[..., None]) + np.asarray(high) * amount[..., None]


def landscape(
    seed: int, sky: tuple[object, object], sun: object, hills: object, sea: tuple[object, object]
) -> Picture:
    """Paint a sky with clouds and a sun, two ranges of hills, and water."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    picture = blended(*sky, np.clip(1.4 * y + 0.35 * (clouds(rng, SIZE) - 0.5), 0, 1))
    glow = np.exp(-((x - 0.7) ** 2 + (y - 0.25) ** 2) / 0.02)
    picture = blended(np.zeros(3), sun, glow) + picture * (1 - glow[..., None])
    for depth, base in ((0.5, 0.45), (1.0, 0.55)):
        ridge = base + 0.12 * (clouds(rng, SIZE)[0] - 0.5)
        texture = 0.7 + 0.3 * clouds(rng, SIZE)
        shade = np.asarray(hills) * texture[..., None] * depth + np.asarray(sky[1]) * (1 - depth)
        picture = np.where((y > ridge)[..., None], shade, picture)
    ripples = 0.5 + 0.5 * np.sin(90 * y + 12 * clouds(rng, SIZE))
    water = blended(*sea, np.clip(ripples * (y - 0.72) / 0.28, 0, 1))
    picture = np.where((y > 0.72)[..., None], water, picture)
    return np.clip(picture + 0.015 * rng.normal(size=picture.shape), 0, 1)


def day() -> Picture:
    """Return a landscape at noon: blue sky, green hills, blue water."""
    return landscape(
        1,
        sky=((0.25, 0.50, 0.85), (0.80, 0.90, 0.97)),
        sun=(1.0, 0.98, 0.85),
        hills=(0.25, 0.55, 0.20),
        sea=((0.10, 0.30, 0.50), (0.45, 0.70, 0.80)),
    )


def dusk() -> Picture:
    """Return a landscape at sunset: orange sky, brown hills, violet water."""
    return landscape(
        2,
        sky=((0.30, 0.15, 0.40), (0.98, 0.55, 0.25)),
        sun=(1.0, 0.90, 0.50),
        hills=(0.35, 0.18, 0.15),
        sea=((0.15, 0.08, 0.25), (0.85, 0.45, 0.40)),
    )


def leaves() -> Picture:
    """Return leaves in autumn: patches of few, saturated colours."""
    rng = np.random.default_rng(3)
    colours = np.array([[0.75, 0.20, 0.10], [0.90, 0.65, 0.10], [0.35, 0.45, 0.12]])
    centres = rng.uniform(size=(90, 2))
    kinds = rng.choice(3, size=90, p=[0.5, 0.35, 0.15])
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    distance = (y[..., None] - centres[:, 0]) ** 2 + (x[..., None] - centres[:, 1]) ** 2
    order = np.sort(distance, axis=-1)
    edge = np.clip((np.sqrt(order[..., 1]) - np.sqrt(order[..., 0])) * 25, 0.25, 1)
    texture = edge * (0.8 + 0.2 * clouds(rng, SIZE))
    picture = colours[kinds[distance.argmin(axis=-1)]] * texture[..., None]
    return np.clip(picture + 0.015 * rng.normal(size=picture.shape), 0, 1)


PICTURES = {"day": day, "dusk": dusk, "leaves": leaves}
