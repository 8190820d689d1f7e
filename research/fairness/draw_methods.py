# SPDX-License-Identifier: MIT
"""Pictures of the methods: trade-offs, changes from the raw features, floors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from .classifiers import CLASSIFIERS, FAMILIES
from .methods import METHODS
from .style import GAMMA, LOOKS, look, saved
from .summary import means_over_tasks, table_of

LABELS = {
    method: f"{method} (AUC as number)" if METHODS[method].decides else method for method in LOOKS
}
NOISE = "mean of the null distribution"
LOWERED = dict(  # distance of points below the axis, whose AUC is written beside them
    zip((method for method in LOOKS if METHODS[method].decides), (1.4, 2.3, 3.2), strict=True)
)


def draw_tradeoffs(results: Path) -> None:
    """Draw AUC against gamma, means over tasks with intervals, per family of classifiers."""
    means = means_over_tasks(table_of(results, "methods"), ("auc", "gamma"))
    noise = table_of(results, "noise").groupby("classifier")["noise_mean"].mean()
    for family, classifiers in FAMILIES.items():
        figure, axes = _panels(classifiers, f"{GAMMA}: lower is fairer", "AUC: higher is better")
        for ax, classifier in zip(axes, classifiers, strict=True):
            ax.axvline(noise[classifier], color="#999999", linestyle=":", label=NOISE)
            _scores(ax, means[means["classifier"] == classifier].set_index("method"))
        _legend_beside(figure, axes[0], LABELS)
        saved(figure, results / f"tradeoff-{family.replace(' ', '-')}.png")


def draw_decisions(results: Path) -> None:
    """Draw accuracy against the rate difference between groups, for decisions at one half."""
    means = means_over_tasks(table_of(results, "methods"), ("accuracy", "decision_gap"))
    classifiers = METHODS["ExponentiatedGradient"].classifiers  # supported by all
    figure, axes = _panels(
        classifiers, "rate difference between groups: lower is fairer", "accuracy: higher is better"
    )
    names = {method: method for method in LOOKS}
    for ax, classifier in zip(axes, classifiers, strict=True):
        points = means[means["classifier"] == classifier].set_index("method")
        for method in (name for name in LOOKS if name in points.index):
            _point(ax, points.loc[method], "decision_gap", "accuracy", names[method])
        ax.set_xlim(left=0.0)
    _legend_beside(figure, axes[0], names)
    saved(figure, results / "tradeoff-decisions.png")


def _panels(classifiers: tuple[str, ...], x_label: str, y_label: str) -> tuple[Any, Any]:
    figure, axes = plt.subplots(
        1, len(classifiers), figsize=(3.9 * len(classifiers) + 2.2, 3.9), squeeze=False
    )
    for ax, classifier in zip(axes[0], classifiers, strict=True):
        ax.set_title(classifier)
        ax.set_xlabel(x_label)
        ax.xaxis.set_major_locator(MaxNLocator(5))
    axes[0, 0].set_ylabel(y_label)
    return figure, axes[0]


def _legend_beside(figure: Any, ax: Any, names: dict[str, str]) -> None:
    handles = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    shown = [name for name in (NOISE, *names.values()) if name in handles]
    figure.legend([handles[name] for name in shown], shown, loc="outside right center", fontsize=8)


def _point(ax: Any, row: pd.Series, x: str, y: str, label: str) -> None:
    ax.errorbar(
        row[x],
        row[y],
        xerr=[[row[x] - row[f"{x}_low"]], [row[f"{x}_high"] - row[x]]],
        yerr=[[row[y] - row[f"{y}_low"]], [row[f"{y}_high"] - row[y]]],
        linestyle="none",
        elinewidth=0.8,
        markersize=6,
        label=label,
        **look(str(row.name)),
    )


def _scores(ax: Any, points: pd.DataFrame) -> None:
    scored = [method for method in points.index if not METHODS[method].decides]
    bottom, top = points.loc[scored, "auc_low"].min(), points.loc[scored, "auc_high"].max()
    margin = 0.12 * (top - bottom)
    for method in (name for name in LOOKS if name in points.index):
        row = points.loc[method]
        if method in scored:
            _point(ax, row, "gamma", "auc", LABELS[method])
        else:  # decisions have two values and a much lower AUC, which is written at the lower edge
            low = bottom - LOWERED[method] * margin
            options = {"linestyle": "none", "markersize": 6, "label": LABELS[method]}
            ax.plot(row["gamma"], low, **options, **look(method))
            text = f"{row['auc']:.2f}"
            ax.annotate(text, (row["gamma"], low), (6, -3), textcoords="offset points", fontsize=7)
    ax.set_xlim(left=0.0)
    ax.set_ylim(bottom - 3.8 * margin, top + margin)


def draw_changes(results: Path) -> None:
    """Draw changes from the mean of the raw classifier per task (the paper's Fig. 5 and 13)."""
    table = table_of(results, "tuned")
    keys = ["task", "classifier"]
    raw = table[table["method"] == "raw"].groupby(keys)[["auc", "gamma"]].mean()
    own = table[table["method"] == "L-BW as in the paper"].join(raw, on=keys, rsuffix="_raw")
    own = own.assign(
        auc_change=own["auc"] - own["auc_raw"], gamma_change=own["gamma"] - own["gamma_raw"]
    )
    three = ("logistic regression", "gradient boosting", "random forest")
    _changes(own, three, results / "figure-05-change.png")
    _changes(own, tuple(CLASSIFIERS), results / "figure-13-change.png")


def _changes(table: pd.DataFrame, classifiers: tuple[str, ...], path: Path) -> None:
    figure, axes = plt.subplots(1, 2, figsize=(8.4, 1.0 + 0.5 * len(classifiers)), sharey=True)
    tasks = list(dict.fromkeys(table["task"]))
    colours = plt.get_cmap("tab10")
    for ax, (measure, name) in zip(
        axes,
        (("gamma_change", f"change of {GAMMA} (< 0 is fairer)"), ("auc_change", "change of AUC")),
        strict=True,
    ):
        for place, classifier in enumerate(classifiers):
            part = table[table["classifier"] == classifier]
            ax.boxplot(
                part[measure],
                positions=[place],
                orientation="horizontal",
                widths=0.6,
                showfliers=False,
                medianprops={"color": "black"},
                boxprops={"color": "#888888"},
            )
            for number, task in enumerate(tasks):
                values = part.loc[part["task"] == task, measure].to_numpy()
                height = place + (number - (len(tasks) - 1) / 2) * 0.06
                ax.plot(
                    values,
                    np.full(len(values), height),
                    ".",
                    color=colours(number),
                    markersize=3.5,
                    label=task if place == 0 else None,
                )
        ax.axvline(0.0, color="black", linewidth=0.8)
        ax.xaxis.set_major_locator(MaxNLocator(5))
        ax.set_xlabel(name)
    axes[0].set_yticks(range(len(classifiers)), classifiers)
    axes[0].invert_yaxis()
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=8, markerscale=2.5)
    saved(figure, path)


def draw_floors(results: Path) -> None:
    """Draw gamma of a logistic regression and displacement against covariance floors."""
    table = table_of(results, "floors")
    table = table[(table["method"] != "raw") & (table["classifier"] == "logistic regression")]
    kinds = list(dict.fromkeys(table["features"]))
    figure, axes = plt.subplots(2, len(kinds), figsize=(3.6 * len(kinds) + 2.8, 5.2), sharex=True)
    for column, kind in enumerate(kinds):
        part = table[table["features"] == kind]
        for row, measure in enumerate(("gamma", "displacement")):
            _floor_lines(axes[row, column], part, measure)
        axes[0, column].set_title(kind)
        axes[0, column].set_ylim(bottom=0.0)
        axes[1, column].set_yscale("log")
        axes[1, column].yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes[1, column].yaxis.set_major_formatter("{x:g}")
        axes[1, column].yaxis.set_minor_formatter(NullFormatter())
        axes[1, column].set_xlabel("floor")
    axes[0, 0].set_ylabel(GAMMA)
    axes[1, 0].set_ylabel("root mean square displacement")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize=7)
    saved(figure, results / "floors.png")


def _floor_lines(ax: Any, table: pd.DataFrame, measure: str) -> None:
    styles = {"covariance_floor": "-", "relative_covariance_floor": ":"}
    for method, lines in table.groupby("method", sort=False):
        none = lines.loc[lines["regularization"] == "none", measure].mean()
        for kind, style in styles.items():
            curve = lines[lines["regularization"] == kind].groupby("amount")[measure].mean()
            ax.plot(
                range(len(curve) + 1),
                [none, *curve],
                linestyle=style,
                label=f"{method},\n{kind}",
                markersize=4,
                **look(str(method)),
            )
    ax.set_xticks(range(len(curve) + 1), ["1e-6", *(f"{floor:g}" for floor in curve.index)])
