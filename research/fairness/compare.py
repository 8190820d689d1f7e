# SPDX-License-Identifier: MIT
"""Compare all methods with all classifiers on ten components (methods/ and noise.csv).

A step is one method on one split of one task.
"""

from __future__ import annotations

from typing import Any

from common.clock import timed
from common.rows import Rows

from .classifiers import CLASSIFIERS
from .measures import COLUMNS, displacement, measured, measured_decisions, noise_floor
from .methods import METHODS, plainly
from .places import Scale
from .protocol import reduced
from .workers import cached_split, fill, steps_of

KEYS = ("task", "split", "method")


def compare(scale: Scale) -> None:
    """Measure the missing rows."""
    _measure_noise(scale)
    columns = ("classifier", *COLUMNS, "displacement", "repair_seconds", "model_seconds")
    table = Rows(scale.results / "methods.csv", KEYS, columns, part="split")
    fill(table, _compared, steps_of(scale, METHODS), "methods", scale.n_workers)


def _measure_noise(scale: Scale) -> None:
    columns = ("classifier", "noise_mean", "noise_95")
    table = Rows(scale.results / "noise.csv", ("task", "split"), columns)
    fill(table, _noise, steps_of(scale), "noise", scale.n_workers)


def _compared(task: str, seed: int, name: str) -> list[dict[str, Any]]:
    method = METHODS[name]
    split = reduced(cached_split(task, seed))
    repair_seconds, repaired = timed(lambda: method.repair(split, seed))
    moved = displacement(split.test.features, repaired.test.features)
    rows = []
    for classifier in method.classifiers:
        seconds, score = timed(
            lambda classifier=classifier: method.score(CLASSIFIERS[classifier], repaired, seed)
        )
        figures = (measured_decisions if method.decides else measured)(score, split.test)
        rows.append(
            {
                "task": task,
                "split": seed,
                "method": name,
                "classifier": classifier,
                **figures,
                "displacement": moved,
                "repair_seconds": repair_seconds,
                "model_seconds": seconds,
            }
        )
    return rows


def _noise(task: str, seed: int) -> list[dict[str, Any]]:
    split = reduced(cached_split(task, seed))
    return [
        {
            "task": task,
            "split": seed,
            "classifier": name,
            **noise_floor(plainly(classifier, split, seed), split.test),
        }
        for name, classifier in CLASSIFIERS.items()
    ]
