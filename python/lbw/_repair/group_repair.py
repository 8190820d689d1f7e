# SPDX-License-Identifier: MIT
"""Repair of data so that groups can no longer be told apart."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in

from .._input.arrays import SampleArray
from .._input.fit_rows import FitRows, rows_of_fit
from .._input.group_columns import GroupColumns
from .._input.keys import KeyArray
from .._input.labels import labels_of_rows
from .._input.mapped_files import mapped_file, mapped_memory
from .._input.sensitive import groups_place
from .._input.split_input import split_input
from .._input.user_level import user_level
from .._input.validation import (
    check_fitted,
    sklearn_errors,
    unfitted_on_error,
    validate_parameters,
    validated,
    validated_rest,
)
from .._options.presented import parametrized, public
from .._options.repair import GroupRepairParameters
from .._transport.local_transport import LocalTransport
from .._transport.model_notes import assumed_text
from .._transport.report import TransportReport
from .after_fit import warnings_of_all_rows
from .batch_repair import BatchRepair, fit_repair_batches, repair_batches
from .check import RepairCheck
from .saved_repair import SavedRepair

__all__ = ["GroupRepair"]


@parametrized
class GroupRepair(
    TransformerMixin,  # type: ignore[misc]
    BatchRepair,
    SavedRepair,
    GroupRepairParameters,
    BaseEstimator,  # type: ignore[misc]
):
    """Transport every group to the common barycenter, so that a model cannot tell groups apart.

    Use it before a classifier. It removes what the features say about a protected group, in the
    sense of demographic parity, and moves the data as little as possible.

    The groups are given in one of two ways. Either pass `sensitive_features` to `fit` and
    `transform`, which scikit-learn's metadata routing passes through pipelines, or name
    `sensitive_columns` of X, which are used and then dropped, and which reach every scorer.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    groups_ : ndarray of shape (n_groups,)
        The labels of the groups, sorted by `fit`. A model of `lbw fit` keeps its own order.
    transport_ : LocalTransport
        The fit of the groups. Its `selection_` has the curves if `n_components` is a criterion.
    n_components_ : ndarray of shape (n_groups,)
        The number of components of every group.
    n_iter_ : int
        The largest number of EM iterations of a group.
    dithered_features_ : list of str or int
        The features that take few values and have noise, by name or, without names, by position
        among the repaired features.
    check_ : RepairCheck or None
        The result of the check of the repair: `auc`, `auc_before`, `auc_clean`, `noise`,
        `n_samples`, `unchecked_groups` and `separable`. None without a check, if `amount` is not
        1, or with fewer than 200 rows in all groups but one.
    n_features_in_ : int
        The number of columns seen in `fit`, including the sensitive ones.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the columns seen in `fit`, if all of them are strings.

    Notes
    -----
    The sliced steps of `refine` lead to the barycenter of `weights`, the target of `transform`.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw import GroupRepair
    >>> rng = np.random.default_rng(0)
    >>> group = rng.integers(2, size=1000)
    >>> X = np.column_stack([rng.normal(3 * group), rng.normal(size=1000), group])
    >>> repaired = GroupRepair(sensitive_columns=2).fit_transform(X)
    >>> repaired.shape
    (1000, 2)
    >>> bool(abs(repaired[group == 0].mean() - repaired[group == 1].mean()) < 0.01)
    True
    """

    groups_: Any
    check_: RepairCheck | None
    _group_columns: GroupColumns | None = None
    _assumed: dict[str, Any] = {}  # parameters of a file that were not known, see `load`
    _start_of_file: str | None = None  # unless it is the default

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        sensitive_features: Any = None,
        key: Any = None,
    ) -> GroupRepair:
        """Fit a mixture to every group and couple their components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), Batches or pyarrow.dataset.Dataset
            The samples of all groups. Batches may be larger than memory.
        y : Ignored
            Not used, present for API consistency by convention.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            The weights of the rows, or the name of their column in a data set. A row of weight 2
            counts as two rows, and rows of weight 0 are ignored.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_columns), or str
            The group of every row, or the name of its column in a data set, unless
            `sensitive_columns` says where it is in X.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, as in `transform`, unless `key_column` names it in X.

        Returns
        -------
        self : object
            Returns the instance itself.
        """
        self._validate_params()
        batches = repair_batches(self, X, sensitive_features, sample_weight)
        if batches is not None:
            fit_repair_batches(self, batches, key)
            return self
        assumed = assumed_text(self)
        if assumed is not None:
            warnings.warn(assumed, UserWarning, stacklevel=user_level())
        with unfitted_on_error(self):
            features, groups, keys = self._split(X, sensitive_features, key, reset=True)
            with sklearn_errors(self, features):
                labels = labels_of_rows(groups, features.shape[0], "groups")
                rows = rows_of_fit(features, labels, sample_weight, keys)
                self._take(self._new_transport()._fit_rows(rows))
            with mapped_memory(features):
                texts = warnings_of_all_rows(self, rows)
        self._assumed, self._start_of_file = {}, None
        for text in texts:
            warnings.warn(text, UserWarning, stacklevel=user_level())
        return self

    def _new_transport(self) -> LocalTransport:
        """Return the transport that is fitted, with the parameters of the repair."""
        own = LocalTransport().get_params()
        params = {name: value for name, value in self.get_params().items() if name in own}
        if self.refine:
            params["refine_weights"] = self.weights  # the target of transform
        transport = LocalTransport(**params)
        transport._title = type(self).__name__
        if hasattr(self, "feature_names_in_"):  # the program finds columns by these names
            transport.feature_names_in_ = np.array(self._names_left(), dtype=object)
        return transport

    def transform(self, X: Any, *, sensitive_features: Any = None, key: Any = None) -> Any:
        """Transport every row from its group to the barycenter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, seen in `fit` or new.
        sensitive_features : label or array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, or one for all, unless `sensitive_columns` says where it is in
            X.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, such as a customer's number: a whole number or a text,
            unless `key_column` names it in X. Random draws depend on `random_state`, on the values
            of a row and on its key, so a row with a key is repaired alike in any call. If None,
            the key is the number of equal rows of the same group before the row in this call,
            and with dither a number of all these rows. To repair one row at a time, as a service
            does, give keys: without them, all equal rows are sent to the same place.

        Returns
        -------
        X_repaired : ndarray of shape (n_samples, n_features_out)
            The repaired features, without the sensitive columns.
        """
        check_fitted(self)
        validate_parameters(self, "handle_unknown")
        features, groups, keys = self._split(X, sensitive_features, key, reset=False)
        with sklearn_errors(self, features):
            return self.transport_._by_group(
                features,
                groups,
                self.weights,
                self.amount,
                self.handle_unknown,
                keys,
                where=groups_place(self),
            )

    def fit_transform(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        sensitive_features: Any = None,
        key: Any = None,
    ) -> Any:
        """Fit, then repair the same samples; see `fit` and `transform`."""
        self.fit(X, y, sample_weight, sensitive_features=sensitive_features, key=key)
        return self.transform(X, sensitive_features=sensitive_features, key=key)

    def report(
        self,
        X: Any = None,
        *,
        sensitive_features: Any = None,
        sample_weight: Any = None,
        n_permutations: int = 199,
        max_samples: int = 2000,
    ) -> TransportReport:
        """Evaluate the repair, in tables and in words.

        Without samples, the report describes the model alone. With held-out samples, it also says
        how far a full repair moves them, regardless of `amount`, and how well a classifier
        separates the groups before and after.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), default=None
            Held-out samples, 10 or more of every group that has some.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, unless `sensitive_columns` says where it is in X.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights of the samples, as in `LocalTransport.report`.
        n_permutations : int, default=199
            Number of random permutations used to estimate the null distribution; 0 for none.
        max_samples : int, default=2000
            The maximum number of samples of a group that are used.

        Returns
        -------
        report : TransportReport
            The report, with `components`, `pairs`, `carried`, `separations` and `verdict`.
        """
        check_fitted(self)
        samples = None
        if X is None and sensitive_features is not None:
            raise ValueError("report: sensitive_features is given without X. Give both or neither.")
        if X is not None:
            features, groups, _ = self._split(X, sensitive_features, None, reset=False)
            known = self.transport_._known_labels(groups, features.shape[0], groups_place(self))
            samples = FitRows(features, known)
        with nullcontext() if samples is None else mapped_memory(samples.X):
            return self.transport_._report_on(
                samples, sample_weight, self.weights, n_permutations, max_samples
            )

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the repaired features: those of X without the dropped columns."""
        check_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.delete(names, self._sensitive_positions + self._key_positions)

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether the estimator is fitted."""
        return hasattr(self, "groups_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that the dtype is preserved."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _repaired_names(self) -> list[Any]:
        """Return the names of the repaired features or, without names, their positions."""
        named = hasattr(self, "feature_names_in_")
        return self._names_left() if named else list(range(self.transport_.n_features_in_))

    def _names_left(self) -> list[Any]:
        """Return the names of the columns of X that are not dropped."""
        dropped = self._sensitive_positions + self._key_positions
        names: list[Any] = np.delete(self.feature_names_in_, dropped).tolist()
        return names

    def _take(self, transport: LocalTransport) -> None:
        self.transport_ = transport
        names = self._repaired_names()
        self.dithered_features_ = [names[f] for f in np.flatnonzero(transport.dither_)]
        self.check_ = None
        self.groups_ = transport.groups_
        self.n_components_ = transport.n_components_
        self.n_iter_ = transport.n_iter_

    def _split(
        self, X: Any, sensitive: Any, key: Any, *, reset: bool
    ) -> tuple[SampleArray, Any, KeyArray | None]:
        """Split X into features, and return the group and the key of every row."""
        least = 2 if reset else 1

        def checked(features: Any, whole: bool) -> SampleArray:
            if whole:
                return validated(self, features, reset=reset, ensure_min_samples=least)
            return validated_rest(self, features, ensure_min_samples=least)

        with mapped_file(X):
            return split_input(self, X, sensitive, key, reset=reset, checked=checked)


public(globals(), "lbw")
