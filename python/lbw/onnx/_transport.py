# SPDX-License-Identifier: MIT
"""Maps of all groups of a fitted transport."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto

from .. import _core
from .._transport.maps import GroupMaps, apply_map
from .._transport.params import amounts_over
from ._affine import are_alike
from ._densities import Densities, joint_densities
from ._graph import Graph
from ._groups import UNKNOWN, Branch, by_group
from ._maps import add_pieces
from ._probabilities import log_density_of, relative_of
from ._steps import add_steps

__all__ = ["add_map", "add_transport", "check_maps", "maps_of"]


def maps_of(transport: Any, to: Any, amount: Any) -> GroupMaps:
    """Return the maps of a LocalTransport from all groups to a target."""
    amounts = amounts_over(transport.groups_, amount)
    return GroupMaps(transport._model, transport.groups_, to, amounts, apply_map, 0)


def check_maps(estimator: Any, maps: list[_core.LocalMap]) -> None:
    """Raise if a map draws random numbers, which no ONNX graph can reproduce."""
    title = type(estimator).__name__
    if any(along.dithers for along in maps):
        raise ValueError(
            f"{title} adds random noise to the features {estimator.dithered_features_}, because "
            f"dither={estimator.dither!r} and they take few values. The noise of a row depends on "
            "all rows of a call and cannot be exported to ONNX. Fit with dither=0, or drop these "
            "features."
        )
    if any(along.kind == "random" and not are_alike(along) for along in maps):
        raise ValueError(
            f"{title} has map='random', which draws a component for every row by its values and "
            "its key and cannot be exported to ONNX. Fit with map='soft' or map='hard', or with "
            "n_components=1."
        )


def add_map(graph: Graph, x: str, along: _core.LocalMap) -> str:
    """Add the images of rows of one group.

    Refined maps are computed in double precision, because their steps amplify rounding.
    """
    if not along.refinement:
        return add_pieces(graph, x, along)
    exact = graph.in_double()
    if graph.precision == "single":
        x = graph.cast(x, TensorProto.DOUBLE)
    image = add_steps(exact, add_pieces(exact, x, along), along.refinement, along.amount)
    if along.amount < 1.0:
        stay = exact.op("Mul", x, exact.number(1.0 - along.amount))
        image = exact.op("Add", stay, image)
    return graph.cast(image, graph.type) if graph.precision == "single" else image


def add_transport(
    graph: Graph, x: str, group: str, maps: dict[int, _core.LocalMap], transport: Any, unknown: str
) -> str:
    """Add the images of rows by the maps of their groups; `unknown` treats rows of no group."""

    def branch_of(along: _core.LocalMap) -> Branch:
        return lambda rows: add_map(graph, rows, along)

    branches: dict[int, Branch] = {place: branch_of(along) for place, along in maps.items()}
    if unknown == "barycenter":
        branches[UNKNOWN] = lambda rows: _mean_over_groups(graph, rows, maps, transport)
    return by_group(graph, x, group, branches, keep=unknown == "ignore")


def _mean_over_groups(graph: Graph, x: str, maps: dict[int, _core.LocalMap], transport: Any) -> str:
    """Add the mean of the images under all maps, weighted by the probabilities of the groups."""
    model = transport._model
    fitted = [p for p, name in enumerate(model.group_names) if name not in model.kept_groups]
    exact = graph.in_double()
    points = graph.cast(x, TensorProto.DOUBLE)
    logs = []
    for place in fitted:
        joint = joint_densities(exact, points, Densities.of(model.mixtures[place]))
        density = log_density_of(exact, relative_of(exact, joint))
        logs.append(exact.op("Unsqueeze", density, exact.integers(1)))
    together = exact.op("Concat", *logs, axis=1) if len(logs) > 1 else logs[0]
    probabilities = graph.cast(exact.op("Softmax", together, axis=1), graph.type)
    total = ""
    for i, place in enumerate(fitted):
        share = graph.op("Gather", probabilities, graph.constant(np.array([i])), axis=1)
        part = graph.op("Mul", share, add_map(graph, x, maps[place]))
        total = graph.op("Add", total, part) if total else part
    return total
