# SPDX-License-Identifier: MIT
"""LocalTransport for rows that are not in memory: sources of rows, and batches."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, TypeVar

from sklearn.utils.validation import check_is_fitted

from .._batches.batches import Batches, as_batches
from .._batches.packing import PackedGroups, fit_packed, refuse_key
from .._batches.rounds import Rounds
from .._batches.sources import some_rows
from .._batches.transformed import transformed_batches
from .._input.fit_rows import FitRows
from .._input.labels import LabelArray
from .._input.user_level import user_level
from .._input.validation import unfitted_on_error, validate_parameters
from .._mixture.fit_batches import keep_feature_names
from .fit_groups import fit_samples
from .fit_quality import warn_of_quality
from .group_samples import SourceGroups
from .model_notes import assumed_text

__all__ = ["BatchTransport", "fit_transport_batches"]

_ROWS_TO_LOOK_AT = 1 << 16
_ROWS_OF_A_GROUP = 1000

Estimator = TypeVar("Estimator", bound="BatchTransport")


class BatchTransport:
    """Adds fits of sources, and `transform_batches`."""

    def _fit_sources(self: Estimator, labels: LabelArray, rounds: Rounds[Any]) -> Estimator:
        """Fit the sources of `rounds`, one per label, with the warnings of `fit`."""
        estimator: Any = self
        estimator._validate_params()
        assumed = assumed_text(estimator)
        if assumed is not None:
            warnings.warn(assumed, UserWarning, stacklevel=user_level())
        with unfitted_on_error(estimator):
            self._fit_checked_sources(labels, rounds)
        warn_of_quality(estimator, self._some_rows(labels, rounds))
        return self

    def _fit_checked_sources(self, labels: LabelArray, rounds: Rounds[Any]) -> None:
        estimator: Any = self
        model, selection = fit_samples(estimator, labels, SourceGroups(rounds, labels))
        estimator._take_fit(model, labels, selection)

    def _some_rows(self, labels: LabelArray, rounds: Rounds[Any]) -> FitRows:
        """Return the rows that warnings are based on."""
        sources = [rounds.sources[label] for label in labels.tolist()]
        return some_rows(sources, labels, _ROWS_TO_LOOK_AT, _ROWS_OF_A_GROUP)

    def transform_batches(
        self, X: Any, groups: Any = None, to: Any = None, *, amount: Any = 1.0
    ) -> Iterator[Any]:
        """Transport rows that come in batches.

        Parameters
        ----------
        X : Batches or pyarrow.dataset.Dataset
            The rows. Without features, the columns of the fit are used.
        groups : str, default=None
            The name of the column of groups, unless `X` names it.
        to : label, array-like of shape (n_groups,), dict or None, default=None
            The target, as in `transform`.
        amount : float or dict, default=1.0
            Interpolation parameter, as in `transform`.

        Yields
        ------
        batch : RecordBatch, Table or ndarray
            A batch of the source, with transported features as float64 and all other columns as
            they are. Without a column of keys, copies of a row are numbered within their batch.
        """
        estimator: Any = self
        check_is_fitted(estimator)
        validate_parameters(estimator, "handle_unknown")
        batches = as_batches(X, group=groups)
        if batches is None or not batches.group_columns:
            raise ValueError(
                "transform_batches needs Batches or a pyarrow.dataset.Dataset, and the column of "
                "groups. Use transform for arrays and tables."
            )

        def moved(rows: Any, labels: Any, keys: Any, where: str) -> Any:
            unknown = estimator.handle_unknown
            return estimator._by_group(rows, labels, to, amount, unknown, keys, where=where)

        return transformed_batches(estimator, batches, moved)


def fit_transport_batches(estimator: Any, batches: Batches, key: Any = None) -> None:
    """Pack the rows into a scratch file per group and fit them."""
    refuse_key(key)
    if not batches.group_columns:
        raise ValueError(
            f"{type(estimator).__name__} needs the column of groups. Give it as groups=... or in "
            "Batches(..., group=...)."
        )

    def keep_columns(packed: PackedGroups) -> None:
        keep_feature_names(estimator, packed.features)

    fit_packed(estimator, batches, keep_columns, grouped=True)
