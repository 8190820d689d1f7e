# SPDX-License-Identifier: MIT
"""Labels, probabilities and log-densities from joint log-densities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from onnx import TensorProto

from .. import _core
from ._densities import Densities, Joint, joint_densities
from ._graph import Graph

__all__ = [
    "MIXTURE_OUTPUTS",
    "labels_of",
    "log_density_of",
    "mixture_outputs",
    "relative_of",
]

MIXTURE_OUTPUTS = ("label", "probabilities", "log_density")
_LOWEST = {"double": -600.0, "single": -60.0}  # logarithm of a relative density


class Relative(NamedTuple):
    """Densities relative to the largest of the row, in the precision of the features."""

    name: str  # (n, n_components)
    sum: str  # (n, 1), at least 1, or nearly 0 if all densities are 0
    largest: str  # (n, 1), the joint log-density, in the type of the joint densities
    joint: Joint

    def probabilities(self, graph: Graph) -> str:
        """Add the probabilities; nearly 0 where all densities are 0."""
        return self._divided(graph, graph.op("Max", self.sum, graph.number([[1.0]])))

    def shares(self, graph: Graph) -> str:
        """Add the probabilities; NaN where all densities are 0."""
        # infinite only in that case, and 0 times infinity is NaN
        none = graph.op("Mul", self.largest, graph.constant([[0.0]], self.joint.dtype))
        if self.joint.dtype != graph.dtype:
            none = graph.cast(none, graph.type)
        return self._divided(graph, graph.op("Add", self.sum, none))

    def _divided(self, graph: Graph, total: str) -> str:
        factor = graph.op("Reciprocal", total)
        return graph.op(
            "Mul", self.name, graph.repeat(factor, self.joint.n_components, graph.dtype)
        )


def relative_of(graph: Graph, joint: Joint) -> Relative:
    """Add the densities relative to the largest, which cannot overflow."""
    largest = graph.op("ReduceMax", joint.name, graph.integers(1), keepdims=1)
    lowest = graph.constant([[np.finfo(joint.dtype).min]], joint.dtype)  # where all are -inf
    finite = graph.op("Max", largest, lowest)
    columns = graph.repeat(finite, joint.n_components, joint.dtype)
    difference = graph.op("Sub", joint.name, columns)
    if joint.dtype != graph.dtype:
        difference = graph.cast(difference, graph.type)
    # smaller numbers would be denormal here or in products, which processors compute slowly
    relative = graph.op("Exp", graph.op("Max", difference, graph.number(_LOWEST[graph.precision])))
    total = graph.op("ReduceSum", relative, graph.integers(1), keepdims=1)
    return Relative(relative, total, largest, joint)


def labels_of(graph: Graph, joint: Joint, invalid: int = -1) -> str:
    """Add the most probable component of every row, and `invalid` where densities are NaN."""
    labels = graph.op("ArgMax", joint.name, axis=1, keepdims=0)
    is_nan = graph.op("IsNaN", graph.op("ReduceSum", joint.name, graph.integers(1), keepdims=0))
    return graph.op("Where", is_nan, graph.constant(np.int64(invalid)), labels)


def log_density_of(graph: Graph, relative: Relative) -> str:
    """Add the log-density of every row."""
    joint = relative.joint
    largest = relative.largest
    if joint.whitened:
        largest = graph.op("Add", largest, joint.shift(graph))
    if joint.dtype != graph.dtype:
        largest = graph.cast(largest, graph.type)
    logs = graph.op("Log", relative.sum)
    return graph.op("Squeeze", graph.op("Add", largest, logs), graph.integers(1))


def mixture_outputs(
    graph: Graph, x: str, mixture: _core.Mixture, outputs: tuple[str, ...]
) -> dict[str, tuple[str, int]]:
    """Add the outputs of a mixture that are asked for; return their tensors and types."""
    joint = joint_densities(graph, x, Densities.of(mixture))
    found: dict[str, tuple[str, int]] = {}
    if "label" in outputs:
        found["label"] = (labels_of(graph, joint), TensorProto.INT64)
    if "probabilities" in outputs or "log_density" in outputs:
        relative = relative_of(graph, joint)
        if "probabilities" in outputs:
            found["probabilities"] = (relative.probabilities(graph), graph.type)
        if "log_density" in outputs:
            found["log_density"] = (log_density_of(graph, relative), graph.type)
    return {name: found[name] for name in outputs}
