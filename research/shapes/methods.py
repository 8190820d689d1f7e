# SPDX-License-Identifier: MIT
"""The methods: each learns from a split and transports its held-out points.

A method is a function of the split, the number of atoms, the weights of the barycenter and a seed.
It returns the transported points of all shapes in one array, in the unit square, and the seconds of
learning and transport on one core.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import ot
from sklearn.exceptions import ConvergenceWarning

import lbw
from common.clock import core_timed as timed
from common.mapping_estimation import barycenter_atoms, fitted_mapping
from common.pipeline import Pipeline

from .silhouettes import SHAPES, SIZE, Points, Split

N_THREADS = int(os.environ.get("OMP_NUM_THREADS", "1"))

# Settings of lbw: parameters of LocalTransport.
PAPER: dict[str, Any] = {"coupling": "matching", "cost": "means", "map": "hard"}
PLAN: dict[str, Any] = {"coupling": "plan", "cost": "means", "map": "random"}
MULTIMARGINAL: dict[str, Any] = {"coupling": "multimarginal", "cost": "means", "map": "random"}
# The best setting found: many components, few EM steps, a floor of 2.8 pixels.
BEST: dict[str, Any] = {**PLAN, "tol": 1e-2, "covariance_floor": 2e-4}
BEST_K = 200


class Transported(NamedTuple):
    """The transported held-out points of a method, and its times."""

    points: Points
    train_seconds: float
    transport_seconds: float

    @property
    def seconds(self) -> dict[str, float]:
        """The times by their names in the tables."""
        return {"train_seconds": self.train_seconds, "transport_seconds": self.transport_seconds}


Method = Callable[[Split, int, Sequence[float], int], Transported]


def fit_local(groups: Sequence[Points], n_components: int, seed: int, **setting: Any) -> Any:
    """Fit the transport of lbw between the shapes."""
    labels = np.repeat(SHAPES, [len(group) for group in groups])
    transport = lbw.LocalTransport(n_components, random_state=seed, n_jobs=N_THREADS, **setting)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # few steps are intended
        return transport.fit(np.concatenate(groups), labels)


def transport_local(transport: Any, groups: Sequence[Points], weights: Sequence[float]) -> Points:
    """Transport points of all shapes to the barycenter with the given weights."""
    return np.concatenate(
        [
            transport.transform(points, shape, to=weights)
            for shape, points in zip(SHAPES, groups, strict=True)
        ]
    )


def local(**setting: Any) -> Method:
    """Return lbw with a setting as a method."""

    def method(split: Split, k: int, weights: Sequence[float], seed: int) -> Transported:
        train, transport = timed(lambda: fit_local(split.train, k, seed, **setting))
        move, points = timed(lambda: transport_local(transport, split.held_out, weights))
        return Transported(points, train, move)

    return method


def mapping_estimation(kernel: str, scale: float) -> Method:
    """Return POT's Mapping Estimation to the free-support barycenter of k atoms as a method.

    Parameters
    ----------
    kernel : {"linear", "gaussian"}
        The kernel. Other parameters are POT's eta = 1e-3 and sigma = 1, with a bias.
    scale : float
        The factor by which coordinates are multiplied first. It sets the unit of sigma.
    """

    def learn(groups: Sequence[Points], k: int, weights: Sequence[float], seed: int) -> list[Any]:
        scaled = [scale * group for group in groups]
        atoms = barycenter_atoms(scaled, k, weights, np.random.default_rng(seed))
        options = {"kernel": kernel, "eta": 1e-3, "sigma": 1.0}
        return [fitted_mapping(group, atoms, **options) for group in scaled]

    def method(split: Split, k: int, weights: Sequence[float], seed: int) -> Transported:
        train, maps = timed(lambda: learn(split.train, k, weights, seed))
        move, parts = timed(
            lambda: [
                model.transform(Xs=scale * points) / scale
                for model, points in zip(maps, split.held_out, strict=True)
            ]
        )
        return Transported(np.concatenate(parts), train, move)

    return method


def pot_mixtures(split: Split, k: int, weights: Sequence[float], seed: int) -> Transported:
    """Transport by POT's fixed-point barycenter of the same mixtures and its random maps."""

    def learn() -> tuple[Any, ...]:
        mixtures = fit_local(split.train, k, seed, **PAPER).mixtures_
        means = [mixture.means_ for mixture in mixtures]
        covariances = [mixture.covariances_ for mixture in mixtures]
        masses = [mixture.weights_ for mixture in mixtures]
        start = int(np.argmax(weights))
        # POT overwrites the start, and its default projection ignores unequal masses
        mean, covariance = ot.gmm.gmm_barycenter_fixed_point(
            means, covariances, masses, means[start].copy(), covariances[start].copy(),
            np.array(weights), iterations=10,
        )  # fmt: skip
        return means, covariances, masses, (mean, covariance, np.full(k, 1 / k))

    def move() -> list[Points]:
        means, covariances, masses, (mean, covariance, mass) = learned
        return [
            ot.gmm.gmm_ot_apply_map(
                points, means[g], mean, covariances[g], covariance, masses[g], mass,
                method="rand", seed=seed,
            )
            for g, points in enumerate(split.held_out)
        ]  # fmt: skip

    with np.errstate(over="ignore"):  # for distant components, whose responsibility is 0
        train, learned = timed(learn)
        seconds, parts = timed(move)
    return Transported(np.concatenate(parts), train, seconds)


def random_matching(split: Split, k: int, weights: Sequence[float], seed: int) -> Transported:
    """Transport by the paper's method with randomly matched components, as a control."""
    train, pipeline = timed(lambda: Pipeline(k, seed, matching="random").fit(split.train))
    move, points = timed(lambda: pipeline.transport(split.held_out, [weights])[0])
    return Transported(points, train, move)


RIVALS: dict[str, Method] = {
    "ME-Linear": mapping_estimation("linear", 1.0),
    "ME-Gaussian, scaled": mapping_estimation("gaussian", 1.0),
    "ME-Gaussian, pixels": mapping_estimation("gaussian", float(SIZE)),
    "POT GMM": pot_mixtures,
}
SETTINGS: dict[str, dict[str, Any]] = {
    "L-BW, paper": PAPER,
    "L-BW, plan": PLAN,
    "L-BW, multimarginal": MULTIMARGINAL,
}
OURS: dict[str, Method] = {name: local(**setting) for name, setting in SETTINGS.items()}
METHODS = {**OURS, **RIVALS}


def run_method(name: str, split: Split, k: int, weights: Sequence[float], seed: int) -> Transported:
    """Run a method. A fast one runs twice, and the first call is a warm-up."""
    if name in OURS:
        METHODS[name](split, k, weights, seed)
    return METHODS[name](split, k, weights, seed)
