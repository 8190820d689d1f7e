# SPDX-License-Identifier: MIT
"""All methods with one signature: they return a map from source and target points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import ot
from numpy.typing import NDArray

from lbw import LocalTransport

Points = NDArray[np.float64]
Map = Callable[[Points], Points]
Method = Callable[[Points, Points], Map]

SINKHORN_REG = 0.1  # fraction of the largest cost, POT's norm="max"


def no_adaptation(source: Points, target: Points) -> Map:
    """Return the source points unchanged."""
    return lambda points: points


def ours(**params: Any) -> Method:
    """Return the map of `LocalTransport` with these parameters."""

    def learn(source: Points, target: Points) -> Map:
        groups = np.repeat(["source", "target"], [len(source), len(target)])
        transport = LocalTransport(**params).fit(np.concatenate([source, target]), groups)
        return lambda points: transport.transform(points, "source", to="target")

    return learn


def pot(make: Callable[[], Any]) -> Method:
    """Return the map of a transport of POT, which moves new points like their nearest neighbour."""

    def learn(source: Points, target: Points) -> Map:
        transport = make().fit(Xs=source, Xt=target)
        return lambda points: transport.transform(Xs=points)

    return learn


METHODS: dict[str, Method] = {
    "no adaptation": no_adaptation,
    "POT EMD": pot(ot.da.EMDTransport),
    "POT Sinkhorn": pot(lambda: ot.da.SinkhornTransport(reg_e=SINKHORN_REG, norm="max")),
    "POT linear": pot(ot.da.LinearTransport),
    "lbw default": ours(),
    "lbw, random": ours(map="random"),
    "lbw, hard": ours(map="hard"),
    "lbw, k = 1": ours(n_components=1),
    "lbw, k = 4": ours(n_components=4),
    "lbw, k by BIC": ours(n_components="bic"),
    "lbw, floor 0.1": ours(relative_covariance_floor=0.1),
    "lbw, paper": ours(coupling="matching", map="hard"),
}
