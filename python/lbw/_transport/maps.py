# SPDX-License-Identifier: MIT
"""Maps of a fitted model, applied to the rows of every group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .._input.arrays import SampleArray
from .._input.keys import KeyArray
from .._input.labels import (
    LabelArray,
    Rows,
    label_array,
    labels_of_rows,
    rows_from,
    rows_with,
)
from .._input.tables import to_array
from .._input.unknown_groups import known_rows, mean_over_groups
from .params import place_in, refined_weights, weights_over

__all__ = ["GroupMaps", "apply_inverse", "apply_map"]


def apply_map(
    along: _core.LocalMap,
    samples: SampleArray,
    n_threads: int = 0,
    keys: KeyArray | None = None,
    out: SampleArray | None = None,
) -> SampleArray:
    """Transport samples into an array of their shape and type, a new one unless it is given."""
    moved = np.empty(samples.shape, dtype=samples.dtype) if out is None else out
    _core.transport_into(along, samples, moved, n_threads=n_threads, keys=keys)
    return moved


def apply_inverse(
    along: _core.LocalMap,
    points: SampleArray,
    n_threads: int = 0,
    keys: KeyArray | None = None,
    out: SampleArray | None = None,
) -> SampleArray:
    """Return the samples that a map transports to these points; keys are not used."""
    moved = np.empty(points.shape, dtype=points.dtype) if out is None else out
    moved[...] = _core.inverse_transport(along, points, n_threads=n_threads)
    return moved


@dataclass(frozen=True)
class GroupMaps:
    """Maps from every group of a model to one target.

    Attributes
    ----------
    model : TransportModel
        The fitted model.
    groups : ndarray of shape (n_groups,)
        The labels of its groups.
    to : label, array-like, dict or None
        A group, or the weights of a barycenter; see `weights_over`.
    amounts : list of float
        The interpolation parameter of every group.
    apply : callable
        `apply_map` or `apply_inverse`.
    n_threads : int
        The number of threads.
    """

    model: _core.TransportModel
    groups: LabelArray
    to: Any
    amounts: list[float]
    apply: Callable[..., SampleArray]
    n_threads: int

    def transport(
        self, X: SampleArray, groups: Any, keys: KeyArray | None, where: str, handle_unknown: str
    ) -> SampleArray:
        """Transport every row by the map of its group; `where` says where its label comes from."""
        if groups is None:
            raise ValueError("groups is None: give the label of every row's group, or one for all")
        if np.ndim(to_array(groups)) == 0:
            if rows_with(self.groups, groups).any():
                return self._moved(X, keys, place_in(self.groups, groups, where), slice(None))
            groups = np.full(X.shape[0], label_array(groups))
        labels = labels_of_rows(groups, X.shape[0], where)
        parts, unknown = known_rows(labels, self.groups, where, handle_unknown)
        moved = np.empty(X.shape, dtype=X.dtype)
        for place, own in enumerate(parts):
            if isinstance(own, slice):
                self._moved(X, keys, place, own, moved[own])
            elif len(own):
                moved[own] = self._moved(X, keys, place, own)
        if len(unknown):
            rows = X[unknown]
            if handle_unknown == "barycenter":
                rows = mean_over_groups(
                    self.model,
                    rows,
                    lambda place: self._moved(X, keys, place, unknown),
                    self.n_threads,
                )
            moved[unknown] = rows
        return moved

    def _moved(
        self,
        X: SampleArray,
        keys: KeyArray | None,
        place: int,
        rows: Rows,
        out: SampleArray | None = None,
    ) -> SampleArray:
        """Transport some rows by the map of a group."""
        own_keys = None if keys is None else rows_from(keys, rows)
        return self.apply(self._map(place), rows_from(X, rows), self.n_threads, own_keys, out)

    def _map(self, place: int) -> _core.LocalMap:
        names, amount = self.model.group_names, self.amounts[place]
        if self.to is not None and not isinstance(self.to, dict) and np.ndim(self.to) == 0:
            target = names[place_in(self.groups, self.to, "to")]
            return _core.map_between(self.model, names[place], target, amount, self.n_threads)
        weights = refined_weights(weights_over(self.groups, self.to, self.model), self.model)
        return _core.map_to_barycenter(self.model, names[place], weights, amount, self.n_threads)
