# SPDX-License-Identifier: MIT
"""Train on transported source points, test on target points that no method has seen."""

from __future__ import annotations

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
    """Return the accuracy of every classifier on the test points of the target."""
    moved: NDArray[np.float64] = method(data.source, data.target)(data.source)
    return {
        name: float(make().fit(moved, data.source_labels).score(data.test, data.test_labels))
        for name, make in CLASSIFIERS.items()
    }


def measure_moons(study: Study) -> None:
    """Measure all methods on moons at all angles."""
    rows = Rows(
        study.results / "moons.csv", ["angle", "seed"], ["method", "classifier", "accuracy"]
    )
    steps = [(angle, seed) for seed in range(study.n_seeds) for angle in study.angles]
    for angle, seed in progress(steps, "moons"):
        if rows.done(angle=angle, seed=seed):
            continue
        data = domains(angle, seed, study.n_points)
        key = {"angle": angle, "seed": seed}
        rows.add(
            {**key, "method": name, "classifier": classifier, "accuracy": accuracy}
            for name, method in METHODS.items()
            for classifier, accuracy in accuracies(method, data).items()
        )


def measure_digits(study: Study) -> None:
    """Measure all methods on pictures of digits that were changed."""
    rows = Rows(
        study.results / "digits.csv", ["shift", "split"], ["method", "classifier", "accuracy"]
    )
    steps = [(shift, split) for split in range(study.n_splits) for shift in SHIFTS]
    for shift, split in progress(steps, "digits"):
        if rows.done(shift=shift, split=split):
            continue
        data = digit_domains(shift, split)
        key = {"shift": shift, "split": split}
        rows.add(
            {**key, "method": name, "classifier": classifier, "accuracy": accuracy}
            for name, method in METHODS.items()
            for classifier, accuracy in accuracies(method, data).items()
        )
