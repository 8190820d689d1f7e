# SPDX-License-Identifier: MIT
"""Train classifiers on transported source points and test them on held-out target points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from common.progress import progress
from common.rows import Rows

from .digits import SHIFTS, digit_domains
from .methods import METHODS, Method
from .moons import Domains, domains
from .study import Study

CLASSIFIERS = {"SVM": SVC, "1-NN": lambda: KNeighborsClassifier(1)}


def accuracies(method: Method, data: Domains) -> dict[str, float]:
    """Return the accuracy of each classifier on the held-out target points."""
    moved: NDArray[np.float64] = method(data.source, data.target)(data.source)
    return {
        name: float(make().fit(moved, data.source_labels).score(data.test, data.test_labels))
        for name, make in CLASSIFIERS.items()
    }


def measure_moons(study: Study) -> None:
    """Measure all methods on the moons at all angles."""
    steps = [(angle, seed) for seed in range(study.n_seeds) for angle in study.angles]
    measure(study, "moons", ("angle", "seed"), steps, lambda *step: domains(*step, study.n_points))


def measure_digits(study: Study) -> None:
    """Measure all methods on the digits with all shifts."""
    steps = [(shift, split) for split in range(study.n_splits) for shift in SHIFTS]
    measure(study, "digits", ("shift", "split"), steps, digit_domains)


def measure(
    study: Study,
    name: str,
    keys: tuple[str, str],
    steps: list[tuple[Any, int]],
    data_of: Callable[..., Domains],
) -> None:
    """Measure the steps that are missing from a table, each on its own data."""
    rows = Rows(study.results / f"{name}.csv", keys, ["method", "classifier", "accuracy"])
    for step in progress(steps, name):
        key = dict(zip(keys, step, strict=True))
        if rows.done(**key):
            continue
        data = data_of(*step)
        rows.add(
            {**key, "method": name, "classifier": classifier, "accuracy": accuracy}
            for name, method in METHODS.items()
            for classifier, accuracy in accuracies(method, data).items()
        )
