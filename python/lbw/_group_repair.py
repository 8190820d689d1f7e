# SPDX-License-Identifier: MIT
"""Repair of data so that groups can no longer be told apart."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from . import _core
from ._arrays import SampleArray, as_core_samples
from ._carry import carry
from ._estimator import _CHECKS, sklearn_errors, unfitted_on_error, validated
from ._key_column import split_key_column
from ._keys import KeyArray, keys_given
from ._labels import labels_of_rows
from ._local_transport import LocalTransport
from ._repair_check import RepairCheck, check_repair, few_rows_text, warning_text
from ._report import TransportReport, displacement_warning
from ._sensitive import groups_are_columns, groups_given, groups_place, split_columns
from ._tables import is_table, refuse_text_columns, to_array
from ._transport_params import amounts_over

__all__ = ["GroupRepair"]

_DEFAULTS = _core.TransportOptions()


class GroupRepair(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Carries every group to the common barycenter, so that a model cannot tell groups apart.

    Fitted before a classifier, it removes what the features say about a protected group, in the
    sense of demographic parity, and moves the data as little as it can.

    The groups are given in one of two ways. Either as `sensitive_features` of `fit` and
    `transform`, which scikit-learn's metadata routing passes through pipelines; or as
    `sensitive_columns` of X, which are used and then dropped, and which reach every scorer.

    Parameters
    ----------
    n_components : int, dict, array-like of shape (n_groups,) or {"aic", "bic", "heldout"}, \
default=1
        Components of every group's mixture, or what chooses them, as in `LocalTransport`.
    n_components_range : iterable of int, default=None
        Numbers to choose from where `n_components` is a criterion; None tries 1 to 10.
    amount : float or dict, default=1.0
        Interpolation parameter, for all groups or by label: 0 leaves the data as it
        is, 1 repairs it wholly.
    sensitive_columns : int, str or list of them, default=None
        Columns of X that hold the groups, by name (tables) or position; several columns give a
        group for every combination of their values.
    key_column : int or str, default=None
        The column of X that identifies every row, such as a customer's number, by name (tables) or
        position. It is used as `key` of `transform` and dropped.
    weights : array-like of shape (n_groups,) or dict, default=None
        Weights of the barycenter in the order of `groups_` or by label, 0 for labels that are left
        out; None is equal ones.
    relative_covariance_floor : float, default=0.1
        As in `LocalTransport`. Without it, features that hardly vary in a group throw its new
        samples away; a tenth costs hardly any parity.
    refine : int, default=50
        As in `LocalTransport`. The steps bring into line what mixtures leave, above all for models
        made of trees; 0 leaves them out.
    handle_unknown : {"error", "ignore", "barycenter"}, default="error"
        How `transform` treats rows of a group that was not seen in `fit`. "error" raises an error,
        "ignore" leaves them as they are, so that nothing is repaired, and "barycenter" moves each
        to the mean of where the maps of all groups send it, weighted by how probable each group is
        given the row. It is read at every call of `transform`.
    map : {"hard", "soft", "random"}, default="random"
        As in `LocalTransport`. Random maps give all groups the same distribution.
    dither : float or "auto", default="auto"
        As in `LocalTransport`: features that take few values, such as whole numbers, booleans and
        codes, are spread over the gaps between neighbouring values. `dithered_features_` names
        them; 0 switches it off.
    check_samples : int, default=8000
        Number of rows that `fit` checks the repair with; 0 switches the check off. Half of them,
        or half of all rows, are held out of a second fit to up to three times as many others and
        repaired by it, and a boosted tree tries to tell their groups apart. If its AUC is above .6
        and beyond chance and the noise of such a fit, `fit` warns. The check takes about a second.
    scale_features : bool, default=True
        Whether components are coupled, mapped and averaged with every feature divided by its
        standard deviation over all groups. The units of the features then do not matter, up to the
        start of mixtures with several components, spherical covariances and the draws of dither.
    group_shrinkage : float or "auto", default="auto"
        How far the mean, variances and correlations of every group are drawn towards those of all
        samples, from 0 to 1. "auto" draws by the fraction of each difference that sampling noise
        explains, which vanishes for large groups.
    small_groups : {"error", "keep"}, default="error"
        What happens to a group of a single sample, which has no spread to learn. "keep" leaves its
        rows where they are, with a warning, and fits the others as if it were absent.
    covariance_floor : float, default=0.0
        As in `LocalTransport`. It has the units of the data, so by default the relative floor
        stands alone and units do not matter.
    covariance_type, shrinkage, coupling, cost, reference, n_init, tol, max_iter, \
start_samples, precision, random_state, n_jobs, verbose
        As in `LocalTransport`.

    Attributes
    ----------
    groups_ : ndarray of shape (n_groups,)
        Labels of the groups, sorted.
    transport_ : LocalTransport
        The fit of the groups; its `selection_` has the curves where a criterion chose.
    n_components_ : ndarray of shape (n_groups,)
        How many components each has.
    n_iter_ : int
        EM steps of the group that took most.
    dithered_features_ : list of str or int
        The features that take few values and are spread, by name or, without names, by position
        among the repaired features.
    check_ : RepairCheck or None
        What the check of the repair measured: `auc`, `auc_before`, `auc_clean`, `noise`,
        `n_samples` and `separable`. None without a check, where `amount` is not 1, or with fewer
        than 200 rows in all groups but one.
    n_features_in_ : int
        Number of columns seen in `fit`, with the sensitive ones.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where all are strings.

    Notes
    -----
    `refine` sliced steps lead to the barycenter of `weights`, where `transform` goes.

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

    _parameter_constraints: dict[str, Any] = {
        **{
            name: constraint
            for name, constraint in LocalTransport._parameter_constraints.items()
            if name != "refine_weights"
        },
        "amount": [Interval(Real, 0.0, 1.0, closed="both"), dict],
        "sensitive_columns": [Integral, str, "array-like", None],
        "key_column": [Integral, str, None],
        "check_samples": [Interval(Integral, 0, None, closed="left")],
        "weights": ["array-like", dict, None],
    }

    def __init__(
        self,
        n_components: Any = 1,
        *,
        n_components_range: Iterable[int] | None = None,
        amount: Any = 1.0,
        sensitive_columns: Any = None,
        key_column: int | str | None = None,
        weights: Any = None,
        covariance_type: str = "full",
        covariance_floor: float = 0.0,
        relative_covariance_floor: float = 0.1,
        shrinkage: float | str = 0.0,
        coupling: str = _DEFAULTS.coupling,
        cost: str = _DEFAULTS.cost,
        map: str = _DEFAULTS.map,
        dither: float | str = "auto",
        refine: int = 50,
        scale_features: bool = True,
        group_shrinkage: float | str = "auto",
        small_groups: str = _DEFAULTS.small_groups,
        check_samples: int = 8000,
        reference: Any = None,
        handle_unknown: str = "error",
        n_init: int = _DEFAULTS.mixture.n_init,
        tol: float = _DEFAULTS.mixture.tolerance,
        max_iter: int = _DEFAULTS.mixture.max_iterations,
        start_samples: int | None = None,
        precision: str = "f64",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_components_range = n_components_range
        self.amount = amount
        self.sensitive_columns = sensitive_columns
        self.key_column = key_column
        self.weights = weights
        self.covariance_type = covariance_type
        self.covariance_floor = covariance_floor
        self.relative_covariance_floor = relative_covariance_floor
        self.shrinkage = shrinkage
        self.coupling = coupling
        self.cost = cost
        self.map = map
        self.dither = dither
        self.refine = refine
        self.check_samples = check_samples
        self.scale_features = scale_features
        self.group_shrinkage = group_shrinkage
        self.small_groups = small_groups
        self.reference = reference
        self.handle_unknown = handle_unknown
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.start_samples = start_samples
        self.precision = precision
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any = None, *, sensitive_features: Any = None, key: Any = None
    ) -> GroupRepair:
        """Fit a mixture to every group and couple their components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples of all groups.
        y : Ignored
            Present by convention.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, unless `sensitive_columns` says where it is in X.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, as in `transform`, unless `key_column` names it in X.

        Returns
        -------
        self : object
            The fitted repair.
        """
        self._validate_params()
        with unfitted_on_error(self):
            features, groups, keys = self._split(X, sensitive_features, key, reset=True)
            own = LocalTransport().get_params()
            params = {name: value for name, value in self.get_params().items() if name in own}
            if self.refine:
                params["refine_weights"] = self.weights  # where transform goes
            with sklearn_errors(self, features):
                fitted = LocalTransport(**params)._fit_checked(features, groups, None, keys)
                self._take(fitted)
            weights = self.transport_._weights_of(self.weights)
            amounts = amounts_over(self.groups_, self.amount)
            labels = labels_of_rows(groups, features.shape[0], "groups")
            text = displacement_warning(
                self.transport_._model,
                features,
                labels,
                self.groups_,
                weights.tolist(),
                self.n_jobs,
            )
            if self.check_samples and min(amounts) == 1.0:
                self.check_ = check_repair(
                    self.transport_, features, labels, keys, self.weights, self.check_samples
                )
        for words in (text, few_rows_text(self.transport_, labels)):
            if words:
                warnings.warn(words, UserWarning, stacklevel=2)
        if self.check_ is not None and self.check_.separable:
            names = self._repaired_names()
            text = warning_text(self.check_, self.transport_, features, names)
            warnings.warn(text, UserWarning, stacklevel=2)
        return self

    def transform(self, X: Any, *, sensitive_features: Any = None, key: Any = None) -> Any:
        """Carry every row from its group to the barycenter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, seen in the fit or not.
        sensitive_features : label or array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, or one for all, unless `sensitive_columns` says where it is in
            X.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, such as a customer's number: a whole number or a text,
            unless `key_column` names it in X. Random draws depend on `random_state`, on the values
            of a row and on its key, so a row with a key is repaired alike in any call. If None,
            the key is the number of equal rows of the same group before the row in this call,
            and with dither a number of all these rows. To
            repair one row at a time, as a service does, give keys: without them, all equal rows go
            to the same place.

        Returns
        -------
        X_repaired : ndarray of shape (n_samples, n_features_out)
            The repaired features, without the sensitive columns.
        """
        check_is_fitted(self)
        features, groups, keys = self._split(X, sensitive_features, key, reset=False)
        with sklearn_errors(self, features):
            return self.transport_._by_group(
                features,
                groups,
                self.weights,
                self.amount,
                carry,
                keys,
                where=groups_place(self),
                handle_unknown=self.handle_unknown,
            )

    def fit_transform(
        self, X: Any, y: Any = None, *, sensitive_features: Any = None, key: Any = None
    ) -> Any:
        """Fit, then repair the same samples; see `fit` and `transform`."""
        self.fit(X, y, sensitive_features=sensitive_features, key=key)
        return self.transform(X, sensitive_features=sensitive_features, key=key)

    def report(
        self,
        X: Any = None,
        *,
        sensitive_features: Any = None,
        n_permutations: int = 199,
        max_samples: int = 2000,
    ) -> TransportReport:
        """Tell what the repair is worth, in tables and in words.

        Without samples it is about the model alone. With samples that the fit has not seen it is
        also about what a whole repair does to them, whatever `amount` is: how far they move, and
        how well a classifier tells the groups apart before and after.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), default=None
            Samples held out from the fit, 10 or more of every group that has some.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, unless `sensitive_columns` says where it is in X.
        n_permutations : int, default=199
            Number of random permutations used to estimate the null distribution; 0 for none.
        max_samples : int, default=2000
            Samples of a group that are looked at.

        Returns
        -------
        report : TransportReport
            With `components`, `pairs`, `carried`, `separations` and `verdict`.
        """
        check_is_fitted(self)
        samples = None
        if X is None and sensitive_features is not None:
            raise ValueError("report: sensitive_features is given and X is not; give both, or none")
        if X is not None:
            features, groups, _ = self._split(X, sensitive_features, None, reset=False)
            known = self.transport_._known_labels(groups, features.shape[0], groups_place(self))
            samples = features, known
        return self.transport_._report_on(samples, self.weights, n_permutations, max_samples)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Give the names of the repaired features: those of X less the sensitive columns."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.delete(names, self._sensitive_positions + self._key_positions)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fit to one safetensors file, which the program `lbw` reads too."""
        check_is_fitted(self)
        weights = self.weights
        if weights is not None:
            weights = self.transport_._weights_of(weights).tolist()
        amount = self.amount
        if isinstance(amount, dict):  # in the order of groups_: keys of JSON are text
            amount = amounts_over(self.groups_, amount)
        state = {
            "amount": amount,
            "weights": weights,
            "sensitive_columns": _plain_columns(self.sensitive_columns),
            "n_features_in": int(self.n_features_in_),
            "feature_names_in": getattr(self, "feature_names_in_", np.empty(0)).tolist(),
            "sensitive_positions": list(self._sensitive_positions),
            "handle_unknown": self.handle_unknown,
            "key_column": _plain_columns(self.key_column),
            "key_positions": list(self._key_positions),
            "check_samples": int(self.check_samples),
        }
        self.transport_._save(path, {"repair": json.dumps(state)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GroupRepair:
        """Read a file of `save`, or any model of `lbw fit` as a repair of its groups."""
        transport = LocalTransport.load(path)
        state = json.loads(transport._model.notes.get("repair", "{}"))
        if isinstance(state.get("amount"), list):
            state["amount"] = dict(zip(transport.groups_.tolist(), state["amount"], strict=True))
        own = (
            "amount",
            "weights",
            "sensitive_columns",
            "handle_unknown",
            "key_column",
            "check_samples",
        )
        params = transport.get_params()
        refine_weights = params.pop("refine_weights")  # it is `weights`
        if refine_weights is not None:
            state.setdefault("weights", refine_weights)
        repair = cls(**params | {name: state[name] for name in own if name in state})
        repair.n_features_in_ = state.get("n_features_in", transport.n_features_in_)
        repair._sensitive_positions = state.get("sensitive_positions", [])
        repair._key_positions = state.get("key_positions", [])
        if state.get("feature_names_in"):
            repair.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
        repair._take(transport)
        return repair

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether there is a fit."""
        return hasattr(self, "groups_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what this estimator keeps."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _repaired_names(self) -> list[Any]:
        """Give the names of the repaired features or, without names, their positions."""
        if not hasattr(self, "feature_names_in_"):
            return list(range(self.transport_.n_features_in_))
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
        """Part X into features, and the group and the key of every row."""
        least = 2 if reset else 1
        if key is not None and self.key_column is not None:
            raise ValueError(
                f"the keys are given twice, by key and by key_column={self.key_column!r}; give one "
                "of them"
            )
        columns = groups_are_columns(self, sensitive)
        if reset and not columns:
            self._sensitive_positions: list[int] = []
        if reset and self.key_column is None:
            self._key_positions: list[int] = []
        keys: KeyArray | None = None
        if self.key_column is not None:
            rest, groups, keys = split_key_column(self, X, sensitive=columns, reset=reset)
            features = self._numbers_of(rest, least)
        elif columns:
            rest, groups = split_columns(self, X, reset=reset)
            features = self._numbers_of(rest, least)
        else:
            features = validated(self, X, reset=reset, ensure_min_samples=least)
        if not columns:
            groups = groups_given(sensitive, features.shape[0], reset=reset)
        if key is not None:
            keys = keys_given(key, features.shape[0])
        return features, groups, keys

    def _numbers_of(self, rest: Any, least: int) -> SampleArray:
        """Check the features that are left of X."""
        if is_table(rest):
            refuse_text_columns(rest)
        features = check_array(
            to_array(rest), input_name="X", estimator=self, ensure_min_samples=least, **_CHECKS
        )
        return as_core_samples(features)


def _plain_columns(columns: Any) -> Any:
    if columns is None or isinstance(columns, str):
        return columns
    if isinstance(columns, Integral):
        return int(columns)
    return [column if isinstance(column, str) else int(column) for column in columns]
