# SPDX-License-Identifier: MIT
"""Converters of estimators for skl2onnx, which converts pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto, helper, numpy_helper
from skl2onnx import update_registered_converter
from skl2onnx.common.data_types import (
    DoubleTensorType,
    FloatTensorType,
    Int64TensorType,
    StringTensorType,
    guess_tensor_type,
)

from .._mixture.gaussian_mixture import GaussianMixture
from .._options.presented import public
from .._repair.group_repair import GroupRepair
from .._repair.score_repair import ScoreRepair
from .._transport.local_transport import LocalTransport
from .._transport.params import place_in
from ._classifier import matrix_type
from ._estimators import add_local_transport, add_repair, add_score_repair
from ._graph import Graph
from ._inputs import features_of, has_group_columns, matrix_numbers
from ._model import LEAST_OPSET
from ._probabilities import mixture_outputs

__all__ = ["register"]

_ANY = None  # skl2onnx accepts any value of an option


def register() -> None:
    """Register the converters of all estimators with skl2onnx.

    The import of `lbw.onnx` calls it. Call it again if the registry of skl2onnx was changed.

    Options of conversions, by the `id` of an estimator, are `score_samples` of a GaussianMixture,
    which adds its log-density as a third output, `group`, `to` and `amount` of a LocalTransport,
    `group` of a GroupRepair, and `group` and `zipmap` of a ScoreRepair, as in `to_onnx`.
    """
    update_registered_converter(
        GaussianMixture,
        "LbwGaussianMixture",
        _mixture_shapes,
        _convert_mixture,
        parser=_parse_mixture,
        options={"score_samples": [True, False]},
    )
    update_registered_converter(
        LocalTransport,
        "LbwLocalTransport",
        _feature_shapes,
        _convert_transport,
        options={"group": _ANY, "to": _ANY, "amount": _ANY},
    )
    update_registered_converter(
        GroupRepair, "LbwGroupRepair", _feature_shapes, _convert_repair, options={"group": _ANY}
    )
    update_registered_converter(
        ScoreRepair,
        "LbwScoreRepair",
        _score_shapes,
        _convert_scores,
        options={
            "zipmap": [True, False, "columns"],
            "nocl": [False],  # the parser of classifiers asks for these two
            "output_class_labels": [False],
            "group": _ANY,
        },
    )


def _parse_mixture(scope: Any, model: Any, inputs: Any, custom_parsers: Any = None) -> Any:
    operator = scope.declare_local_operator("LbwGaussianMixture", model)
    operator.inputs = inputs
    names: list[tuple[str, Any]] = [("label", Int64TensorType())]
    kind = guess_tensor_type(inputs[0].type)
    names.append(("probabilities", kind))
    if scope.get_options(model, {"score_samples": False})["score_samples"]:
        names.append(("score_samples", kind))
    for name, own in names:
        operator.outputs.append(scope.declare_local_variable(name, own))
    return operator.outputs


def _precision(operator: Any) -> str:
    """Return the precision of the matrix of features; integers are read as double."""
    estimator = type(operator.raw_operator).__name__
    if len(operator.inputs) != 1:
        names = [variable.raw_name for variable in operator.inputs]
        raise ValueError(
            f"{estimator} has the inputs {names}, expected one matrix of all columns. Give one "
            "input of type DoubleTensorType or FloatTensorType."
        )
    kind = operator.inputs[0].type
    if isinstance(kind, StringTensorType):
        raise ValueError(f"{estimator} has an input of strings, expected numbers")
    return "single" if isinstance(kind, FloatTensorType) else "double"


def _matrix(operator: Any, n_columns: int) -> Any:
    kind = FloatTensorType if _precision(operator) == "single" else DoubleTensorType
    return kind([operator.inputs[0].get_first_dimension(), n_columns])


def _mixture_shapes(operator: Any) -> None:
    n_rows = operator.inputs[0].get_first_dimension()
    n_components = len(operator.raw_operator.weights_)
    operator.outputs[0].type = Int64TensorType([n_rows])
    operator.outputs[1].type = _matrix(operator, n_components)
    if len(operator.outputs) > 2:
        operator.outputs[2].type = type(_matrix(operator, 1))([n_rows])


def _feature_shapes(operator: Any) -> None:
    estimator = operator.raw_operator
    fitted = getattr(estimator, "transport_", estimator)
    operator.outputs[0].type = _matrix(operator, fitted.n_features_in_)


def _score_shapes(operator: Any) -> None:
    n_rows = operator.inputs[0].get_first_dimension()
    kinds = {"U": StringTensorType, "O": StringTensorType, "f": DoubleTensorType}
    classes = np.asarray(operator.raw_operator.classes_)
    operator.outputs[0].type = kinds.get(classes.dtype.kind, Int64TensorType)([n_rows])
    operator.outputs[1].type = _matrix(operator, 2)


class _Conversion:
    """The graph of an operator of skl2onnx, which is copied to its container at the end."""

    def __init__(self, scope: Any, operator: Any, container: Any, default: dict[str, Any]) -> None:
        self.estimator = operator.raw_operator
        self.opset = int(container.main_opset)
        if self.opset < LEAST_OPSET:
            raise ValueError(
                f"target_opset is {self.opset}, but {type(self.estimator).__name__} needs "
                f"{LEAST_OPSET} or later"
            )
        self.graph = Graph(_precision(operator), scope.get_unique_variable_name)
        self.options = container.get_options(self.estimator, default)
        self.x: str = operator.inputs[0].full_name
        if not isinstance(operator.inputs[0].type, (FloatTensorType, DoubleTensorType)):
            self.x = self.graph.cast(self.x, TensorProto.DOUBLE)
        self._outputs = [variable.full_name for variable in operator.outputs]
        self._container = container

    def fixed_group(self, columns: bool) -> int | None:
        """Return the number of the group of all rows; None if columns of X hold the groups."""
        group = self.options.get("group")
        if group is not None:
            return place_in(self.estimator.groups_, group, "group")
        if columns:
            return None
        name = type(self.estimator).__name__
        advice = "" if name == "LocalTransport" else " or fit with sensitive_columns of numbers,"
        raise ValueError(
            f"{name} in a pipeline has no input of groups. Name the group of all rows by "
            f"options={{id(estimator): {{'group': label}}}},{advice} or export it alone with "
            "lbw.onnx.to_onnx."
        )

    def finish(self, tensors: Sequence[str]) -> None:
        """Copy the graph, whose outputs are these tensors."""
        for initializer in self.graph.initializers:
            content: Any = list(initializer.string_data)
            if initializer.data_type != TensorProto.STRING:  # add_initializer reads raw data alone
                content = numpy_helper.from_array(numpy_helper.to_array(initializer))
            self._container.add_initializer(
                initializer.name, initializer.data_type, list(initializer.dims), content
            )
        for tensor, output in zip(tensors, self._outputs, strict=True):
            self.graph.nodes.append(helper.make_node("Identity", [tensor], [output], name=output))
        for node in self.graph.nodes:
            self._container.add_node(
                node.op_type,
                list(node.input),
                list(node.output),
                op_domain=node.domain,
                name=node.name,
                **_attributes(node),
            )


def _attributes(node: NodeProto) -> dict[str, Any]:
    values = {own.name: helper.get_attribute_value(own) for own in node.attribute}
    plain = (bytes, int, float, str)
    return {
        name: list(value) if isinstance(value, Sequence) and not isinstance(value, plain) else value
        for name, value in values.items()
    }


def _convert_mixture(scope: Any, operator: Any, container: Any) -> None:
    conversion = _Conversion(scope, operator, container, {"score_samples": False})
    names = ("label", "probabilities", "log_density")[: len(operator.outputs)]
    mixture = conversion.estimator._core_mixture()
    found = mixture_outputs(conversion.graph, conversion.x, mixture, names)
    conversion.finish([found[name][0] for name in names])


def _convert_transport(scope: Any, operator: Any, container: Any) -> None:
    default = {"group": None, "to": None, "amount": 1.0}
    conversion = _Conversion(scope, operator, container, default)
    group = conversion.fixed_group(columns=False)
    to, amount = conversion.options["to"], conversion.options["amount"]
    transport = conversion.estimator
    assert group is not None
    moved = add_local_transport(conversion.graph, conversion.x, transport, group, to, amount)
    conversion.finish([moved])


def _convert_repair(scope: Any, operator: Any, container: Any) -> None:
    conversion = _Conversion(scope, operator, container, {"group": None})
    features, group = _split(conversion)
    conversion.finish([add_repair(conversion.graph, features, conversion.estimator, group)])


def _split(conversion: _Conversion) -> tuple[str, str | int]:
    """Return the features and the groups of X, which has all columns of the fit."""
    estimator, graph = conversion.estimator, conversion.graph
    group: str | int | None = conversion.fixed_group(has_group_columns(estimator))
    features = features_of(graph, conversion.x, estimator)
    return features, matrix_numbers(graph, conversion.x, estimator) if group is None else group


def _convert_scores(scope: Any, operator: Any, container: Any) -> None:
    conversion = _Conversion(scope, operator, container, {"group": None, "zipmap": True})
    features, group = _split(conversion)
    repair, graph = conversion.estimator, conversion.graph
    n_features = getattr(repair.classifiers_[0], "n_features_in_", None)
    inputs = [("X", features, matrix_type(graph.precision, n_features))]
    found = add_score_repair(graph, inputs, group, repair, conversion.opset)
    conversion.finish([found["label"][0], found["probabilities"][0]])


public(globals(), "lbw.onnx")
