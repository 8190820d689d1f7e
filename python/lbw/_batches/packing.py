# SPDX-License-Identifier: MIT
"""Batches packed into one scratch file per group, and fits of the packed rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray
from .._input.group_columns import GroupColumns, joined_labels
from .._input.labels import LabelArray, labels_of_rows
from .._input.unknown_groups import refuse_many_groups
from .._input.validation import unfitted_on_error
from .._options.names import n_threads_of
from .batches import Batches
from .columns import Codes, Column, weights_in
from .pack import BlockSource, PackedRows
from .progress import RowProgress
from .rounds import Request, Rounds
from .sources import RowSource

__all__ = ["PackedGroups", "fit_packed", "refuse_key"]

_MANY_GROUPS = 500  # each has an open file


class PackedGroups(AbstractContextManager["PackedGroups"]):
    """The rows of all groups, each group in a scratch file; closed by `with`.

    Parameters
    ----------
    batches : Batches
        The rows. They are read once.
    title : str
        The name in messages about the progress.
    grouped : bool
        Whether to divide the rows by their groups. Otherwise, they are one group without a label.
    n_threads : int
        The number of threads of a pass.
    verbose : int
        The verbosity.

    Attributes
    ----------
    features : list of str or int
        The columns of features.
    all_columns : list of str or int
        All columns of the source, in their order.
    labels : ndarray of shape (n_groups,)
        The labels of the groups, sorted.
    sources : list of BlockSource
        The rows of every group.
    columns : GroupColumns
        The columns of groups and their values.
    """

    features: list[Column]
    all_columns: list[Column]
    labels: LabelArray
    sources: list[BlockSource]
    columns: GroupColumns

    def __init__(
        self, batches: Batches, title: str, *, grouped: bool, n_threads: int, verbose: int
    ) -> None:
        self._batches = batches
        self._grouped = grouped
        self._packed: dict[tuple[Any, ...], PackedRows] = {}
        self._stack = ExitStack()
        self.features = []
        self.n_rows = 0
        try:
            with RowProgress(f"{title}: reading rows", verbose) as progress:
                for first, batch in batches.raw(batches.used_columns()):
                    self._append(batch, first)
                    progress.add(len(batch))
            self._finish(n_threads)
        except BaseException:
            self._stack.close()
            raise

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _append(self, batch: Any, first_row: int) -> None:
        """Write the rows of a batch to the files of their groups."""
        weight = self._batches.weight
        features = self._batches.features_in(batch, first_row)
        if self.features and features != self.features:
            raise ValueError(
                f"the batch at row {first_row} has the features {features}, expected "
                f"{self.features} as in the batches before"
            )
        self.features = features
        self.all_columns = self._batches.all_columns(batch)
        rows = self._batches.matrix(batch, first_row, n_more=int(weight is not None))
        if weight is not None:
            rows[:, -1] = weights_in(batch, weight, first_row)
        self.n_rows = first_row + len(rows)
        if not self._grouped:
            self._file_of(()).append(rows)
            return
        codes = self._batches.codes(batch, first_row)
        for label, own in _divided(rows, codes):
            self._file_of(label).append(own)

    def _file_of(self, label: tuple[Any, ...]) -> PackedRows:
        if label not in self._packed:
            # In the first batches, groups may have fewer rows each than at the end.
            if len(self._packed) >= max(_MANY_GROUPS, self.n_rows // 2):
                refuse_many_groups(self._labels(), self.n_rows, self._where())
            packed = PackedRows(
                len(self.features),
                weighted=self._batches.weight is not None,
                folder=self._batches.scratch_folder,
            )
            self._stack.callback(packed.close)
            self._packed[label] = packed
        return self._packed[label]

    def _where(self) -> str:
        return f"column {', '.join(map(repr, self._batches.group_columns))}"

    def _label_columns(self) -> list[LabelArray]:
        """Return the labels of the groups in every column."""
        names = self._batches.group_columns
        return [
            labels_of_rows(np.array(values, dtype=object), len(values), f"column {name!r}")
            for name, values in zip(names, zip(*self._packed, strict=True), strict=True)
        ]

    def _labels(self) -> LabelArray:
        names = [str(name) for name in self._batches.group_columns]
        return joined_labels(self._label_columns(), names)

    def _finish(self, n_threads: int) -> None:
        """Sort the groups and map their files."""
        if not self._packed:
            raise ValueError("the source has no rows, expected 2 or more")
        packed = list(self._packed.values())
        self.labels = np.zeros(0)
        if self._grouped:
            labels = self._labels()
            refuse_many_groups(np.unique(labels), self.n_rows, self._where())
            order = np.argsort(labels, kind="stable")
            self.labels = labels[order]
            packed = [packed[place] for place in order]
            names = [str(name) for name in self._batches.group_columns]
            values = [np.unique(own) for own in self._label_columns()]
            self.columns = GroupColumns(names, values, False)
            self.columns.refuse_ambiguous([f"column {name!r}" for name in names])
        self.sources = []
        for own in packed:
            source = BlockSource(own, n_threads)
            self._stack.callback(source.close)
            self.sources.append(source)


def _divided(rows: FloatArray, codes: list[Codes]) -> list[tuple[tuple[Any, ...], FloatArray]]:
    """Return the rows of every combination of labels."""
    places: NDArray[np.int64] = np.zeros(len(rows), dtype=np.int64)
    for labels, own in codes:
        places = places * len(labels) + own
    parts = []
    for place in np.unique(places).tolist():
        chosen = rows[places == place]
        label = []
        for labels, _ in reversed(codes):
            place, at = divmod(place, len(labels))
            label.append(labels[at])
        parts.append((tuple(reversed(label)), chosen))
    return parts


def fit_packed(
    estimator: Any, batches: Batches, keep_columns: Callable[[PackedGroups], None], *, grouped: bool
) -> None:
    """Pack the rows of an estimator, let it keep what it needs of their columns, and fit them."""
    with (
        unfitted_on_error(estimator),
        PackedGroups(
            batches,
            type(estimator).__name__,
            grouped=grouped,
            n_threads=n_threads_of(estimator.n_jobs),
            verbose=estimator.verbose,
        ) as packed,
    ):
        keep_columns(packed)
        if not grouped:
            estimator._fit_sources(_rounds_of({None: packed.sources[0]}))
            return
        sources = dict(zip(packed.labels.tolist(), packed.sources, strict=True))
        estimator._fit_sources(packed.labels, _rounds_of(sources))


def refuse_key(key: Any) -> None:
    """Raise an error if a fit of batches is given keys."""
    if key is not None:
        raise ValueError("key is given, but the key of a row in batches is its position")


def _rounds_of(sources: Mapping[Hashable, RowSource]) -> Rounds[Any]:
    """Return rounds whose passes run on the calling thread, one group at a time.

    Only one block is then in memory, and Ctrl-C ends a pass at once.
    """

    def answer(requests: dict[Hashable, Request]) -> dict[Hashable, bytes]:
        return {
            group: sources[group].moment_sums(own.mixture, own.precision, own.part, own.seed)
            for group, own in requests.items()
        }

    return Rounds(sources, answer)
