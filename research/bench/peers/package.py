# SPDX-License-Identifier: MIT
"""Jobs of the Python package of lbw."""

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


@functools.lru_cache(maxsize=1)
def labelled(source: str, target: str) -> tuple[Any, Any, int]:
    """Return the samples of two files, their labels, and the number of samples of the first."""
    groups = [inputs.array(path) for path in (source, target)]
    labels = np.repeat(["source", "target"], [len(group) for group in groups])
    return np.concatenate(groups), labels, len(groups[0])
