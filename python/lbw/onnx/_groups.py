# SPDX-License-Identifier: MIT
"""Groups in a graph: the number of every row's group, and rows treated group by group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import TensorProto, helper

from .._input.labels import LabelArray
from ._graph import Graph

__all__ = [
    "UNKNOWN",
    "by_group",
    "group_numbers",
    "is_missing",
    "label_type",
    "numbers_of_columns",
    "one_per_row",
]

UNKNOWN, _MISSING = -1, -2  # numbers of groups that the fit has not seen, and of NaN

_TYPES: dict[str, int] = {
    "U": TensorProto.STRING,
    "i": TensorProto.INT64,
    "u": TensorProto.INT64,
    "b": TensorProto.BOOL,
    "f": TensorProto.DOUBLE,
}
_DTYPES: dict[int, Any] = {
    TensorProto.INT64: np.int64,
    TensorProto.BOOL: np.bool_,
    TensorProto.DOUBLE: np.float64,
}


def label_type(labels: LabelArray) -> int:
    """Return the type of an input of labels."""
    if labels.dtype.kind not in _TYPES:
        raise ValueError(
            f"groups_ has labels of type {labels.dtype}, but ONNX has strings and numbers. Convert "
            "the labels to strings before fit, for instance with astype(str)."
        )
    return _TYPES[labels.dtype.kind]


def group_numbers(graph: Graph, given: str, labels: LabelArray, dtype: Any = None) -> str:
    """Add the position of every label of a tensor among `labels`, -1 for others and -2 for NaN.

    `dtype` is the type of the tensor if it is not that of an input of labels.
    """
    kind = label_type(labels)
    flat = graph.op("Reshape", given, graph.integers(-1))
    if kind == TensorProto.STRING:
        return graph.op(
            "LabelEncoder",
            flat,
            domain="ai.onnx.ml",
            keys_strings=labels.tolist(),
            values_int64s=list(range(len(labels))),
            default_int64=-1,
        )
    known = labels.astype(_DTYPES[kind] if dtype is None else dtype)
    if len(np.unique(known)) < len(labels):
        are_distinct = len(np.unique(labels.astype(np.float64))) == len(labels)
        fit = "Export with precision='double', or fit" if are_distinct else "Fit"
        raise ValueError(
            f"the groups {labels.tolist()} are not distinct as {known.dtype}. {fit} with labels "
            "that are strings."
        )
    # one row per label: comparisons along rows of the tensor are 30 times as fast as down columns
    row = graph.op("Unsqueeze", flat, graph.integers(0))
    equal = graph.op("Equal", graph.constant(known[:, np.newaxis]), row)
    places = graph.constant(np.arange(1, len(labels) + 1, dtype=np.float32))
    found = graph.op("MatMul", places, graph.cast(equal, TensorProto.FLOAT))
    found = graph.cast(found, TensorProto.INT64)
    number = graph.op("Sub", found, graph.constant(np.int64(1)))
    if known.dtype.kind != "f":
        return number
    return graph.op("Where", graph.op("IsNaN", flat), graph.constant(np.int64(_MISSING)), number)


def one_per_row(graph: Graph, numbers: str, rows: str) -> str:
    """Add the numbers of groups for the rows of a matrix, of which one may stand for all rows.

    Another count makes onnxruntime fail. Without this, rows without a number would be NaN.
    """
    count = graph.op("Shape", rows, start=0, end=1)
    spread = graph.op("Expand", numbers, count)  # which leaves two numbers for one row
    return graph.op("Reshape", spread, count, allowzero=1)


def is_missing(graph: Graph, group: str) -> str:
    """Add whether the label of a row was NaN, by the number of its group."""
    return graph.op("Equal", group, graph.constant(np.int64(_MISSING)))


def numbers_of_columns(
    graph: Graph, codes: list[str], sizes: list[int], places: dict[tuple[int, ...], int]
) -> str:
    """Add the group of every combination of the codes of several columns.

    It is -1 for others, and -2 if one of the codes is that of NaN.
    """
    # the last codes are an unknown label and NaN
    table = np.full([size + 2 for size in sizes], _MISSING, dtype=np.int64)
    table[tuple(slice(size + 1) for size in sizes)] = UNKNOWN
    for combination, place in places.items():
        table[combination] = place
    number = graph.constant(np.int64(0))
    for code, size in zip(codes, sizes, strict=True):
        # as an index, -1 would be the last code: it becomes `size`, and -2 becomes `size + 1`
        is_known = graph.op("GreaterOrEqual", code, graph.constant(np.int64(0)))
        other = graph.op("Sub", graph.constant(np.int64(size - 1)), code)
        index = graph.op("Where", is_known, code, other)
        number = graph.op("Add", graph.op("Mul", number, graph.constant(np.int64(size + 2))), index)
    return graph.op("Gather", graph.constant(table.ravel()), number, axis=0)


Branch = Callable[[str], str]  # from rows to their images


def by_group(graph: Graph, x: str, group: str, branches: dict[int, Branch], *, keep: bool) -> str:
    """Add the images of rows under the branch of their group.

    Rows of groups without a branch are left as they are if `keep`, and NaN otherwise. Rows whose
    label is NaN are NaN.
    """
    places, images = [], []
    for number, branch in branches.items():
        own = graph.op("Equal", group, graph.constant(np.int64(number)))
        rows = graph.op("NonZero", own)  # (1, n_rows)
        flat = graph.op("Squeeze", rows, graph.integers(0))
        places.append(graph.op("Transpose", rows, perm=[1, 0]))
        images.append(branch(graph.op("Gather", x, flat, axis=0)))
    if keep:
        missing = graph.op("Unsqueeze", is_missing(graph, group), graph.integers(1))
        start = graph.op("Where", missing, graph.number(np.nan), x)
    else:
        nan = helper.make_tensor("value", graph.type, [1], [np.nan])
        start = graph.op("ConstantOfShape", graph.op("Shape", x), value=nan)
    return graph.op("ScatterND", start, _joined(graph, places), _joined(graph, images))


def _joined(graph: Graph, parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else graph.op("Concat", *parts, axis=0)
