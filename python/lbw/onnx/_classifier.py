# SPDX-License-Identifier: MIT
"""Classifiers of scikit-learn inside a graph, converted by skl2onnx."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

import numpy as np
import skl2onnx
from onnx import TensorProto, helper
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType
from skl2onnx.common.exceptions import MissingConverter, MissingShapeCalculator
from sklearn.compose import ColumnTransformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree._tree import Tree

from ._boosting import boosting_converters, check_boosting
from ._graph import Graph
from ._nodes import add_prefix, nodes_of
from ._rounding import is_rounded

__all__ = ["ML_OPSET", "add_classifier", "has_nan", "matrix_type"]

ML_OPSET = 3
_LONGEST_REASON = 200  # characters; skl2onnx prints whole models
_NUMBERS = (TensorProto.FLOAT, TensorProto.DOUBLE)


def matrix_type(precision: str, n_features: int | None) -> Any:
    """Return skl2onnx's type of a matrix of features."""
    kind = DoubleTensorType if precision == "double" else FloatTensorType
    return kind([None, n_features])


def has_nan(graph: Graph, inputs: list[tuple[str, str, Any]]) -> str:
    """Add whether a row (n, 1) of the inputs of a classifier has NaN; "" if none can have it."""
    tensors = [t for _, t, kind in inputs if kind.to_onnx_type().tensor_type.elem_type in _NUMBERS]
    found = ""
    for tensor in tensors:
        is_nan = graph.cast(graph.op("IsNaN", tensor), TensorProto.FLOAT)
        own = graph.op("ReduceMax", is_nan, graph.integers(1), keepdims=1)
        found = graph.op("Max", found, own) if found else own
    return graph.cast(found, TensorProto.BOOL) if found else ""


def add_classifier(
    graph: Graph, classifier: Any, inputs: list[tuple[str, str, Any]], opset: int
) -> tuple[str, Any]:
    """Add a classifier, and return the probabilities (n, 2) and the type that has their precision.

    `inputs` are names that the classifier knows, tensors of the graph and skl2onnx's types.
    """
    model = _converted(classifier, inputs, opset)
    prefix = graph.name("classifier") + "_"
    add_prefix(model.graph, prefix)
    own_inputs = [own.name for own in model.graph.input]
    # skl2onnx replaces characters such as "-" in the names of inputs
    for (_, tensor, _), own in zip(inputs, own_inputs, strict=True):
        graph.nodes.append(helper.make_node("Identity", [tensor], [own], name=f"{own}_input"))
    graph.nodes.extend(nodes_of(model, graph))
    graph.initializers.extend(model.graph.initializer)
    if len(model.graph.output) != 2:
        raise ValueError(
            f"skl2onnx converts {type(classifier).__name__} to a model without a matrix of "
            "probabilities. Use a classifier whose predict_proba it supports."
        )
    found: str = model.graph.output[1].name
    return found, np.float32 if is_rounded(model, found) else np.float64


def _converted(classifier: Any, inputs: list[tuple[str, str, Any]], opset: int) -> Any:
    """Convert a classifier; raise an error that says which part of it cannot be converted."""
    _check_parts(classifier)
    title = type(classifier).__name__
    try:
        return convert_sklearn(
            classifier,
            initial_types=[(name, kind) for name, _, kind in inputs],
            options={id(classifier): {"zipmap": False}},
            target_opset={"": opset, "ai.onnx.ml": ML_OPSET},
            **boosting_converters(),
        )
    except (MissingConverter, MissingShapeCalculator) as error:  # its text lists all known types
        raise ValueError(
            f"skl2onnx has no converter for {title} or for an estimator in it. Register one with "
            "skl2onnx.update_registered_converter, or use another classifier."
        ) from error
    except Exception as error:
        reason = shorten(str(error).partition("\n")[0], _LONGEST_REASON, placeholder=" ...")
        raise ValueError(
            f"skl2onnx {skl2onnx.__version__} cannot convert {title}: {reason}. "
            f"{_advice(classifier)}"
        ) from error


def _check_parts(classifier: Any) -> None:
    """Raise if skl2onnx would convert a part to something else."""
    for part in _parts_of(classifier, set()):
        if isinstance(part, HistGradientBoostingClassifier):
            check_boosting(part)
        if isinstance(part, LinearDiscriminantAnalysis) and len(getattr(part, "classes_", ())) == 2:
            raise ValueError(
                "skl2onnx converts LinearDiscriminantAnalysis of two classes to other "
                "probabilities: it doubles their logits. Use LogisticRegression or "
                "QuadraticDiscriminantAnalysis."
            )
        if isinstance(part, Tree) and _splits_missing(part):
            raise ValueError(
                f"{type(classifier).__name__} has trees that were fitted with missing values "
                "(NaN), and skl2onnx cannot convert splits of missing values. Fill in missing "
                "values before fit, for instance with SimpleImputer."
            )


def _advice(classifier: Any) -> str:
    parts = list(_parts_of(classifier, set()))
    if any(isinstance(part, ColumnTransformer) for part in parts):
        return (
            "It has a ColumnTransformer. Give initial_types, the name and type of every column of "
            "X, as [('age', FloatTensorType([None, 1])), ('city', StringTensorType([None, 1]))]."
        )
    if not any(isinstance(part, HistGradientBoostingClassifier) for part in parts):
        return "Use another classifier."
    return (
        "It has a HistGradientBoostingClassifier, which can be exported alone, as the last step of "
        f"a Pipeline or in CalibratedClassifierCV, but not inside {type(classifier).__name__}. Use "
        "GradientBoostingClassifier there."
    )


def _splits_missing(tree: Any) -> bool:
    """Return whether a node separates NaN from all numbers, by a threshold that is infinite."""
    return not np.isfinite(tree.threshold).all()


def _parts_of(part: Any, seen: set[int]) -> Iterator[Any]:
    """Yield an estimator and all objects in its attributes and in lists of these."""
    if id(part) in seen:
        return
    seen.add(id(part))
    if isinstance(part, np.ndarray) and part.dtype != object:
        return
    if isinstance(part, (dict, list, tuple, np.ndarray)):
        values = part.values() if isinstance(part, dict) else part
    else:
        yield part
        values = getattr(part, "__dict__", {}).values()
    for value in values:
        yield from _parts_of(value, seen)
