# SPDX-License-Identifier: MIT
"""The local Bures-Wasserstein transport between groups, as an estimator."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._arrays import FloatArray, SampleArray, as_places
from ._carry import carry, carry_back
from ._estimator import sklearn_errors, unfitted_on_error, validated, validated_weights
from ._gaussian_mixture import GaussianMixture
from ._keys import KeyArray, keys_given
from ._labels import (
    LabelledRows,
    labels_from_text,
    labels_of_rows,
    labels_to_text,
    names_of,
    rows_from,
    rows_with,
)
from ._options import COVARIANCE_TYPES, n_threads_of
from ._progress import FitReporter
from ._report import TransportReport, report_on
from ._selection import (
    CRITERION,
    common_number,
    numbers_to_try,
    refuse_weights,
    selection_of_groups,
)
from ._tables import to_array
from ._transport_params import (
    amounts_over,
    core_options,
    dither_widths,
    params_of,
    place_in,
    set_numbers,
    weights_over,
)
from ._unknown import HANDLE_UNKNOWN, known_rows, mean_over_groups, refuse_many_groups

__all__ = ["LocalTransport"]

_DEFAULTS = _core.TransportOptions()


class LocalTransport(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Maps between groups of samples, and to their Wasserstein barycenter.

    Every group gets a Gaussian mixture; components of different groups are coupled; a point is
    carried by the affine map of the component it lies in. Points that were not in the fit are
    carried as well as those that were.

    Parameters
    ----------
    n_components : int, dict, array-like of shape (n_groups,) or {"aic", "bic", "heldout"}, \
default=10
        Components of every group's mixture. Unless they are matched, groups may differ: a number
        per label, or one per group in the order of `groups_`. A criterion chooses from
        `n_components_range`: for every group its own number; for groups that are matched, which
        need as many each, the one that is best for all together.
    n_components_range : iterable of int, default=None
        Numbers to choose from where `n_components` is a criterion; None tries 1 to 10.
    covariance_type : {"full", "tied", "diag", "spherical"}, default="full"
        What components share or leave out of their covariances.
    covariance_floor : float, default=1e-6
        Added to the diagonal of every covariance, in squared units of the data.
    relative_covariance_floor : float, default=0.0
        Added to it, this much of every feature's own variance.
    shrinkage : float or "auto", default=0.0
        How far covariances are drawn towards equal variances, from 0 to 1: for few samples in
        many features. "auto" chooses it by the samples of every component.
    coupling : {"matching", "plan", "multimarginal"}, default="plan"
        How components of different groups are coupled: one to one, whatever they weigh;
        by optimal plans between their weights, of every group to the reference, which keep mass
        and may split components; or by one plan of all groups at once, without a reference.
    cost : {"means", "bures"}, default="means"
        What a pair of components costs: the squared distance of their means, or the squared
        Bures-Wasserstein distance, in which covariances count too.
    map : {"hard", "soft", "random"}, default="soft"
        How a point is transported. "soft" sends it to the average of where all components send it,
        weighted by their probabilities, so that neighbours stay together: for domain adaptation
        and colours. "random" draws a component and a partner with these probabilities, as a
        function of `random_state`, the point and its key (see `transform`), and reproduces the
        distribution of the target: for barycenters and parity. "hard" takes the most probable
        component and has an inverse.
    dither : float or "auto", default=0.0
        Noise for features that take few values, such as whole numbers or 0 and 1. Their values
        are transported to a few places, other ones for every group, which gives the group away.
        "auto" spreads every value over the gaps to its neighbours, also where the gaps differ and
        where many samples share a value of a feature that is else continuous, such as 0. A number
        is the width of the noise as a fraction of the step, for values at equal steps: 1 closes
        the gaps. 0 adds none. The noise of a point is a function of `random_state`, of the point
        and of its key; `dithered_features_` tells which features have it.
    refine : int, default=0
        Sliced steps that bring groups closer to each other at the barycenter than mixtures can:
        random rotations, and monotone maps of every axis. They lead to the barycenter of
        `refine_weights` alone.
    refine_weights : array-like of shape (n_groups,), dict or None, default=None
        The barycenter that the steps lead to; None is the one of equal weights.
    scale_features : bool, default=False
        Whether components are coupled, mapped and averaged with every feature divided by its
        standard deviation over all groups, so that the units of the features do not matter. False
        measures distances in the features as they are, as in the paper.
    group_shrinkage : float or "auto", default=0.0
        How far the mean, variances and correlations of every group are drawn towards those of all
        samples, from 0 to 1. "auto" draws by the fraction of each difference that sampling noise
        explains, which vanishes for large groups.
    small_groups : {"error", "keep"}, default="error"
        What happens to a group of a single sample, which has no spread to learn. "keep" leaves its
        rows where they are, with a warning, and fits the others as if it were absent.
    reference : label or None, default=None
        The group that the others are coupled to; None is the first of `groups_`. With two groups
        it makes no difference.
    handle_unknown : {"error", "ignore", "barycenter"}, default="error"
        How `transform` treats rows whose group was not seen in `fit`. "error" raises an error,
        "ignore" leaves these rows as they are, and "barycenter" moves each to the mean of where the
        maps of all groups send it. The weights of this mean are the probabilities that the row came
        from each group, by the densities of their mixtures and with equal probabilities beforehand.
    n_init : int, default=1
        Independent starts of every mixture; the one with the best likelihood is kept.
    tol : float, default=1e-3
        Stop EM once a step changes the mean log-likelihood by less.
    max_iter : int, default=100
        EM steps allowed.
    start_samples : int or None, default=None
        Start EM on so many samples before all are used; None lets the core choose.
    precision : {"f64", "f32"}, default="f64"
        What EM computes in; "f32" is about twice as fast.
    random_state : int, RandomState instance or None, default=None
        Seed. None is a seed too, always the same one.
    n_jobs : int or None, default=None
        Threads; None and -1 use all cores. It never changes a result.
    verbose : int, default=0
        1 shows a bar where tqdm is installed and lines otherwise; 2 lines with the likelihood.

    Attributes
    ----------
    groups_ : ndarray of shape (n_groups,)
        Labels of the groups, sorted.
    mixtures_ : list of GaussianMixture
        The mixture of every group, in the order of `groups_`.
    n_components_ : ndarray of shape (n_groups,)
        How many components each has.
    selection_ : dict of ndarray
        The curves of all groups when a criterion chose: `group`, and the columns of
        `GaussianMixture.selection_`. A pandas DataFrame takes it as it is.
    coupling_ : ndarray of shape (n_tuples, n_groups)
        Components that belong together: one of every group in each row.
    coupling_masses_ : ndarray of shape (n_tuples,)
        The mass of each row: what goes along it under a plan, the mean of what its members weigh
        under a matching.
    dither_ : ndarray of shape (n_features,)
        The width of the noise of every feature, 0 for those that have none. With
        `dither="auto"` it is the width of the widest interval.
    dithered_features_ : list of str or int
        The features that have noise, by name or, without names, by position.
    kept_groups_ : ndarray of shape (n_kept_groups,)
        Groups that were too small to fit and are left where they are; see `small_groups`.
    reference_ : label
        The group that the others were coupled to.
    converged_ : bool
        Whether every group's fit reached the tolerance.
    n_iter_ : int
        EM steps of the group that took most.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where all are strings.

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

    _parameter_constraints: dict[str, Any] = {
        "n_components": [Interval(Integral, 1, None, closed="left"), dict, "array-like", CRITERION],
        "n_components_range": ["array-like", Iterable, None],
        "covariance_type": [StrOptions(set(COVARIANCE_TYPES))],
        "covariance_floor": [Interval(Real, 0.0, None, closed="left")],
        "relative_covariance_floor": [Interval(Real, 0.0, None, closed="left")],
        "shrinkage": [Interval(Real, 0.0, 1.0, closed="both"), StrOptions({"auto"})],
        "dither": [Interval(Real, 0.0, 1.0, closed="both"), StrOptions({"auto"})],
        "refine": [Interval(Integral, 0, None, closed="left")],
        "refine_weights": ["array-like", dict, None],
        "scale_features": ["boolean"],
        "group_shrinkage": [Interval(Real, 0.0, 1.0, closed="both"), StrOptions({"auto"})],
        "small_groups": [StrOptions({"error", "keep"})],
        "coupling": [StrOptions({"matching", "plan", "multimarginal"})],
        "cost": [StrOptions({"means", "bures"})],
        "map": [StrOptions({"hard", "soft", "random"})],
        "reference": "no_validation",
        "handle_unknown": [HANDLE_UNKNOWN],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0.0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "start_samples": [Interval(Integral, 1, None, closed="left"), None],
        "precision": [StrOptions({"f64", "f32"})],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_components: Any = 10,
        *,
        n_components_range: Iterable[int] | None = None,
        covariance_type: str = "full",
        covariance_floor: float = _DEFAULTS.mixture.covariance_floor,
        relative_covariance_floor: float = _DEFAULTS.mixture.relative_covariance_floor,
        shrinkage: float | str = 0.0,
        coupling: str = _DEFAULTS.coupling,
        cost: str = _DEFAULTS.cost,
        map: str = "soft",
        dither: float | str = 0.0,
        refine: int = _DEFAULTS.refine,
        refine_weights: Any = None,
        scale_features: bool = _DEFAULTS.scale_features,
        group_shrinkage: float | str = 0.0,
        small_groups: str = _DEFAULTS.small_groups,
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
        self.covariance_type = covariance_type
        self.covariance_floor = covariance_floor
        self.relative_covariance_floor = relative_covariance_floor
        self.shrinkage = shrinkage
        self.coupling = coupling
        self.cost = cost
        self.map = map
        self.dither = dither
        self.refine = refine
        self.refine_weights = refine_weights
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
        self, X: Any, groups: Any, sample_weight: Any = None, *, key: Any = None
    ) -> LocalTransport:
        """Fit a mixture to every group and couple their components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples of all groups. Where the rows of a group follow one another in a C-ordered
            array of floats, they are not copied.
        groups : array-like of shape (n_samples,)
            The label of every row's group.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights; 2 counts as the sample twice.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, as in `transform`. It matters with `dither` or `refine`.

        Returns
        -------
        self : object
            The fitted transport.
        """
        self._validate_params()
        if groups is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: give "
                "the label of every row's group"
            )
        with unfitted_on_error(self):
            X = validated(self, X, reset=True, ensure_min_samples=2)
            with sklearn_errors(self, X):
                keys = None if key is None else keys_given(key, X.shape[0])
                return self._fit_checked(X, groups, sample_weight, keys)

    def _fit_checked(
        self, X: SampleArray, groups: Any, sample_weight: Any, keys: KeyArray | None = None
    ) -> LocalTransport:
        """Fit samples whose type and shape have been checked."""
        labels = labels_of_rows(groups, X.shape[0], "groups")
        self._fit_groups(X, labels, validated_weights(sample_weight, X), keys)
        if len(self.kept_groups_):
            warnings.warn(
                f"Groups too small to fit (1 sample): {', '.join(map(str, self.kept_groups_))}. "
                "Their rows are left where they are; the other groups are fitted without them.",
                UserWarning,
                stacklevel=3,
            )
        for text in _core.fit_warnings(self._model):
            warnings.warn(text, UserWarning, stacklevel=3)
        if not self.converged_:
            slow = [
                str(group)
                for group, report in zip(self.groups_, self._model.reports, strict=True)
                if not report.converged
            ]
            warnings.warn(
                f"EM did not converge in {self.max_iter} steps for groups: {', '.join(slow)}. "
                "Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def transform(
        self, X: Any, groups: Any, to: Any = None, *, amount: Any = 1.0, key: Any = None
    ) -> Any:
        """Carry samples to a group or to a barycenter.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, seen in the fit or not.
        groups : label or array-like of shape (n_samples,)
            The group that every row comes from; one label stands for all rows.
        to : label, array-like of shape (n_groups,), dict or None, default=None
            A group, or the weights of a barycenter in the order of `groups_` or by label,
            non-negative and not all 0; they are divided by their sum. None is the barycenter of
            equal weights.
        amount : float or dict, default=1.0
            Interpolation parameter, for all groups or by label: 0 leaves samples where they are.
        key : array-like of shape (n_samples,), default=None
            An identifier of every row, such as a customer's number: a whole number or a text.
            Random maps and dither draw by `random_state`, by the values of a row and by its key,
            so a row with a key has the same draws in any call. If None, the key is the number of
            equal rows of the same group before the row in this call: distinct rows depend on
            their values alone, and copies of a row spread. Where values are dithered, it depends
            on all rows of the group in this call, so that equal rows of a training and a test set
            get different noise. To transform one row at a time, as a
            service does, give keys, or all equal rows go to the same place.

        Returns
        -------
        X_carried : ndarray of shape (n_samples, n_features)
            The carried samples; float32 stays float32.
        """
        check_is_fitted(self)
        X = validated(self, X, reset=False)
        with sklearn_errors(self, X):
            keys = None if key is None else keys_given(key, X.shape[0])
            return self._by_group(X, groups, to, amount, carry, keys)

    def inverse_transform(self, X: Any, groups: Any, to: Any = None, *, amount: Any = 1.0) -> Any:
        """Carry samples back: the inverse of `transform` with the same arguments.

        It is exact for points that a hard map carried; where pieces of the map overlap, the
        likelier origin is taken. Maps that are soft, random or refined have no inverse and are
        refused. Rows of unknown groups are left as they are if `handle_unknown` is "ignore", and
        are refused otherwise.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Carried samples.
        groups : label or array-like of shape (n_samples,)
            The group that every row came from.
        to : label, array-like of shape (n_groups,), dict or None, default=None
            Where it was carried to.
        amount : float or dict, default=1.0
            Interpolation parameter of the transport that is inverted.

        Returns
        -------
        X_back : ndarray of shape (n_samples, n_features)
            Where the samples came from.
        """
        check_is_fitted(self)
        X = validated(self, X, reset=False)
        unknown = "ignore" if self.handle_unknown == "ignore" else "error"  # a mean has no inverse
        with sklearn_errors(self, X):
            return self._by_group(X, groups, to, amount, carry_back, handle_unknown=unknown)

    def fit_transform(
        self, X: Any, groups: Any, to: Any = None, *, sample_weight: Any = None, key: Any = None
    ) -> Any:
        """Fit, then carry the same samples; see `fit` and `transform`."""
        return self.fit(X, groups, sample_weight, key=key).transform(X, groups, to, key=key)

    def barycenter(self, weights: Any = None) -> GaussianMixture:
        """Give the barycenter of the groups as a mixture.

        Parameters
        ----------
        weights : array-like of shape (n_groups,) or dict, default=None
            Weights in the order of `groups_` or by label (0 for labels that are left out),
            non-negative and not all 0; they are divided by their sum. None is equal ones.

        Returns
        -------
        mixture : GaussianMixture
            One Gaussian per row of `coupling_`, fitted: it can be sampled and scored.
        """
        check_is_fitted(self)
        mixture = _core.barycenter(self._model, self._weights_of(weights))
        return self._mixture_of(mixture)

    def report(
        self,
        X: Any = None,
        groups: Any = None,
        *,
        weights: Any = None,
        n_permutations: int = 199,
        max_samples: int = 2000,
    ) -> TransportReport:
        """Tell what the fit is worth, in tables and in words.

        Without samples it is about the model alone. With samples that the fit has not seen it is
        also about what happens to them: whether those carried lie on their target, how far they
        move, and how well a classifier still tells the groups apart.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), default=None
            Samples held out from the fit, 10 or more of every group that has some.
        groups : array-like of shape (n_samples,), default=None
            The label of every row's group.
        weights : array-like of shape (n_groups,) or dict, default=None
            Of the barycenter that is looked at; None is equal ones, or those of a refined fit.
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
        if (X is None) != (groups is None):
            given, missing = ("X", "groups") if groups is None else ("groups", "X")
            raise ValueError(f"report: {given} is given and {missing} is not; give both, or none")
        samples = None
        if X is not None:
            X = validated(self, X, reset=False)
            samples = (X, self._known_labels(groups, X.shape[0]))
        return self._report_on(samples, weights, n_permutations, max_samples)

    def _report_on(
        self,
        samples: tuple[SampleArray, Any] | None,
        weights: Any,
        n_permutations: int,
        max_samples: int,
    ) -> TransportReport:
        """Report on samples whose type, shape and labels have been checked."""
        return report_on(
            self._model,
            self.groups_,
            samples,
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

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fit to one safetensors file, which the program `lbw` reads too.

        Whatever happens, the path holds the old file or the new one.
        """
        self._save(path, {})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> LocalTransport:
        """Read a file of `save` or of `lbw fit`; nothing in it is executed or trusted."""
        model = _core.load_model(os.fspath(path))
        estimator = cls(**params_of(model))
        estimator._take(model, labels_from_text(model.notes.get("labels"), model.group_names))
        return estimator

    def _save(self, path: str | os.PathLike[str], notes: dict[str, str]) -> None:
        check_is_fitted(self)
        model = self._model
        model.notes = {
            "labels": labels_to_text(self.groups_),
            "parameters": json.dumps(self._saved_params()),
            **notes,
        }
        _core.save_model(os.fspath(path), model)

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether there is a fit."""
        return hasattr(self, "groups_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what this estimator needs and keeps."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    def _fit_groups(
        self, X: SampleArray, labels: Any, weights: FloatArray | None, keys: KeyArray | None
    ) -> None:
        labelled = LabelledRows(labels)
        groups = labelled.distinct()
        refuse_many_groups(groups, len(labels), "groups")
        if len(groups) < 2:
            raise ValueError(
                f"groups holds one label only, {groups[0].item()!r}: a transport needs two or more "
                "groups"
            )
        options = core_options(self, groups)
        if self.reference is not None:
            options.reference = names_of(groups)[place_in(groups, self.reference, "reference")]
        names = getattr(self, "feature_names_in_", None)
        options.feature_names = [] if names is None else [str(name) for name in names]
        rows = [labelled.of(group) for group in groups.tolist()]
        parts, group_weights, group_keys = (
            [] if values is None else [rows_from(values, own) for own in rows]
            for values in (X, weights, keys)
        )
        selection = None
        if isinstance(self.n_components, str):
            refuse_weights(self.n_components, weights)
            selection = self._choose(parts, groups, options)
        with FitReporter(type(self).__name__, self.verbose) as reporter:
            model = _core.fit_transport(
                names_of(groups), parts, options, group_weights, reporter.callback, group_keys
            )
        self._take(model, groups)
        if selection is not None:
            self.selection_ = selection
        if self.dither and self.verbose:
            print(f"{type(self).__name__}: {self._dither_text()}", file=sys.stderr)

    def _dither_text(self) -> str:
        """Tell which features take few values and are moved."""
        moved = np.flatnonzero(self.dither_)
        if len(moved) == 0:
            return "dither: no feature takes few values, nothing is moved"
        cells = self._model.dither_cells
        words = [
            f"{name} ({len(cells[f])} value{'s' if len(cells[f]) > 1 else ''})"
            if cells
            else f"{name} by {self.dither_[f]:g}"
            for name, f in zip(self.dithered_features_, moved, strict=True)
        ]
        return f"dither: {len(moved)} of {self.n_features_in_} features: {', '.join(words)}"

    def _choose(
        self, parts: list[SampleArray], groups: Any, options: _core.TransportOptions
    ) -> dict[str, Any]:
        """Set the number of components of every group by the criterion; give the curves."""
        criterion = str(self.n_components)
        numbers = numbers_to_try(self.n_components_range)
        with FitReporter(type(self).__name__, self.verbose) as reporter:
            results = _core.select_components_per_group(
                names_of(groups), parts, numbers, criterion, options.mixture, reporter.on_point
            )
        chosen = [result.n_components for result in results]
        if self.coupling == "matching":
            chosen = [common_number(results, criterion, [len(p) for p in parts])] * len(parts)
        set_numbers(options, chosen)
        return selection_of_groups(groups, results)

    def _take(self, model: _core.TransportModel, groups: Any) -> None:
        self.__dict__.pop("selection_", None)
        self._model = model
        self.groups_ = groups
        self.n_components_ = np.array([len(mixture.weights) for mixture in model.mixtures])
        self.mixtures_ = [self._mixture_of(mixture) for mixture in model.mixtures]
        for mixture, report in zip(self.mixtures_, model.reports, strict=True):
            mixture.converged_ = report.converged
            mixture.n_iter_ = report.iterations
            mixture.mean_log_likelihood_ = report.mean_log_likelihood
        self.coupling_ = as_places(model.tuples)
        self.coupling_masses_ = model.masses
        n_features = model.mixtures[0].means.shape[1]
        self.dither_ = dither_widths(model)
        self.reference_ = groups[model.reference]
        self.kept_groups_ = groups[[model.group_names.index(name) for name in model.kept_groups]]
        self.converged_ = model.converged
        self.n_iter_ = max(report.iterations for report in model.reports)
        self.n_features_in_ = n_features
        if model.feature_names:
            self.feature_names_in_ = np.array(model.feature_names, dtype=object)
        names: list[Any] = model.feature_names or list(range(n_features))
        self.dithered_features_ = [names[f] for f in np.flatnonzero(self.dither_)]

    def _mixture_of(self, mixture: _core.Mixture) -> GaussianMixture:
        return GaussianMixture._of_core(
            mixture,
            reg_covar=self.covariance_floor,
            tol=self.tol,
            max_iter=self.max_iter,
            n_init=self.n_init,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )

    def _place_of(self, label: Any, name: str) -> int:
        return place_in(self.groups_, label, name)

    def _weights_of(self, weights: Any) -> FloatArray:
        return weights_over(self.groups_, weights)

    def _map_from(self, place: int, to: Any, amount: float) -> _core.LocalMap:
        names = self._model.group_names
        if to is not None and not isinstance(to, dict) and np.ndim(to) == 0:
            target = names[self._place_of(to, "to")]
            return _core.map_between(self._model, names[place], target, amount)
        return _core.map_to_barycenter(self._model, names[place], self._weights_of(to), amount)

    def _by_group(
        self,
        X: SampleArray,
        groups: Any,
        to: Any,
        amount: Any,
        move: Callable[..., SampleArray],
        keys: KeyArray | None = None,
        *,
        where: str = "groups",
        handle_unknown: str | None = None,
    ) -> SampleArray:
        """Move every row along the map of its group; `where` tells where its label comes from."""
        if groups is None:
            raise ValueError("groups is None: give the label of every row's group, or one for all")
        handle_unknown = handle_unknown or self.handle_unknown
        n_threads = n_threads_of(self.n_jobs)
        amounts = amounts_over(self.groups_, amount)

        def moved_from(place: int, own: Any, out: SampleArray | None = None) -> SampleArray:
            along = self._map_from(place, to, amounts[place])
            own_keys = None if keys is None else rows_from(keys, own)
            return move(along, rows_from(X, own), n_threads, own_keys, out)

        if np.ndim(to_array(groups)) == 0:
            if rows_with(self.groups_, groups).any():
                return moved_from(self._place_of(groups, where), slice(None))
            groups = np.full(X.shape[0], groups)
        labels = labels_of_rows(groups, X.shape[0], where)
        parts, unknown = known_rows(labels, self.groups_, where, handle_unknown)
        moved = np.empty(X.shape, dtype=X.dtype)
        for place, own in enumerate(parts):
            if isinstance(own, slice):
                moved_from(place, own, moved[own])
            elif len(own):
                moved[own] = moved_from(place, own)
        if len(unknown):
            rows = X[unknown]
            if handle_unknown == "barycenter":
                rows = mean_over_groups(
                    self._model, rows, lambda place: moved_from(place, unknown), n_threads
                )
            moved[unknown] = rows
        return moved

    def _saved_params(self) -> dict[str, Any]:
        """Parameters that the core's file has no place for and that JSON can hold."""
        kept = {"random_state": self.random_state, "n_jobs": self.n_jobs, "verbose": self.verbose}
        kept["handle_unknown"] = self.handle_unknown
        reference = (
            self.reference.item() if isinstance(self.reference, np.generic) else self.reference
        )
        kept["reference"] = reference
        kept["dither"] = self.dither if isinstance(self.dither, str) else float(self.dither)
        kept["group_shrinkage"] = self.group_shrinkage
        kept["small_groups"] = self.small_groups
        if isinstance(self.n_components, str):
            kept["n_components"] = self.n_components
            if self.n_components_range is not None:
                kept["n_components_range"] = numbers_to_try(self.n_components_range)
        if self.refine_weights is not None:
            kept["refine_weights"] = self._weights_of(self.refine_weights).tolist()
        simple = (bool, int, float, str, list)
        return {
            name: value
            for name, value in kept.items()
            if value is None or isinstance(value, simple)
        }
