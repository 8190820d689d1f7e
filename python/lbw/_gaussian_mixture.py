# SPDX-License-Identifier: MIT
"""Gaussian mixtures with scikit-learn's interface."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import FloatArray, PlaceArray, SampleArray, as_places
from ._em_history import EmHistory
from ._estimator import sklearn_errors, unfitted_on_error, validated, validated_weights
from ._far_samples import far_rows, joint_log_densities, log_densities, probabilities
from ._initial import GivenStart, covariances_of, precisions_cholesky, precisions_of
from ._options import (
    COVARIANCE_TYPES,
    STARTS,
    em_options,
    n_threads_of,
    seed_of_draws,
    sklearn_name,
)
from ._progress import FitReporter
from ._selection import CRITERION, numbers_to_try, refuse_weights, selection_table

__all__ = ["GaussianMixture"]

_DEFAULTS = _core.MixtureOptions()

_SINGULAR = (
    "Fitting the mixture model failed because some components have ill-defined empirical "
    "covariance (for instance caused by singleton or collapsed samples). Try to decrease the "
    "number of components, increase reg_covar, or scale the input data."
)


@contextmanager
def _words_for_singular() -> Iterator[None]:
    """Put scikit-learn's sentence before the core's where samples do not span their features."""
    try:
        yield
    except _core.NumericalError as error:
        raise _core.NumericalError(f"{_SINGULAR} {error}") from None


class GaussianMixture(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """Gaussian mixture, fitted by expectation maximisation in C++.

    The interface is that of :class:`sklearn.mixture.GaussianMixture`, so changing the import is
    all. Beyond it: sample weights, `n_jobs`, and `n_components` chosen by a criterion. The same
    input, options and seed give the same bits at any number of threads.

    Parameters
    ----------
    n_components : int or {"aic", "bic", "heldout"}, default=1
        Number of components, or the criterion that chooses it from `n_components_range`: AIC, BIC,
        or the likelihood of one sample in five, held out of the fits that are compared.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        What components share or leave out of their covariances.
    tol : float, default=1e-3
        Stop once a step changes the mean log-likelihood by less.
    reg_covar : float, default=1e-6
        Added to the diagonal of every covariance.
    max_iter : int, default=100
        EM steps allowed.
    n_init : int, default=1
        Independent starts; the one with the best likelihood is kept.
    init_params : {"kmeans", "k-means++", "random", "random_from_data"}, default="kmeans"
        Where EM starts. Each fit goes on from the better of two starts, compared after five steps,
        unless the first converges by then. "random" has one start; with tied covariances its
        means are moved apart, because EM would not separate them.
    weights_init : array-like of shape (n_components,), default=None
        Initial weights; None takes those of the start.
    means_init : array-like of shape (n_components, n_features), default=None
        Initial means; None takes those of the start.
    precisions_init : array-like, default=None
        Initial inverse covariances, of the shape of `covariances_`; None takes those of the start.
    random_state : int, RandomState instance or None, default=None
        Seed of the start and of `sample`. If None, `fit` uses a fixed default seed, so fits are
        reproducible, and `sample` draws new samples in every call, as scikit-learn does.
    warm_start : bool, default=False
        Start from the last fit.
    verbose : int, default=0
        1 shows a bar where tqdm is installed and lines otherwise; 2 lines with the likelihood.
    verbose_interval : int, default=10
        Steps between two lines.
    n_components_range : iterable of int, default=None
        Numbers to choose from where `n_components` is a criterion; None tries 1 to 10.
    start_samples : int or None, default=None
        Start on so many samples before all are used; None lets the core choose, which uses all of
        them unless there are very many.
    precision : {"f64", "f32"}, default="f64"
        What EM computes in; "f32" is about twice as fast.
    n_jobs : int or None, default=None
        Threads; None and -1 use all cores. It never changes a result.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        Weights of the components.
    means_ : ndarray of shape (n_components, n_features)
        Their means.
    covariances_ : ndarray
        Their covariances: (n_components, n_features, n_features) if "full", (n_features,
        n_features) if "tied", (n_components, n_features) if "diag", (n_components,) if
        "spherical".
    precisions_ : ndarray
        Inverses of the covariances, in the same shape.
    precisions_cholesky_ : ndarray
        Their Cholesky factors.
    converged_ : bool
        Whether the tolerance was reached.
    n_iter_ : int
        EM steps of the start that was kept, over all samples, counted as scikit-learn does.
    lower_bound_ : float
        Mean log-likelihood at the beginning of the last step: the last of `lower_bounds_`.
    lower_bounds_ : list of float
        Mean log-likelihood at the beginning of each of the `n_iter_` steps.
    mean_log_likelihood_ : float
        Mean log-likelihood of the fitted mixture on the samples of the fit, by their weights.
    n_components_ : int
        Number of components of the fit.
    selection_ : dict of ndarray
        The curve when a criterion chose: `n_components`, `mean_log_likelihood`, `aic`, `bic`,
        `n_iter` and `converged`; with "heldout" `heldout_log_likelihood`, and all others are of
        the samples that were not held out. A pandas DataFrame takes it as it is.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where all are strings.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw import GaussianMixture
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> mixture = GaussianMixture(n_components=2).fit(X)
    >>> mixture.means_[mixture.predict([[12, 3]])]
    array([[10.,  2.]])
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_components": [
            Interval(Integral, 1, None, closed="left"),
            CRITERION,
        ],
        "covariance_type": [StrOptions(set(COVARIANCE_TYPES))],
        "tol": [Interval(Real, 0.0, None, closed="left")],
        "reg_covar": [Interval(Real, 0.0, None, closed="left")],
        "max_iter": [Interval(Integral, 0, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "init_params": [StrOptions(set(STARTS))],
        "weights_init": ["array-like", None],
        "means_init": ["array-like", None],
        "precisions_init": ["array-like", None],
        "random_state": ["random_state"],
        "warm_start": ["boolean"],
        "verbose": ["verbose"],
        "verbose_interval": [Interval(Integral, 1, None, closed="left")],
        "n_components_range": ["array-like", Iterable, None],
        "start_samples": [Interval(Integral, 1, None, closed="left"), None],
        "precision": [StrOptions({"f64", "f32"})],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_components: int | str = 1,
        *,
        covariance_type: str = "full",
        tol: float = _DEFAULTS.tolerance,
        reg_covar: float = _DEFAULTS.covariance_floor,
        max_iter: int = _DEFAULTS.max_iterations,
        n_init: int = _DEFAULTS.n_init,
        init_params: str = "kmeans",
        weights_init: Any = None,
        means_init: Any = None,
        precisions_init: Any = None,
        random_state: Any = None,
        warm_start: bool = False,
        verbose: int = 0,
        verbose_interval: int = 10,
        n_components_range: Iterable[int] | None = None,
        start_samples: int | None = None,
        precision: str = "f64",
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.init_params = init_params
        self.weights_init = weights_init
        self.means_init = means_init
        self.precisions_init = precisions_init
        self.random_state = random_state
        self.warm_start = warm_start
        self.verbose = verbose
        self.verbose_interval = verbose_interval
        self.n_components_range = n_components_range
        self.start_samples = start_samples
        self.precision = precision
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GaussianMixture:
        """Fit the mixture.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. A C-ordered array of floats is not copied.
        y : Ignored
            Present by convention.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights; 2 counts as the sample twice.

        Returns
        -------
        self : object
            The fitted mixture.
        """
        self._validate_params()
        previous = self._core_mixture() if self.warm_start and self._is_fitted() else None
        with unfitted_on_error(self):
            X = validated(self, X, reset=True, ensure_min_samples=2)
            weights = validated_weights(sample_weight, X)
            with sklearn_errors(self, X), _words_for_singular():
                if isinstance(self.n_components, str):
                    self._select(X, weights)
                else:
                    self._fit_one(X, weights, previous)
        if not self.converged_ and self.max_iter > 0:
            warnings.warn(
                "Best performing initialization did not converge. Try different init parameters, "
                "or increase max_iter, tol, or check for degenerate data.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> PlaceArray:
        """Fit the mixture and give the component of every sample."""
        return self.fit(X, y, sample_weight).predict(X)

    def predict(self, X: Any) -> PlaceArray:
        """Give the most probable component of every sample."""
        labels = self._over_samples(_core.labels, X, lambda joint: joint.argmax(axis=1))
        return as_places(labels)

    def predict_proba(self, X: Any) -> SampleArray:
        """Give the probability of every component for every sample.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_components)
            Each row sums to 1, unless a sample is so far away that its density under every
            component is 0: its row is then 0. float32 if `X` and the parameters are.
        """
        X = self._checked(X)
        shares = self._over_samples(_core.responsibilities, X, probabilities)
        return self._in_type_of(X, shares)

    def score_samples(self, X: Any) -> SampleArray:
        """Give the log-likelihood of every sample.

        Returns
        -------
        log_likelihoods : ndarray of shape (n_samples,)
            -inf for a sample so far away that its squared distance overflows. float32 if `X` and
            the parameters are.
        """
        X = self._checked(X)
        return self._in_type_of(X, self._over_samples(_core.log_density, X, log_densities))

    def score(self, X: Any, y: Any = None) -> float:
        """Give the mean log-likelihood of the samples."""
        X = self._checked(X)
        try:
            return float(_core.mean_log_likelihood(self._core_mixture(), X, self._n_threads()))
        except _core.InvalidArgument:
            return float(self.score_samples(X).mean())

    def aic(self, X: Any) -> float:
        """Give Akaike's criterion on the samples; lower is better."""
        X = self._checked(X)
        return 2.0 * self._n_parameters() - 2.0 * len(X) * self.score(X)

    def bic(self, X: Any) -> float:
        """Give Bayes' criterion on the samples; lower is better."""
        X = self._checked(X)
        return float(self._n_parameters() * np.log(len(X))) - 2.0 * len(X) * self.score(X)

    def sample(self, n_samples: int = 1) -> tuple[FloatArray, PlaceArray]:
        """Draw independent samples, and the component that each came from.

        Parameters
        ----------
        n_samples : int, default=1
            How many.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
            The samples, a function of the mixture and `random_state` alone; new ones in every
            call if that is None or a RandomState instance.
        y : ndarray of shape (n_samples,)
            Their components.
        """
        check_is_fitted(self)
        if n_samples < 1:
            raise ValueError(
                f"Invalid value for 'n_samples': {n_samples} . The sampling requires at least one "
                "sample."
            )
        mixture = self._core_mixture(self.covariances_)
        X, y = _core.sample(mixture, n_samples, seed_of_draws(self.random_state))
        return X, as_places(y)

    @property
    def precisions_cholesky_(self) -> SampleArray:
        """Cholesky factors of the precisions.

        Those of `covariances_` unless set. Densities and predictions use factors that were set,
        as in scikit-learn.
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
        """Give the parameters before they were rounded to float32, unless changed since."""
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
        """Tell scikit-learn whether there is a fit."""
        return self._is_fitted()

    def _n_parameters(self) -> int:
        return self._core_mixture().n_parameters

    def _n_threads(self) -> int:
        return n_threads_of(self.n_jobs)

    def _checked(self, X: Any) -> SampleArray:
        check_is_fitted(self)
        return validated(self, X, reset=False)

    def _in_type_of(self, X: SampleArray, values: FloatArray) -> SampleArray:
        return values.astype(np.result_type(X.dtype, self.means_.dtype), copy=False)

    def _over_samples(
        self, function: Any, X: Any, of_joint: Callable[[FloatArray], NDArray[Any]]
    ) -> NDArray[Any]:
        """Give the core's answer for every sample, and `of_joint` for those it cannot take."""
        X = self._checked(X)
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
        """Give the parameters to the core: the covariances, or those of factors that were set."""
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

    def _core_options(self) -> _core.MixtureOptions:
        options = em_options(self)
        options.covariance_floor = self.reg_covar
        options.start = STARTS[self.init_params]
        return options

    def _fit_one(
        self, X: SampleArray, weights: FloatArray | None, previous: _core.Mixture | None
    ) -> None:
        n_components = int(self.n_components)
        if X.shape[0] < n_components:
            raise ValueError(
                f"Expected n_samples >= n_components but got n_components = {n_components}, "
                f"n_samples = {X.shape[0]}"
            )
        options = self._core_options()
        options.n_components = n_components
        options.initial = previous
        given = GivenStart.of(self, n_features=X.shape[1])
        with FitReporter(type(self).__name__, self.verbose, self.verbose_interval) as reporter:
            if previous is None and given.any:
                fit, n_copies = given.best_fit(X, options, weights, reporter.callback)
            else:
                fit = _core.fit_mixture(X, options, weights, reporter.callback)
                n_copies = fit.copied_components
        if n_copies > 0:
            n_distinct = n_components - n_copies
            warnings.warn(
                f"X has {n_distinct} distinct samples, fewer than n_components="
                f"{n_components}. Only {n_distinct} components are distinct, the others are "
                "copies of them that share their weights. Reduce n_components.",
                ConvergenceWarning,
                stacklevel=4,
            )
        self._take(fit, X.dtype, self.lower_bound_ if previous is not None else None)

    def _select(self, X: SampleArray, weights: FloatArray | None) -> None:
        refuse_weights(str(self.n_components), weights)
        if GivenStart.of(self, n_features=X.shape[1]).any:
            raise ValueError(
                f"n_components={self.n_components!r} leaves no place for weights_init, means_init "
                "or precisions_init; give a number of components"
            )
        numbers = numbers_to_try(self.n_components_range)
        with FitReporter(type(self).__name__, self.verbose, 1) as reporter:
            result = _core.select_components(
                X, numbers, str(self.n_components), self._core_options(), reporter.on_point
            )
        self._take(result.fit, X.dtype)
        self.selection_ = selection_table(result.curve)

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
        """Make a fitted estimator of one of the core's mixtures."""
        estimator = cls(
            len(mixture.weights), covariance_type=sklearn_name(mixture.covariance_type), **params
        )
        estimator._take_mixture(mixture)
        estimator.n_features_in_ = mixture.means.shape[1]
        return estimator
