# SPDX-License-Identifier: MIT
"""Rows that come in batches, and the columns that an estimator uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from .._input.arrays import FloatArray, refuse_masked
from .._input.group_columns import joined_labels
from .._input.keys import KeyArray, keys_given
from .._input.labels import LabelArray
from .._input.mapped_files import copy_of_mapped
from .._options.presented import public
from .columns import Codes, Column, is_arrow, label_codes, labels_in, names_in, numbers_in

__all__ = ["Batches", "as_batches", "is_dataset"]

_ROWS_OF_A_BATCH = 1 << 16


@dataclass(frozen=True)
class Batches:
    """Rows that come in batches, such as a Parquet data set that is larger than memory.

    Pass it to `fit` or `transform_batches` of an estimator in place of X.

    Parameters
    ----------
    source : pyarrow.dataset.Dataset or iterable
        A data set, or an object that yields batches every time it is iterated: record batches or
        tables of pyarrow, or arrays of shape (n_rows, n_columns).
    features : list of str or int, default=None
        The columns of features: names, or positions in arrays. If None, all columns that have no
        other role.
    group : str, int or list, default=None
        The column of groups, or several columns whose combinations are the groups.
    weight : str or int, default=None
        The column of sample weights.
    key : str or int, default=None
        The column of keys for random draws, as in `LocalTransport.transform`.
    scratch_folder : str, default=None
        The folder of the scratch file, which needs 8 bytes per value. If None, the system's folder
        for temporary files.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw import Batches, GaussianMixture
    >>> rng = np.random.default_rng(0)
    >>> parts = [rng.normal(size=(1000, 2)) for _ in range(5)]
    >>> GaussianMixture(2).fit(Batches(parts)).means_.shape
    (2, 2)
    """

    source: Any
    features: Sequence[Column] | None = None
    group: Column | Sequence[Column] | None = None
    weight: Column | None = None
    key: Column | None = None
    scratch_folder: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", _checked_source(self.source))
        object.__setattr__(self, "features", _checked_features(self.features))
        if self.group is not None and not isinstance(self.group, (str, int, np.integer)):
            object.__setattr__(self, "group", _plain_list(self.group))
        self._check_roles()

    def _check_roles(self) -> None:
        roles = [("weight", self.weight), ("key", self.key)]
        roles += [("group", column) for column in self.group_columns]
        for role, column in roles:
            if column is not None and column in (self.features or []):
                raise ValueError(
                    f"{column!r} is a feature and the {role} of Batches. A column has one role; "
                    "leave it out of features."
                )

    @property
    def group_columns(self) -> list[Column]:
        """The columns of groups."""
        return _listed(self.group)

    def raw(self, columns: Sequence[Column] | None = None) -> Iterator[tuple[int, Any]]:
        """Yield the first row and the batch, for all batches that are not empty.

        Of a data set, only the given columns are read.
        """
        first = 0
        for batch in _stream(self.source, columns):
            if hasattr(batch, "iloc"):
                raise TypeError(
                    f"the batch at row {first} is a table of pandas, expected a record batch, a "
                    "table of pyarrow or an array. Convert it with "
                    "pyarrow.RecordBatch.from_pandas(batch)."
                )
            if not is_arrow(batch) and np.ndim(batch) != 2:
                raise ValueError(
                    f"the batch at row {first} has {np.ndim(batch)} dimensions, expected a record "
                    "batch or an array of rows and columns"
                )
            if len(batch):
                yield first, batch
            first += len(batch)

    def used_columns(self) -> list[Column] | None:
        """Return the columns that a fit reads; None for all."""
        if self.features is None:
            return None
        others = [column for column in (self.weight, self.key) if column is not None]
        return list(dict.fromkeys([*self.features, *self.group_columns, *others]))

    def all_columns(self, batch: Any) -> list[Column]:
        """Return all columns of the source, of which `batch` may have a part."""
        return list(self.source.schema.names) if is_dataset(self.source) else names_in(batch)

    def features_in(self, batch: Any, first_row: int) -> list[Column]:
        """Return the columns of features; raise if the batch misses one."""
        refuse_masked(batch, f"the batch at row {first_row}")
        names = names_in(batch)
        roles = [*self.group_columns, self.weight, self.key]
        features = self.features
        if features is None:
            features = [name for name in names if name not in roles]
        for column in [*features, *(role for role in roles if role is not None)]:
            if column not in names:
                raise ValueError(
                    f"the batch at row {first_row} has no column {column!r}, expected one of "
                    f"{names}"
                )
        if not features:
            raise ValueError(f"no column of features is left of {names}")
        return list(features)

    def matrix(self, batch: Any, first_row: int, n_more: int = 0) -> FloatArray:
        """Return the features of a batch, with room for more columns."""
        features = self.features_in(batch, first_row)
        values = np.empty((len(batch), len(features) + n_more))
        for place, column in enumerate(features):
            values[:, place] = numbers_in(batch, column, first_row)
        return values

    def labels(self, batch: Any, first_row: int) -> LabelArray:
        """Return the group of every row."""
        columns = [labels_in(batch, column, first_row) for column in self.group_columns]
        return joined_labels(columns, [str(name) for name in self.group_columns])

    def codes(self, batch: Any, first_row: int) -> list[Codes]:
        """Return the codes of every column of groups."""
        return [label_codes(batch, column, first_row) for column in self.group_columns]

    def keys(self, batch: Any) -> KeyArray | None:
        """Return the key of every row, or None."""
        if self.key is None:
            return None
        values: Any
        if is_arrow(batch):
            values = batch.column(self.key).to_pylist()
        else:
            values = np.asarray(batch)[:, int(self.key)]
        return keys_given(values, len(batch), f"column {self.key!r}")


def is_dataset(source: Any) -> bool:
    """Return whether a source is a data set of pyarrow."""
    return type(source).__module__ in ("pyarrow._dataset", "pyarrow.dataset")


def as_batches(
    X: Any, *, group: Any = None, weight: Any = None, group_name: str = "groups"
) -> Batches | None:
    """Return X as batches, with the columns of other arguments; None for arrays and tables."""
    if not isinstance(X, Batches):
        if not is_dataset(X):
            return None
        X = Batches(X)
    for name, value in ((group_name, group), ("sample_weight", weight)):
        if value is not None and not isinstance(value, (str, Integral, list)):
            raise TypeError(
                f"{name} is a {type(value).__name__}, expected the name of a column, because X "
                "comes in batches"
            )
    for name, value, own in (
        (group_name, group, ("group", X.group)),
        ("sample_weight", weight, ("weight", X.weight)),
    ):
        if value is not None and own[1] is not None and _listed(value) != _listed(own[1]):
            raise ValueError(
                f"{name}={value!r} and Batches(..., {own[0]}={own[1]!r}) name different columns. "
                "Name the column only once."
            )
    return Batches(
        X.source,
        X.features,
        X.group if group is None else group,
        X.weight if weight is None else weight,
        X.key,
        X.scratch_folder,
    )


def _checked_source(source: Any) -> Any:
    """Return a source that can be used; an iterator becomes one that refuses a second use."""
    kind = type(source).__name__
    if kind == "Scanner":
        raise TypeError(
            "source is a Scanner, which can be read only once. Give its Dataset, with a filter as "
            "dataset.filter(...) and the columns as features."
        )
    if is_dataset(source):
        return source
    expected = f"source is a {kind}, expected a pyarrow.dataset.Dataset or an object that yields"
    if isinstance(source, (str, bytes)) or hasattr(source, "iloc"):
        raise TypeError(
            f"{expected} batches. Use lbw.io.read_parquet for Parquet files, and pass tables to "
            "fit as they are."
        )
    if not isinstance(source, Iterable):
        raise TypeError(f"{expected} batches")
    return _ReadOnce(source) if isinstance(source, Iterator) else source


def _plain_list(columns: Iterable[Any]) -> list[Any]:
    """Return columns of an array, an index or a generator as a list without types of NumPy."""
    return [column.item() if isinstance(column, np.generic) else column for column in columns]


def _listed(columns: Any) -> list[Column]:
    """Return one column or several as a list."""
    if columns is None:
        return []
    return _plain_list([columns] if isinstance(columns, (str, int, np.integer)) else columns)


def _checked_features(features: Any) -> list[Any] | None:
    """Return features as a list; refuse those that are not distinct columns."""
    if features is None:
        return None
    if isinstance(features, (str, bytes)) or not isinstance(features, Iterable):
        raise TypeError(f"features is {features!r}, expected a list of columns, [{features!r}]")
    columns = _plain_list(features)
    for column in columns:
        if isinstance(column, (bool, np.bool_)) or not isinstance(column, (str, Integral)):
            raise TypeError(
                f"features has {column!r}, expected names of columns or positions in arrays"
            )
        if columns.count(column) > 1:
            raise ValueError(f"features has {column!r} more than once, expected distinct columns")
    return columns


class _ReadOnce:
    """An iterator as a source: it is an error to read it a second time, and not an empty source."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches
        self._kind = type(batches).__name__

    def __iter__(self) -> Iterator[Any]:
        is_empty = True
        for batch in self._batches:
            is_empty = False
            yield batch
        if is_empty:
            raise ValueError(
                f"source is a {self._kind} without batches, which can be read only once and may "
                "have been read before. Give an object that yields its batches every time it is "
                "iterated, such as a list or a pyarrow.dataset.Dataset."
            )


def _has_fragments(source: Any) -> bool:
    """Return whether a data set can be read file by file; one with a filter cannot."""
    try:
        next(iter(source.get_fragments()), None)
    except ValueError:
        return False
    return True


def _stream(source: Any, columns: Sequence[Column] | None) -> Iterator[Any]:
    """Yield batches; a data set reads only a few of them ahead."""
    if not is_dataset(source):
        yield from map(copy_of_mapped, source)
        return
    known = source.schema.names
    missing = [column for column in columns or [] if column not in known]
    if missing:
        raise ValueError(f"the data set has no column {missing[0]!r}, expected one of {known}")
    if not _has_fragments(source):
        yield from source.to_batches(
            columns=None if columns is None else list(columns),
            batch_size=_ROWS_OF_A_BATCH,
            batch_readahead=1,
            fragment_readahead=1,
        )
        return
    for fragment in source.get_fragments():
        is_parquet = type(getattr(fragment, "format", None)).__name__ == "ParquetFileFormat"
        options = {}
        if is_parquet:
            from pyarrow.dataset import ParquetFragmentScanOptions

            options["fragment_scan_options"] = ParquetFragmentScanOptions(pre_buffer=False)
        # pyarrow reads ahead of a slow reader without a limit, but not beyond its fragment
        for piece in fragment.split_by_row_group() if is_parquet else [fragment]:
            yield from piece.to_batches(
                schema=source.schema,
                columns=None if columns is None else list(columns),
                batch_size=_ROWS_OF_A_BATCH,
                use_threads=is_parquet,
                **options,
            )


public(globals(), "lbw")
