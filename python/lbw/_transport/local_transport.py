# SPDX-License-Identifier: MIT
"""The local Bures-Wasserstein transport between groups, as an estimator."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin

from .. import _core
from .._batches.batches import as_batches
from .._input.arrays import FloatArray, SampleArray
from .._input.fit_rows import FitRows, rows_of_fit
from .._input.keys import KeyArray, keys_given
from .._input.labels import LabelArray, labels_of_rows
from .._input.mapped_files import mapped_memory
from .._input.unknown_groups import known_rows
from .._input.user_level import user_level
from .._input.validation import (
    check_fitted,
    sklearn_errors,
    unfitted_on_error,
    validate_parameters,
    validated,
)
from .._mixture.gaussian_mixture import GaussianMixture
from .._options.names import n_threads_of
from .._options.presented import parametrized, public
from .._options.transport import LocalTransportParameters
from .batch_transport import BatchTransport, fit_transport_batches
from .fit_groups import fit_groups, warnings_of
from .fit_quality import warn_of_quality
from .fitted import mixture_of, set_fitted
from .maps import GroupMaps, apply_inverse, apply_map
from .model_notes import assumed_text
from .params import amounts_over, weights_over
from .report import TransportReport, report_on, weighted_rows
from .saved import SavedTransport
from .source_target import takes_source_and_target

__all__ = ["LocalTransport"]


@takes_source_and_target
@parametrized
class LocalTransport(
    OneToOneFeatureMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    BatchTransport,
    SavedTransport,
    LocalTransportParameters,
    BaseEstimator,  # type: ignore[misc]
):
    """Maps between groups of samples, and to their Wasserstein barycenter.

    `LocalTransport` fits one Gaussian mixture per group and couples their components. A point is
    transported by the affine maps of the components that it belongs to. New samples are
    transported from one group to another, or to the Wasserstein barycenter of all groups, without
    refitting.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    groups_ : ndarray of shape (n_groups,)
        The labels of the groups, sorted by `fit`. A model of `lbw fit` keeps its own order.
    mixtures_ : list of GaussianMixture
        The mixture of every group, in the order of `groups_`.
    n_components_ : ndarray of shape (n_groups,)
        The number of components of every group.
    selection_ : dict of ndarray
        The curves of all groups if `n_components` is a criterion: `group`, and the columns of
        `GaussianMixture.selection_`. It can be passed to `pandas.DataFrame`.
    coupling_ : ndarray of shape (n_tuples, n_groups)
        The coupled components: one of every group in each row.
    coupling_masses_ : ndarray of shape (n_tuples,)
        The mass of each row: the transported mass under a plan, and the mean weight of its
        components under a matching.
    dither_ : ndarray of shape (n_features,)
        The width of the noise of every feature, 0 for those that have none. With
        `dither="auto"` it is the width of the widest interval.
    dithered_features_ : list of str or int
        The features that have noise, by name or, without names, by position.
    kept_groups_ : ndarray of shape (n_kept_groups,)
        The groups that were too small to fit and are not moved; see `small_groups`.
    reference_ : label
        The group that the others were coupled to.
    converged_ : bool
        Whether EM converged for every group.
    n_iter_ : int
        The largest number of EM iterations of a group.
    n_features_in_ : int
        The number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features seen in `fit`, if all of them are strings.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw import LocalTransport
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(0, 1, (500, 2)), rng.normal(5, 2, (500, 2))])
    >>> groups = np.repeat(["a", "b"], 500)
    >>> transport = LocalTransport(n_components=1).fit(X, groups)
    >>> transport.transform([[0.0, 0.0]], "a", to="b").round(1)
    array([[5.2, 4.9]])
    """

    _assumed: dict[str, Any] = {}  # parameters of a file that were not known, see `load`
    _start_of_file: str | None = None  # unless it is the default
    _title = ""  # in the lines of `verbose`, if not the name of the class

    def fit(
        self, X: Any, groups: Any = None, sample_weight: Any = None, *, key: Any = None
    ) -> LocalTransport:
        """Fit a mixture to every group and couple their components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), Batches or pyarrow.dataset.Dataset
            The samples of all groups. If the rows of a group are contiguous in a C-ordered array
            of floats, they are not copied. Batches may be larger than memory.
        groups : array-like of shape (n_samples,) or str
            The label of every row's group, or the name of their column in a data set.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            The weights of the samples, or the name of their column. A sample of weight 2 counts
            as two samples, and samples of weight 0 are ignored.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, as in `transform`. It matters with `dither` or `refine`.

        Returns
        -------
        self : object
            Returns the instance itself.
        """
        self._validate_params()
        batches = as_batches(X, group=groups, weight=sample_weight)
        if batches is not None:
            fit_transport_batches(self, batches, key)
            return self
        if groups is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: give "
                "the label of every row's group"
            )
        assumed = assumed_text(self)
        if assumed is not None:
            warnings.warn(assumed, UserWarning, stacklevel=user_level())
        with unfitted_on_error(self):
            X = validated(self, X, reset=True, ensure_min_samples=2)
            with sklearn_errors(self, X):
                keys = None if key is None else keys_given(key, X.shape[0])
                labels = labels_of_rows(groups, X.shape[0], "groups")
                rows = rows_of_fit(X, labels, sample_weight, keys)
                self._fit_rows(rows)
        with mapped_memory(X):
            warn_of_quality(self, rows)
        return self

    def _fit_rows(self, rows: FitRows) -> LocalTransport:
        """Fit rows that have been checked."""
        self._take_fit(*fit_groups(self, rows))
        return self

    def _take_fit(self, model: _core.TransportModel, groups: LabelArray, selection: Any) -> None:
        """Set the fitted attributes and warn of problems."""
        self._take(model, groups)
        self._assumed, self._start_of_file = {}, None
        if selection is not None:
            self.selection_ = selection
        for text, category in warnings_of(self):
            warnings.warn(text, category, stacklevel=user_level())

    def transform(
        self, X: Any, groups: Any, to: Any = None, *, amount: Any = 1.0, key: Any = None
    ) -> Any:
        """Transport samples to a group or to a barycenter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples, seen in `fit` or new.
        groups : label or array-like of shape (n_samples,)
            The group that every row comes from; one label stands for all rows.
        to : label, array-like of shape (n_groups,), dict or None, default=None
            A group, or the weights of a barycenter in the order of `groups_` or by label,
            non-negative and not all 0. They are divided by their sum. If None, the barycenter that
            the model was refined for, or the one of equal weights if it was not refined.
        amount : float or dict, default=1.0
            Interpolation parameter, for all groups or by label, 1 for labels that are left out: 0
            leaves samples where they are.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, such as a customer's number: a whole number or a text.
            Random maps and dither draw by `random_state`, by the values of a row and by its key,
            so a row with a key has the same draws in any call. If None, the key is the number of
            equal rows of the same group before the row in this call: distinct rows depend on
            their values alone, and copies of a row spread. Where values are dithered, it depends
            on all rows of the group in this call, so that equal rows of a training and a test set
            get different noise. To transform one row at a time, as a service does, give keys, or
            all equal rows are sent to the same place.

        Returns
        -------
        X_transported : ndarray of shape (n_samples, n_features)
            The transported samples, float32 if `X` is.
        """
        check_fitted(self)
        validate_parameters(self, "handle_unknown")
        X = validated(self, X, reset=False)
        with sklearn_errors(self, X):
            keys = None if key is None else keys_given(key, X.shape[0])
            return self._by_group(X, groups, to, amount, self.handle_unknown, keys)

    def inverse_transform(self, X: Any, groups: Any, to: Any = None, *, amount: Any = 1.0) -> Any:
        """Transport samples back: the inverse of `transform` with the same arguments.

        For points that were transported by a hard map, it is exact where the map is one to one.
        Where pieces of the map overlap, near the borders of components, the more probable origin
        is returned, so some points do not come back to where they were. With one component per
        group, soft and random maps can be inverted too. With several components they raise an
        error, and so do refined and dithered maps. Rows of unknown groups are left as they are if
        `handle_unknown` is "ignore", and raise an error otherwise.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The transported samples.
        groups : label or array-like of shape (n_samples,)
            The group that every row came from.
        to : label, array-like of shape (n_groups,), dict or None, default=None
            The target of the transport that is inverted.
        amount : float or dict, default=1.0
            Interpolation parameter of the transport that is inverted.

        Returns
        -------
        X_back : ndarray of shape (n_samples, n_features)
            The samples before the transport.
        """
        check_fitted(self)
        validate_parameters(self, "handle_unknown")
        X = validated(self, X, reset=False)
        unknown = "ignore" if self.handle_unknown == "ignore" else "error"  # a mean has no inverse
        with sklearn_errors(self, X):
            return self._by_group(X, groups, to, amount, unknown, apply=apply_inverse)

    def fit_transform(
        self, X: Any, groups: Any, to: Any = None, *, sample_weight: Any = None, key: Any = None
    ) -> Any:
        """Fit, then transport the same samples; see `fit` and `transform`."""
        return self.fit(X, groups, sample_weight, key=key).transform(X, groups, to, key=key)

    def barycenter(self, weights: Any = None) -> GaussianMixture:
        """Return the barycenter of the groups as a mixture.

        Parameters
        ----------
        weights : array-like of shape (n_groups,) or dict, default=None
            The weights in the order of `groups_` or by label (0 for labels that are left out),
            non-negative and not all 0. They are divided by their sum. If None, those that the model
            was refined for, or equal weights if it was not refined.

        Returns
        -------
        mixture : GaussianMixture
            A fitted mixture of one Gaussian per row of `coupling_`.
        """
        check_fitted(self)
        weights = self._weights_of(weights)
        mixture = _core.barycenter(self._model, weights, n_threads_of(self.n_jobs))
        return mixture_of(self, mixture)

    def report(
        self,
        X: Any = None,
        groups: Any = None,
        *,
        weights: Any = None,
        sample_weight: Any = None,
        n_permutations: int = 199,
        max_samples: int = 2000,
    ) -> TransportReport:
        """Evaluate the fit, in tables and in words.

        Without samples, the report describes the model alone. With held-out samples, it also says
        whether transported samples match their target, how far they move, and how well a
        classifier still separates the groups.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), default=None
            Held-out samples, 10 or more of every group that has some.
        groups : array-like of shape (n_samples,), default=None
            The label of every row's group.
        weights : array-like of shape (n_groups,) or dict, default=None
            The weights of the barycenter that is evaluated; they need samples. If None, those that
            the model was refined for, or equal weights if it was not refined.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights of the samples. Whole numbers are numbers of copies if they sum to at most
            `max_samples` in a group. Otherwise, samples are drawn in proportion to their weights.
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
        if (X is None) != (groups is None):
            given, missing = ("X", "groups") if groups is None else ("groups", "X")
            raise ValueError(f"report: {given} is given without {missing}. Give both or neither.")
        if X is None and weights is not None:
            raise ValueError(
                f"report: weights is {weights!r} without X, expected None: a report on the model "
                "alone has no barycenter. Give X and groups too."
            )
        if X is None:
            return self._report_on(None, sample_weight, weights, n_permutations, max_samples)
        X = validated(self, X, reset=False)
        with mapped_memory(X):
            samples = FitRows(X, self._known_labels(groups, X.shape[0]))
            return self._report_on(samples, sample_weight, weights, n_permutations, max_samples)

    def _report_on(
        self,
        samples: FitRows | None,
        sample_weight: Any,
        weights: Any,
        n_permutations: int,
        max_samples: int,
    ) -> TransportReport:
        """Report on samples whose type, shape and labels have been checked."""
        return report_on(
            self._model,
            self.groups_,
            weighted_rows(samples, sample_weight),
            weights=[] if weights is None else self._weights_of(weights).tolist(),
            n_permutations=n_permutations,
            max_samples=max_samples,
            n_jobs=self.n_jobs,
        )

    def _known_labels(self, groups: Any, n_samples: int, where: str = "groups") -> Any:
        """Check that every row has the label of a group of the fit."""
        labels = labels_of_rows(groups, n_samples, where)
        known_rows(labels, self.groups_, where)  # raises, naming a group that is unknown
        return labels

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether the estimator is fitted."""
        return hasattr(self, "groups_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn that groups are required and that the dtype is preserved."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _take(self, model: _core.TransportModel, groups: LabelArray) -> None:
        self._model = model
        set_fitted(self, groups)

    def _weights_of(self, weights: Any) -> FloatArray:
        return weights_over(self.groups_, weights, self._model)

    def _by_group(
        self,
        X: SampleArray,
        groups: Any,
        to: Any,
        amount: Any,
        handle_unknown: str,
        keys: KeyArray | None = None,
        *,
        where: str = "groups",
        apply: Callable[..., SampleArray] = apply_map,
    ) -> SampleArray:
        """Transport every row by the map of its group; `where` says where its label comes from."""
        amounts = amounts_over(self.groups_, amount)
        n_threads = n_threads_of(self.n_jobs)
        maps = GroupMaps(self._model, self.groups_, to, amounts, apply, n_threads)
        return maps.transport(X, groups, keys, where, handle_unknown)


public(globals(), "lbw")
