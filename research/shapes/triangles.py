# SPDX-License-Identifier: MIT
"""Draw the triangles of barycenters (figures 3 and 8) and the inputs (figure 6)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from .measure import Study, points_path
from .methods import BEST_K, OURS, RIVALS
from .silhouettes import SHAPES, SIZE, STEPS, Points, split_of
from .style import plt, save
from .truth import otsu

Shade = NDArray[np.float64]  # 0 is white, 1 black
ROOT_THREE = np.sqrt(3.0)


def shade_of(points: Points) -> Shade:
    """Return the support of points as it is measured, with a soft edge.

    Pixels are white below half of Otsu's threshold of the density and black above one and a half.
    """
    counts, _, _ = np.histogram2d(
        points[:, 1], points[:, 0], bins=SIZE, range=[[0.0, 1.0], [0.0, 1.0]]
    )
    density = gaussian_filter(counts, 2.0)
    return np.clip(density / otsu(density) - 0.5, 0.0, 1.0)


def mosaic(shades: dict[tuple[float, ...], Shade]) -> Shade:
    """Arrange the pictures of all weights in a triangle: cat at the top, tooth at the right."""
    pitch = int(1.15 * SIZE)
    height = round(STEPS * pitch * ROOT_THREE / 2) + SIZE
    canvas = np.zeros((height, STEPS * pitch + SIZE))
    for (cat, _, tooth), shade in shades.items():
        top = round((1 - cat) * STEPS * pitch * ROOT_THREE / 2)
        left = round((cat / 2 + tooth) * STEPS * pitch)
        part = canvas[top : top + SIZE, left : left + SIZE]
        np.maximum(part, shade, out=part)
    return canvas


def corners() -> dict[tuple[float, ...], Shade]:
    """Return the pictures of the corners, whose points are not transported."""
    split = split_of(0)
    return {
        tuple(float(place == other) for other in range(3)): shade_of(np.concatenate(points))
        for place, points in enumerate(zip(split.train, split.held_out, strict=True))
    }


def triangle_of(study: Study, method: str, k: int) -> Shade | None:
    """Return the triangle of a method, or None if its points are not saved."""
    shades = corners()
    for weights in study.grid:
        path = points_path(study, method, k, weights)
        if not path.is_file():
            return None
        points = np.load(path).astype(np.float64)
        shades[weights] = shade_of(points[np.isfinite(points).all(axis=1)])
    return mosaic(shades)


def truth_triangle(study: Study) -> Shade:
    """Return the triangle of the ground truth."""
    shades = {weights: truth * 1.0 for weights, truth in study.truths().items()}
    return mosaic({**corners(), **shades})


def draw_panels(panels: dict[str, Shade], columns: int, study: Study, name: str) -> None:
    """Draw triangles with titles side by side."""
    rows = -(-len(panels) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(2.7 * columns, 2.75 * rows))
    for ax in np.ravel(axes):
        ax.axis("off")
    for ax, (title, shade) in zip(np.ravel(axes), panels.items(), strict=False):
        ax.imshow(1.0 - shade, cmap="gray", vmin=0, vmax=1, interpolation="antialiased")
        ax.set_title(title)
    figure.tight_layout()
    save(figure, study.results, name)


def draw_triangles(study: Study) -> None:
    """Draw figures 3 and 8."""
    panels = {"ground truth": truth_triangle(study)}
    wanted = [(method, 20) for method in [*RIVALS, *OURS]] + [("L-BW, best", BEST_K)]
    panels |= found_panels(study, wanted)
    draw_panels(panels, 3, study, "fig3-triangles-k20")
    methods = ["ME-Linear", "ME-Gaussian, scaled", "L-BW, paper", "L-BW, plan"]
    panels = found_panels(study, [(method, k) for k in (10, 100) for method in methods])
    if panels:
        draw_panels(panels, 4, study, "fig8-triangles-k10-k100")


def found_panels(study: Study, wanted: list[tuple[str, int]]) -> dict[str, Shade]:
    """Return the triangles with titles of the methods whose points are saved."""
    panels: dict[str, Shade] = {}
    for method, k in wanted:
        shade = triangle_of(study, method, k)
        if shade is not None:
            panels[f"{method}, k = {k}"] = shade
    return panels


def draw_inputs(study: Study) -> None:
    """Draw figure 6: the points in each silhouette."""
    split = split_of(0)
    figure, axes = plt.subplots(1, 3, figsize=(7.5, 2.8))
    for ax, shape, train, held_out in zip(axes, SHAPES, split.train, split.held_out, strict=True):
        points = np.concatenate([train, held_out])
        ax.plot(*points.T, ",", color="0.15", alpha=0.6)
        ax.set(xlim=(0, 1), ylim=(1, 0), aspect="equal", xticks=[], yticks=[])
        ax.set_title(f"{shape}, {len(points)} points")
        ax.axis("off")
    save(figure, study.results, "fig6-inputs")
