# SPDX-License-Identifier: MIT
"""Fits and k-means by scikit-learn."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from . import inputs
from .clock import Stopwatch


def mixture_of(request: dict[str, Any], **settings: Any) -> GaussianMixture:
    """Return an unfitted mixture with the start, tolerance and floor that lbw has by default."""
    defaults = {"tol": 1e-3, "max_iter": 100, "reg_covar": 1e-6, "init_params": "kmeans"}
    if "steps" in request:  # that many, no more and no fewer
        defaults |= {"tol": 0.0, "max_iter": request["steps"]}
    return GaussianMixture(
        n_components=request["k"], random_state=request.get("seed", 0), **{**defaults, **settings}
    )


def started_at(prefix: str) -> dict[str, Any]:
    """Return the settings that make a fit start from a mixture."""
    start = inputs.mixture(prefix)
    return {
        "weights_init": start.weights,
        "means_init": start.means,
        "precisions_init": np.linalg.inv(start.covariances),
    }


def sklearn_fit(request: dict[str, Any]) -> dict[str, Any]:
    """Fit each of the files in ``groups``, from ``starts`` where given; scores are not timed."""
    groups = [inputs.array(path) for path in request["groups"]]
    settings = [started_at(start) for start in request.get("starts", [])] or [{} for _ in groups]
    with Stopwatch() as watch:
        models = [
            mixture_of(request, **setting).fit(samples)
            for setting, samples in zip(settings, groups, strict=True)
        ]
    heldout = [inputs.array(path) for path in request["heldout"]]
    checks = {
        "log_likelihood": np.mean([m.score(x) for m, x in zip(models, groups, strict=True)]),
        "heldout_log_likelihood": np.mean(
            [m.score(x) for m, x in zip(models, heldout, strict=True)]
        ),
        "iterations": sum(model.n_iter_ for model in models),
    }
    return {"seconds": watch.seconds, "checks": {key: float(v) for key, v in checks.items()}}


def status_bytes(field: str) -> float:
    """Return a field of ``/proc/self/status``, such as VmRSS, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return 1024.0 * float(value.split()[0])
    raise LookupError(f"/proc/self/status has no {field}")


def sklearn_fit_memory(request: dict[str, Any]) -> dict[str, Any]:
    """Memory that a fit takes beyond its input; the process should be a fresh one."""
    samples = inputs.array(request["samples"])
    model = mixture_of(request)
    with contextlib.suppress(OSError):  # a fresh process with its input is near its peak anyway
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    before = status_bytes("VmRSS")
    with Stopwatch() as watch:
        model.fit(samples)
    checks = {
        "extra_bytes": status_bytes("VmHWM") - before,
        "input_bytes": float(samples.nbytes),
    }
    return {"seconds": watch.seconds, "checks": checks}


def sklearn_kmeans(request: dict[str, Any]) -> dict[str, Any]:
    """K-means with one start, as ``GaussianMixture`` begins."""
    samples = inputs.array(request["samples"])
    model = KMeans(n_clusters=request["k"], n_init=1, random_state=request.get("seed", 0))
    with Stopwatch() as watch:
        model.fit(samples)
    return {"seconds": watch.seconds, "checks": {"inertia": float(model.inertia_)}}
