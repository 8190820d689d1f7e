# SPDX-License-Identifier: MIT
"""A model under construction: its graph, inputs and outputs."""

from __future__ import annotations

from typing import Any

import onnx
from onnx import ModelProto, ValueInfoProto, helper

from .. import _core
from ._classifier import ML_OPSET
from ._graph import ELEMENT_TYPES, Graph

__all__ = ["LEAST_OPSET", "Model"]

LEAST_OPSET = 18


class Model:
    """A graph with named inputs.

    Parameters
    ----------
    precision : {"double", "single"}
        The precision of the features.
    names : dict
        Names of inputs and outputs in place of the default ones.
    opset : int
        The version of the operators.
    """

    def __init__(self, precision: str, names: dict[str, str] | None, opset: int) -> None:
        if precision not in ELEMENT_TYPES:
            raise ValueError(f"precision is {precision!r}, expected 'double' or 'single'")
        latest = onnx.defs.onnx_opset_version()
        if not LEAST_OPSET <= opset <= latest:
            raise ValueError(
                f"target_opset is {opset}, expected {LEAST_OPSET} to {latest}, the latest version "
                "of the installed onnx"
            )
        self.graph = Graph(precision)
        self.opset = opset
        self._names = dict(names or {})
        self._unused = set(self._names)
        self._inputs: list[ValueInfoProto] = []

    def name(self, name: str) -> str:
        """Return the name that an input or output is given."""
        self._unused.discard(name)
        return self._names.get(name, name)

    def input(self, name: str, kind: int, shape: list[int | None]) -> str:
        """Add an input, and return its tensor."""
        self._inputs.append(helper.make_tensor_value_info(self.name(name), kind, shape))
        return self._inputs[-1].name  # type: ignore[no-any-return]

    def features(self, n_features: int) -> str:
        """Add the matrix X."""
        return self.input("X", self.graph.type, [None, n_features])

    def finished(self, outputs: dict[str, tuple[str, int, list[int | None]]]) -> ModelProto:
        """Return the model with these outputs: their tensors, types and shapes."""
        infos = []
        for name, (tensor, kind, shape) in outputs.items():
            self.graph.rename(tensor, self.name(name))
            infos.append(helper.make_tensor_value_info(self.name(name), kind, shape))
        if self._unused:
            used = [info.name for info in (*self._inputs, *infos)]
            raise ValueError(
                f"names has {sorted(self._unused)}, which are no inputs or outputs of this model; "
                f"it has {used}"
            )
        used = [info.name for info in (*self._inputs, *infos)]
        if len(set(used)) < len(used):
            raise ValueError(f"names gives two inputs or outputs one name: {used}")
        graph = helper.make_graph(
            self.graph.nodes, "lbw", self._inputs, infos, self.graph.initializers
        )
        imports = [helper.make_opsetid("", self.opset), helper.make_opsetid("ai.onnx.ml", ML_OPSET)]
        model = helper.make_model(
            graph,
            opset_imports=imports,
            ir_version=helper.find_min_ir_version_for(imports),
            producer_name="lbw",
            producer_version=_core.version,
        )
        try:
            onnx.checker.check_model(model, full_check=True)
        except onnx.shape_inference.InferenceError as error:
            raise ValueError(
                f"skl2onnx converts the classifier to operators of mixed types ({error}). Use "
                "precision='single', or another classifier."
            ) from error
        return model


Outputs = dict[str, tuple[str, int, list[Any]]]
