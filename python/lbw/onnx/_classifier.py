# SPDX-License-Identifier: MIT
"""Classifiers of scikit-learn inside a graph, converted by skl2onnx."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType
from skl2onnx.common.exceptions import MissingConverter, MissingShapeCalculator

from ._graph import Graph

__all__ = ["ML_OPSET", "add_classifier", "matrix_type"]

ML_OPSET = 3
_EXACT = ("ArrayFeatureExtractor", "LabelEncoder")  # they copy


def matrix_type(precision: str, n_features: int | None) -> Any:
    """Return skl2onnx's type of a matrix of features."""
    kind = DoubleTensorType if precision == "double" else FloatTensorType
    return kind([None, n_features])


def add_classifier(
    graph: Graph, classifier: Any, inputs: list[tuple[str, str, Any]], opset: int
) -> tuple[str, Any]:
    """Add a classifier, and return the probabilities (n, 2) and the type that has their precision.

    `inputs` are names that the classifier knows, tensors of the graph and skl2onnx's types.
    """
    try:
        model = convert_sklearn(
            classifier,
            initial_types=[(name, kind) for name, _, kind in inputs],
            options={id(classifier): {"zipmap": False}},
            target_opset={"": opset, "ai.onnx.ml": ML_OPSET},
        )
    except (MissingConverter, MissingShapeCalculator) as error:  # its text lists all known types
        raise ValueError(
            f"skl2onnx has no converter for {type(classifier).__name__} or for an estimator in it. "
            "Register one with skl2onnx.update_registered_converter, or use another classifier."
        ) from error
    prefix = graph.name("classifier") + "_"
    model = onnx.compose.add_prefix(model, prefix)
    for name, tensor, _ in inputs:
        graph.nodes.append(
            helper.make_node("Identity", [tensor], [prefix + name], name=f"{prefix}{name}_input")
        )
    graph.nodes.extend(model.graph.node)
    graph.initializers.extend(model.graph.initializer)
    if len(model.graph.output) != 2:
        raise ValueError(
            f"skl2onnx converts {type(classifier).__name__} to a model without a matrix of "
            "probabilities. Use a classifier whose predict_proba it supports."
        )
    return model.graph.output[1].name, np.float32 if _has_floats(model) else np.float64


def _has_floats(model: onnx.ModelProto) -> bool:
    """Return whether single precision is used on the way.

    Operators of trees give single precision, whatever skl2onnx declares.
    """
    nodes = model.graph.node
    if any(node.domain == "ai.onnx.ml" and node.op_type not in _EXACT for node in nodes):
        return True
    inferred = onnx.shape_inference.infer_shapes(model).graph
    kinds = {info.type.tensor_type.elem_type for info in inferred.value_info}
    return TensorProto.FLOAT in kinds
