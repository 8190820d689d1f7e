# SPDX-License-Identifier: MIT
"""The paper's protocol, with settings selected on the training part of each split (tuned.csv).

The paper does not name the criterion. Here the number of principal components is selected once for
all methods, by AUC of the raw features, so that a repair is paired with the same features
unrepaired. The settings of a repair are selected by AUC - gamma. Both are measured with a logistic
regression on two parts of at most 6000 training rows, and are used for all classifiers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from common.clock import core_timed
from common.rows import Rows

from .choice import inner_split, merit_of, ranked
from .classifiers import CLASSIFIERS
from .mapping_estimation import repaired_by_choice
from .measures import COLUMNS, measured
from .methods import AS_IN_THE_PAPER, by_group_repair, plainly
from .places import Scale
from .protocol import Split, reduced
from .workers import cached_split, fill, steps_of

N_FOLDS = 2
PRINCIPALS = tuple(range(2, 31, 2))
COMPONENTS = tuple(range(1, 11))


class Chosen(NamedTuple):
    """A split that is repaired with the selected setting."""

    split: Split
    setting: str
    seconds: float  # on one core, of all repairs that were tried, and of the last one


Choice = Callable[[Split, int, int], Chosen]  # function of a split, principal components and a seed


def raw(split: Split, n_principal: int, seed: int) -> Chosen:
    """Return the features unchanged."""
    return Chosen(reduced(split, n_principal), "", 0.0)


def local_transport(**params: Any) -> Choice:
    """Select the number of components of `lbw.GroupRepair`."""

    def choose(split: Split, n_principal: int, seed: int) -> Chosen:
        inner = [
            reduced(inner_split(split.train, seed, fold), n_principal) for fold in range(N_FOLDS)
        ]
        seconds = []

        def repaired(part: Split, k: int) -> Split:
            repair = by_group_repair(**AS_IN_THE_PAPER | params | {"n_components": k})
            taken, result = core_timed(lambda: repair(part, seed))
            seconds.append(taken)
            return result

        k = ranked(COMPONENTS, lambda k, fold: merit_of(repaired(inner[fold], k)), N_FOLDS)[0]
        last = repaired(reduced(split, n_principal), k)
        return Chosen(last, f"k = {k}", sum(seconds))

    return choose


def mapping(kernel: str) -> Choice:
    """Select atoms, eta and sigma of Mapping Estimation."""

    def choose(split: Split, n_principal: int, seed: int) -> Chosen:
        narrow = reduced(split, n_principal)
        seconds, (repaired, setting) = core_timed(lambda: repaired_by_choice(narrow, kernel, seed))
        text = f"k = {setting.n_atoms}, eta = {setting.eta:g}"
        if kernel == "gaussian":
            text += f", sigma = {setting.sigma:g}"
        return Chosen(repaired, text, seconds)

    return choose


def best_principal(split: Split, seed: int) -> int:
    """Select the number of principal components by AUC of the raw features."""
    n_columns = split.train.features.shape[1]
    different = [d for d in PRINCIPALS if d < n_columns + 2]  # up to the first that includes all
    inner = [inner_split(split.train, seed, fold) for fold in range(N_FOLDS)]
    return ranked(
        different, lambda d, fold: merit_of(reduced(inner[fold], d), parity=False), N_FOLDS
    )[0]


TUNED: dict[str, Choice] = {
    "raw": raw,
    "L-BW as in the paper": local_transport(),
    "plan random": local_transport(coupling="plan", map="random"),
    "ME linear": mapping("linear"),
    "ME Gaussian": mapping("gaussian"),
}


def tune(scale: Scale) -> None:
    """Measure the missing rows."""
    columns = ("classifier", "n_principal", "setting", *COLUMNS, "repair_seconds")
    table = Rows(scale.results / "tuned.csv", ("task", "split", "method"), columns)
    fill(table, _tuned, steps_of(scale, TUNED), "tuned", scale.n_workers)


def _tuned(task: str, seed: int, method: str) -> list[dict[str, Any]]:
    split = cached_split(task, seed)
    n_principal = best_principal(split, seed)
    chosen = TUNED[method](split, n_principal, seed)
    return [
        {
            "task": task,
            "split": seed,
            "method": method,
            "classifier": name,
            "n_principal": n_principal,
            "setting": chosen.setting,
            **measured(plainly(classifier, chosen.split, seed), chosen.split.test),
            "repair_seconds": chosen.seconds,
        }
        for name, classifier in CLASSIFIERS.items()
    ]
