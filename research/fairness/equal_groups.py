# SPDX-License-Identifier: MIT
"""Measure the effect of `GroupRepair` on groups with the same distribution.

`python -m fairness.equal_groups` in the folder research writes equal_groups.csv, with one row per
data set. `spread` is the ratio of the standard deviations after and before the repair, the largest
over features, for 1000 new rows of the smaller group; 1 is ideal. `moved` is the root mean square
displacement of the fitted rows, in standard deviations. `auc` is the AUC of a boosted tree that
predicts the group of new repaired rows; .5 is ideal. It is measured if both groups have 2000 rows
or more.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from common.progress import progress
from common.rows import Rows
from lbw import GroupRepair

from .check_rates import auc_of_tree, text_of_params
from .places import RESULTS

COLUMNS = ("spread", "moved", "auc")
N_FITS = 40
N_LARGE_FITS = 10  # for groups of ENOUGH rows
N_NEW = 1000
ENOUGH = 2000  # rows of the smaller group that are required for an AUC


def normal(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw independent normal features."""
    return rng.normal(size=(n, d))


def with_constant(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw normal features, of which the last is constant."""
    return np.column_stack([rng.normal(size=(n, d - 1)), np.full(n, 3.0)])


def booleans(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw independent columns of 0 and 1."""
    return (rng.random((n, d)) < np.resize([0.3, 0.5, 0.6], d)).astype(float)


def heavy_tails(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw exp(2 N)."""
    return np.exp(2.0 * rng.normal(size=(n, d)))


def rare_booleans(rng: np.random.Generator, n: int, d: int) -> Any:
    """Draw columns of 0 and 1, where 1 is rare."""
    return (rng.random((n, d)) < np.resize([0.02, 0.05, 0.1], d)).astype(float)


Case = tuple[Callable[[np.random.Generator, int, int], Any], int, int, int, dict[str, Any]]
NO_DITHER: tuple[dict[str, Any], ...] = (
    {"dither": 0},
    {"dither": 0, "refine": 0},
    {"dither": 0, "refine": 0, "covariance_type": "diag"},
)
CASES: list[Case] = [
    *((normal, 1000, n, d, {}) for d, n in product((1, 2, 3, 5, 10), (5, 8, 10, 30, 100))),
    *((booleans, n, n, 3, params) for n, params in product((150, 5000), NO_DITHER)),
    *((rare_booleans, n, n, 3, params) for n, params in product((150, 5000), NO_DITHER)),
    *((normal, 5000, 5000, d, {}) for d in (3, 10)),
    (with_constant, 5000, 5000, 4, {}),
    *((heavy_tails, n, n, 3, {}) for n in (300, 1000, 5000)),
]


def fit_once(case: Case, seed: int) -> dict[str, float]:
    """Fit a repair to two groups with the same distribution, and measure the changes."""
    draw, n_large, n_small, d, params = case
    rng = np.random.default_rng([seed, n_small, d])
    X = draw(rng, n_large + n_small, d)
    group = np.repeat([0, 1], [n_large, n_small])
    repair = GroupRepair(check_samples=0, n_jobs=1, random_state=seed, **params)
    repair.fit(X, sensitive_features=group)
    scale = np.where(X.std(axis=0) > 0.0, X.std(axis=0), 1.0)
    moved = (repair.transform(X, sensitive_features=group) - X) / scale
    new = draw(rng, N_NEW, d)
    spread = repair.transform(new, sensitive_features=1).std(axis=0)[new.std(axis=0) > 0.0]
    before = new.std(axis=0)[new.std(axis=0) > 0.0]
    return {
        "spread": float((spread / before).max()),
        "moved": float(np.sqrt((moved**2).mean())),
        "auc": _auc(repair, case, rng) if n_small >= ENOUGH else np.nan,
    }


def _auc(repair: GroupRepair, case: Case, rng: np.random.Generator) -> float:
    draw, _, _, d, _ = case
    group = rng.integers(0, 2, size=20_000)
    repaired = repair.transform(draw(rng, len(group), d), sensitive_features=group)
    return auc_of_tree(repaired, group)


def main() -> None:
    """Measure the missing rows."""
    keys = ("data", "n_large", "n_small", "n_features", "params", "seed")
    table = Rows(RESULTS / "equal_groups.csv", keys, COLUMNS)
    steps = [
        (case, key)
        for case in CASES
        for seed in range(N_LARGE_FITS if case[2] >= ENOUGH else N_FITS)
        if not table.done(**(key := _key(case, seed)))
    ]
    for case, key in progress(steps, "equal groups"):
        table.add({**key, **fit_once(case, key["seed"])})


def _key(case: Case, seed: int) -> dict[str, Any]:
    draw, n_large, n_small, d, params = case
    return {
        "data": draw.__name__,
        "n_large": n_large,
        "n_small": n_small,
        "n_features": d,
        "params": text_of_params(params),
        "seed": seed,
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
