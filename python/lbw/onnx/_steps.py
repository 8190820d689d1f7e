# SPDX-License-Identifier: MIT
"""The refinement of a map: one loop over steps of a rotation and a monotone map of every axis."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper

from .. import _core
from .._input.arrays import FloatArray
from ._graph import Graph, element_type
from ._knots import KnotTable, Lookup, layouts
from ._lookup import LookupTensors, add_lookup

__all__ = ["add_steps"]


def _tables(step: _core.SlicedStep) -> list[KnotTable]:
    return [KnotTable.of(axis.source, axis.target, axis.amount) for axis in step.axes]


def _rotations(steps: list[_core.SlicedStep]) -> FloatArray:
    """Return the matrices before every step and after the last, each for rows of points.

    The rotation back after a step and the rotation of the next one are a single matrix.
    """
    d = len(steps[0].axes)
    before = np.eye(d)
    matrices = []
    for step in steps:
        scales = step.scales if len(step.scales) else np.ones(d)
        matrices.append(before @ (step.rotation / scales).T)
        before = step.rotation * scales
    return np.array([*matrices, before])


def _simplest(layouts: list[Lookup]) -> list[Lookup]:
    lines = [own.lines() for own in layouts]
    found = [own for own in lines if own is not None]
    return found if len(found) == len(layouts) else layouts


def _stacked(
    matrices: FloatArray, given: list[Lookup], found: list[Lookup]
) -> tuple[list[NDArray[Any]], FloatArray]:
    """Return the arrays of all steps, and the matrix after the last one.

    The rotation of a step gives values in cells, so that the search for a cell needs no units.
    """
    per_unit = np.array([np.where(own.per_unit > 0.0, own.per_unit, 1.0) for own in given])
    shifts = -per_unit * np.array([own.low for own in given])
    tables = zip(*(own.arrays()[2:] for own in found), strict=True)
    rotations = matrices[:-1] * per_unit[:, np.newaxis, :]
    return [rotations, shifts, *map(np.array, tables)], matrices[-1]


def add_steps(graph: Graph, x: str, steps: list[_core.SlicedStep], amount: float) -> str:
    """Add the refinement of points by steps, in double precision, multiplied by `amount`.

    The last matrix includes the amount: onnxruntime joins a product and a number that follows it,
    and rounds the number to single precision.
    """
    d = len(steps[0].axes)
    given = layouts([_tables(step) for step in steps])
    found = _simplest([own.in_cells() for own in given])
    arrays, last = _stacked(_rotations(steps), given, found)
    inner = graph.body()
    point, rotation, shift, *names = (
        inner.name(name) for name in ["points", *["table"] * len(arrays)]
    )
    tensors = LookupTensors.of(["", "", *names])
    values = inner.op("Gemm", point, rotation, shift)
    image = add_lookup(inner, values, tensors, found[0])
    body = helper.make_graph(
        inner.nodes,
        "step",
        [
            helper.make_tensor_value_info(point, TensorProto.DOUBLE, [None, d]),
            *(
                helper.make_tensor_value_info(name, element_type(array.dtype), array.shape[1:])
                for name, array in zip([rotation, shift, *names], arrays, strict=True)
            ),
        ],
        [helper.make_tensor_value_info(image, TensorProto.DOUBLE, [None, d])],
    )
    constants = [graph.constant(array) for array in arrays]
    moved = graph.op("Scan", x, *constants, body=body, num_scan_inputs=len(constants))
    return graph.op("MatMul", moved, graph.constant(amount * last))
