# SPDX-License-Identifier: MIT
"""The whole job, and the transport of points, with scikit-learn, SciPy, NumPy and POT."""

from __future__ import annotations

from typing import Any

import numpy as np
import ot

from common.clock import Stopwatch
from common.pipeline import Pipeline, covariance_maps, rows_by_label, transport_parts

from . import inputs
from .em import estimator
from .fit import mean_score
from .inputs import answered


def transport_points(request: dict[str, Any]) -> dict[str, Any]:
    """Predict the labels and apply the map of each label. Computing the maps is not timed."""
    samples = inputs.array(request["samples"])
    source = inputs.mixture(request["mixture"])
    target = inputs.mixture(request["target"])
    model = estimator(source)
    maps = covariance_maps(source.covariances, target.covariances)
    with Stopwatch() as watch:
        parts = rows_by_label(model.predict(samples), len(maps))
        moved = transport_parts(samples, parts, source.means, maps, target.means)
    return answered(watch, mean_transported=moved.mean(), mean_square=np.square(moved).mean())


def whole(request: dict[str, Any]) -> dict[str, Any]:
    """Fit both groups, match them by means and transport both to their barycenter."""
    groups = [inputs.array(path) for path in request["groups"]]
    pipeline = Pipeline(request["k"], request.get("seed", 0))
    with Stopwatch() as watch:
        pipeline.fit(groups)
        moved = pipeline.transport(groups, [(0.5, 0.5)], pipeline.labels)[0]
    return answered(
        watch,
        log_likelihood=mean_score(pipeline.mixtures, groups),
        iterations=sum(mixture.n_iter_ for mixture in pipeline.mixtures),
        mean_transported=moved.mean(),
    )


def pot_mapping(request: dict[str, Any]) -> dict[str, Any]:
    """Learn POT's joint map with a linear kernel and transport the first group."""
    first, second = (inputs.array(path) for path in request["groups"])
    model = ot.da.MappingTransport(kernel="linear", bias=True)
    with Stopwatch() as watch:
        moved = model.fit(Xs=first, Xt=second).transform(Xs=first)
    missed = np.linalg.norm(moved.mean(axis=0) - second.mean(axis=0))
    return answered(watch, mean_missed=missed)


def pot_linear(request: dict[str, Any]) -> dict[str, Any]:
    """Learn POT's linear map between two Gaussians and transport the first group."""
    first, second = (inputs.array(path) for path in request["groups"])
    model = ot.da.LinearTransport(reg=1e-8)
    with Stopwatch() as watch:
        moved = model.fit(Xs=first, Xt=second).transform(Xs=first)
    return answered(watch, mean_square=np.square(moved).mean())
