# SPDX-License-Identifier: MIT
"""The arguments of POT's transports, `Xs` and `Xt`, for LocalTransport."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.validation import _num_samples, check_is_fitted

from .._input.arrays import values_of
from .._input.mapped_files import copy_of_mapped
from .._input.tables import column_names, is_table, joined_rows, to_array

__all__ = ["SOURCE", "TARGET", "takes_source_and_target"]

SOURCE, TARGET = "source", "target"

Class = TypeVar("Class", bound=type)
Method = Callable[..., Any]

_BOTH = """
        Xs, Xt : array-like of shape (n_samples, n_features), default=None
            The samples of the source and of the target, as in POT's `ot.da.BaseTransport`, in
            place of `X` and `groups`. The groups are then called "source" and "target".
"""
_TEXTS = {
    "fit": _BOTH,
    "fit_transform": _BOTH,
    "transform": """
        Xs : array-like of shape (n_samples, n_features), default=None
            Samples of the group "source" to transport to the group "target", as in POT, in place
            of `X`, `groups` and `to`.
""",
    "inverse_transform": """
        Xt : array-like of shape (n_samples, n_features), default=None
            Samples of the group "target" to transport to the group "source", as in POT, in place
            of `X`, `groups` and `to`. This is the map in the other direction, which every kind of
            map has.
""",
}


def takes_source_and_target(kind: Class) -> Class:
    """Let the methods of LocalTransport take `Xs` and `Xt` too."""
    for name, takes in (
        ("fit", _fit),
        ("transform", _transform),
        ("inverse_transform", _inverse_transform),
        ("fit_transform", _fit_transform),
    ):
        setattr(kind, name, _taking(getattr(kind, name), name, takes))
    return kind


def _taking(method: Method, name: str, takes: Method) -> Method:
    """Return a method that calls `takes` if Xs or Xt are given, and `method` otherwise."""
    own = inspect.signature(takes).parameters
    added = [p for p in own.values() if p.name in ("Xs", "Xt")]

    @functools.wraps(method)
    def either(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = {p.name: kwargs.pop(p.name) for p in added if kwargs.get(p.name) is not None}
        for parameter in added:
            kwargs.pop(parameter.name, None)
        if not given:
            return method(self, *args, **kwargs)
        others = [*(["X"] if args else []), *kwargs]
        others = [other for other in others if other not in own]
        if others:
            raise TypeError(
                f"{name}: {' and '.join(given)} cannot be given together with {', '.join(others)}. "
                f"Give samples of the source and of the target as in POT, or {_ORDINARY[name]}."
            )
        return takes(self, **given, **kwargs)

    signature = inspect.signature(method)
    parameters = [
        p.replace(default=None) if p.name in ("X", "groups") else p
        for p in signature.parameters.values()
    ]
    either.__signature__ = signature.replace(parameters=[*parameters, *added])  # type: ignore[attr-defined]
    before, _, after = (method.__doc__ or "").partition("\n        Returns\n")
    if after:
        either.__doc__ = f"{before.rstrip()}{_TEXTS[name]}\n        Returns\n{after}"
    return either


_ORDINARY = {
    "fit": "X and groups",
    "fit_transform": "X and groups",
    "transform": "X, groups and to",
    "inverse_transform": "X, groups and to",
}


def _fit(self: Any, *, Xs: Any = None, Xt: Any = None) -> Any:
    if Xs is None or Xt is None:
        given, missing = ("Xs", "Xt") if Xt is None else ("Xt", "Xs")
        raise TypeError(f"fit: {given} is given without {missing}. Give both.")
    groups = np.repeat([SOURCE, TARGET], [_num_samples(Xs), _num_samples(Xt)])
    return self.fit(_joined(Xs, Xt), groups)


def _transform(self: Any, *, Xs: Any = None, amount: Any = 1.0) -> Any:
    _check_groups(self, "transform", "Xs")
    return self.transform(Xs, SOURCE, TARGET, amount=amount)


def _inverse_transform(self: Any, *, Xt: Any = None, amount: Any = 1.0) -> Any:
    _check_groups(self, "inverse_transform", "Xt")
    return self.transform(Xt, TARGET, SOURCE, amount=amount)


def _fit_transform(self: Any, *, Xs: Any = None, Xt: Any = None) -> Any:
    return self.fit(Xs=Xs, Xt=Xt).transform(Xs=Xs)


def _check_groups(self: Any, method: str, argument: str) -> None:
    check_is_fitted(self)
    groups = self.groups_.tolist()
    if SOURCE not in groups or TARGET not in groups:
        raise ValueError(
            f"{method}: {argument} needs a model with the groups 'source' and 'target', as "
            f"fit(Xs=..., Xt=...) gives, but the groups are {groups}. Give X, groups and to."
        )


def _joined(Xs: Any, Xt: Any) -> Any:
    """Return the rows of both: a table if both are tables, with the columns of the first."""
    if is_table(Xs) and is_table(Xt):
        if sorted(column_names(Xs)) != sorted(column_names(Xt)):
            raise ValueError(
                f"Xt has the columns {column_names(Xt)}, expected those of Xs, {column_names(Xs)}. "
                "Give the same columns."
            )
        return joined_rows(Xs, Xt)
    source = values_of(copy_of_mapped(to_array(Xs)), "Xs")
    target = values_of(copy_of_mapped(to_array(Xt)), "Xt")
    if source.ndim != 2 or target.ndim != 2 or source.shape[1] != target.shape[1]:
        raise ValueError(
            f"Xs has the shape {source.shape} and Xt {target.shape}, expected two dimensions and "
            "the same number of columns"
        )
    return np.concatenate([source, target])
