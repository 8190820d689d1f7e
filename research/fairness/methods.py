# SPDX-License-Identifier: MIT
"""The methods that are compared on the same splits.

A method repairs the features, once for all classifiers, or wraps the classifier, or both.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from fairlearn.postprocessing import ThresholdOptimizer
from fairlearn.preprocessing import CorrelationRemover
from fairlearn.reductions import DemographicParity, ExponentiatedGradient
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from lbw import GroupRepair, ScoreRepair

from .classifiers import CLASSIFIERS, Classifier
from .mapping_estimation import repaired_by_choice
from .measures import measured
from .protocol import Part, Split

Repair = Callable[[Split, int], Split]  # function of a split and its seed
Scoring = Callable[[Classifier, Split, int], np.ndarray]  # held-out scores between 0 and 1

COMPARED = ("logistic regression", "gradient boosting")  # if all would take too long
# boosted trees are fitted up to ten times in every step of ExponentiatedGradient
GRADIENT_ROWS = {"gradient boosting": 2000}  # training rows; by default all
GRADIENT_STEPS = {"gradient boosting": 12}  # by default Fairlearn's 50


def untouched(split: Split, seed: int) -> Split:
    """Return the features unchanged."""
    return split


def by_group_repair(**params: Any) -> Repair:
    """Repair by `lbw.GroupRepair` with these parameters."""

    def repair(split: Split, seed: int) -> Split:
        fitted = GroupRepair(**params, random_state=seed)
        with warnings.catch_warnings():  # large displacements, a column of the table
            warnings.simplefilter("ignore", UserWarning)
            fitted.fit(split.train.features, sensitive_features=split.train.group)
        return split.mapped(
            lambda part: fitted.transform(part.features, sensitive_features=part.group)
        )

    return repair


def by_mapping(kernel: str) -> Repair:
    """Repair by Mapping Estimation with settings selected on training rows."""

    def repair(split: Split, seed: int) -> Split:
        return repaired_by_choice(split, kernel, seed)[0]

    return repair


def without_correlation(split: Split, seed: int) -> Split:
    """Repair by Fairlearn's CorrelationRemover, which takes the group as a column of X."""
    last = split.train.features.shape[1]
    marked = _with_group(split)
    remover = CorrelationRemover(sensitive_feature_ids=[last]).fit(marked.train.features)
    return marked.mapped(lambda part: remover.transform(part.features))


def _with_group(split: Split) -> Split:
    """Add the group as the last column."""
    first = np.unique(split.train.group)[0]
    return split.mapped(lambda part: np.column_stack([part.features, part.group == first]))


def plainly(classifier: Classifier, split: Split, seed: int) -> np.ndarray:
    """Train and score."""
    train = classifier.training_rows(split.train, seed)
    model = _quietly_fitted(classifier.make(seed), train)
    return np.asarray(model.predict_proba(split.test.features)[:, 1])


def scored(
    repaired: Split, seed: int, classifiers: Iterable[str] = COMPARED
) -> Iterator[dict[str, Any]]:
    """Yield the measures of classifiers that are trained on repaired rows."""
    for name in classifiers:
        score = plainly(CLASSIFIERS[name], repaired, seed)
        figures = measured(score, repaired.test, n_bootstraps=0)
        yield {"classifier": name, "auc": figures["auc"], "gamma": figures["gamma"]}


def by_score_repair(**params: Any) -> Scoring:
    """Train by `lbw.ScoreRepair`, which transports the scores of each group to the barycenter."""

    def score(classifier: Classifier, split: Split, seed: int) -> np.ndarray:
        train, test = classifier.training_rows(split.train, seed), split.test
        model = ScoreRepair(classifier.make(seed), cv=3, **params)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(train.features, train.label, sensitive_features=train.group)
        return np.asarray(model.predict_proba(test.features, sensitive_features=test.group)[:, 1])

    return score


def by_thresholds(classifier: Classifier, split: Split, seed: int) -> np.ndarray:
    """Fit a model to 70 % of the training rows and Fairlearn's ThresholdOptimizer to the rest."""
    train = classifier.training_rows(split.train, seed)
    rows = np.arange(len(train.label))
    own, rest = train_test_split(rows, test_size=0.3, random_state=seed)
    model = _quietly_fitted(classifier.make(seed), train.rows(own))
    optimizer = ThresholdOptimizer(
        estimator=model,
        constraints="demographic_parity",
        objective="accuracy_score",
        prefit=True,
        predict_method="predict_proba",
    )
    held = train.rows(rest)
    optimizer.fit(held.features, held.label.astype(int), sensitive_features=held.group)
    return np.asarray(
        optimizer._pmf_predict(split.test.features, sensitive_features=split.test.group)[:, 1]
    )


def by_gradient(classifier: Classifier, split: Split, seed: int) -> np.ndarray:
    """Train Fairlearn's ExponentiatedGradient, which does not need the group in predictions."""
    limited = replace(classifier, max_rows=GRADIENT_ROWS.get(classifier.name))
    train = limited.training_rows(split.train, seed)
    model = ExponentiatedGradient(
        classifier.make(seed),
        DemographicParity(),
        max_iter=GRADIENT_STEPS.get(classifier.name, 50),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(train.features, train.label.astype(int), sensitive_features=train.group)
    return np.clip(model._pmf_predict(split.test.features)[:, 1], 0.0, 1.0)  # sums may round up


def by_gradient_with_group(classifier: Classifier, split: Split, seed: int) -> np.ndarray:
    """Do the same with the group as a feature, because all repairs know the group."""
    return by_gradient(classifier, _with_group(split), seed)


@dataclass(frozen=True)
class Method:
    """A method of the comparison."""

    name: str
    repair: Repair = untouched
    score: Scoring = plainly
    ours: bool = False
    decides: bool = False  # it gives randomised decisions, and the score is their probability
    classifiers: tuple[str, ...] = field(default=tuple(CLASSIFIERS))


# it would take hours with the forest and the network
TAKING_WEIGHTS = ("logistic regression", "naive Bayes", "gradient boosting")
AS_IN_THE_PAPER: dict[str, Any] = {  # parameters of GroupRepair, independent of its defaults
    "coupling": "matching",
    "cost": "means",
    "map": "hard",
    "covariance_floor": 1e-6,
    "relative_covariance_floor": 0.0,
    "shrinkage": 0.0,
    "scale_features": False,
    "group_shrinkage": 0.0,
    "dither": 0.0,
    "refine": 0,
    "check_samples": 0,  # the study measures the repair itself and times it without the check
}
DEFAULTS = {  # the defaults of GroupRepair, which a test compares with the class
    **AS_IN_THE_PAPER,
    "n_components": 1,
    "coupling": "plan",
    "map": "random",
    "covariance_floor": 0.0,
    "relative_covariance_floor": 0.1,
    "scale_features": True,
    "group_shrinkage": "auto",
    "dither": "auto",
    "refine": 50,
}
_ONE = {**AS_IN_THE_PAPER, "n_components": 1}
_PLAN = {**AS_IN_THE_PAPER, "n_components": 5, "coupling": "plan"}
PARAMS: dict[str, dict[str, Any]] = {
    "k = 1": _ONE,
    "L-BW as in the paper, k = 5": {**AS_IN_THE_PAPER, "n_components": 5},
    "plan hard, k = 5": _PLAN,
    "plan soft, k = 5": {**_PLAN, "map": "soft"},
    "plan random, k = 5": {**_PLAN, "map": "random"},
    "GroupRepair, defaults": DEFAULTS,
    "GroupRepair, k = 5": {**DEFAULTS, "n_components": 5},
    "k = 1 + refinement": {**_ONE, "refine": 20},
    "plan random, k = 5 + refinement": {**_PLAN, "map": "random", "refine": 10},
    # with this floor the first map is a shift, and the sliced steps do the rest
    "refinement alone": {**_ONE, "covariance_floor": 1e9, "refine": 30},
}
METHODS = {
    method.name: method
    for method in (
        Method("raw"),
        *(Method(name, by_group_repair(**params), ours=True) for name, params in PARAMS.items()),
        Method("score repair", score=by_score_repair(), ours=True),
        Method("score repair, mean", score=by_score_repair(ensemble="mean"), ours=True),
        Method("score repair, one model", score=by_score_repair(ensemble=False), ours=True),
        Method(
            "k = 1 + score repair",
            by_group_repair(**PARAMS["k = 1"]),
            by_score_repair(),
            ours=True,
        ),
        Method("ME linear", by_mapping("linear")),
        Method("ME Gaussian", by_mapping("gaussian")),
        Method("CorrelationRemover", without_correlation),
        Method("ThresholdOptimizer", score=by_thresholds, decides=True),
        Method(
            "ExponentiatedGradient", score=by_gradient, decides=True, classifiers=TAKING_WEIGHTS
        ),
        Method(
            "ExponentiatedGradient, group given",
            score=by_gradient_with_group,
            decides=True,
            classifiers=TAKING_WEIGHTS,
        ),
    )
}


def _quietly_fitted(model: Any, train: Part) -> Any:
    with warnings.catch_warnings():  # ignore that a network reaches its iteration limit
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(train.features, train.label)
