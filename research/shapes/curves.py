# SPDX-License-Identifier: MIT
"""Draw the curves from the tables: figures 2a, 2b, 7, 9, and quality against time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .budget import PEER
from .measure import Study, weights_of_text
from .methods import OURS, RIVALS
from .silhouettes import SHAPES
from .style import COLOURS, line_of, plt, save

LABELS = {"iou": "IoU with the ground truth", "pixel_agreement": "fraction of pixels that agree"}


def draw_recovery(study: Study) -> None:
    """Draw figure 2a: support recovery against the number of atoms."""
    rivals, ours, controls = (study.table(name) for name in ("rivals", "ours", "controls"))
    if rivals is None or ours is None or controls is None:
        return
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.4), sharex=True, sharey="row")
    for row, measure in zip(axes, LABELS, strict=True):
        for method in [*RIVALS, *OURS]:
            draw_means(row[0], rivals[rivals.method == method], method, measure)
        for method in OURS:
            draw_means(row[1], ours[ours.method == method], method, measure)
        best = ours[ours.method == "L-BW, best"].groupby("split")[measure].mean().mean()
        k = int(ours[ours.method == "L-BW, best"].k.max())
        row[1].axhline(best, color=COLOURS["L-BW, best"], linewidth=1.2)
        row[1].text(2, best + 0.008, f"best setting, k = {k}", color=COLOURS["L-BW, best"])
        draw_controls(row[1], controls, measure)
        row[0].set_ylabel(LABELS[measure])
        for ax in row:
            ax.axvline(20, color="0.7", linestyle="--", linewidth=0.8, zorder=0)
            ax.set_xscale("log")
            ax.set_xticks([2, 5, 10, 20, 40, 100], ["2", "5", "10", "20", "40", "100"])
            ax.minorticks_off()
    axes[0, 0].set(title=f"all methods, {study.rival_points} training points per shape")
    axes[0, 0].set_ylim(0.3, 1.0)
    axes[0, 0].text(
        2, 0.31, "ME-Gaussian, pixels: below 0.01", color=COLOURS["ME-Gaussian, pixels"]
    )
    axes[1, 0].set_ylim(0.6, 1.0)
    n_train = int(ours.n_train.max())
    axes[0, 1].set(title=f"lbw, {n_train} training points per shape")
    for ax in axes[1]:
        ax.set_xlabel("atoms k")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 0.02))
    save(figure, study.results, "fig2a-support-recovery")


def draw_means(ax: Any, rows: pd.DataFrame, method: str, measure: str) -> None:
    """Draw the mean over weights and splits against k, with a band of two standard errors."""
    groups = rows.groupby("k")[measure]
    mean, error = groups.mean(), groups.std() / np.sqrt(groups.count())
    ax.plot(mean.index, mean, **line_of(method))
    ax.fill_between(
        mean.index, mean - 2 * error, mean + 2 * error, color=COLOURS[method], alpha=0.12, lw=0
    )


def draw_controls(ax: Any, controls: pd.DataFrame, measure: str) -> None:
    """Draw the controls as dotted lines."""
    for control, mean in controls.groupby("control")[measure].mean().items():
        ax.axhline(mean, color="0.45", linestyle=":", linewidth=1)
        right = control != "random matching, k = 20"
        ax.text(
            105 if right else 2,
            mean + 0.006,
            control,
            color="0.35",
            fontsize=7,
            ha="right" if right else "left",
        )


def draw_time(study: Study) -> None:
    """Draw figure 2b: seconds of learning and transport against the number of atoms."""
    rivals, large = study.table("rivals"), study.table("large")
    if rivals is None:
        return
    figure, ax = plt.subplots(figsize=(6.2, 4.4))
    rivals["seconds"] = rivals.train_seconds + rivals.transport_seconds
    for method in [*RIVALS, *OURS]:
        median = rivals[rivals.method == method].groupby("k").seconds.median()
        ax.plot(median.index, median, **line_of(method))
    if large is not None:
        draw_large(ax, large[large.outcome == "done"])
    ax.axvline(20, color="0.7", linestyle="--", linewidth=0.8, zorder=0)
    ax.set(xscale="log", yscale="log", xlabel="atoms k", ylabel="seconds on one core")
    ax.set_xticks([2, 5, 10, 20, 40, 100], ["2", "5", "10", "20", "40", "100"])
    ax.minorticks_off()
    ax.set_title(
        f"learn from {study.rival_points} points per shape, transport 9 000 to one barycenter"
    )
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, study.results, "fig2b-time")


def draw_large(ax: Any, large: pd.DataFrame) -> None:
    """Draw the single runs on more points as dotted lines."""
    for (method, n_train), rows in large.groupby(["method", "n_train"]):
        seconds = rows.train_seconds + rows.transport_seconds
        style = {**line_of(method), "linestyle": ":", "markerfacecolor": "white"}
        ax.plot(rows.k, seconds, **{**style, "label": f"{method}, {n_train} points"})


def draw_information(study: Study) -> None:
    """Draw figure 7: AIC and BIC against the number of components, with their minima."""
    rows = study.table("information")
    if rows is None:
        return
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 3.4))
    for ax, criterion in zip(axes, ("aic", "bic"), strict=True):
        for shape, colour in zip(SHAPES, ("#1f77b4", "#c25b12", "#159a6a"), strict=True):
            curve = rows[rows["shape"] == shape].set_index("k")[criterion] / 1e3
            ax.plot(curve.index, curve - curve.min(), color=colour, label=shape)
            ax.plot(curve.idxmin(), 0.0, "o", color=colour)
        ax.axvline(20, color="0.7", linestyle="--", linewidth=0.8, zorder=0)
        ax.set(xlabel="components k", ylabel=f"{criterion.upper()} above its minimum, thousands")
        ax.set_ylim(-0.1, 3.0)
    axes[0].legend()
    figure.tight_layout()
    save(figure, study.results, "fig7-aic-bic")


def draw_by_weight(study: Study, measure: str, name: str) -> None:
    """Draw figure 9: recovery per weight against k, with a line at 85 %."""
    rivals, ours = study.table("rivals"), study.table("ours")
    if rivals is None or ours is None:
        return
    columns = min(4, len(study.grid))
    n_rows = -(-len(study.grid) // columns)
    figure, axes = plt.subplots(
        n_rows, columns, figsize=(2.4 * columns, 2.1 * n_rows), sharex=True, sharey=True
    )
    texts = sorted(ours.weights.unique(), key=lambda text: weights_of_text(text), reverse=True)
    for ax, text in zip(np.ravel(axes), texts, strict=False):
        for method in ("ME-Linear", "ME-Gaussian, scaled", "POT GMM"):
            rows = rivals[(rivals.method == method) & (rivals.weights == text)].sort_values("k")
            ax.plot(rows.k, rows[measure], **line_of(method))
        for method in OURS:
            rows = ours[(ours.method == method) & (ours.weights == text)]
            mean = rows.groupby("k")[measure].mean()
            ax.plot(mean.index, mean, **line_of(method))
        ax.axhline(0.85, color="0.5", linestyle="--", linewidth=0.8)
        ax.set_title("λ = " + ", ".join(text.split()))
        ax.set_xscale("log")
        ax.set_xticks([2, 5, 20, 100], ["2", "5", "20", "100"])
        ax.minorticks_off()
    lowest = 0.7 if measure == "pixel_agreement" else 0.45
    np.ravel(axes)[0].set_ylim(lowest, 1.0)
    figure.supxlabel("atoms k")
    figure.supylabel(LABELS[measure])
    figure.tight_layout()
    handles, labels = np.ravel(axes)[0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 0.0))
    save(figure, study.results, name)


# positions of labels that would overlap: offset in points, and alignment
PLACES = {
    ("L-BW, plan, cost bures", 20): (6, -9, "left"),
    ("L-BW, plan", 20): (6, 3, "left"),
    ("L-BW, plan", 200): (0, 6, "left"),
    ("L-BW, plan, tol 1e-2", 200): (0, -11, "left"),
    ("L-BW, plan, tol 1e-2, floor 2e-4", 100): (-6, -3, "right"),
    ("L-BW, plan, tol 1e-2, floor 1e-4", 300): (0, 6, "center"),
    ("L-BW, best", 200): (-6, -3, "right"),
    (PEER, 20): (-6, -3, "right"),
}


def draw_budget(study: Study) -> None:
    """Draw quality against time, from the paper's setting to the best one."""
    rows = study.table("budget")
    if rows is None:
        return
    figure, ax = plt.subplots(figsize=(6.8, 4.4))
    mean = rows.groupby(["method", "k"], sort=False)[["iou", "seconds"]].median().reset_index()
    for method, k, iou, seconds in mean.itertuples(index=False):
        colour = "0.3" if method == PEER else COLOURS.get(method, "#159a6a")
        ax.plot(1000 * seconds, iou, "o", color=colour, markersize=5)
        right, up, side = PLACES.get((method, k), (6, -3, "left"))
        text = f"{method.replace('L-BW, ', '')}, k = {k}"
        place = {"xytext": (right, up), "textcoords": "offset points", "ha": side}
        ax.annotate(text, (1000 * seconds, iou), fontsize=7.5, **place)
    ax.set(xscale="log", ylabel=LABELS["iou"])
    ax.set_xlabel("ms on one core: fit three shapes, transport 9 000 points to every weight")
    ax.set_xticks([30, 50, 100, 200, 400], ["30", "50", "100", "200", "400"])
    ax.minorticks_off()
    ax.margins(0.12, 0.08)
    save(figure, study.results, "budget")


def draw_curves(study: Study) -> None:
    """Draw all curves whose tables exist."""
    draw_recovery(study)
    draw_time(study)
    draw_information(study)
    draw_by_weight(study, "pixel_agreement", "fig9-agreement-by-weight")
    draw_by_weight(study, "iou", "fig9-iou-by-weight")
    draw_budget(study)
