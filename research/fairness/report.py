# SPDX-License-Identifier: MIT
"""Write README.md of the results with claims, numbers and verdicts, and tests.csv."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pandas as pd

from common.claim import Claim
from common.files import write_text
from common.page import markdown, with_block
from common.places import ROOT
from common.rows import table_files

from . import floors, sensitivity
from .choice import INNER_ROWS
from .claims import (
    fronts,
    fronts_of_decisions,
    goals,
    of_components,
    of_the_paper,
    of_time,
)
from .classifiers import CLASSIFIERS, SLOW_ROWS
from .discrete import discrete_lines
from .mapping_estimation import GRIDS, MAX_ITERATIONS, ROWS_PER_GROUP
from .methods import COMPARED, GRADIENT_ROWS, GRADIENT_STEPS, METHODS
from .places import RESULTS, Scale
from .statistics import paired_tests
from .summary import changed, means_over_tasks, table_of
from .time_to_solution import MAPPING_ROWS
from .tune import COMPONENTS, N_FOLDS

PAGE = ROOT / "docs" / "fairness.md"
MARKS = (
    "<!-- figures: written by make experiments-fairness -->",
    "<!-- end of figures -->",
)
TEXT = Path(__file__).with_name("text")
SECTIONS: dict[str, tuple[tuple[str, ...], Callable[[Path], Iterable[Claim]]]] = {
    "Targets for lbw": (("methods",), goals),
    "Is lbw dominated? Scores, by AUC and γ": (("methods",), fronts),
    "Is lbw dominated? Decisions, by accuracy and rate difference": (
        ("methods",),
        fronts_of_decisions,
    ),
    "The paper's tests": (("tuned",), of_the_paper),
    "Time": (("timing", "time_to_solution"), of_time),
    "Components": (("aic",), of_components),
}
PICTURES = {
    "tradeoff-linear.png": "AUC against γ, all methods: linear classifiers",
    "tradeoff-trees.png": "AUC against γ, all methods: trees",
    "tradeoff-neighbours.png": "AUC against γ, all methods: nearest neighbours",
    "tradeoff-neural-network.png": "AUC against γ, all methods: neural network",
    "tradeoff-decisions.png": "Decisions: accuracy against the rate difference between groups",
    "figure-04-time-to-solution.png": "Fig. 4: AUC and γ against time",
    "figure-05-change.png": "Fig. 5: change from the raw classifier, three classifiers",
    "figure-13-change.png": "Fig. 13: the same for all seven classifiers",
    "figure-10-gamma.png": "Fig. 10: definition of γ",
    "figure-11-components.png": "Fig. 11: two principal components by group, raw and repaired",
    "figure-12-aic.png": "Fig. 12: AIC per group and data set",
    "floors.png": "Effect of covariance floors on parity and displacement",
}


def write_report(scale: Scale) -> None:
    """Write README.md, and tests.csv if its table exists."""
    results = scale.results
    if table_files(results, "tuned"):
        tests = paired_tests(table_of(results, "tuned"))
        tests.to_csv(results / "tests.csv", index=False, float_format="%.4g")
    write_text(results / "README.md", "\n".join(_lines(results)) + "\n")
    if scale.results == RESULTS and table_files(results, "methods"):
        write_text(PAGE, with_block(PAGE.read_text(), MARKS, "\n".join(_figures(results))))


def _lines(results: Path) -> Iterator[str]:
    yield from _head(results)
    for title, (tables, claims) in SECTIONS.items():
        if all(table_files(results, table) for table in tables):
            yield f"\n## {title}\n"
            yield markdown(["claim", "measured", "verdict"], claims(results))
    for table, lines in {
        "methods": _method_tables,
        "timing": _timing_table,
        "floors": _floor_table,
        "sensitivity": _sensitivity_table,
        "discrete": discrete_lines,
        "tasks": _task_table,
    }.items():
        if table_files(results, table):
            yield from lines(results)
    yield "\n## Pictures\n"
    for name, text in PICTURES.items():
        if (results / name).is_file():
            yield f"- [{text}]({name})"


def _head(results: Path) -> Iterator[str]:
    yield TEXT.joinpath("results.md").read_text()
    if table_files(results, "methods"):
        table = table_of(results, "methods")
        noise = table_of(results, "noise").groupby("classifier")["noise_mean"].mean()
        yield (
            f"The study has {table['task'].nunique()} tasks and {table['split'].nunique()} splits "
            "(70/30), with ten principal components. Under random permutations of the groups, γ is "
            f"{noise.min():.3f} ({noise.idxmin()}) to {noise.max():.3f} ({noise.idxmax()}) "
            "on average."
        )
    if (results / "machine.json").is_file():
        machine = json.loads((results / "machine.json").read_text())
        load = table_of(results, "timing")["load"].mean()
        yield (
            f"The times of `timing.csv` were measured on one core of {machine['processor']} on "
            f"{machine['date']}. The two libraries run in turns. The machine has two cores and had "
            f"other work, with a mean load of {load:.1f}. Times in other tables were measured on "
            "several machines and cannot be compared."
        )
    yield (
        TEXT.joinpath("differences.md")
        .read_text()
        .format(
            slow_rows=SLOW_ROWS,
            n_folds=N_FOLDS,
            inner_rows=INNER_ROWS,
            components=f"{COMPONENTS[0]} to {COMPONENTS[-1]}",
            linear_settings=len(GRIDS["linear"]),
            gaussian_settings=len(GRIDS["gaussian"]),
            mapping_rows=ROWS_PER_GROUP,
            mapping_steps=MAX_ITERATIONS,
            most_mapping_rows=MAPPING_ROWS,
            gradient_rows=GRADIENT_ROWS["gradient boosting"],
            gradient_steps=GRADIENT_STEPS["gradient boosting"],
            floor_splits=floors.N_SPLITS,
            floor_rows=floors.MAX_ROWS,
            sensitivity_splits=sensitivity.N_SPLITS,
        )
    )


def _gamma_and_auc(table: pd.DataFrame, classifiers: Iterable[str]) -> str:
    """Return the table of all methods: γ, and the change of AUC, mean over tasks."""
    means = means_over_tasks(table, ("gamma", "auc_change")).set_index(["classifier", "method"])
    texts = {
        key: f"{gamma:.3f}, {change:+.3f}"
        for key, gamma, change in zip(means.index, means["gamma"], means["auc_change"], strict=True)
    }
    rows = [[m, *(texts.get((classifier, m), "") for classifier in classifiers)] for m in METHODS]
    return markdown(["method", *classifiers], rows)


def _method_tables(results: Path) -> Iterator[str]:
    table = changed(table_of(results, "methods"))
    yield "\n## All methods: γ and change of AUC, mean over tasks\n"
    yield _gamma_and_auc(table, CLASSIFIERS)
    own = table[table["classifier"].isin(COMPARED)]
    values = own.groupby(["classifier", "method"], sort=False)[
        ["kuiper", "accuracy", "decision_gap", "displacement", "repair_seconds", "model_seconds"]
    ].mean()
    names = ("Kuiper", "accuracy", "rate difference", "displacement", "repair s", "model s")
    rows = [
        [", ".join(key), *(f"{value:.3f}" if pd.notna(value) else "" for value in row)]
        for key, row in values.iterrows()
    ]
    yield "\n" + markdown(["classifier, method", *names], rows)


def _timing_table(results: Path) -> Iterator[str]:
    table = table_of(results, "timing").set_index(["task", "split", "method", "by"])["cpu_seconds"]
    means = table.unstack("by").dropna().groupby("method", sort=False).mean()  # run by both
    rows = [
        [method, f"{own:.3f}", f"{other:.3f}", f"{other / own:.1f}"]
        for method, own, other in means[["lbw", "scikit-learn + NumPy"]].itertuples()
    ]
    yield "\n## Seconds on one core to fit a repair and transport both parts, mean over tasks\n"
    yield markdown(["repair", "lbw", "scikit-learn + NumPy", "ratio"], rows)


def _floor_table(results: Path) -> Iterator[str]:
    keys = ["features", "method", "regularization", "amount"]
    rows = []
    for (features, method, kind, amount), part in table_of(results, "floors").groupby(
        keys, sort=False
    ):
        gamma = part.groupby("classifier")["gamma"].mean()
        moved = part.groupby("task")["displacement"].mean()
        cells = [*(f"{gamma[name]:.3f}" for name in COMPARED), f"{moved.mean():.2f}"]
        name = f"{kind}{f' {amount:g}' if amount else ''}"
        rows.append([features, method, name, *cells, f"{moved.max():.2f}"])
    yield "\n## Regularization of thin covariances\n"
    head = ["features", "method", "regularization", "γ logistic", "γ boosting", "displacement"]
    yield markdown([*head, "worst task"], rows)


def _task_table(results: Path) -> Iterator[str]:
    head = ["task", "rows", "columns", "label", "positive rows", "protected attribute, two groups"]
    rows = (map(str, row) for row in table_of(results, "tasks").itertuples(index=False))
    yield "\n## Tasks\n"
    yield markdown([*head, "rows per group"], rows)


def _sensitivity_table(results: Path) -> Iterator[str]:
    means = (
        table_of(results, "sensitivity")
        .groupby(["classifier", "method", "protected"], sort=False)[["gamma", "auc"]]
        .mean()
    )
    rows = [
        [
            ", ".join(key),
            *("{gamma:.3f}, {auc:.3f}".format(**means.loc[(*key, k)]) for k in ("dropped", "kept")),
        ]
        for key in means.index.droplevel(2).unique()
    ]
    yield "\n## The protected column among the features\n"
    yield markdown(["classifier, method", "dropped: γ, AUC", "kept: γ, AUC"], rows)


def _figures(results: Path) -> Iterator[str]:
    table = changed(table_of(results, "methods"))
    yield (
        f"\nMeans over {table['task'].nunique()} tasks and {table['split'].nunique()} splits, "
        "with ten principal components. Cells\nshow γ on held-out rows and the change of AUC:\n"
    )
    yield _gamma_and_auc(table, COMPARED)
    yield (
        "\nThe last three methods are Fairlearn's. They give decisions instead of scores, so\n"
        "their γ is the difference of two rates, and their AUC is necessarily low. The third\n"
        "picture compares all methods with them on decisions."
    )
    for name in ("tradeoff-linear.png", "tradeoff-trees.png", "tradeoff-decisions.png"):
        yield f"\n![{PICTURES[name]}](../research/results/fairness/{name})"
