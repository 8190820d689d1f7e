# SPDX-License-Identifier: MIT
"""Fits and k-means by scikit-learn."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture

from common.clock import Stopwatch
from common.machine import status_bytes

from . import inputs
from .inputs import Array, answered


def mixture_of(request: dict[str, Any], **settings: Any) -> GaussianMixture:
    """Return an unfitted mixture with the default start, tolerance and floor of lbw."""
    defaults = {"tol": 1e-3, "max_iter": 100, "reg_covar": 1e-6, "init_params": "kmeans"}
    if "steps" in request:  # exactly this number
        defaults |= {"tol": 0.0, "max_iter": request["steps"]}
    return GaussianMixture(
        n_components=request["k"], random_state=request.get("seed", 0), **{**defaults, **settings}
    )


def started_at(prefix: str) -> dict[str, Any]:
    """Return the parameters that start a fit from a mixture."""
    start = inputs.mixture(prefix)
    return {
        "weights_init": start.weights,
        "means_init": start.means,
        "precisions_init": np.linalg.inv(start.covariances),
    }


def sklearn_fit(request: dict[str, Any]) -> dict[str, Any]:
    """Fit each file in ``groups``, from ``starts`` if given. Scores are not timed."""
    groups = [inputs.array(path) for path in request["groups"]]
    settings = [started_at(start) for start in request.get("starts", [])] or [{} for _ in groups]
    with Stopwatch() as watch:
        models = [
            mixture_of(request, **setting).fit(samples)
            for setting, samples in zip(settings, groups, strict=True)
        ]
    return answered(
        watch,
        log_likelihood=mean_score(models, groups),
        heldout_log_likelihood=mean_score(models, map(inputs.array, request["heldout"])),
        iterations=sum(model.n_iter_ for model in models),
    )


def mean_score(models: Iterable[GaussianMixture], groups: Iterable[Array]) -> float:
    """Return the log-likelihood per sample, averaged over the groups."""
    return float(np.mean([m.score(x) for m, x in zip(models, groups, strict=True)]))


def sklearn_fit_memory(request: dict[str, Any]) -> dict[str, Any]:
    """Measure the memory that a fit uses in addition to its input, in a fresh process."""
    samples = inputs.array(request["samples"])
    model = mixture_of(request)
    with contextlib.suppress(OSError):  # the peak of a fresh process is near its current memory
        Path("/proc/self/clear_refs").write_text("5")  # reset the peak
    before = status_bytes("VmRSS")
    with Stopwatch() as watch:
        model.fit(samples)
    extra = status_bytes("VmHWM") - before
    return answered(watch, extra_bytes=extra, input_bytes=samples.nbytes)


def sklearn_kmeans(request: dict[str, Any]) -> dict[str, Any]:
    """Run k-means with one start, as ``GaussianMixture`` does first."""
    samples = inputs.array(request["samples"])
    model = KMeans(n_clusters=request["k"], n_init=1, random_state=request.get("seed", 0))
    with Stopwatch() as watch:
        model.fit(samples)
    return answered(watch, inertia=model.inertia_)
