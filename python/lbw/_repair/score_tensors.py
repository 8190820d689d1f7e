# SPDX-License-Identifier: MIT
"""The tensors of a ScoreRepair's file: quantiles of two classes, local maps of more."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._input.arrays import FloatArray
from .._input.labels import LabelArray
from .._transport.local_transport import LocalTransport
from .simplex_maps import SimplexMaps

__all__ = ["score_tensors", "take_scores"]

_ROUNDING = 1e-6  # of probabilities, such as those of a classifier in single precision
TensorTuple = tuple[str, str, list[int], bytes]  # name, type, shape and data


def score_tensors(repair: Any) -> list[TensorTuple]:
    """Return what a fit has learned."""
    if len(repair.classes_) == 2:
        if not _are_probabilities(repair.quantiles_):
            raise ValueError(
                f"predict_proba of the classifier gave values from {repair.quantiles_.min()} to "
                f"{repair.quantiles_.max()}, which are no probabilities. Such a repair cannot be "
                "saved. Clip them to 0 and 1, and fit again."
            )
        return [
            (name, "F64", list(table.shape), np.ascontiguousarray(table, dtype="<f8").tobytes())
            for name, table in (
                ("quantiles", repair.quantiles_),
                ("common_quantiles", repair.common_quantiles_),
            )
        ]
    distinct = {id(own): own for own in repair.transports_}  # classifiers share their maps
    models = {key: _core.model_to_bytes(own._model) for key, own in distinct.items()}
    written = [models[id(own)] for own in repair.transports_]
    return [(_map_name(i), "U8", [len(data)], data) for i, data in enumerate(written)]


def take_scores(
    repair: Any, tensors: dict[str, TensorTuple], n_classifiers: int, name: str
) -> None:
    """Set what `score_tensors` returned; `name` is the file."""
    two = len(repair.classes_) == 2
    expected = (
        {"quantiles", "common_quantiles"}
        if two
        else {_map_name(place) for place in range(n_classifiers)}
    )
    if set(tensors) != expected:
        raise _core.IoError(f"{name}: tensors {sorted(tensors)}, expected {sorted(expected)}")
    if two:
        _take_tables(repair, tensors, n_classifiers, name)
    else:
        _take_maps(repair, tensors, n_classifiers, name)


def _are_probabilities(table: FloatArray) -> bool:
    return bool(table.min() >= -_ROUNDING and table.max() <= 1.0 + _ROUNDING)


def _map_name(place: int) -> str:
    return f"maps.{place}"


def _take_tables(
    repair: Any, tensors: dict[str, TensorTuple], n_classifiers: int, name: str
) -> None:
    quantiles = _table(tensors["quantiles"], name)
    n_levels = quantiles.shape[-1] if quantiles.ndim else 0
    common = _table(tensors["common_quantiles"], name)
    for own, shape, table in (
        ("quantiles", (n_classifiers, len(repair.groups_), n_levels), quantiles),
        ("common_quantiles", (n_classifiers, n_levels), common),
    ):
        if table.shape != shape or n_levels < 2:
            raise _core.IoError(
                f"{name}: tensor '{own}' has the shape {table.shape}, expected {shape} with 2 or "
                "more levels"
            )
        if not np.isfinite(table).all() or (np.diff(table, axis=-1) < 0.0).any():
            raise _core.IoError(f"{name}: tensor '{own}' is not finite and ascending")
        if not _are_probabilities(table):
            raise _core.IoError(
                f"{name}: tensor '{own}' has values from {table.min()} to {table.max()}, expected "
                "probabilities from 0 to 1"
            )
    repair.quantiles_, repair.common_quantiles_ = quantiles, common


def _table(tensor: TensorTuple, name: str) -> FloatArray:
    own, dtype, shape, data = tensor
    if dtype != "F64":
        raise _core.IoError(f"{name}: tensor '{own}' is of type {dtype}, expected F64")
    return np.frombuffer(data, dtype="<f8").astype(np.float64).reshape(shape)


def _take_maps(repair: Any, tensors: dict[str, TensorTuple], n_classifiers: int, name: str) -> None:
    labels = repair.groups_[~np.isin(repair.groups_, repair.kept_groups_)]
    transports = []
    read: dict[bytes, LocalTransport] = {}  # classifiers share equal maps, as after a fit
    for place in range(n_classifiers):
        own, dtype, _, data = tensors[_map_name(place)]
        where = f"{name}: tensor '{own}'"
        if dtype != "U8":
            raise _core.IoError(f"{where} is of type {dtype}, expected U8")
        if data not in read:
            read[data] = _transport_of(data, labels, len(repair.classes_) - 1, where)
        transports.append(read[data])
    repair.transports_ = transports


def _transport_of(data: bytes, labels: LabelArray, n_features: int, where: str) -> LocalTransport:
    model = _core.model_from_bytes(data, where)
    found = model.mixtures[0].means.shape[1]
    if len(model.group_names) != len(labels) or found != n_features:
        raise _core.IoError(
            f"{where} has {len(model.group_names)} groups and {found} features, expected "
            f"{len(labels)} and {n_features}"
        )
    return SimplexMaps.of_model(model, labels).transport
