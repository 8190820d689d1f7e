# SPDX-License-Identifier: MIT
"""Labels, probabilities and log-densities from joint log-densities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from onnx import TensorProto

from .. import _core
from ._densities import Densities, Joint, joint_densities
from ._graph import Graph

__all__ = ["MIXTURE_OUTPUTS", "labels_of", "log_density_of", "mixture_outputs", "relative_of"]

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
        return graph.op("Div", self.name, graph.op("Max", self.sum, graph.number(1.0)))

    def shares(self, graph: Graph) -> str:
        """Add the probabilities; NaN where all densities are 0."""
        none = graph.op("Less", self.sum, graph.number(0.5))
        return graph.op("Div", self.name, graph.op("Where", none, graph.number(np.nan), self.sum))


def relative_of(graph: Graph, joint: Joint) -> Relative:
    """Add the densities relative to the largest, which cannot overflow."""
    largest = graph.op("ReduceMax", joint.name, graph.integers(1), keepdims=1)
    lowest = graph.constant(np.finfo(joint.dtype).min, joint.dtype)  # where all are -inf
    difference = graph.op("Sub", joint.name, graph.op("Max", largest, lowest))
    if joint.dtype != graph.dtype:
        difference = graph.cast(difference, graph.type)
    # smaller numbers would be denormal here or in products, which processors compute slowly
    relative = graph.op("Exp", graph.op("Max", difference, graph.number(_LOWEST[graph.precision])))
    total = graph.op("ReduceSum", relative, graph.integers(1), keepdims=1)
    return Relative(relative, total, largest, joint)


def labels_of(graph: Graph, joint: Joint, invalid: int = -1) -> str:
    """Add the most probable component of every row, and `invalid` where densities are NaN."""
    labels = graph.op("ArgMax", joint.name, axis=1, keepdims=0)
    first = graph.op("Gather", joint.name, graph.constant(np.int64(0)), axis=1)
    is_nan = graph.op("IsNaN", first)
    return graph.op("Where", is_nan, graph.constant(np.int64(invalid)), labels)


def log_density_of(graph: Graph, relative: Relative) -> str:
    """Add the log-density of every row."""
    joint = relative.joint
    largest = relative.largest
    if joint.shift:
        largest = graph.op("Add", largest, joint.shift)
    if joint.dtype != graph.dtype:
        largest = graph.cast(largest, graph.type)
    logs = graph.op("Log", graph.op("Max", relative.sum, graph.number(1.0)))
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
