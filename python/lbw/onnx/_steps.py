# SPDX-License-Identifier: MIT
"""The refinement of a map: one loop over steps of a rotation and a monotone map of every axis."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

from .. import _core
from .._input.arrays import FloatArray
from ._graph import Graph, element_type
from ._lookup import KnotTable, LookupTensors, add_lookup, layouts

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


def add_steps(graph: Graph, x: str, steps: list[_core.SlicedStep], amount: float) -> str:
    """Add the refinement of points by steps, in double precision, multiplied by `amount`.

    The last matrix includes the amount: onnxruntime joins a product and a number that follows it,
    and rounds the number to single precision.
    """
    d = len(steps[0].axes)
    found = layouts([_tables(step) for step in steps])
    matrices = _rotations(steps)
    tables = zip(*(own.arrays() for own in found), strict=True)
    arrays = [matrices[:-1], *map(np.array, tables)]
    inner = graph.body()
    point, rotation, *names = (inner.name(name) for name in ["points", *["table"] * len(arrays)])
    tensors = LookupTensors.of(names)
    image = add_lookup(inner, inner.op("MatMul", point, rotation), tensors, found[0])
    body = helper.make_graph(
        inner.nodes,
        "step",
        [
            helper.make_tensor_value_info(point, TensorProto.DOUBLE, [None, d]),
            *(
                helper.make_tensor_value_info(name, element_type(array.dtype), array.shape[1:])
                for name, array in zip([rotation, *names], arrays, strict=True)
            ),
        ],
        [helper.make_tensor_value_info(image, TensorProto.DOUBLE, [None, d])],
    )
    constants = [graph.constant(array) for array in arrays]
    moved = graph.op("Scan", x, *constants, body=body, num_scan_inputs=len(constants))
    return graph.op("MatMul", moved, graph.constant(amount * matrices[-1]))
