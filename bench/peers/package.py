# SPDX-License-Identifier: MIT
"""Our own Python package, held against the C++ that it calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import inputs
from .clock import Stopwatch


def save_model(request: dict[str, Any]) -> dict[str, Any]:
    """Fit two groups and write the model to a file."""
    from lbw import LocalTransport

    groups = [inputs.array(path) for path in request["groups"]]
    labels = np.repeat(["source", "target"], [len(group) for group in groups])
    LocalTransport(request["k"], map="random").fit(np.concatenate(groups), labels).save(request["model"])
    return {}


def carry_model(request: dict[str, Any]) -> dict[str, Any]:
    """Carry samples by a model in a file, as a user of the package does."""
    from lbw import LocalTransport

    samples = inputs.array(request["samples"])
    transport = LocalTransport.load(request["model"]).set_params(n_jobs=request["threads"])
    with Stopwatch() as watch:
        carried = transport.transform(samples, "source", to="target")
    checks = {
        "mean_carried": float(carried.mean()),
        "mean_square": float(np.square(carried).mean()),
    }
    return {"seconds": watch.seconds, "checks": checks}
