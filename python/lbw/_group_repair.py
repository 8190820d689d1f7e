# SPDX-License-Identifier: MIT
"""Repair of data so that groups can no longer be told apart."""

from __future__ import annotations

import json
import os
import warnings
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
from ._estimator import (
    _CHECKS,
    sklearn_errors,
    unfitted_on_error,
    validate_columns,
    validated,
)
from ._labels import labels_of_rows
from ._local_transport import LocalTransport
from ._report import TransportReport, displacement_warning
from ._tables import (
    column_names,
    columns_of,
    is_table,
    refuse_text_columns,
    to_array,
    without_columns,
)

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
    n_components : int, dict or array-like of shape (n_groups,), default=1
        Components of every group's mixture, as in `LocalTransport`.
    amount : float, default=1.0
        How much of the way to the barycenter: 0 leaves the data as it is, 1 repairs it wholly.
    sensitive_columns : int, str or list of them, default=None
        Columns of X that hold the groups, by name (tables) or position; several columns give a
        group for every combination of their values.
    weights : array-like of shape (n_groups,) or dict, default=None
        Weights of the barycenter in the order of `groups_` or by label; None is equal ones.
    covariance_type, covariance_floor, relative_covariance_floor, shrinkage, coupling, cost, map, \
refine, reference, n_init, tol, max_iter, start_samples, precision, random_state, n_jobs, verbose
        As in `LocalTransport`.

    Attributes
    ----------
    groups_ : ndarray of shape (n_groups,)
        Labels of the groups, sorted.
    transport_ : LocalTransport
        The fit of the groups.
    n_iter_ : int
        EM steps of the group that took most.
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
    >>> bool(abs(repaired[group == 0].mean() - repaired[group == 1].mean()) < 1e-9)
    True
    """

    _parameter_constraints: dict[str, Any] = {
        **{
            name: constraint
            for name, constraint in LocalTransport._parameter_constraints.items()
            if name != "refine_weights"
        },
        "amount": [Interval(Real, 0.0, 1.0, closed="both")],
        "sensitive_columns": [Integral, str, "array-like", None],
        "weights": ["array-like", dict, None],
    }

    def __init__(
        self,
        n_components: Any = 1,
        *,
        amount: float = 1.0,
        sensitive_columns: Any = None,
        weights: Any = None,
        covariance_type: str = "full",
        covariance_floor: float = _DEFAULTS.mixture.covariance_floor,
        relative_covariance_floor: float = _DEFAULTS.mixture.relative_covariance_floor,
        shrinkage: float | str = 0.0,
        coupling: str = _DEFAULTS.coupling,
        cost: str = _DEFAULTS.cost,
        map: str = _DEFAULTS.map,
        refine: int = _DEFAULTS.refine,
        reference: Any = None,
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
        self.amount = amount
        self.sensitive_columns = sensitive_columns
        self.weights = weights
        self.covariance_type = covariance_type
        self.covariance_floor = covariance_floor
        self.relative_covariance_floor = relative_covariance_floor
        self.shrinkage = shrinkage
        self.coupling = coupling
        self.cost = cost
        self.map = map
        self.refine = refine
        self.reference = reference
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.start_samples = start_samples
        self.precision = precision
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, *, sensitive_features: Any = None) -> GroupRepair:
        """Fit a mixture to every group and couple their components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples of all groups.
        y : Ignored
            Present by convention.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, unless `sensitive_columns` says where it is in X.

        Returns
        -------
        self : object
            The fitted repair.
        """
        self._validate_params()
        with unfitted_on_error(self):
            features, groups = self._split(X, sensitive_features, reset=True)
            own = LocalTransport().get_params()
            params = {name: value for name, value in self.get_params().items() if name in own}
            if self.refine:
                params["refine_weights"] = self.weights  # where transform goes
            with sklearn_errors(self, features):
                self.transport_ = LocalTransport(**params)._fit_checked(features, groups, None)
            self.groups_ = self.transport_.groups_
            self.n_iter_ = self.transport_.n_iter_
            weights = self.transport_._weights_of(self.weights)
            text = displacement_warning(
                self.transport_._model,
                features,
                labels_of_rows(groups, features.shape[0], "groups"),
                self.groups_,
                weights.tolist(),
                self.n_jobs,
            )
        if text is not None:
            warnings.warn(text, UserWarning, stacklevel=2)
        return self

    def transform(self, X: Any, *, sensitive_features: Any = None) -> Any:
        """Carry every row from its group to the barycenter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, seen in the fit or not.
        sensitive_features : label or array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, or one for all, unless `sensitive_columns` says where it is in
            X.

        Returns
        -------
        X_repaired : ndarray of shape (n_samples, n_features_out)
            The repaired features, without the sensitive columns.
        """
        check_is_fitted(self)
        features, groups = self._split(X, sensitive_features, reset=False)
        with sklearn_errors(self, features):
            return self.transport_._by_group(features, groups, self.weights, self.amount, carry)

    def fit_transform(self, X: Any, y: Any = None, *, sensitive_features: Any = None) -> Any:
        """Fit, then repair the same samples; see `fit` and `transform`."""
        self.fit(X, y, sensitive_features=sensitive_features)
        return self.transform(X, sensitive_features=sensitive_features)

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
            Random deals that tell what chance gives; 0 for none.
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
            features, groups = self._split(X, sensitive_features, reset=False)
            samples = features, self.transport_._known_labels(groups, features.shape[0])
        return self.transport_._report_on(samples, self.weights, n_permutations, max_samples)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Give the names of the repaired features: those of X less the sensitive columns."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        return np.delete(names, self._sensitive_positions)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fit to one safetensors file, which the program `lbw` reads too."""
        check_is_fitted(self)
        weights = self.weights
        if weights is not None:
            weights = self.transport_._weights_of(weights).tolist()
        state = {
            "amount": self.amount,
            "weights": weights,
            "sensitive_columns": _plain_columns(self.sensitive_columns),
            "n_features_in": int(self.n_features_in_),
            "feature_names_in": getattr(self, "feature_names_in_", np.empty(0)).tolist(),
            "sensitive_positions": list(self._sensitive_positions),
        }
        self.transport_._save(path, {"repair": json.dumps(state)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GroupRepair:
        """Read a file of `save`, or any model of `lbw fit` as a repair of its groups."""
        transport = LocalTransport.load(path)
        state = json.loads(transport._model.notes.get("repair", "{}"))
        own = ("amount", "weights", "sensitive_columns")
        params = transport.get_params()
        params.pop("refine_weights")  # it is `weights`
        repair = cls(**params, **{name: state[name] for name in own if name in state})
        repair.transport_ = transport
        repair.groups_ = transport.groups_
        repair.n_iter_ = transport.n_iter_
        repair.n_features_in_ = state.get("n_features_in", transport.n_features_in_)
        repair._sensitive_positions = state.get("sensitive_positions", [])
        if state.get("feature_names_in"):
            repair.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
        return repair

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether there is a fit."""
        return hasattr(self, "groups_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what this estimator keeps."""
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _split(self, X: Any, sensitive: Any, *, reset: bool) -> tuple[SampleArray, Any]:
        """Part X into features and the group of every row."""
        if self.sensitive_columns is None:
            if sensitive is None:
                raise ValueError(
                    "GroupRepair does not know the groups: pass sensitive_features=..., the group "
                    "of every row (in a pipeline through metadata routing), or name the columns of "
                    "X that hold them with sensitive_columns=..."
                )
            if reset:
                self._sensitive_positions: list[int] = []
            features = validated(self, X, reset=reset, ensure_min_samples=2 if reset else 1)
            if not reset and np.ndim(to_array(sensitive)) == 0:  # one label stands for all rows
                sensitive = np.full(features.shape[0], sensitive)
            return features, _combined(sensitive, features.shape[0])
        if sensitive is not None:
            raise ValueError(
                "the groups are given twice, by sensitive_features and by sensitive_columns="
                f"{self.sensitive_columns!r}; give one of them"
            )
        return self._split_columns(X, reset=reset)

    def _split_columns(self, X: Any, *, reset: bool) -> tuple[SampleArray, Any]:
        if not is_table(X):
            X = check_array(X, dtype=None, ensure_all_finite=False, input_name="X", estimator=self)
        validate_columns(self, X, reset=reset)
        if reset:
            self._sensitive_positions = self._positions_in(X)
            if len(self._sensitive_positions) == self.n_features_in_:
                raise ValueError(
                    f"X has {self.n_features_in_} feature(s), all sensitive_columns: nothing "
                    "is left to repair"
                )
        columns = columns_of(X, self._sensitive_positions)
        rest = without_columns(X, self._sensitive_positions)
        if is_table(rest):
            refuse_text_columns(rest)
        least = 2 if reset else 1
        features = check_array(
            to_array(rest), input_name="X", estimator=self, ensure_min_samples=least, **_CHECKS
        )
        features = as_core_samples(features)
        names = [str(self._name_of(i)) for i in self._sensitive_positions]
        return features, _joined(columns, names, features.shape[0])

    def _positions_in(self, X: Any) -> list[int]:
        asked = self.sensitive_columns
        if isinstance(asked, (str, Integral)):
            asked = [asked]
        names = column_names(X) if is_table(X) else []
        n_columns = self.n_features_in_
        positions = [_position_of(column, names, n_columns) for column in asked]
        if len(set(positions)) < len(positions):
            raise ValueError(f"sensitive_columns names a column twice: {list(asked)}")
        if not positions:
            raise ValueError("sensitive_columns names no column; leave it None or name one")
        return positions

    def _name_of(self, position: int) -> Any:
        names = getattr(self, "feature_names_in_", None)
        return f"column {position}" if names is None else names[position]


def _position_of(column: Any, names: list[str], n_columns: int) -> int:
    if isinstance(column, str):
        if column not in names:
            known = f"expected one of {names}" if names else "X has no column names"
            raise ValueError(f"sensitive_columns: there is no column {column!r}; {known}")
        return names.index(column)
    position = int(column)
    if not -n_columns <= position < n_columns:
        raise ValueError(
            f"sensitive_columns: there is no column {position}, X has {n_columns} columns"
        )
    return position % n_columns


def _combined(sensitive: Any, n_samples: int) -> Any:
    """Give one label per row, of one column or of several."""
    if is_table(sensitive):
        names = column_names(sensitive)
        return _joined(columns_of(sensitive, list(range(len(names)))), names, n_samples)
    array = np.asarray(to_array(sensitive))
    if array.ndim == 2 and array.shape[1] > 1:
        names = [f"column {i}" for i in range(array.shape[1])]
        return _joined([array[:, i] for i in range(array.shape[1])], names, n_samples)
    return labels_of_rows(array, n_samples, "sensitive_features")


def _joined(columns: list[Any], names: list[str], n_samples: int) -> Any:
    """Give the labels of one column, or 'name=value, name=value' of several."""
    checked = [
        labels_of_rows(column, n_samples, name) for column, name in zip(columns, names, strict=True)
    ]
    if len(checked) == 1:
        return checked[0]
    parts = [
        [f"{name}={value}" for value in column.tolist()]
        for column, name in zip(checked, names, strict=True)
    ]
    return np.array([", ".join(row) for row in zip(*parts, strict=True)])


def _plain_columns(columns: Any) -> Any:
    if columns is None or isinstance(columns, str):
        return columns
    if isinstance(columns, Integral):
        return int(columns)
    return [column if isinstance(column, str) else int(column) for column in columns]
