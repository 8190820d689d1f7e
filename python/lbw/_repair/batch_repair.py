# SPDX-License-Identifier: MIT
"""GroupRepair for rows that are not in memory: sources of rows, and batches."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from numbers import Integral
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._batches.batches import Batches, as_batches
from .._batches.packing import PackedGroups, fit_packed, refuse_key
from .._batches.rounds import Rounds
from .._batches.transformed import transformed_batches
from .._input.column_position import keep_column_parameters
from .._input.labels import LabelArray
from .._input.sensitive import groups_are_columns
from .._input.user_level import user_level
from .._input.validation import unfitted_on_error, validate_parameters
from .._mixture.fit_batches import keep_feature_names
from .._transport.model_notes import assumed_text
from .after_fit import check_and_warnings

__all__ = ["BatchRepair", "fit_repair_batches", "repair_batches"]

Estimator = TypeVar("Estimator", bound="BatchRepair")


class BatchRepair:
    """Adds fits of sources, and `transform_batches`."""

    _sensitive_positions: list[int]
    _key_positions: list[int]

    def _fit_sources(self: Estimator, labels: LabelArray, rounds: Rounds[Any]) -> Estimator:
        """Fit the sources of `rounds`, one per label, with the check and warnings of `fit`."""
        repair: Any = self
        repair._validate_params()
        assumed = assumed_text(repair)
        if assumed is not None:
            warnings.warn(assumed, UserWarning, stacklevel=user_level())
        if not hasattr(repair, "n_features_in_"):
            repair.n_features_in_ = next(iter(rounds.sources.values())).summary()["n_features"]
            repair._sensitive_positions, repair._key_positions = [], []
        keep_column_parameters(repair)
        with unfitted_on_error(repair):
            transport = repair._new_transport()
            transport._fit_checked_sources(labels, rounds)
            repair._take(transport)
            texts = check_and_warnings(repair, transport._some_rows(labels, rounds))
        repair._assumed, repair._start_of_file = {}, None
        for text in texts:
            warnings.warn(text, UserWarning, stacklevel=user_level())
        return self

    def transform_batches(self, X: Any, *, sensitive_features: Any = None) -> Iterator[Any]:
        """Repair rows that come in batches.

        Parameters
        ----------
        X : Batches or pyarrow.dataset.Dataset
            The rows. Without features, the columns of the fit are used.
        sensitive_features : str or list of str, default=None
            The column of groups, unless `sensitive_columns` or `X` names it.

        Yields
        ------
        batch : RecordBatch, Table or ndarray
            A batch of the source, with repaired features as float64 and all other columns,
            including those of the groups, as they are. Without a column of keys, copies of a row
            are numbered within their batch.
        """
        repair: Any = self
        check_is_fitted(repair)
        validate_parameters(repair, "handle_unknown")
        batches = repair_batches(repair, X, sensitive_features)
        if batches is None:
            raise ValueError(
                "transform_batches needs Batches or a pyarrow.dataset.Dataset. Use transform for "
                "arrays and tables."
            )

        def moved(rows: Any, labels: Any, keys: Any, where: str) -> Any:
            return repair.transport_._by_group(
                rows,
                labels,
                repair.weights,
                repair.amount,
                repair.handle_unknown,
                keys,
                where=where,
            )

        return transformed_batches(repair, batches, moved)


def repair_batches(
    repair: Any, X: Any, sensitive: Any, sample_weight: Any = None
) -> Batches | None:
    """Return X as batches with the columns of groups and keys; None for arrays and tables."""
    batches = as_batches(X, group=sensitive, weight=sample_weight, group_name="sensitive_features")
    if batches is None:
        return None
    columns = repair.sensitive_columns
    named: list[Any] = [columns] if isinstance(columns, (str, Integral)) else list(columns or [])
    if batches.group_columns and batches.group_columns != named:
        groups_are_columns(repair, batches.group)
    if not batches.group_columns:
        batches = replace(batches, group=named)
    if not batches.group_columns:
        raise ValueError(
            f"{type(repair).__name__} needs the groups. Name their column with "
            "sensitive_features=..., sensitive_columns=... or Batches(..., group=...)."
        )
    if repair.key_column is None:
        return batches
    if batches.key not in (None, repair.key_column):
        raise ValueError(
            f"key_column={repair.key_column!r} and Batches(..., key={batches.key!r}) name "
            "different columns. Name the column only once."
        )
    return replace(batches, key=repair.key_column)


def fit_repair_batches(repair: Any, batches: Batches, key: Any = None) -> None:
    """Pack the rows into a scratch file per group and fit them."""
    refuse_key(key)

    def keep_columns(packed: PackedGroups) -> None:
        _keep_columns(repair, batches, packed)

    fit_packed(repair, batches, keep_columns, grouped=True)


def _keep_columns(repair: Any, batches: Batches, packed: PackedGroups) -> None:
    """Keep names and positions of columns, as a fit of a table with these columns does."""
    dropped = list(batches.group_columns) if repair.sensitive_columns is not None else []
    keys = [] if repair.key_column is None or batches.key is None else [batches.key]
    whole = [name for name in packed.all_columns if name in (*packed.features, *dropped, *keys)]
    if [name for name in whole if name in packed.features] != packed.features:
        whole = [*packed.features, *dropped, *keys]  # in the order that was asked for
    repair.n_features_in_ = len(whole)
    repair._sensitive_positions = [whole.index(name) for name in dropped]
    repair._key_positions = [whole.index(name) for name in keys]
    repair._group_columns = packed.columns
    repair._whole_names = None
    keep_feature_names(repair, np.array(whole, dtype=object).tolist())
