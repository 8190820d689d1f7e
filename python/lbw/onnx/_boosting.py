# SPDX-License-Identifier: MIT
"""The conversion of HistGradientBoostingClassifier, which skl2onnx 1.20 fails at.

skl2onnx gives booleans to an attribute of integers, which newer versions of protobuf refuse. It
also compares features of double precision with thresholds that are rounded to single precision.
Thresholds are often values of training rows, which then go to the wrong side. Features that are
rounded too go to the side that they are on.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto
from skl2onnx.common._registration import get_converter, get_shape_calculator
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType
from sklearn.ensemble import HistGradientBoostingClassifier

__all__ = ["boosting_converters", "check_boosting"]

_ALIAS = "SklearnHistGradientBoostingClassifier"
_CAST_VERSION = 13


def boosting_converters() -> dict[str, Any]:
    """Return arguments of skl2onnx.convert_sklearn that convert the classifier."""
    return {
        "custom_conversion_functions": {HistGradientBoostingClassifier: _convert},
        "custom_shape_calculators": {HistGradientBoostingClassifier: get_shape_calculator(_ALIAS)},
    }


def check_boosting(classifier: HistGradientBoostingClassifier) -> None:
    """Raise if splits are by categories, which skl2onnx would convert to thresholds."""
    categorical = getattr(classifier, "is_categorical_", None)
    if categorical is not None and np.any(categorical):
        raise ValueError(
            f"HistGradientBoostingClassifier has the categorical features "
            f"{np.flatnonzero(categorical).tolist()}, and skl2onnx cannot convert splits of "
            "categories. Fit with categorical_features=None after an OrdinalEncoder or a "
            "OneHotEncoder."
        )


class _Proxy:
    """An object some of whose attributes are replaced."""

    def __init__(self, own: Any, **replaced: Any) -> None:
        self._own = own
        self.__dict__.update(replaced)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)


def _convert(scope: Any, operator: Any, container: Any) -> None:
    def add_node(*args: Any, **attributes: Any) -> Any:
        return container.add_node(*args, **{k: _integers(v) for k, v in attributes.items()})

    convert, proxy = get_converter(_ALIAS), _Proxy(container, add_node=add_node)
    given = operator.inputs[0]
    if not isinstance(given.type, DoubleTensorType):
        convert(scope, operator, proxy)
        return
    label, probabilities = operator.outputs
    features, scores = (
        scope.declare_local_variable(name, FloatTensorType(own.type.shape))
        for name, own in (("features", given), ("scores", probabilities))
    )
    _add_cast(scope, container, given, features, TensorProto.FLOAT)
    single = _Proxy(
        operator,
        inputs=[features],
        input_full_names=[features.full_name],
        outputs=[label, scores],
        output_full_names=[label.full_name, scores.full_name],
    )
    convert(scope, single, proxy)
    _add_cast(scope, container, scores, probabilities, TensorProto.DOUBLE)


def _add_cast(scope: Any, container: Any, given: Any, result: Any, to: int) -> None:
    container.add_node(
        "Cast",
        given.full_name,
        result.full_name,
        name=scope.get_unique_operator_name("Cast"),
        op_version=_CAST_VERSION,
        to=to,
    )


def _integers(value: Any) -> Any:
    """Return a list with its booleans as integers."""
    if not isinstance(value, list):
        return value
    return [int(own) if isinstance(own, (bool, np.bool_)) else own for own in value]
