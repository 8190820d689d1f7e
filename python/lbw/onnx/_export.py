# SPDX-License-Identifier: MIT
"""Export of fitted estimators as ONNX models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, helper
from sklearn.utils.validation import check_is_fitted

from .._mixture.gaussian_mixture import GaussianMixture
from .._options.presented import public
from .._repair.group_repair import GroupRepair
from .._repair.score_repair import ScoreRepair
from .._transport.local_transport import LocalTransport
from .._transport.params import place_in
from ._classifier import matrix_type
from ._estimators import add_local_transport, add_repair, add_score_repair, add_targets
from ._groups import group_numbers, label_type, one_per_row
from ._inputs import columns_numbers, dropped_names, features_of, has_group_columns, matrix_numbers
from ._model import LEAST_OPSET, Model
from ._probabilities import MIXTURE_OUTPUTS, mixture_outputs

__all__ = ["to_onnx"]


def to_onnx(
    estimator: Any,
    *,
    group: Any = None,
    to: Any = None,
    amount: Any = 1.0,
    target_input: bool = False,
    outputs: Sequence[str] | None = None,
    initial_types: Sequence[tuple[str, Any]] | None = None,
    precision: str = "double",
    names: dict[str, str] | None = None,
    target_opset: int = LEAST_OPSET,
) -> ModelProto:
    """Export a fitted estimator as an ONNX model of standard operators.

    The inputs of the model are `X`, the features (n_samples, n_features), and unless `group` is
    given `group`, the label of every row's group (n_samples,) or of all rows (1,), of the type of
    the labels of the fit. If a repair has `sensitive_columns` that are numbers, they are read from
    X, which then has all columns of the fit. Otherwise X has the features alone, without sensitive
    columns and key.

    A group that was not seen in the fit gives NaN, unless `handle_unknown` of the estimator says
    otherwise. So does a row with NaN, for which the label of a GaussianMixture is -1.

    Parameters
    ----------
    estimator : GaussianMixture, LocalTransport, GroupRepair or ScoreRepair
        The fitted estimator. Maps that draw random numbers raise an error that names the parameter
        to change.
    group : label, default=None
        The group of all rows. If None, the groups are an input or sensitive columns of X.
    to : label, array-like of shape (n_groups,), dict or None, default=None
        The target of a LocalTransport, as in its `transform`.
    amount : float or dict, default=1.0
        The interpolation parameter of a LocalTransport, as in its `transform`.
    target_input : bool, default=False
        Whether the target group of every row of a LocalTransport is a third input, `to`.
    outputs : list of str, default=None
        The outputs of a GaussianMixture: some of "label", "probabilities" and "log_density". Those
        that are left out are not computed. If None, all of them.
    initial_types : list of tuple, default=None
        The inputs of a ScoreRepair in place of `X`, for a classifier of tables: names and types of
        skl2onnx, one for every column of the fit, with the sensitive ones.
    precision : {"double", "single"}, default="double"
        The type of features and probabilities.
    names : dict, default=None
        Other names of inputs and outputs, by default names. The outputs are those above, `features`
        of a LocalTransport or GroupRepair, and `label` and `probabilities` of a ScoreRepair.
    target_opset : int, default=18
        The version of the ONNX operators, 18 or later.

    Returns
    -------
    model : onnx.ModelProto
        The model, checked by `onnx.checker`.

    Examples
    --------
    >>> import numpy as np
    >>> import onnxruntime
    >>> from lbw import LocalTransport
    >>> from lbw.onnx import to_onnx
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (500, 2)), rng.normal(5, 2, (500, 2))])
    >>> transport = LocalTransport(n_components=1).fit(X, np.repeat(["a", "b"], 500))
    >>> model = to_onnx(transport, to="b")
    >>> session = onnxruntime.InferenceSession(model.SerializeToString())
    >>> session.run(None, {"X": np.zeros((1, 2)), "group": np.array(["a"])})[0].round(1)
    array([[5.2, 4.9]])
    """
    kinds: dict[type, Any] = {
        GaussianMixture: _mixture,
        LocalTransport: _local_transport,
        GroupRepair: _group_repair,
        ScoreRepair: _score_repair,
    }
    export = next((kinds[kind] for kind in kinds if isinstance(estimator, kind)), None)
    if export is None:
        raise ValueError(
            f"to_onnx has no export of {type(estimator).__name__}, expected one of "
            f"{', '.join(kind.__name__ for kind in kinds)}. For a pipeline, import lbw.onnx and "
            "use skl2onnx.to_onnx."
        )
    check_is_fitted(estimator)
    given: dict[str, tuple[Any, Any]] = {
        "group": (group, None),
        "to": (to, None),
        "amount": (amount, 1.0),
        "target_input": (target_input, False),
        "outputs": (outputs, None),
        "initial_types": (initial_types, None),
    }
    used = {name: value for name, (value, _) in given.items() if name in _TAKES[export.__name__]}
    for name, (value, default) in given.items():
        if name not in used and not (value is default or np.array_equal(value, default)):
            remedy = f". Use set_params({name}=...)" if hasattr(estimator, name) else ""
            raise ValueError(
                f"{name} is {value!r}, but to_onnx takes no {name} for "
                f"{type(estimator).__name__}{remedy}"
            )
    model: ModelProto = export(Model(precision, names, target_opset), estimator, **used)
    return model


_TAKES = {
    "_mixture": ("outputs",),
    "_local_transport": ("group", "to", "amount", "target_input"),
    "_group_repair": ("group",),
    "_score_repair": ("group", "initial_types"),
}


def _mixture(model: Model, mixture: Any, *, outputs: Sequence[str] | None) -> ModelProto:
    names = tuple(MIXTURE_OUTPUTS if outputs is None else outputs)
    if not names or len(set(names)) < len(names) or not set(names) <= set(MIXTURE_OUTPUTS):
        raise ValueError(f"outputs is {outputs!r}, expected some of {list(MIXTURE_OUTPUTS)}")
    x = model.features(mixture.n_features_in_)
    found = mixture_outputs(model.graph, x, mixture._core_mixture(), names)
    shapes: dict[str, list[int | None]] = {"probabilities": [None, len(mixture.weights_)]}
    return model.finished({n: (*found[n], shapes.get(n, [None])) for n in names})


def _group_input(model: Model, estimator: Any, group: Any, x: str) -> str | int:
    """Return the number of a fixed group, or those of an input of labels for the rows of `x`."""
    if group is not None:
        return place_in(estimator.groups_, group, "group")
    given = model.input("group", label_type(estimator.groups_), [None])
    return one_per_row(model.graph, group_numbers(model.graph, given, estimator.groups_), x)


def _moved(model: Model, moved: str, n_features: int) -> ModelProto:
    return model.finished({"features": (moved, model.graph.type, [None, n_features])})


def _local_transport(
    model: Model, transport: Any, *, group: Any, to: Any, amount: Any, target_input: bool
) -> ModelProto:
    n_features = transport.n_features_in_
    x = model.features(n_features)
    own = _group_input(model, transport, group, x)
    if not target_input:
        moved = add_local_transport(model.graph, x, transport, own, to, amount)
        return _moved(model, moved, n_features)
    if to is not None:
        raise ValueError(f"target_input=True, but to is {to!r}. Give one of them.")
    target = model.input("to", label_type(transport.groups_), [None])
    moved = add_targets(model.graph, x, transport, own, target, amount)
    return _moved(model, moved, n_features)


def _matrix_inputs(
    model: Model, estimator: Any, group: Any, n_features: int
) -> tuple[str, str | int]:
    """Add the input X, and one of groups if they are neither fixed nor columns of X."""
    if group is None and has_group_columns(estimator):
        x = model.features(estimator.n_features_in_)
        own: str | int = matrix_numbers(model.graph, x, estimator)
        return features_of(model.graph, x, estimator), own
    x = model.features(n_features)
    return x, _group_input(model, estimator, group, x)


def _group_repair(model: Model, repair: Any, *, group: Any) -> ModelProto:
    n_features = repair.transport_.n_features_in_
    features, own = _matrix_inputs(model, repair, group, n_features)
    return _moved(model, add_repair(model.graph, features, repair, own), n_features)


def _score_repair(model: Model, repair: Any, *, group: Any, initial_types: Any) -> ModelProto:
    if initial_types is None:
        n_features = getattr(repair.classifiers_[0], "n_features_in_", None)
        if n_features is None:
            raise ValueError(
                "the classifier does not know its number of features. Give initial_types, the "
                "names and types of its inputs."
            )
        features, own = _matrix_inputs(model, repair, group, n_features)
        kind = matrix_type(model.graph.precision, n_features)
        inputs = [("X", features, kind)]
    else:
        inputs, own = _typed_inputs(model, repair, group, initial_types)
    found = add_score_repair(model.graph, inputs, own, repair, model.opset)
    shapes: dict[str, list[int | None]] = {"label": [None], "probabilities": [None, 2]}
    return model.finished({name: (*found[name], shapes[name]) for name in found})


def _typed_inputs(
    model: Model, repair: Any, group: Any, types: Sequence[tuple[str, Any]]
) -> tuple[list[tuple[str, str, Any]], str | int]:
    """Add inputs of the given types; sensitive columns are among them unless a group is fixed."""
    sensitive, keys = dropped_names(repair)
    kinds = dict(types)
    read = [] if group is not None else sensitive
    missing = [name for name in read if name not in kinds]
    if missing:
        raise ValueError(
            f"initial_types has {list(kinds)}, but not the sensitive columns {missing}"
        )
    tensors = {}
    for name, kind in types:
        if name in keys or (name in sensitive and group is not None):
            continue
        proto = kind.to_onnx_type().tensor_type
        shape = [d.dim_value or None for d in proto.shape.dim] or [None, 1]
        tensors[name] = (model.input(name, proto.elem_type, shape), kind, proto.elem_type)
    inputs = [(n, t, kind) for n, (t, kind, _) in tensors.items() if n not in read]
    if not inputs:
        raise ValueError(
            f"initial_types names {list(kinds)} only; add the columns that the classifier reads"
        )
    x = inputs[0][1]
    if not read:
        return inputs, _group_input(model, repair, group, x)
    columns = [
        (tensors[name][0], helper.tensor_dtype_to_np_dtype(tensors[name][2])) for name in read
    ]
    return inputs, one_per_row(model.graph, columns_numbers(model.graph, columns, repair), x)


public(globals(), "lbw.onnx")
