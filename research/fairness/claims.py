# SPDX-License-Identifier: MIT
"""The claims of the paper and the targets of this study, with measured values and verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from common.claim import Claim

from .classifiers import CLASSIFIERS
from .methods import METHODS
from .statistics import paired_tests
from .summary import changed, dominating, means_over_tasks, table_of, undominated

PAPER = "L-BW as in the paper"
P_PAPER = 1e-8
P_SURE = 0.05
UNMOVED = ("k-NN", "random forest")
AUC_LOST = ("gradient boosting", "LDA")


def goals(results: Path) -> Iterator[Claim]:
    """Yield the targets for lbw, as means over tasks on ten principal components."""
    means = means_over_tasks(changed(table_of(results, "methods")), ("gamma", "auc_change"))
    means = means.set_index(["classifier", "method"])
    logistic, boosting = "logistic regression", "gradient boosting"
    yield _reached(means, logistic, ("k = 1",), 0.09, None)
    yield _reached(means, logistic, ("plan random, k = 5",), 0.06, 0.03)
    yield _reached(means, logistic, ("k = 1 + refinement",), 0.06, 0.02)
    yield _reached(means, boosting, ("k = 1 + refinement", "refinement alone"), 0.13, 0.02)
    yield _reached(means, boosting, ("score repair", "k = 1 + score repair"), 0.06, 0.025)


def _reached(
    means: pd.DataFrame,
    classifier: str,
    methods: tuple[str, ...],
    gamma: float,
    loss: float | None,
) -> Claim:
    bound = "" if loss is None else f" at an AUC loss ≤ {loss:g}"
    found, reached = [], False
    for method in methods:
        row = means.loc[(classifier, method)]
        low, high = row["gamma_low"], row["gamma_high"]
        figures = f"{row['gamma']:.3f} [{low:.3f}, {high:.3f}], AUC {row['auc_change']:+.3f}"
        found.append(f"{method}: {figures}" if len(methods) > 1 else figures)
        reached |= row["gamma"] <= gamma and (loss is None or -row["auc_change"] <= loss)
    text = f"{classifier}, {' or '.join(methods)}: γ ≤ {gamma:g}{bound}"
    return Claim(text, "; ".join(found), "holds" if reached else "does not hold")


def fronts(results: Path) -> Iterator[Claim]:
    """Yield for each classifier whether another method dominates lbw on scores."""
    return _fronts(results, "auc", "gamma")


def fronts_of_decisions(results: Path) -> Iterator[Claim]:
    """Yield the same for decisions, for which some methods are designed."""
    return _fronts(results, "accuracy", "decision_gap")


def _fronts(results: Path, merit: str, harm: str) -> Iterator[Claim]:
    means = means_over_tasks(table_of(results, "methods"), (merit, harm))
    for classifier in CLASSIFIERS:
        yield front(
            means[means["classifier"] == classifier].set_index("method"), classifier, merit, harm
        )


def front(points: pd.DataFrame, classifier: str, merit: str, harm: str) -> Claim:
    """Return which methods except raw dominate the best of lbw, by the largest merit - harm."""
    points = points.drop(index="raw")
    ours = points.index.map(lambda method: METHODS[method].ours)
    best = (points[merit] - points[harm])[ours].idxmax()
    others = points[~ours]
    beaten_by = others[dominating(others, points.loc[best], merit, harm)].index

    def text(method: str) -> str:
        return f"{method} ({points.loc[method, merit]:.3f}, {points.loc[method, harm]:.3f})"

    rivals = others[undominated(points, merit, harm)[~ours]].sort_values(harm).index
    figures = text(best)
    figures += f". Not dominated by lbw: {'; '.join(map(text, rivals))}" if len(rivals) else ""
    return Claim(
        f"{classifier}: no other method dominates the best method of lbw",
        figures,
        f"does not hold: {'; '.join(map(text, beaten_by))}" if len(beaten_by) else "holds",
    )


def of_the_paper(results: Path) -> Iterator[Claim]:
    """Yield the paper's claims about its tests, with tuned settings, pooled over tasks."""
    tests = paired_tests(table_of(results, "tuned"))
    pooled = tests[(tests["method"] == PAPER) & (tests["task"] == "all")]
    pooled = pooled.set_index(["measure", "classifier"])
    single = tests[(tests["method"] == PAPER) & (tests["task"] != "all")]
    for classifier in CLASSIFIERS:
        row = pooled.loc[("gamma", classifier)]
        improved = row["p"] < P_SURE and row["effect"] < 0
        if classifier in UNMOVED:
            text, verdict = "γ does not improve", "does not hold" if improved else "holds"
        else:
            text, verdict = "γ improves, p < 1e-8", "does not hold"
            if improved:
                verdict = "holds" if row["p"] < P_PAPER else "improves, with a larger p"
        yield Claim(f"{classifier}: {text}", _tested(row, single, "gamma", classifier), verdict)
    for classifier in CLASSIFIERS:
        row = pooled.loc[("auc", classifier)]
        lost = row["p"] < P_SURE and row["effect"] < 0
        claimed = classifier in AUC_LOST
        yield Claim(
            f"{classifier}: AUC {'decreases' if claimed else 'does not decrease significantly'}",
            _tested(row, single, "auc", classifier),
            "holds" if lost == claimed else "does not hold",
        )


def _tested(row: pd.Series, single: pd.DataFrame, measure: str, classifier: str) -> str:
    own = single[(single["measure"] == measure) & (single["classifier"] == classifier)]
    sure = own[own["p_holm"] < P_SURE]
    falls, rises = int((sure["effect"] < 0).sum()), int((sure["effect"] > 0).sum())
    return (
        f"median change {row['median_change']:+.3f}, effect {row['effect']:+.2f}, "
        f"p = {row['p']:.1g} (pooled); after Holm's correction it decreases on {falls} and "
        f"increases on {rises} of {len(own)} tasks"
    )


def of_time(results: Path) -> Iterator[Claim]:
    """Yield the claims about the time of all repairs and the time to a solution."""
    table = table_of(results, "timing")
    own = table[table["by"] == "lbw"]
    other = table[table["by"] != "lbw"]
    keys = ["task", "split", "method"]
    same = own.merge(other[keys], on=keys)["cpu_seconds"].sum()
    fixed, plain = own["cpu_seconds"].sum(), other["cpu_seconds"].sum()
    yield Claim(
        "all repairs on ten components take under 2 minutes on two cores",
        f"{len(own)} repairs take {fixed:.0f} s on one core, {fixed / 2:.0f} s on two. "
        f"{len(other)} of them take {plain:.0f} s on one core with scikit-learn + NumPy "
        f"and {same:.0f} s with lbw, a factor of {plain / same:.1f}",
        "holds" if fixed / 2 < 120 else "does not hold",
    )
    solved = table_of(results, "time_to_solution")
    for task, part in solved.groupby("task", sort=False):
        most = part[part["method"].str.startswith("ME")]["n_rows"].max()
        medians = part.groupby(["method", "n_rows"])[["seconds", "auc", "gamma"]].median()
        local = "L-BW as in the paper, k = 5"
        at = {method: medians.loc[(method, most)] for method in (local, "ME linear", "ME Gaussian")}
        figures = "; ".join(
            f"{method}: {row['seconds']:.3f} s, AUC {row['auc']:.3f}, γ {row['gamma']:.3f}"
            for method, row in at.items()
        )
        faster = all(
            at[local]["seconds"] < row["seconds"] for name, row in at.items() if name != local
        )
        fairer = all(at[local]["gamma"] <= row["gamma"] for row in at.values())
        verdict = (
            f"{'fastest' if faster else 'not fastest'}, {'best γ' if fairer else 'not the best γ'}"
        )
        yield Claim(
            f"{task}: L-BW is the fastest and has the best γ ({most} rows)", figures, verdict
        )


def of_components(results: Path) -> Iterator[Claim]:
    """Yield the claim about the numbers of components that AIC selects."""
    table = table_of(results, "aic")
    by_group = table.groupby(["task", "group"], sort=False)
    lowest = table.loc[by_group["aic"].idxmin()].set_index(["task", "group"])
    most = by_group["n_components"].max()
    texts, differ = [], 0
    for task, part in lowest["n_components"].groupby("task", sort=False):
        ends = [k == most[key] for key, k in part.items()]
        numbers = [f"{'≥ ' if end else ''}{k}" for end, k in zip(ends, part, strict=True)]
        texts.append(f"{task} {' and '.join(numbers)}")
        differ += not any(ends) and part.nunique() > 1  # unknown at the end of the range
    yield Claim(
        "AIC selects different numbers of components for the groups on most data sets",
        "; ".join(texts) + " (≥: AIC decreases to the end of the range)",
        "holds" if 2 * differ > len(texts) else "not seen",
    )
