# SPDX-License-Identifier: MIT
"""Gaussian mixtures with scikit-learn's interface."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, DensityMixin

from .. import _core
from .._batches.batches import as_batches
from .._batches.rounds import Rounds
from .._input.arrays import FloatArray, PlaceArray, SampleArray, as_places
from .._input.mapped_files import mapped_memory
from .._input.validation import (
    check_fitted,
    sklearn_errors,
    unfitted_on_error,
    validated,
    validated_weights,
)
from .._options.checked import whole_number
from .._options.mixture import MixtureParameters
from .._options.names import COVARIANCE_TYPES, n_threads_of, seed_of_draws, sklearn_name
from .._options.presented import parametrized, public
from .covariance_floor import mixture_variances_below_floor, variances_below_floor
from .em_history import EmHistory
from .errors import singular_errors
from .far_samples import far_rows, joint_log_densities, log_densities, probabilities
from .fit_batches import fit_mixture_batches
from .fit_samples import fit_samples
from .fit_warnings import warn_of_convergence, warn_of_floor
from .initial import covariances_of, precisions_cholesky, precisions_of
from .samples import ArraySamples, SourceSamples
from .saved import SavedMixture

__all__ = ["GaussianMixture"]


@parametrized
class GaussianMixture(
    DensityMixin,  # type: ignore[misc]
    SavedMixture,
    MixtureParameters,
    BaseEstimator,  # type: ignore[misc]
):
    """Gaussian mixture, fitted by expectation maximization in C++.

    The interface is that of :class:`sklearn.mixture.GaussianMixture`, so it is enough to change
    the import. In addition, it supports sample weights, `n_jobs`, and `n_components` selected by a
    criterion. Results are bitwise identical for any number of threads.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        The weights of the components.
    means_ : ndarray of shape (n_components, n_features)
        The means of the components.
    covariances_ : ndarray
        The covariances of the components: (n_components, n_features, n_features) if "full",
        (n_features, n_features) if "tied", (n_components, n_features) if "diag", (n_components,)
        if "spherical".
    precisions_ : ndarray
        The inverses of the covariances, in the same shape.
    precisions_cholesky_ : ndarray
        The Cholesky factors of the precisions.
    converged_ : bool
        Whether EM converged.
    n_iter_ : int
        The number of EM iterations of the initialization that was kept, over all samples, counted
        as scikit-learn does.
    lower_bound_ : float
        The mean log-likelihood at the beginning of the last iteration: the last of `lower_bounds_`.
    lower_bounds_ : list of float
        The mean log-likelihood at the beginning of each of the `n_iter_` iterations.
    mean_log_likelihood_ : float
        The weighted mean log-likelihood of the samples of the fit under the fitted mixture.
    n_components_ : int
        The number of components of the fit.
    selection_ : dict of ndarray
        The curve if `n_components` is a criterion: `n_components`, `mean_log_likelihood`, `aic`,
        `bic`, `iterations` and `converged`. "heldout" adds `heldout_log_likelihood`, and the others
        then describe the samples that were not held out. It can be passed to `pandas.DataFrame`.
    n_features_in_ : int
        The number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the features seen in `fit`, if all of them are strings.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw import GaussianMixture
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> mixture = GaussianMixture(n_components=2).fit(X)
    >>> mixture.means_[mixture.predict([[12, 3]])]
    array([[10.,  2.]])
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GaussianMixture:
        """Fit the mixture.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), Batches or pyarrow.dataset.Dataset
            The samples. A C-ordered array of floats is not copied. Batches may be larger than
            memory.
        y : Ignored
            Not used, present for API consistency by convention.
        sample_weight : array-like of shape (n_samples,) or str, default=None
            The weights of the samples, or the name of their column in a data set. A sample of
            weight 2 counts twice.

        Returns
        -------
        self : object
            Returns the instance itself.
        """
        self._validate_params()
        batches = as_batches(X, weight=sample_weight)
        if batches is not None:
            fit_mixture_batches(self, batches)
            return self
        previous = self._core_mixture() if self.warm_start and self._is_fitted() else None
        with unfitted_on_error(self):
            X = validated(self, X, reset=True, ensure_min_samples=2)
            weights = validated_weights(sample_weight, X)
            with sklearn_errors(self, X), singular_errors():
                mixture = fit_samples(self, ArraySamples(X, weights), previous)
        warn_of_convergence(self)
        with mapped_memory(X):
            floor = float(self.reg_covar)
            found = variances_below_floor(mixture, floor, X, weights)
        warn_of_floor(self, found)
        return self

    def _fit_sources(self, rounds: Rounds[Any]) -> GaussianMixture:
        """Fit the rows of the only source of `rounds`."""
        self._validate_params()
        previous = self._core_mixture() if self.warm_start and self._is_fitted() else None
        with unfitted_on_error(self), singular_errors():
            samples = SourceSamples(rounds)
            if samples.n_samples < 2:
                raise ValueError(f"the source has {samples.n_samples} row, expected 2 or more")
            self.n_features_in_ = samples.n_features
            mixture = fit_samples(self, samples, previous)
        warn_of_convergence(self)
        found = mixture_variances_below_floor(mixture, float(self.reg_covar))
        warn_of_floor(self, found)
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> PlaceArray:
        """Fit the mixture and return the component of every sample."""
        return self.fit(X, y, sample_weight).predict(X)

    def predict(self, X: Any) -> PlaceArray:
        """Return the most probable component of every sample."""
        labels = self._over_samples(
            _core.labels, self._checked(X), lambda joint: joint.argmax(axis=1)
        )
        return as_places(labels)

    def predict_proba(self, X: Any) -> SampleArray:
        """Return the probability of every component for every sample.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_components)
            The probabilities. Each row sums to 1, unless a sample is so far away that its density
            under every component is 0: its row is then 0. float32 if `X` and the parameters are.
        """
        X = self._checked(X)
        shares = self._over_samples(_core.responsibilities, X, probabilities)
        return self._in_type_of(X, shares)

    def score_samples(self, X: Any) -> SampleArray:
        """Return the log-likelihood of every sample.

        Returns
        -------
        log_likelihoods : ndarray of shape (n_samples,)
            The log-likelihoods, -inf for a sample so far away that its squared distance overflows.
            float32 if `X` and the parameters are.
        """
        return self._log_likelihoods(self._checked(X))

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log-likelihood of the samples."""
        return self._mean_log_likelihood(self._checked(X))

    def aic(self, X: Any) -> float:
        """Return the Akaike information criterion on the samples; lower is better."""
        X = self._checked(X)
        return 2.0 * self._n_parameters() - 2.0 * len(X) * self._mean_log_likelihood(X)

    def bic(self, X: Any) -> float:
        """Return the Bayesian information criterion on the samples; lower is better."""
        X = self._checked(X)
        return float(self._n_parameters() * np.log(len(X))) - 2.0 * len(
            X
        ) * self._mean_log_likelihood(X)

    def sample(self, n_samples: int = 1) -> tuple[FloatArray, PlaceArray]:
        """Draw independent samples and the components that they come from.

        Parameters
        ----------
        n_samples : int, default=1
            The number of samples.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            The samples, a function of the mixture and `random_state` alone. If `random_state` is
            None or a RandomState instance, every call draws new samples.
        y : ndarray of shape (n_samples,)
            The components of the samples.
        """
        check_fitted(self)
        if whole_number(n_samples, "n_samples", most=2**63 - 1) < 1:
            raise ValueError(
                f"Invalid value for 'n_samples': {n_samples} . The sampling requires at least one "
                "sample."
            )
        mixture = self._core_mixture(self.covariances_)
        X, y = _core.sample(mixture, int(n_samples), seed_of_draws(self.random_state))
        return X, as_places(y)

    @property
    def precisions_cholesky_(self) -> SampleArray:
        """Cholesky factors of the precisions.

        They belong to `covariances_` unless they were set. Densities and predictions use factors
        that were set, as in scikit-learn.
        """
        if self._set_factors is not None:
            return self._set_factors
        covariances = self._learned("covariances_")
        exact = self._exact()
        factors = precisions_cholesky(exact[2] if exact else covariances, self.covariance_type)
        return factors.astype(covariances.dtype, copy=False)

    @precisions_cholesky_.setter
    def precisions_cholesky_(self, factors: SampleArray) -> None:
        self._set_factors = np.asarray(factors)

    @property
    def precisions_(self) -> SampleArray:
        """Inverses of the covariances."""
        if self._set_precisions is not None:
            return self._set_precisions
        return precisions_of(self.precisions_cholesky_, self.covariance_type)

    @precisions_.setter
    def precisions_(self, precisions: SampleArray) -> None:
        self._set_precisions = np.asarray(precisions)

    # What a user has set, and the parameters in double precision where those shown are single.
    _set_factors: SampleArray | None = None
    _set_precisions: SampleArray | None = None
    _doubles: tuple[FloatArray, FloatArray, FloatArray] | None = None

    def _exact(self) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """Return the parameters before they were rounded to float32, unless changed since."""
        if self._doubles is None:
            return None
        shown = (self.weights_, self.means_, self.covariances_)
        unchanged = all(
            np.array_equal(np.asarray(exact, dtype=np.float32), value)
            for exact, value in zip(self._doubles, shown, strict=True)
        )
        return self._doubles if unchanged else None

    def _learned(self, name: str) -> SampleArray:
        # A property that is asked for before the fit must look as if it were not there.
        if name not in vars(self):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return vars(self)[name]  # type: ignore[no-any-return]

    def _is_fitted(self) -> bool:
        return hasattr(self, "weights_")

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether the estimator is fitted."""
        return self._is_fitted()

    def _n_parameters(self) -> int:
        return self._core_mixture().n_parameters

    def _n_threads(self) -> int:
        return n_threads_of(self.n_jobs)

    def _checked(self, X: Any) -> SampleArray:
        check_fitted(self)
        return validated(self, X, reset=False)

    def _in_type_of(self, X: SampleArray, values: FloatArray) -> SampleArray:
        return values.astype(np.result_type(X.dtype, self.means_.dtype), copy=False)

    def _log_likelihoods(self, X: SampleArray) -> SampleArray:
        return self._in_type_of(X, self._over_samples(_core.log_density, X, log_densities))

    def _mean_log_likelihood(self, X: SampleArray) -> float:
        try:
            return float(_core.mean_log_likelihood(self._core_mixture(), X, self._n_threads()))
        except _core.InvalidArgument:
            return float(self._log_likelihoods(X).mean())

    def _over_samples(
        self, function: Any, X: SampleArray, of_joint: Callable[[FloatArray], NDArray[Any]]
    ) -> NDArray[Any]:
        """Apply a function of the core to samples, and `of_joint` to those too large for it."""
        mixture = self._core_mixture()
        with sklearn_errors(self, X):
            try:
                return function(mixture, X, self._n_threads())  # type: ignore[no-any-return]
            except _core.InvalidArgument:
                far = far_rows(X)
                if not far.any() or not np.isfinite(X[far]).all():
                    raise
            near = X.copy()
            near[far] = 0.0
            answer: NDArray[Any] = function(mixture, near, self._n_threads())
            answer[far] = of_joint(joint_log_densities(self, X[far]))
            return answer

    def _core_mixture(self, covariances: SampleArray | None = None) -> _core.Mixture:
        """Return the core's mixture, of `covariances_` or of factors that were set."""
        exact = self._exact()
        if covariances is None and self._set_factors is not None:
            covariances = covariances_of(self._set_factors, self.covariance_type)
            exact = None
        if exact is None:
            shown = self.covariances_ if covariances is None else covariances
            weights = np.asarray(self.weights_, dtype=np.float64)
            exact = (weights / weights.sum(), self.means_, shown)
        parameters = (np.ascontiguousarray(value, dtype=np.float64) for value in exact)
        return _core.Mixture(COVARIANCE_TYPES[self.covariance_type], *parameters)

    def _take(
        self, fit: _core.MixtureFit, dtype: np.dtype[Any], previous: float | None = None
    ) -> None:
        self.__dict__.pop("selection_", None)
        self._take_mixture(fit.mixture, dtype)
        history = EmHistory.of(fit, max_iter=self.max_iter, tol=self.tol, previous=previous)
        self.converged_ = history.converged
        self.n_iter_ = history.n_iter
        self.lower_bound_ = history.lower_bound
        self.lower_bounds_ = history.lower_bounds
        self.mean_log_likelihood_ = fit.mean_log_likelihood

    def _take_mixture(self, mixture: _core.Mixture, dtype: Any = np.float64) -> None:
        doubles = (mixture.weights, mixture.means, mixture.covariances)
        self._doubles = doubles if dtype == np.float32 else None
        self._set_factors = self._set_precisions = None
        self.weights_, self.means_, self.covariances_ = (
            value.astype(dtype, copy=False) for value in doubles
        )
        self.n_components_ = len(self.weights_)

    @classmethod
    def _of_core(cls, mixture: _core.Mixture, **params: Any) -> GaussianMixture:
        """Return a fitted estimator for one of the core's mixtures."""
        estimator = cls(
            len(mixture.weights), covariance_type=sklearn_name(mixture.covariance_type), **params
        )
        estimator._take_mixture(mixture)
        estimator.n_features_in_ = estimator.means_.shape[1]
        return estimator


public(globals(), "lbw")
