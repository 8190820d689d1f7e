# SPDX-License-Identifier: MIT
"""Outputs of rows by fitted estimators: components of mixtures and transported rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._input.arrays import FloatArray
from .._input.keys import KeyArray
from .._input.labels import LabelArray, labels_of_rows, rows_with
from .._transport.maps import GroupMaps, apply_map
from .._transport.params import amounts_over
from ._copies import CopyNumbers
from ._rows import Rows

__all__ = ["MixtureMapper", "TransportMapper"]


@dataclass
class MixtureMapper:
    """Predicts the components of rows by a fitted GaussianMixture."""

    mixture: Any
    predicts: bool = True
    has_probabilities: bool = True

    def partition(self) -> MixtureMapper:
        """Return the computation of a partition, which has no state."""
        return self

    def unknown(self, rows: Rows) -> None:
        """Return None: mixtures have no groups."""
        return None

    def outputs(self, rows: Rows) -> list[NDArray[Any]]:
        """Return the components and the probabilities of all components, if they are wanted."""
        components = np.empty(0, dtype=np.intp)
        probabilities = np.empty((0, self.mixture.n_components_))
        if self.predicts and len(rows.X):
            components = self.mixture.predict(rows.X)
        if self.has_probabilities and len(rows.X):
            probabilities = self.mixture.predict_proba(rows.X)
        return [components, probabilities]


@dataclass
class TransportMapper:
    """Transports rows by a model.

    Attributes
    ----------
    model : TransportModel
        The fitted model.
    groups : ndarray of shape (n_groups,)
        The labels of its groups.
    to, amount : object
        The target and the interpolation parameter, as in `LocalTransport.transform`.
    handle_unknown : str
        How rows of unknown groups are treated.
    n_threads : int
        The number of threads of a task.
    """

    model: _core.TransportModel
    groups: LabelArray
    to: Any
    amount: Any
    handle_unknown: str
    n_threads: int
    _maps: KeptMaps | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_maps": None}

    @property
    def maps(self) -> KeptMaps:
        """The maps of all groups, each made once."""
        if self._maps is None:
            amounts = amounts_over(self.groups, self.amount)
            self._maps = KeptMaps(
                self.model, self.groups, self.to, amounts, apply_map, self.n_threads
            )
        return self._maps

    def partition(self) -> TransportPartition:
        """Return the computation of a new partition."""
        dithers = bool(np.any(self.model.dither)) or any(map(len, self.model.dither_cells))
        draws = dithers or self.model.map == "random"
        return TransportPartition(self, draws=draws, dithers=dithers)


class KeptMaps(GroupMaps):
    """Maps of all groups that are made on first use and kept for the following batches."""

    def _map(self, place: int) -> _core.LocalMap:
        kept = self.__dict__.setdefault("_kept", {})
        if place not in kept:
            kept[place] = super()._map(place)
        return kept[place]  # type: ignore[no-any-return]


class TransportPartition:
    """Transports the rows of one partition; copies of rows without keys are numbered."""

    def __init__(self, mapper: TransportMapper, *, draws: bool, dithers: bool) -> None:
        self.mapper, self.draws, self.dithers = mapper, draws, dithers
        self._numbers: dict[Any, CopyNumbers] = {}  # by group

    def unknown(self, rows: Rows) -> NDArray[np.bool_] | None:
        """Return which rows have a group that the fit has not seen, if that is an error."""
        if self.mapper.handle_unknown != "error" or rows.labels is None:
            return None
        known = np.zeros(len(rows.labels), dtype=bool)
        for label in self.mapper.groups.tolist():
            known |= rows_with(rows.labels, label)
        return ~known

    def outputs(self, rows: Rows) -> list[NDArray[Any]]:
        """Return the transported rows."""
        if len(rows.X) == 0:
            return [rows.X]
        assert rows.labels is not None
        labels = labels_of_rows(rows.labels, len(rows.X), "groupCol")
        keys = rows.keys
        if keys is None and self.draws:
            keys = self._copies(rows.X, labels)
        moved = self.mapper.maps.transport(
            rows.X, labels, keys, "groupCol", self.mapper.handle_unknown
        )
        return [moved]

    def _copies(self, X: FloatArray, labels: LabelArray) -> KeyArray:
        """Return the numbers of copies of rows within their group."""
        keys = np.empty(len(X), dtype=np.uint64)
        for label in np.unique(labels).tolist():
            own = rows_with(labels, label)
            if label not in self._numbers:
                self._numbers[label] = CopyNumbers(salted=self.dithers)
            keys[own] = self._numbers[label].next(X[own])
        return keys
