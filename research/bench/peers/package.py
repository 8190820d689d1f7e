# SPDX-License-Identifier: MIT
"""Jobs of the Python package of lbw."""

from __future__ import annotations

import functools
import subprocess
import sys
from typing import Any

import numpy as np

from common.clock import Stopwatch

from . import inputs
from .inputs import answered


def save_model(request: dict[str, Any]) -> dict[str, Any]:
    """Fit two groups and write the model to a file."""
    from lbw import LocalTransport

    samples, labels, _ = labelled(*request["groups"])
    LocalTransport(request["k"], map="random").fit(samples, labels).save(request["model"])
    return {}


def transport_model(request: dict[str, Any]) -> dict[str, Any]:
    """Transport samples by a model in a file, as a user of the package does."""
    from lbw import LocalTransport

    samples = inputs.array(request["samples"])
    transport = LocalTransport.load(request["model"]).set_params(n_jobs=request["threads"])
    with Stopwatch() as watch:
        moved = transport.transform(samples, "source", to="target")
    return answered(watch, mean_transported=moved.mean(), mean_square=np.square(moved).mean())


def linear_map(request: dict[str, Any]) -> dict[str, Any]:
    """Fit one Gaussian to each of two groups with string labels, and transport the first."""
    from lbw import LocalTransport

    samples, labels, n_source = labelled(*request["groups"])
    source, own = samples[:n_source], labels[:n_source]
    transport = LocalTransport(1, n_jobs=request["threads"])
    with Stopwatch() as watch:
        moved = transport.fit(samples, labels).transform(source, own, to="target")
    return answered(watch, mean_square=np.square(moved).mean())


def whole(request: dict[str, Any]) -> dict[str, Any]:
    """Fit two groups and transport both to their barycenter, as a user of the package does."""
    from lbw import LocalTransport

    samples, labels, n_source = labelled(*request["groups"])
    paper = {"coupling": "matching", "map": "hard"}
    seed, threads = request.get("seed", 0), request["threads"]
    transport = LocalTransport(request["k"], random_state=seed, n_jobs=threads, **paper)
    with Stopwatch() as watch:
        moved = transport.fit(samples, labels).transform(samples, labels)
    groups = (samples[:n_source], samples[n_source:])
    scores = [m.score(own) for m, own in zip(transport.mixtures_, groups, strict=True)]
    return answered(watch, log_likelihood=np.mean(scores), mean_transported=moved.mean())


def repair_fit(request: dict[str, Any]) -> dict[str, Any]:
    """Fit a repair with its default parameters, check included."""
    from lbw import GroupRepair

    samples, labels = shuffled(*request["groups"])
    with Stopwatch() as watch:
        repair = GroupRepair(n_jobs=request["threads"]).fit(samples, sensitive_features=labels)
    return answered(watch, auc=repair.check_.auc)


def repair_transform(request: dict[str, Any]) -> dict[str, Any]:
    """Repair the rows of the fit. The fit is not timed."""
    samples, labels = shuffled(*request["groups"])
    repair = fitted_repair(*request["groups"]).set_params(n_jobs=request["threads"])
    with Stopwatch() as watch:
        moved = repair.transform(samples, sensitive_features=labels)
    return answered(watch, mean_square=np.square(moved).mean())


FIRST_CALL = """
import time
import numpy as np
import sklearn.base
X = np.random.default_rng(0).normal(size=(400, 3))
y = np.repeat(["a", "b"], 200)
start = time.perf_counter()
from lbw import LocalTransport
LocalTransport(2).fit(X, y).transform(X, y)
print(time.perf_counter() - start)
"""


def first_call(request: dict[str, Any]) -> dict[str, Any]:
    """Import lbw, fit and transform in a fresh process that has imported NumPy and scikit-learn."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FIRST_CALL],
        check=True,
        capture_output=True,
        text=True,
    )
    return {"seconds": float(done.stdout), "checks": {}}


@functools.lru_cache(maxsize=1)
def shuffled(source: str, target: str) -> tuple[Any, Any]:
    """Return the samples of two files in random order, and their labels."""
    samples, labels, _ = labelled(source, target)
    order = np.random.default_rng(0).permutation(len(samples))
    return samples[order], labels[order]


@functools.lru_cache(maxsize=1)
def fitted_repair(source: str, target: str) -> Any:
    """Return a repair of the samples of two files."""
    from lbw import GroupRepair

    samples, labels = shuffled(source, target)
    return GroupRepair(check_samples=0).fit(samples, sensitive_features=labels)


@functools.lru_cache(maxsize=1)
def labelled(source: str, target: str) -> tuple[Any, Any, int]:
    """Return the samples of two files, their labels, and the number of samples of the first."""
    groups = [inputs.array(path) for path in (source, target)]
    labels = np.repeat(["source", "target"], [len(group) for group in groups])
    return np.concatenate(groups), labels, len(groups[0])
