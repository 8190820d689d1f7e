# SPDX-License-Identifier: MIT
"""Which tensors of a converted classifier have the error of single precision.

skl2onnx uses single precision on the way even where nothing is lost: the columns of a one-hot
encoding and the numbers of categories are whole, and single precision has these exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    ValueInfoProto,
    helper,
    numpy_helper,
    shape_inference,
)

__all__ = ["Kind", "is_rounded", "kinds_of"]

_ROUNDED, _EXACT, _WHOLE = range(3)  # a result is at most as good as what it is computed from
_LARGEST = 2.0**24  # single precision has all whole numbers up to this one
_COPIES = {
    *("Identity", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Flatten", "Concat", "Expand"),
    *("Gather", "GatherElements", "Slice", "Split", "Where", "Max", "Min", "ReduceMax"),
    *("ReduceMin", "ArrayFeatureExtractor"),
}
_SUMS = {"Add", "Sub", "Mul", "MatMul", "ReduceSum"}


class Kind(NamedTuple):
    """What ONNX infers of a tensor; 0 is unknown."""

    elements: int = 0
    n_columns: int = 0

    @classmethod
    def of(cls, info: ValueInfoProto) -> Kind:
        """Read an inferred type."""
        tensor = info.type.tensor_type
        dims = tensor.shape.dim
        return cls(tensor.elem_type, dims[1].dim_value if len(dims) == 2 else 0)


def kinds_of(model: ModelProto) -> defaultdict[str, Kind]:
    """Return the types of tensors.

    What skl2onnx declares for outputs is single precision even where it computes double precision.
    """
    undeclared = ModelProto()
    undeclared.CopyFrom(model)
    for own in undeclared.graph.output:
        own.ClearField("type")
    graph = shape_inference.infer_shapes(undeclared).graph
    infos = [*graph.input, *graph.value_info, *graph.output]
    kinds = {info.name: Kind.of(info) for info in infos}
    kinds |= {own.name: Kind(own.data_type) for own in graph.initializer}
    return defaultdict(Kind, kinds)


def is_rounded(model: ModelProto, name: str) -> bool:
    """Return whether a tensor has the error of single precision."""
    kinds = kinds_of(model)
    grades = {own.name: _EXACT for own in model.graph.input}
    grades |= {own.name: _grade_of_constant(own) for own in model.graph.initializer}
    for node in model.graph.node:
        for output in node.output:
            grades[output] = _grade(node, output, kinds, grades)
    return grades[name] == _ROUNDED


def _grade_of_constant(constant: TensorProto) -> int:
    if constant.data_type == TensorProto.STRING:
        return _EXACT
    if _are_whole(numpy_helper.to_array(constant)):
        return _WHOLE
    return _ROUNDED if constant.data_type == TensorProto.FLOAT else _EXACT


def _are_whole(values: NDArray[Any]) -> bool:
    finite = values[np.isfinite(values)].astype(np.float64)
    return bool(((finite == np.rint(finite)) & (np.abs(finite) <= _LARGEST)).all())


def _grade(
    node: NodeProto, output: str, kinds: defaultdict[str, Kind], grades: dict[str, int]
) -> int:
    parts = [part for own in node.attribute if own.HasField("g") for part in _nodes(own.g)]
    read = [name for own in [node, *parts] for name in own.input if name in grades]
    least = min((grades[name] for name in read), default=_EXACT)
    if least == _ROUNDED:
        return _ROUNDED
    is_single = kinds[output].elements == TensorProto.FLOAT
    if node.domain == "ai.onnx.ml" and node.op_type not in _COPIES:
        return _grade_of_encoding(node)  # trees give single precision, whatever skl2onnx declares
    if node.op_type in _COPIES:
        return least
    if node.op_type == "Cast":
        to_single = is_single and kinds[node.input[0]].elements != TensorProto.FLOAT
        return _ROUNDED if to_single and least < _WHOLE else least
    if kinds[output].elements == TensorProto.BOOL or node.op_type == "ArgMax":
        return _WHOLE
    if node.op_type in _SUMS and least == _WHOLE:
        return _WHOLE
    return _ROUNDED if is_single or any(map(_makes_single, parts)) else _EXACT


def _grade_of_encoding(node: NodeProto) -> int:
    if node.op_type == "OneHotEncoder":
        return _WHOLE
    if node.op_type != "LabelEncoder":
        return _ROUNDED
    values = {own.name: helper.get_attribute_value(own) for own in node.attribute}
    if "values_floats" in values:
        return _WHOLE if _are_whole(np.array(values["values_floats"])) else _ROUNDED
    return _WHOLE if _are_whole(np.array(values.get("values_int64s", []))) else _EXACT


def _nodes(graph: GraphProto) -> Iterator[NodeProto]:
    """Yield the nodes of the body of a loop or condition, and of those in it."""
    for node in graph.node:
        yield node
        for own in node.attribute:
            if own.HasField("g"):
                yield from _nodes(own.g)


def _makes_single(node: NodeProto) -> bool:
    """Return whether a node of a body gives single precision: Cast or an operator of trees."""
    to = [own.i for own in node.attribute if own.name == "to"]
    return TensorProto.FLOAT in to or node.domain == "ai.onnx.ml"
