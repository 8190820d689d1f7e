# SPDX-License-Identifier: MIT
"""The whole job, and the carrying of points, with scikit-learn, SciPy, NumPy and POT."""

from __future__ import annotations

from typing import Any

import numpy as np
import ot
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from . import inputs
from .clock import Stopwatch
from .em import estimator
from .fit import mixture_of
from .inputs import Array, Integers
from .maps import covariance_maps


def carry_by_label(
    samples: Array, labels: Integers, source_means: Array, maps: Array, target_means: Array
) -> Array:
    """Apply to each sample the affine map of its label, component by component."""
    carried = np.empty_like(samples)
    order = np.argsort(labels, kind="stable")  # a radix sort on small integers
    ends = np.cumsum(np.bincount(labels, minlength=len(maps)))
    first = 0
    for component, end in enumerate(ends):
        rows = order[first:end]
        offset = target_means[component] - maps[component] @ source_means[component]
        carried[rows] = samples[rows] @ maps[component] + offset
        first = end
    return carried


def carry(request: dict[str, Any]) -> dict[str, Any]:
    """Predict, then apply the map of each label; the maps are made before."""
    samples = inputs.array(request["samples"])
    source = inputs.mixture(request["mixture"])
    target = inputs.mixture(request["target"])
    model = estimator(source)
    maps = covariance_maps(source.covariances, target.covariances)
    with Stopwatch() as watch:
        labels = model.predict(samples).astype(np.int16)
        carried = carry_by_label(samples, labels, source.means, maps, target.means)
    checks = {
        "mean_carried": float(carried.mean()),
        "mean_square": float(np.square(carried).mean()),
    }
    return {"seconds": watch.seconds, "checks": checks}


def middle_covariances(first: Array, second: Array) -> Array:
    """Return the covariances half way between pairs: C S C with C = (I + T) / 2."""
    half = 0.5 * (np.eye(first.shape[-1]) + covariance_maps(first, second))
    return half @ first @ half


def whole(request: dict[str, Any]) -> dict[str, Any]:
    """Fit both groups, match by means, average the pairs, carry both onto the average."""
    groups = [inputs.array(path) for path in request["groups"]]
    with Stopwatch() as watch:
        models = [mixture_of(request) for _ in groups]
        labels = [
            model.fit_predict(samples).astype(np.int16)
            for model, samples in zip(models, groups, strict=True)
        ]
        cost = cdist(models[0].means_, models[1].means_, "sqeuclidean")
        partner = linear_sum_assignment(cost)[1]
        orders = [np.arange(len(partner)), np.argsort(partner)]
        means = 0.5 * (models[0].means_ + models[1].means_[partner])
        covariances = middle_covariances(models[0].covariances_, models[1].covariances_[partner])
        carried = []
        for model, samples, label, order in zip(models, groups, labels, orders, strict=True):
            maps = covariance_maps(model.covariances_, covariances[order])
            carried.append(carry_by_label(samples, label, model.means_, maps, means[order]))
    checks = {
        "log_likelihood": np.mean([m.score(x) for m, x in zip(models, groups, strict=True)]),
        "iterations": sum(model.n_iter_ for model in models),
        "mean_carried": np.mean([points.mean() for points in carried]),
    }
    return {"seconds": watch.seconds, "checks": {key: float(v) for key, v in checks.items()}}


def pot_mapping(request: dict[str, Any]) -> dict[str, Any]:
    """Learn POT's joint map with a linear kernel and carry the first group by it."""
    first, second = (inputs.array(path) for path in request["groups"])
    model = ot.da.MappingTransport(kernel="linear", bias=True)
    with Stopwatch() as watch:
        model.fit(Xs=first, Xt=second)
        carried = model.transform(Xs=first)
    missed = float(np.linalg.norm(carried.mean(axis=0) - second.mean(axis=0)))
    return {"seconds": watch.seconds, "checks": {"mean_missed": missed}}


def pot_linear(request: dict[str, Any]) -> dict[str, Any]:
    """Learn POT's linear map, the one between two Gaussians, and carry the first group by it."""
    first, second = (inputs.array(path) for path in request["groups"])
    model = ot.da.LinearTransport(reg=1e-8)
    with Stopwatch() as watch:
        model.fit(Xs=first, Xt=second)
        carried = model.transform(Xs=first)
    return {"seconds": watch.seconds, "checks": {"mean_square": float(np.square(carried).mean())}}
