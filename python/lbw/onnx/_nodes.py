# SPDX-License-Identifier: MIT
"""The nodes of a converted classifier as a part of a larger graph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, TensorProto, helper

from ._graph import Graph
from ._rounding import kinds_of

__all__ = ["add_prefix", "nodes_of"]


def add_prefix(graph: GraphProto, prefix: str) -> None:
    """Put a prefix before every name of a graph, and of the bodies of loops in it.

    onnx.compose.add_prefix leaves the constants of the graph that a body reads as they are.
    """
    for node in graph.node:
        node.name = prefix + node.name
        for names in (node.input, node.output):
            names[:] = [name and prefix + name for name in names]  # "" is an input left out
        for own in node.attribute:
            if own.HasField("g"):
                add_prefix(own.g, prefix)
    for named in (*graph.input, *graph.output, *graph.initializer, *graph.value_info):
        named.name = prefix + named.name


def nodes_of(model: ModelProto, graph: Graph) -> Iterator[NodeProto]:
    """Yield the nodes of a classifier, with others for those that lose digits or fail.

    Constants of the others are added to `graph`.
    """
    tables = {own.name: own for own in model.graph.initializer}
    logistic = _logistic_outputs(model)
    for node in model.graph.node:
        part = logistic.get(node.output[0])
        if node.op_type == "ArrayFeatureExtractor" and node.input[0] in tables:
            yield from _gathered(node, tables[node.input[0]], graph.integers(-1))
        elif part == "Sigmoid":
            yield from _logistic(node, graph.constant(np.float64(1.0)))
        elif part == "Div":
            yield helper.make_node("Identity", node.input[:1], node.output, name=node.name)
        else:
            yield node


def _logistic_outputs(model: ModelProto) -> dict[str, str]:
    """Return the operators, by output, of logistic functions in double precision and their shares.

    skl2onnx divides p and 1 - p, two columns, by their sum, and scikit-learn does not. The division
    changes the last bit alone, but two scores that are almost 1 differ by little more.
    """
    kinds = kinds_of(model)
    found: dict[str, str] = {}
    for node in model.graph.node:
        operator, output = node.op_type, node.output[0]
        before = [found.get(name) for name in node.input]
        if (
            (operator == "Sigmoid" and kinds[output].elements == TensorProto.DOUBLE)
            or (operator == "Abs" and before == ["Sigmoid"])
            or (operator == "ReduceSum" and before[0] == "Abs")
            or (
                operator == "Div"
                and before == ["Sigmoid", "ReduceSum"]
                and kinds[output].n_columns == 2
            )
        ):
            found[output] = operator
    return found


def _gathered(node: NodeProto, table: TensorProto, flat: str) -> Iterator[NodeProto]:
    """Yield Gather for what extracts labels from a table, which fails on a batch without rows.

    The constant `flat` is -1.
    """
    if len(table.dims) == 1:  # the operator reads it as one row
        table.dims.insert(0, 1)
    places, name = f"{node.output[0]}_places", f"{node.name}_places"
    yield helper.make_node("Reshape", [node.input[1], flat], [places], name=name)
    yield helper.make_node("Gather", [table.name, places], node.output, axis=-1, name=node.name)


def _logistic(node: NodeProto, one: str) -> Iterator[NodeProto]:
    """Yield 1 / (1 + exp(-z)) for Sigmoid, which computes 1 - 1 / (1 + exp(z)) if z is negative.

    That loses the digits of small probabilities.
    """
    steps = [("Neg", []), ("Exp", []), ("Add", [one]), ("Reciprocal", [])]
    given = node.input[0]
    for kind, others in steps:
        result = node.output[0] if kind == "Reciprocal" else f"{node.output[0]}_{kind}"
        yield helper.make_node(kind, [given, *others], [result], name=f"{node.name}_{kind}")
        given = result
