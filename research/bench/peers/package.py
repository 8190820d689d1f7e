# SPDX-License-Identifier: MIT
"""Our own Python package, held against the C++ that it calls."""

from __future__ import annotations

import functools
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


def carry_model(request: dict[str, Any]) -> dict[str, Any]:
    """Carry samples by a model in a file, as a user of the package does."""
    from lbw import LocalTransport

    samples = inputs.array(request["samples"])
    transport = LocalTransport.load(request["model"]).set_params(n_jobs=request["threads"])
    with Stopwatch() as watch:
        carried = transport.transform(samples, "source", to="target")
    return answered(watch, mean_carried=carried.mean(), mean_square=np.square(carried).mean())


def linear_map(request: dict[str, Any]) -> dict[str, Any]:
    """Learn the map between two groups of one Gaussian each, told apart by texts, and carry one."""
    from lbw import LocalTransport

    samples, labels, n_source = labelled(*request["groups"])
    source, own = samples[:n_source], labels[:n_source]
    transport = LocalTransport(1, n_jobs=request["threads"])
    with Stopwatch() as watch:
        carried = transport.fit(samples, labels).transform(source, own, to="target")
    return answered(watch, mean_square=np.square(carried).mean())


@functools.lru_cache(maxsize=1)
def labelled(source: str, target: str) -> tuple[Any, Any, int]:
    """Return the samples of two files one after the other, their labels, and the first's number."""
    groups = [inputs.array(path) for path in (source, target)]
    labels = np.repeat(["source", "target"], [len(group) for group in groups])
    return np.concatenate(groups), labels, len(groups[0])
