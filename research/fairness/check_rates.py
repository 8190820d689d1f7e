# SPDX-License-Identifier: MIT
"""Measure how often the check of `GroupRepair` warns, for repairs that leak and for others.

`python -m fairness.check_rates 20` in the folder research fits 20 data sets per row and writes
results/fairness/check_rates.csv. The column `auc` is the mean AUC of a boosted tree that is trained
on 10 000 new repaired rows and tested on 10 000 others, `leaking` the fraction of fits where it is
above .65, and `warned` the fraction of fits that warn. Rows `clean` are groups that the model
describes or discrete tables that it repairs well. Rows `leak` are known failures. Fits of many
features to fewer than 4000 rows leak by their own noise even if the model is right, and the check
does not warn of this.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score

from common.clock import timed
from common.rows import write_rows
from lbw import GroupRepair

from .places import RESULTS

COLUMNS = (
    "kind", "data", "n_samples", "n_features", "params", "n_fits", "auc", "leaking", "warned",
    "check_auc", "check_auc_clean", "fit_seconds", "check_seconds",
)  # fmt: skip
N_NEW = 10_000
LEAK = 0.65
SEED = 100  # the limits of the check were chosen with smaller seeds


def normal(rng: np.random.Generator, law: np.random.Generator, group: Any, d: int) -> Any:
    """Draw normal groups that differ in shift, scale and rotation."""
    points = rng.normal(size=(len(group), d))
    for own in (0, 1):
        turn = np.linalg.qr(law.normal(size=(d, d)))[0]
        matrix = np.diag(law.uniform(0.5, 2.0, size=d)) @ turn
        rows = group == own
        points[rows] = points[rows] @ matrix + 2.0 * law.normal(size=d)
    return points


def latent(rng: np.random.Generator, group: Any, d: int) -> Any:
    """Draw correlated numbers that are shifted and scaled in one group."""
    numbers = rng.normal(size=(len(group), d))
    numbers[:, 1] += 0.5 * numbers[:, 0]
    numbers *= 1.0 + 0.3 * group[:, None]
    return numbers + np.where(group[:, None], 0.4, -0.4) * np.resize([1, -1], d)


def whole_numbers(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Round numbers, as ages and years are."""
    return np.rint(8.0 * latent(rng, group, d))


def booleans(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Cut numbers into booleans."""
    return (latent(rng, group, d) > 0.3).astype(float)


def one_hot(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw a category of `d` levels, as columns of 0 and 1."""
    masses = [np.linspace(1.0, 4.0, d), np.linspace(4.0, 1.0, d)]
    drawn = [rng.choice(d, size=len(group), p=mass / mass.sum()) for mass in masses]
    return np.eye(d)[np.where(group == 1, drawn[1], drawn[0])]


def heavy_tails(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw exp(3 N), shifted by 1 in one group."""
    return np.exp(3.0 * rng.normal(size=(len(group), d)) + group[:, None])


def moons(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw two arcs."""
    angle = np.pi * rng.random(len(group))
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    points[group == 1] = [1.0, 0.5] - points[group == 1]
    return points + 0.15 * rng.normal(size=points.shape)


def clumps(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw a normal group and a group with three clusters along every axis."""
    points = rng.normal(size=(len(group), d))
    places = 3.0 * rng.integers(-1, 2, size=points.shape) + 0.4 * points
    return np.where(group[:, None] == 1, places, points)


def relation(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw a third column that is the sum of two in one group and independent in the other."""
    points = rng.normal(size=(len(group), 3)) * [1.0, 1.0, np.sqrt(2.0)]
    points[group == 1, 2] = points[group == 1, :2].sum(axis=1)
    return points


def coarse_hours(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw minutes, rounded to quarters of an hour in one group, beside other numbers."""
    minutes = rng.gamma(4.0, 120.0 + 20.0 * group)
    rounded = np.where(group == 1, 15.0 * np.rint(minutes / 15.0), np.rint(minutes))
    return np.column_stack([rounded, latent(rng, group, d - 1)])


def coarse_salaries(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw salaries, rounded to 1000 in one group and to 1 in the other."""
    salary = np.exp(rng.normal(11.0 + 0.2 * group, 0.6))
    rounded = np.where(group == 1, 1000.0 * np.rint(salary / 1000.0), np.rint(salary))
    return np.column_stack([rounded, latent(rng, group, d - 1)])


def coarse_decimals(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw numbers of which the first has one decimal in one group."""
    points = latent(rng, group, d)
    points[:, 0] = np.where(group == 1, np.round(points[:, 0], 1), points[:, 0])
    return points


def equal_hours(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Round minutes to quarters of an hour in both groups."""
    minutes = rng.gamma(4.0, 120.0 + 20.0 * group)
    return np.column_stack([15.0 * np.rint(minutes / 15.0), latent(rng, group, d - 1)])


def oversampled(rng: np.random.Generator, law: np.random.Generator, group: Any, d: int) -> Any:
    """Draw normal groups. A fit has every row of one of them five times."""
    return normal(rng, law, group, d)


def oversampled_tails(rng: np.random.Generator, law: Any, group: Any, d: int) -> Any:
    """Draw heavy tails. A fit has every row of one group five times."""
    return heavy_tails(rng, law, group, d)


COPIED = {
    oversampled: 5,
    oversampled_tails: 5,
}  # copies of the rows of one group

CASES: list[tuple[str, Any, int, int, dict[str, Any]]] = [
    *(("clean", normal, n, d, {}) for n in (600, 1000, 4000, 20_000) for d in (1, 3, 10)),
    *(("clean", whole_numbers, n, 3, {}) for n in (4000, 20_000)),
    ("clean", booleans, 20_000, 3, {}),
    *(("clean", equal_hours, n, 4, {}) for n in (1000, 4000)),
    *(("clean", oversampled, n, 3, {}) for n in (2000, 8000)),
    *(("leak", relation, n, 3, {}) for n in (4000, 20_000)),
    *(("leak", coarse_hours, n, 4, {}) for n in (1000, 4000)),
    *(("leak", coarse_salaries, n, 4, {}) for n in (1000, 4000)),
    ("leak", coarse_decimals, 1500, 3, {}),
    ("leak", oversampled_tails, 4000, 3, {}),
    *(("leak", one_hot, n, 8, {}) for n in (1000, 4000, 20_000)),
    *(("leak", booleans, n, 3, {"dither": 0}) for n in (1000, 4000)),
    *(("leak", heavy_tails, n, d, {}) for n in (1000, 4000) for d in (3, 8)),
    ("leak", heavy_tails, 20_000, 8, {}),
    *(("leak", moons, n, 2, {"refine": 0}) for n in (1000, 4000)),
    *(("leak", clumps, n, 4, {"refine": 0}) for n in (1000, 4000)),
]


def fit_once(data: Any, n: int, d: int, params: dict[str, Any], seed: int) -> dict[str, float]:
    """Fit a repair, and compare its check with the AUC of a tree on new rows."""
    rng = np.random.default_rng([seed, n, d])

    def draw(count: int) -> tuple[Any, Any]:
        group = (rng.random(count) < 0.4).astype(int)
        return data(rng, np.random.default_rng([seed, d]), group, d), group

    X, group = draw(n)
    if data in COPIED:
        rows = np.flatnonzero(group == 1)
        keep = np.concatenate(
            [np.flatnonzero(group == 0), np.resize(rows[:: COPIED[data]], len(rows))]
        )
        X, group = X[keep], group[keep]
    unchecked = GroupRepair(check_samples=0, **params)
    without, _ = timed(lambda: unchecked.fit(X, sensitive_features=group))
    with_check, repair = timed(lambda: GroupRepair(**params).fit(X, sensitive_features=group))
    X, group = draw(2 * N_NEW)
    repaired = repair.transform(X, sensitive_features=group)
    auc = auc_of_tree(repaired, group)
    check = repair.check_
    return {
        "auc": auc,
        "leaking": auc > LEAK,
        "warned": check is not None and check.separable,
        "check_auc": np.nan if check is None else check.auc,
        "check_auc_clean": np.nan if check is None else check.auc_clean,
        "fit_seconds": without,
        "check_seconds": with_check - without,
    }


def auc_of_tree(X: Any, group: Any) -> float:
    """Train a boosted tree on the first half of the rows and return its AUC on the second."""
    half = len(X) // 2
    tree = HistGradientBoostingClassifier(max_iter=100, max_leaf_nodes=15, early_stopping=False)
    tree.fit(X[:half], group[:half])
    return float(roc_auc_score(group[half:], tree.predict_proba(X[half:])[:, 1]))


def main(n_fits: int) -> None:
    """Write the table and print it."""
    rows = []
    for kind, data, n, d, params in CASES:
        fits = [fit_once(data, n, d, params, seed) for seed in range(SEED, SEED + n_fits)]
        means = [f"{np.nanmean([fit[name] for fit in fits]):.3f}" for name in COLUMNS[6:]]
        row = [kind, data.__name__, n, d, text_of_params(params), n_fits, *means]
        rows.append(dict(zip(COLUMNS, row, strict=True)))
        write_rows(RESULTS / "check_rates.csv", COLUMNS, rows)
        print(*row, flush=True)


def text_of_params(params: dict[str, Any]) -> str:
    """Return parameters as text of a table."""
    return " ".join(f"{name}={value}" for name, value in params.items())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
