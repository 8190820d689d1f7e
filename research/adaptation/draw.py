# SPDX-License-Identifier: MIT
"""The figures: accuracy by angle, maps of moons, and pictures with transported colours."""

from __future__ import annotations

from typing import Any

import numpy as np

from common.tables import read_table
from shapes.style import plt, save

from .classify import CLASSIFIERS
from .methods import METHODS
from .moons import domains
from .pictures import PICTURES
from .study import Study
from .tables import means
from .transfer import KINDS, PAIRS, transferred

STYLES: dict[str, dict[str, Any]] = {
    "no adaptation": {"color": "0.6", "linestyle": ":"},
    "POT EMD": {"color": "#c25b12", "marker": "s"},
    "POT Sinkhorn": {"color": "#8a4fbf", "marker": "D"},
    "POT linear": {"color": "#6f6f6f", "marker": "^"},
    "lbw default": {"color": "#d11149", "marker": "o", "linewidth": 2.2},
    "lbw, floor 0.1": {"color": "#159a6a", "marker": "P"},
    "lbw, random": {"color": "#1f77b4", "marker": "v"},
}
SHOWN = ("no adaptation", "POT EMD", "lbw, random", "lbw, hard", "lbw default", "lbw, floor 0.1")
PICTURED = ("lbw, soft", "lbw, hard", "lbw, random", "POT EMD")
ANGLE = 40


def draw_accuracy(study: Study) -> None:
    """Draw the accuracy of both classifiers against the angle."""
    rows = read_table(study.results, "moons")
    if rows is None:
        return
    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
    for panel, classifier in zip(panels, CLASSIFIERS, strict=True):
        own = means(rows[rows.classifier == classifier], ["method", "angle"], "accuracy")
        for method, style in STYLES.items():
            line = own[own.method == method].sort_values("angle")
            panel.plot(line.angle, line["mean"], label=method, markersize=4, **style)
            low, high = line["mean"] - line.half, line["mean"] + line.half
            panel.fill_between(line.angle, low, high, color=style["color"], alpha=0.12, lw=0)
        panel.axhline(0.5, color="0.85", linewidth=0.8, zorder=0)
        panel.set(title=classifier, xlabel="rotation in degrees")
    panels[0].set_ylabel("accuracy on new target points")
    panels[1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    save(figure, study.results, "moons")


def draw_moons(study: Study) -> None:
    """Draw the transported and labelled source points over the target."""
    data = domains(ANGLE, 0, study.n_points)
    figure, panels = plt.subplots(2, 3, figsize=(9, 5), sharex=True, sharey=True)
    for panel, name in zip(panels.flat, SHOWN, strict=True):
        moved = METHODS[name](data.source, data.target)(data.source)
        panel.scatter(*data.target.T, s=3, color="0.8")
        for label, colour in enumerate(("#d11149", "#1f77b4")):
            own = moved[data.source_labels == label]
            panel.scatter(*own.T, s=3, color=colour)
        panel.set(title=name, aspect="equal")
    save(figure, study.results, "moons-maps")


def draw_colours(study: Study) -> None:
    """Draw pictures with the colours of other pictures."""
    pairs = PAIRS[:3]
    columns = ("source", "target", *PICTURED)
    size = (1.7 * len(columns), 1.85 * len(pairs))
    figure, panels = plt.subplots(len(pairs), len(columns), figsize=size)
    for row, names in zip(panels, pairs, strict=True):
        source, target = (PICTURES[name]() for name in names)
        made = [transferred(KINDS[name], source, target) for name in PICTURED]
        for panel, picture, title in zip(row, [source, target, *made], columns, strict=True):
            panel.imshow(np.clip(picture, 0, 1), interpolation="nearest")
            panel.set_axis_off()
            panel.set_title(title if names == pairs[0] else "")
    figure.subplots_adjust(wspace=0.04, hspace=0.04)
    save(figure, study.results, "colours")
