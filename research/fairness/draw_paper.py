# SPDX-License-Identifier: MIT
"""The paper's figures 4, 10, 11 and 12."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from .style import GAMMA, GROUP_COLOURS, LOOKS, look, saved
from .summary import table_of


def draw_time(results: Path) -> None:
    """Draw AUC and gamma of a logistic regression against time (the paper's Fig. 4)."""
    table = table_of(results, "time_to_solution")
    tasks = list(dict.fromkeys(table["task"]))
    figure, axes = plt.subplots(
        2, len(tasks), figsize=(3.6 * len(tasks) + 2.2, 5.6), squeeze=False, sharex="col"
    )
    for column, task in enumerate(tasks):
        for row, (measure, name) in enumerate((("auc", "AUC"), ("gamma", GAMMA))):
            ax = axes[row, column]
            for method, part in table[table["task"] == task].groupby("method", sort=False):
                by_rows = part.groupby("n_rows")
                seconds = by_rows["seconds"].median()
                low, high = (by_rows[measure].quantile(q) for q in (0.25, 0.75))
                ax.plot(
                    seconds, by_rows[measure].mean(), label=method, markersize=4, **look(method)
                )
                ax.fill_between(seconds, low, high, color=LOOKS[method]["color"], alpha=0.15)
            ax.set_xscale("log")
            if row == 0:
                ax.set_title(task)
            else:
                ax.set_xlabel("seconds for barycenter, maps and classifier")
            if column == 0:
                ax.set_ylabel(name)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=8)
    saved(figure, results / "figure-04-time-to-solution.png")


def draw_gamma(results: Path) -> None:
    """Draw gamma, the largest distance of a ROC curve from the diagonal (Fig. 10)."""
    table = table_of(results, "roc")
    figure, ax = plt.subplots(figsize=(4.2, 4.0))
    for (curve, part), colour in zip(
        table.groupby("curve", sort=False), ("black", GROUP_COLOURS[0]), strict=True
    ):
        name = {"label": "label: rated 6 or better", "group": "group: white wine"}[curve]
        ax.plot(part["false_rate"], part["true_rate"], color=colour, label=name)
    group = table[table["curve"] == "group"]
    gap = (group["true_rate"] - group["false_rate"]).to_numpy()
    widest = int(np.argmax(np.abs(gap)))
    x, y = group["false_rate"].iloc[widest], group["true_rate"].iloc[widest]
    ax.plot([x, x], [x, y], color="#D55E00", linewidth=2)
    ax.annotate(
        rf"$\gamma$ = {abs(gap[widest]):.2f}", (x, (x + y) / 2), (8, -3), textcoords="offset points"
    )
    ax.plot([0, 1], [0, 1], color="#999999", linestyle="--")
    ax.set_xlabel("false positive rate")
    ax.set_ylabel("true positive rate")
    ax.set_aspect("equal")
    ax.legend(loc="lower right", fontsize=8)
    saved(figure, results / "figure-10-gamma.png")


def draw_components(results: Path) -> None:
    """Draw the first two principal components by group, raw and repaired (Fig. 11)."""
    table = table_of(results, "components")
    tasks = list(dict.fromkeys(table["task"]))
    methods = list(dict.fromkeys(table["method"]))
    n_columns = min(4, len(tasks))
    n_bands = -(-len(tasks) // n_columns)
    figure, axes = plt.subplots(
        n_bands * len(methods),
        n_columns,
        figsize=(2.6 * n_columns, 2.3 * n_bands * len(methods)),
        squeeze=False,
    )
    for number, task in enumerate(tasks):
        band, column = divmod(number, n_columns)
        part = table[table["task"] == task]
        span = {axis: np.quantile(part[axis], [0.01, 0.99]) for axis in ("first", "second")}
        for row, method in enumerate(methods):
            ax = axes[band * len(methods) + row, column]
            groups = part[part["method"] == method].groupby("group", sort=False)
            for (group, points), colour in zip(groups, GROUP_COLOURS, strict=True):
                ax.plot(points["first"], points["second"], ".", ms=2.5, color=colour, label=group)
            ax.set_xlim(_widened(span["first"]))
            ax.set_ylim(_widened(span["second"]))
            ax.set_xticks([])
            ax.set_yticks([])
            if column == 0:
                ax.set_ylabel(method)
            if row == 0:
                ax.set_title(task)
                ax.legend(
                    fontsize=7, markerscale=3, loc="upper right", frameon=True, handletextpad=0
                )
    for ax in axes.flat[len(tasks) * len(methods) :]:
        ax.set_visible(False)
    saved(figure, results / "figure-11-components.png")


def draw_aic(results: Path) -> None:
    """Draw AIC per row against the number of components, per group and task (Fig. 12)."""
    table = table_of(results, "aic")
    tasks = list(dict.fromkeys(table["task"]))
    n_columns = min(4, len(tasks))
    n_rows = -(-len(tasks) // n_columns)
    figure, axes = plt.subplots(
        n_rows, n_columns, figsize=(2.7 * n_columns, 2.3 * n_rows), squeeze=False
    )
    for ax, task in zip(axes.flat, tasks, strict=False):
        groups = table[table["task"] == task].groupby("group", sort=False)
        for (group, part), colour in zip(groups, GROUP_COLOURS, strict=True):
            curve = part["aic"] / part["n_rows"]
            lowest = int(np.argmin(curve))
            ax.plot(part["n_components"], curve, color=colour, label=group)
            ax.plot(part["n_components"].iloc[lowest], curve.iloc[lowest], "o", color=colour)
        ax.set_xscale("log")
        ax.set_xticks([1, 3, 10, 30], ["1", "3", "10", "30"])
        ax.set_title(task)
        ax.legend(fontsize=7)
    for ax in axes[-1]:
        ax.set_xlabel("components")
    for ax in axes[:, 0]:
        ax.set_ylabel("AIC per row")
    for ax in axes.flat[len(tasks) :]:
        ax.set_visible(False)
    saved(figure, results / "figure-12-aic.png")


def _widened(span: np.ndarray) -> tuple[float, float]:
    margin = 0.15 * (span[1] - span[0])
    return span[0] - margin, span[1] + margin
