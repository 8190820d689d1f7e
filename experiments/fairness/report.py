# SPDX-License-Identifier: MIT
# ruff: noqa: RUF001 (gamma is written as such)
"""The table of claims, numbers and verdicts: README.md of the results, tests.csv beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pandas as pd

from common.claim import Claim
from common.data import ROOT

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
from .methods import GRADIENT_ROWS, GRADIENT_STEPS, METHODS
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
    "What lbw is to reach": (("methods",), goals),
    "Is lbw beaten? Scores, by AUC - γ": (("methods",), fronts),
    "Is lbw beaten? Decisions, by accuracy - gap of the groups' rates": (
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
    "tradeoff-neighbours.png": "AUC against γ, all methods: neighbours",
    "tradeoff-neural-network.png": "AUC against γ, all methods: a neural network",
    "tradeoff-decisions.png": "decisions: accuracy against the gap of the groups' rates",
    "figure-04-time-to-solution.png": "Fig. 4: AUC and γ against the time to a solution",
    "figure-05-change.png": "Fig. 5: change against the raw classifier, three classifiers",
    "figure-13-change.png": "Fig. 13: the same, all seven",
    "figure-10-gamma.png": "Fig. 10: what γ is",
    "figure-11-components.png": "Fig. 11: two principal components by group, raw and repaired",
    "figure-12-aic.png": "Fig. 12: AIC per group and data set",
    "floors.png": "what floors of the covariances do to parity and to displacement",
}


def write_report(scale: Scale) -> None:
    """Write README.md, and tests.csv where its table is there."""
    results = scale.results
    if _there(results, "tuned"):
        tests = paired_tests(table_of(results, "tuned"))
        tests.to_csv(results / "tests.csv", index=False, float_format="%.4g")
    text = "\n".join(_lines(results)) + "\n"
    _written(results / "README.md", text)
    if scale.results == RESULTS and _there(results, "methods"):
        _written(PAGE, with_figures(PAGE.read_text(), "\n".join(_figures(results))))


def _lines(results: Path) -> Iterator[str]:
    yield from _head(results)
    for title, (tables, claims) in SECTIONS.items():
        if all(_there(results, table) for table in tables):
            yield f"\n## {title}\n"
            yield "| claim | measured | verdict |"
            yield "| --- | --- | --- |"
            yield from (f"| {' | '.join(claim)} |" for claim in claims(results))
    if _there(results, "methods"):
        yield from _method_tables(results)
    if _there(results, "timing"):
        yield from _timing_table(results)
    if _there(results, "floors"):
        yield from _floor_table(results)
    if _there(results, "sensitivity"):
        yield from _sensitivity_table(results)
    yield from discrete_lines(results)
    if _there(results, "tasks"):
        yield from _task_table(results)
    yield "\n## Pictures\n"
    for name, text in PICTURES.items():
        if (results / name).is_file():
            yield f"- [{text}]({name})"


def _head(results: Path) -> Iterator[str]:
    yield TEXT.joinpath("results.md").read_text()
    if _there(results, "methods"):
        table = table_of(results, "methods")
        noise = table_of(results, "noise").groupby("classifier")["noise_mean"].mean()
        yield (
            f"{table['task'].nunique()} tasks, {table['split'].nunique()} splits 70/30, ten "
            f"principal components; groups dealt at random have γ of {noise.min():.3f} "
            f"({noise.idxmin()}) to {noise.max():.3f} ({noise.idxmax()}) on average."
        )
    if (results / "machine.json").is_file():
        machine = json.loads((results / "machine.json").read_text())
        load = table_of(results, "timing")["load"].mean()
        yield (
            f"Times of `timing.csv`: {machine['processor']}, one core, {machine['date']}. The two "
            "libraries take turns in one run; the machine has two cores and had other work, with "
            f"a mean load of {load:.1f}. Seconds in other tables were measured on several machines "
            "and are not comparable."
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


def _method_tables(results: Path) -> Iterator[str]:
    table = changed(table_of(results, "methods"))
    means = means_over_tasks(table, ("gamma", "auc_change")).set_index(["classifier", "method"])
    yield "\n## All methods, mean over tasks: γ, change of AUC\n"
    yield f"| method | {' | '.join(CLASSIFIERS)} |"
    yield f"| --- |{' --- |' * len(CLASSIFIERS)}"
    for method in METHODS:
        cells = []
        for classifier in CLASSIFIERS:
            row = means.loc[(classifier, method)] if (classifier, method) in means.index else None
            cells.append("" if row is None else f"{row['gamma']:.3f}, {row['auc_change']:+.3f}")
        yield f"| {method} | {' | '.join(cells)} |"
    own = table[table["classifier"].isin(["logistic regression", "gradient boosting"])]
    values = own.groupby(["classifier", "method"], sort=False)[
        ["kuiper", "accuracy", "decision_gap", "displacement", "repair_seconds", "model_seconds"]
    ].mean()
    names = ("Kuiper", "accuracy", "decision gap", "displacement", "repair s", "model s")
    yield f"\n| classifier, method | {' | '.join(names)} |"
    yield f"| --- |{' --- |' * len(names)}"
    for (classifier, method), row in values.iterrows():
        cells = [f"{value:.3f}" if pd.notna(value) else "" for value in row]
        yield f"| {classifier}, {method} | {' | '.join(cells)} |"


def _timing_table(results: Path) -> Iterator[str]:
    table = table_of(results, "timing").set_index(["task", "split", "method", "by"])["cpu_seconds"]
    table = table.unstack("by").dropna()  # what both have done
    yield "\n## Seconds of one core for a repair, mean over tasks: fit, and carry both parts\n"
    yield "| repair | lbw | scikit-learn + NumPy | ratio |"
    yield "| --- | --- | --- | --- |"
    for method, row in table.groupby("method", sort=False).mean().iterrows():
        own, other = row["lbw"], row["scikit-learn + NumPy"]
        yield f"| {method} | {own:.3f} | {other:.3f} | {other / own:.1f} |"


def _floor_table(results: Path) -> Iterator[str]:
    table = table_of(results, "floors")
    yield "\n## Guards against thin covariances\n"
    yield "| features | method | guard | γ logistic | γ boosting | displacement | worst task |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    keys = ["features", "method", "guard", "amount"]
    for (features, method, guard, amount), part in table.groupby(keys, sort=False):
        gamma = part.groupby("classifier")["gamma"].mean()
        moved = part.groupby("task")["displacement"].mean()
        yield (
            f"| {features} | {method} | {guard}{f' {amount:g}' if amount else ''} | "
            f"{gamma['logistic regression']:.3f} | {gamma['gradient boosting']:.3f} | "
            f"{moved.mean():.2f} | {moved.max():.2f} |"
        )


def _task_table(results: Path) -> Iterator[str]:
    yield "\n## Tasks\n"
    yield "| task | rows | columns | predicted | of them | protected, two groups | rows of each |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for row in table_of(results, "tasks").itertuples(index=False):
        yield f"| {' | '.join(map(str, row))} |"


def _sensitivity_table(results: Path) -> Iterator[str]:
    table = table_of(results, "sensitivity")
    yield "\n## The protected column among the features\n"
    yield "| classifier, method | dropped: γ, AUC | kept: γ, AUC |"
    yield "| --- | --- | --- |"
    means = table.groupby(["classifier", "method", "protected"], sort=False)[
        ["gamma", "auc"]
    ].mean()
    for classifier, method in means.index.droplevel(2).unique():
        cells = [
            "{gamma:.3f}, {auc:.3f}".format(**means.loc[(classifier, method, kind)])
            for kind in ("dropped", "kept")
        ]
        yield f"| {classifier}, {method} | {' | '.join(cells)} |"


def with_figures(page: str, figures: str) -> str:
    """Put figures between the marks of a page."""
    begin, end = MARKS
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    if not found:
        raise ValueError(
            f"{PAGE.name} has not the lines {begin!r} and {end!r}, one after the other"
        )
    return f"{before}{begin}\n{figures}\n{end}{after}"


def _figures(results: Path) -> Iterator[str]:
    table = changed(table_of(results, "methods"))
    means = means_over_tasks(table, ("gamma", "auc_change")).set_index(["classifier", "method"])
    shown = ("logistic regression", "gradient boosting")
    yield (
        f"\nMeans over {table['task'].nunique()} tasks and {table['split'].nunique()} splits, "
        "with ten principal components. Cells\nshow γ on held-out rows and the change of AUC:\n"
    )
    yield f"| method | {' | '.join(shown)} |"
    yield f"| --- |{' --- |' * len(shown)}"
    for method in METHODS:
        rows = [means.loc[(classifier, method)] for classifier in shown]
        cells = [f"{row['gamma']:.3f}, {row['auc_change']:+.3f}" for row in rows]
        yield f"| {method} | {' | '.join(cells)} |"
    yield (
        "\nThe last three methods are Fairlearn's. They give decisions instead of scores, so\n"
        "their γ is the difference of two rates, and their AUC is necessarily low. The third\n"
        "picture compares all methods with them on decisions."
    )
    for name in ("tradeoff-linear.png", "tradeoff-trees.png", "tradeoff-decisions.png"):
        yield f"\n![{PICTURES[name]}](../experiments/results/fairness/{name})"


def _written(path: Path, text: str) -> None:
    aside = path.with_name(path.name + ".part")
    aside.write_text(text)
    aside.replace(path)


def _there(results: Path, table: str) -> bool:
    return (results / f"{table}.csv").is_file()
