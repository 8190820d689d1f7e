# SPDX-License-Identifier: MIT
"""The graph of every estimator, from its input tensors to its output tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto

from .. import _core
from .._input.validation import validate_parameters
from ._classifier import add_classifier, has_nan
from ._graph import Graph
from ._groups import group_numbers, one_per_row
from ._scores import add_classes, add_repaired, check_scores, tables_of
from ._transport import add_map, add_transport, check_maps, maps_of

__all__ = ["add_local_transport", "add_repair", "add_score_repair", "add_targets"]


def add_local_transport(
    graph: Graph, x: str, estimator: Any, group: str | int, to: Any, amount: Any
) -> str:
    """Add the transport of rows to one target, by a LocalTransport or a GroupRepair.

    `group` is the number of every row's group, or an integer for all rows.
    """
    validate_parameters(estimator, "handle_unknown")
    transport = getattr(estimator, "transport_", estimator)
    maps = maps_of(transport, to, amount)
    places = [group] if isinstance(group, int) else range(len(transport.groups_))
    found = {place: maps._map(place) for place in places}
    check_maps(estimator, list(found.values()))
    if isinstance(group, int):
        return add_map(graph, x, found[group])
    return add_transport(graph, x, group, found, transport, estimator.handle_unknown)


def add_repair(graph: Graph, features: str, repair: Any, group: str | int) -> str:
    """Add the repair of features to the barycenter."""
    validate_parameters(repair, "amount")
    return add_local_transport(graph, features, repair, group, repair.weights, repair.amount)


def add_targets(
    graph: Graph, x: str, transport: Any, group: str | int, given: str, amount: Any
) -> str:
    """Add the transport of rows to the groups that the tensor `given` names, NaN for unknown ones.

    Every pair of a source and a target is treated as a group of its own.
    """
    validate_parameters(transport, "handle_unknown")
    if transport.handle_unknown != "error":
        raise ValueError(
            f"target_input=True with handle_unknown={transport.handle_unknown!r} cannot be "
            "exported to ONNX. Set handle_unknown='error', which gives NaN for unknown groups, or "
            "export one model for every target."
        )
    n_groups = len(transport.groups_)
    sources = [group] if isinstance(group, int) else range(n_groups)
    names, amounts = transport._model.group_names, maps_of(transport, None, amount).amounts
    found = {
        s * n_groups + t: _core.map_between(transport._model, names[s], names[t], amounts[s])
        for s in sources
        for t in range(n_groups)
    }
    check_maps(transport, list(found.values()))
    source = graph.integers(group) if isinstance(group, int) else group
    target = one_per_row(graph, group_numbers(graph, given, transport.groups_), x)
    pair = graph.op("Mul", source, graph.constant(np.int64(n_groups)))
    pair = graph.op("Add", pair, target)
    for number in (source, target):
        unknown = graph.op("Less", number, graph.constant(np.int64(0)))
        pair = graph.op("Where", unknown, graph.constant(np.int64(-1)), pair)
    return add_transport(graph, x, pair, found, transport, "error")


def add_score_repair(
    graph: Graph, inputs: list[tuple[str, str, Any]], group: str | int, repair: Any, opset: int
) -> dict[str, tuple[str, int]]:
    """Add the repaired classes and probabilities; `inputs` are those of the classifier.

    Rows with NaN have NaN probabilities, because converted classifiers treat NaN in other ways
    than those of Python.
    """
    validate_parameters(repair, "handle_unknown", "ties", "amount", "ensemble")
    check_scores(repair)
    total = ""
    pairs = list(zip(repair.classifiers_, tables_of(repair), strict=True))
    for classifier, tables in pairs:
        probabilities, dtype = add_classifier(graph, classifier, inputs, opset)
        scores = graph.op("Gather", probabilities, graph.integers(1), axis=1)
        scores = graph.cast(scores, TensorProto.DOUBLE)
        own = add_repaired(graph, scores, group, tables, repair, dtype)
        total = graph.op("Add", total, own) if total else own
    if len(pairs) > 1:
        total = graph.op("Div", total, graph.constant(np.float64(len(pairs))))
    missing = has_nan(graph, inputs)
    if missing:
        total = graph.op("Where", missing, graph.constant(np.float64(np.nan)), total)
    rest = graph.op("Sub", graph.constant(np.float64(1.0)), total)
    both = graph.op("Concat", rest, total, axis=1)
    if graph.precision == "single":
        both = graph.cast(both, graph.type)
    label = add_classes(graph, total, np.asarray(repair.classes_))
    return {"label": label, "probabilities": (both, graph.type)}
