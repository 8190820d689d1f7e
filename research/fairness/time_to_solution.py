# SPDX-License-Identifier: MIT
"""Measure AUC and gamma of a logistic regression against time (time_to_solution.csv).

The number of atoms is fixed, and the number of training rows increases. The time is that of the
barycenter, the maps, the transport of the training rows and the classifier, on one core. The
methods run in turns in one process.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from sklearn.linear_model import LogisticRegression

from common.clock import core_timed
from common.progress import progress
from common.rows import Rows

from .mapping_estimation import Setting, repaired_by_mapping
from .measures import measured
from .methods import PARAMS, Repair, by_group_repair
from .places import Scale
from .protocol import Split, reduced, split_of
from .tasks import LOADERS

TASKS = ("adult, sex", "wine, colour")
ROWS = (200, 400, 800, 1600, 3200, 6400, 12800, 25600)
MAPPING_ROWS = 1600  # maximal number of rows for Mapping Estimation


def _mapped(setting: Setting) -> Repair:
    return lambda split, seed: repaired_by_mapping(split, setting, seed, len(split.train.label))


METHODS: dict[str, Repair] = {
    "L-BW as in the paper, k = 5": by_group_repair(**PARAMS["L-BW as in the paper, k = 5"]),
    "plan random, k = 5": by_group_repair(**PARAMS["plan random, k = 5"]),
    "k = 1 + refinement": by_group_repair(**PARAMS["k = 1 + refinement"]),
    "ME linear": _mapped(Setting("linear", n_atoms=100)),
    "ME Gaussian": _mapped(Setting("gaussian", n_atoms=100, sigma=10.0)),
}


def measure_time(scale: Scale) -> None:
    """Measure the missing rows."""
    table = Rows(
        scale.results / "time_to_solution.csv",
        ("task", "repetition", "n_rows", "method"),
        ("seconds", "auc", "gamma"),
    )
    tasks = [task for task in TASKS if task in scale.tasks]
    for task, repetition in progress(list(product(tasks, range(scale.n_repetitions))), "time"):
        split = reduced(split_of(LOADERS[task](), repetition))
        for n_rows, method in product(ROWS, METHODS):
            key = {"task": task, "repetition": repetition, "n_rows": n_rows, "method": method}
            too_large = n_rows > (
                MAPPING_ROWS if method.startswith("ME") else len(split.train.label)
            )
            if too_large or table.done(**key):
                continue
            part = _some_rows(split, n_rows, repetition)
            table.add({**key, **_solved(METHODS[method], part, repetition)})


def _some_rows(split: Split, n_rows: int, seed: int) -> Split:
    rows = np.random.default_rng(seed).choice(len(split.train.label), n_rows, replace=False)
    return Split(split.train.rows(rows), split.test)


def _solved(repair: Repair, split: Split, seed: int) -> dict[str, float]:
    one_held_out = Split(split.train, split.test.rows(np.arange(1)))
    repair_seconds, solved = core_timed(lambda: repair(one_held_out, seed))
    model = LogisticRegression(max_iter=2000)
    seconds, _ = core_timed(lambda: model.fit(solved.train.features, solved.train.label))
    repaired = repair(split, seed)  # repeated for all held-out rows
    score = model.predict_proba(repaired.test.features)[:, 1]
    figures = measured(score, repaired.test, n_bootstraps=0)
    return {
        "seconds": repair_seconds + seconds,
        "auc": figures["auc"],
        "gamma": figures["gamma"],
    }
