# SPDX-License-Identifier: MIT
"""The paper's protocol: settings chosen inside the training part of every split; tuned.csv.

The paper does not say by what. Here it is AUC - gamma of a logistic regression (AUC alone for the
raw features), on two parts of at most 6000 training rows; the choice then serves all classifiers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from common.clock import timed
from common.rows import Rows

from .choice import inner_split, merit_of, ranked
from .classifiers import CLASSIFIERS
from .mapping_estimation import repaired_by_choice
from .measures import COLUMNS, measured
from .methods import AS_IN_THE_PAPER, by_group_repair, plainly
from .places import Scale
from .protocol import Split, reduced
from .workers import cached_split, in_turn

N_FOLDS = 2
PRINCIPALS = tuple(range(2, 31, 2))
COMPONENTS = tuple(range(1, 11))


class Chosen(NamedTuple):
    """A split, reduced and repaired by the settings that were chosen for it."""

    split: Split
    n_principal: int
    setting: str


def raw(split: Split, seed: int) -> Chosen:
    """Choose the number of principal components by AUC."""
    n_principal = _best_principal(split, seed)
    return Chosen(reduced(split, n_principal), n_principal, "")


def local_transport(**params: Any) -> Callable[[Split, int], Chosen]:
    """Choose principal components and the k of `lbw.GroupRepair`."""

    def choose(split: Split, seed: int) -> Chosen:
        inner = [inner_split(split.train, seed, fold) for fold in range(N_FOLDS)]
        principals = _principals(split)
        narrow = {
            (fold, d): reduced(part, d) for fold, part in enumerate(inner) for d in principals
        }

        def merit(setting: tuple[int, int], fold: int) -> float:
            d, k = setting
            return merit_of(_repair(k)(narrow[fold, d], seed))

        d, k = ranked(list(product(principals, COMPONENTS)), merit, N_FOLDS)[0]
        return Chosen(_repair(k)(reduced(split, d), seed), d, f"k = {k}")

    def _repair(k: int) -> Callable[[Split, int], Split]:
        return by_group_repair(**AS_IN_THE_PAPER | params | {"n_components": k})

    return choose


def mapping(kernel: str) -> Callable[[Split, int], Chosen]:
    """Take the principal components of the raw features, and choose atoms, eta and sigma."""

    def choose(split: Split, seed: int) -> Chosen:
        n_principal = _best_principal(split, seed)
        narrow = reduced(split, n_principal)
        repaired, setting = repaired_by_choice(narrow, kernel, seed)
        text = f"k = {setting.n_atoms}, eta = {setting.eta:g}"
        if kernel == "gaussian":
            text += f", sigma = {setting.sigma:g}"
        return Chosen(repaired, n_principal, text)

    return choose


TUNED: dict[str, Callable[[Split, int], Chosen]] = {
    "raw": raw,
    "L-BW as in the paper": local_transport(),
    "plan random": local_transport(coupling="plan", map="random"),
    "ME linear": mapping("linear"),
    "ME Gaussian": mapping("gaussian"),
}


def tune(scale: Scale) -> None:
    """Measure what is missing."""
    columns = ("classifier", "n_principal", "setting", *COLUMNS, "repair_seconds")
    table = Rows(scale.results / "tuned.csv", ("task", "split", "method"), columns)
    steps = [
        (task, split, method)
        for split, task, method in product(range(scale.n_splits), scale.tasks, TUNED)
        if not table.done(task=task, split=split, method=method)
    ]
    for rows in in_turn(_tuned, steps, "tuned", scale.n_workers):
        table.add(rows)


def _tuned(task: str, seed: int, method: str) -> list[dict[str, Any]]:
    split = cached_split(task, seed)
    seconds, chosen = timed(lambda: TUNED[method](split, seed))
    return [
        {
            "task": task,
            "split": seed,
            "method": method,
            "classifier": name,
            "n_principal": chosen.n_principal,
            "setting": chosen.setting,
            **measured(plainly(classifier, chosen.split, seed), chosen.split.test),
            "repair_seconds": seconds,
        }
        for name, classifier in CLASSIFIERS.items()
    ]


def _best_principal(split: Split, seed: int) -> int:
    inner = [inner_split(split.train, seed, fold) for fold in range(N_FOLDS)]
    return ranked(
        _principals(split), lambda d, fold: merit_of(reduced(inner[fold], d), parity=False), N_FOLDS
    )[0]


def _principals(split: Split) -> list[int]:
    """Give the numbers that differ: up to the first that takes all columns."""
    n_columns = split.train.features.shape[1]
    return [d for d in PRINCIPALS if d < n_columns + 2]
