# SPDX-License-Identifier: MIT
"""Repair of a classifier's scores so that groups have them alike."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import Bunch, get_tags, indexable
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import (
    _check_sample_weight,
    _num_samples,
    check_is_fitted,
    has_fit_parameter,
)

from . import _core
from ._arrays import FloatArray, PlaceArray
from ._binary_classifier import binary_targets, check_classifier, positive_scores
from ._crossfit import CrossFit, cross_fits, folds_of, one_split, scores_of_rows
from ._estimator import unfitted_on_error
from ._key_column import split_key_column
from ._keys import KeyArray, copies_before, keys_given
from ._labels import LabelArray, rows_with
from ._options import seed_of
from ._row_draws import bits_of_rows, draws_of_rows
from ._score_shrinkage import HeldOutScores, effective_size, noise_fractions
from ._score_tables import ScoreTables, learn_tables
from ._sensitive import groups_are_columns, groups_given, groups_place, split_columns
from ._tables import to_array
from ._transport_params import weights_over
from ._unknown import HANDLE_UNKNOWN, split_by_group

__all__ = ["ScoreRepair"]

_FEW_ROWS = 50  # of a group, fewer are warned of
_NOISE_OF_GAMMA = 0.8687  # times 1 / sqrt(rows): the mean of Kolmogorov's distance of a sample


class ScoreRepair(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Repair a classifier's scores so that every group has the same distribution of scores.

    A row keeps its rank among the scores of its group and gets the score that this rank has on
    average over the groups. This is the Wasserstein barycenter of the groups, which is exact in one
    dimension. Afterwards no threshold tells the groups apart (demographic parity), and scores have
    moved as little as that allows.

    The distribution of every group is learned from rows that the classifier has not seen. For
    every fold of the rows, one classifier is fitted to the others and its scores of this fold are
    the ones that its repair is learned from. Every row is scored by one of these classifiers, which
    is chosen by a random number that belongs to the row. A mean of repaired scores need not have
    parity, because classifiers may agree more in one group than in another.

    The groups are given as in `GroupRepair`. Either pass `sensitive_features` to `fit` and to every
    prediction, which scikit-learn's metadata routing passes through pipelines, or name
    `sensitive_columns` of X, which are used and then dropped, so the classifier never sees them.

    Parameters
    ----------
    classifier : estimator with `predict_proba`
        Of two classes. It is cloned and fitted, unless `cv` is "prefit".
    amount : float, default=1.0
        Interpolation parameter: 0 leaves scores as they are, 1 repairs them. It is read at every
        prediction, so that one fit serves all amounts.
    sensitive_columns : int, str or list of them, default=None
        Columns of X that hold the groups, by name (tables) or position; several columns give a
        group for every combination of their values.
    weights : array-like of shape (n_groups,) or dict, default=None
        Weights of the groups in the barycenter, in the order of `groups_` or by label, 0 for labels
        that are left out; None is equal ones.
    cv : int, splitter, iterable of splits or "prefit", default=5
        A number of folds, in each of which every group and class has its share; or a splitter.
        "prefit" takes the classifier as it is and the scores of the rows given, which should not be
        those it was fitted to.
    ensemble : bool or "mean", default=True
        Which classifiers predict. True takes those of all folds, and each row is scored by one of
        them, so the scores of all groups have one distribution. "mean" averages their repaired
        scores, which raises the AUC of classifiers that vary from fit to fit. Parity then holds for
        smooth scores, as those of linear models, forests and boosting, and not for small trees.
        False fits a single classifier. The first half of the folds, two of five, is held out for
        the distributions, and the classifier is fitted to the other rows. This gives one model to
        ship, whose repair keeps the order of scores within a group, at the price of fewer rows for
        both.
    ties : {"spread", "keep"}, default="spread"
        Where rows of equal score go, which are common with nearest neighbors or small trees.
        "spread" distributes them over all places that they take in the ranking of their group, by
        a random number that belongs to the row. "keep" sends all of them to the middle of these
        places, which leaves the groups apart. Scores that differ by no more than rounding count
        as equal: a relative 1e-12 in float64 and 4e-6 in float32, and near 0 the same fraction of
        the next higher score, so that 0 and 1e-17 are one score beside 0.01.
    key_column : int or str, default=None
        Column of X with a key for every row, by name (tables) or position. It is used and then
        dropped. Integers count modulo 2^64, strings by their 64-bit FNV-1a hash. Keys tell equal
        rows apart, see Notes.
    handle_unknown : {"error", "ignore", "barycenter"}, default="error"
        How rows of a group that was not seen in `fit` are scored. "error" raises an error, "ignore"
        leaves the classifier's score as it is, and "barycenter" ranks the row among the scores of
        all groups together, each with its weight, and gives it the score of that rank. It is read
        at every prediction.
    small_groups : {"error", "keep"}, default="error"
        How `fit` treats a group that a classifier has no held-out row of, such as a group of fewer
        rows than folds. "keep" leaves its scores where they are, with a warning, and repairs the
        others as if it were absent.
    n_levels : int, default=257
        Quantiles kept of every group, which tell shares to 1 / (n_levels - 1).
    random_state : int, RandomState instance or None, default=None
        Seed of the folds and of the random numbers of rows. If None, a fixed default seed is used,
        so results are reproducible.
    n_jobs : int or None, default=None
        Folds fitted at a time, by joblib. It never changes a result.

    Attributes
    ----------
    classifiers_ : list of estimators
        The classifiers whose scores are repaired, one for every fold or a single one.
    classes_ : ndarray of shape (2,)
        The classes; scores are probabilities of the second.
    groups_ : ndarray of shape (n_groups,)
        Labels of the groups, sorted.
    quantiles_ : ndarray of shape (n_classifiers, n_groups, n_levels)
        Scores of every group at equally spaced levels from 0 to 1.
    common_quantiles_ : ndarray of shape (n_classifiers, n_levels)
        Their weighted mean over the groups, where all of them go.
    kept_groups_ : ndarray of shape (n_kept_groups,)
        Groups that were too small to repair and are left where they are; see `small_groups`.
    n_features_in_ : int
        Number of columns seen in `fit`, with the sensitive ones; as far as the classifier tells.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where all are strings.

    Notes
    -----
    The random number of a row is a function of `random_state`, its values and its key. Without
    keys, the key of a row is the number of equal rows of its group before it in the same call.
    Distinct rows therefore get the same score in any batch and order, and copies of a row share
    out the places of their score. A service that scores one row at a time sees no copies and gives
    all of them one score. To spread them, pass a key that belongs to the case, such as the number
    of the customer: the same case then gets the same score every time.

    The distribution of a small group is drawn towards that of all rows by the fraction of their
    difference that sampling noise explains, which vanishes for large groups. A group that does not
    differ beyond noise is therefore left about where it is, and does not distort the others. `fit`
    warns of groups of fewer than 50 rows.

    Scores beyond all that a group had in the fit are shifted as its last one is, and clipped to
    the range from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from lbw import ScoreRepair
    >>> rng = np.random.default_rng(0)
    >>> group = rng.integers(2, size=2000)
    >>> X = np.column_stack([rng.normal(size=2000) + group, group])
    >>> y = X[:, 0] + rng.normal(size=2000) > 0.5
    >>> repair = ScoreRepair(LogisticRegression(), sensitive_columns=1).fit(X, y)
    >>> score = repair.predict_proba(X)[:, 1]
    >>> [round(float(score[group == g].mean()), 1) for g in (0, 1)]
    [0.5, 0.5]
    """

    _parameter_constraints: dict[str, Any] = {
        "classifier": [HasMethods("fit")],
        "amount": [Interval(Real, 0.0, 1.0, closed="both")],
        "sensitive_columns": [Integral, str, "array-like", None],
        "weights": ["array-like", dict, None],
        "cv": ["cv_object", StrOptions({"prefit"})],
        "ensemble": ["boolean", StrOptions({"mean"})],
        "ties": [StrOptions({"spread", "keep"})],
        "key_column": [Integral, str, None],
        "handle_unknown": [HANDLE_UNKNOWN],
        "small_groups": [StrOptions({"error", "keep"})],
        "n_levels": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        classifier: Any,
        *,
        amount: float = 1.0,
        sensitive_columns: Any = None,
        weights: Any = None,
        cv: Any = 5,
        ensemble: bool | str = True,
        ties: str = "spread",
        key_column: int | str | None = None,
        handle_unknown: str = "error",
        small_groups: str = "error",
        n_levels: int = _core.default_quantile_levels,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.classifier = classifier
        self.amount = amount
        self.sensitive_columns = sensitive_columns
        self.weights = weights
        self.cv = cv
        self.ensemble = ensemble
        self.ties = ties
        self.key_column = key_column
        self.handle_unknown = handle_unknown
        self.small_groups = small_groups
        self.n_levels = n_levels
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        sensitive_features: Any = None,
        **params: Any,
    ) -> ScoreRepair:
        """Fit the classifier and learn the scores of every group.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Whatever the classifier takes, with the sensitive columns if there are any.
        y : array-like of shape (n_samples,)
            Classes, two of them; not needed where `cv` is "prefit".
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, for the classifier and for the distributions of the scores.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, unless `sensitive_columns` says where it is in X.
        **params : dict
            Passed to `fit` of the classifier; under metadata routing to whoever asks for them.

        Returns
        -------
        self : object
            The fitted repair.
        """
        self._validate_params()
        check_classifier(self.classifier, prefit=self._is_prefit())
        with unfitted_on_error(self):
            features, groups, _ = self._split(X, sensitive_features, None, reset=True)
            self._seed = seed_of(self.random_state)
            labels = np.unique(groups)
            if len(labels) < 2:
                raise ValueError(
                    f"there is one group only, {labels[0].item()!r}: a repair needs two or more"
                )
            weights = weights_over(labels, self.weights)
            if sample_weight is not None:
                sample_weight = _check_sample_weight(
                    to_array(sample_weight), features, dtype=np.float64, ensure_non_negative=True
                )
            routed = self._routed_fit(sample_weight, sensitive_features, params)
            if self._is_prefit():
                fits = [self._as_fitted(features, routed)]
            else:
                y = binary_targets(y, X, type(self).__name__)
                fits = self._cross_fitted(features, y, groups, routed)
            sizes = self._learn(fits, groups, labels, weights, sample_weight)
            self._take_features()
        self._warn_of_small_groups(sizes)
        return self

    def predict_proba(
        self, X: Any, *, sensitive_features: Any = None, key: Any = None, **params: Any
    ) -> FloatArray:
        """Give the repaired probabilities of both classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows, seen in the fit or not.
        sensitive_features : label or array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, or one for all, unless `sensitive_columns` says where it is in
            X.
        key : array-like of shape (n_samples,), default=None
            A key for every row, integers or strings, unless `key_column` says where it is in X. A
            row with the same values and key gets the same score in every call. If None, equal rows
            of a group are numbered in their order.
        **params : dict
            Under metadata routing passed to `predict_proba` of the classifier, if it asks for them.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, 2)
            In the order of `classes_`.
        """
        scores = self._repaired("predict_proba", X, sensitive_features, key, params)
        return np.column_stack([1.0 - scores, scores])

    def predict(
        self, X: Any, *, sensitive_features: Any = None, key: Any = None, **params: Any
    ) -> Any:
        """Give the class of every row: the second where its repaired score is over 1/2.

        The arguments are those of `predict_proba`.
        """
        return self._classes_at(self._repaired("predict", X, sensitive_features, key, params))

    def score(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        sensitive_features: Any = None,
        key: Any = None,
        **params: Any,
    ) -> float:
        """Give the share of rows whose class is predicted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            What each row counts.
        sensitive_features : label or array-like of shape (n_samples,) or (n_samples, n_columns)
            As in `predict_proba`.
        key : array-like of shape (n_samples,), default=None
            As in `predict_proba`.
        **params : dict
            As in `predict_proba`.

        Returns
        -------
        accuracy : float
            From 0 to 1.
        """
        scores = self._repaired("score", X, sensitive_features, key, params)
        return float(
            accuracy_score(to_array(y), self._classes_at(scores), sample_weight=sample_weight)
        )

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell scikit-learn what is asked for here, by the classifier and by the splitter."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for caller in ("fit", "predict_proba", "predict", "score"):
            mapping.add(caller=caller, callee="predict_proba")
        splitting = MethodMapping().add(caller="fit", callee="split")
        return (
            MetadataRouter(owner=self)
            .add_self_request(self)
            .add(classifier=self.classifier, method_mapping=mapping)
            .add(splitter=self.cv, method_mapping=splitting)
        )

    def __sklearn_is_fitted__(self) -> bool:
        """Tell scikit-learn whether there is a fit."""
        return hasattr(self, "quantiles_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what this estimator takes: what the classifier does, of two classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        taken = get_tags(self.classifier).input_tags
        tags.input_tags.allow_nan = taken.allow_nan
        tags.input_tags.sparse = taken.sparse and self.sensitive_columns is None
        return tags

    def _is_prefit(self) -> bool:
        return isinstance(self.cv, str)

    def _is_mean(self) -> bool:
        return isinstance(self.ensemble, str)

    def _split(
        self, X: Any, sensitive: Any, key: Any, *, reset: bool
    ) -> tuple[Any, LabelArray, KeyArray | None]:
        """Part X into what the classifier sees, the group of every row and its key, if any."""
        columns = groups_are_columns(self, sensitive)
        n_samples = _num_samples(X)
        if reset and n_samples < 2:
            raise ValueError(f"X has n_samples = {n_samples}, a repair needs rows of two groups")
        keys: KeyArray | None
        if self.key_column is not None:
            if key is not None:
                raise ValueError(
                    f"the keys are given twice, by key and by key_column={self.key_column!r}; "
                    "give one of them"
                )
            features, groups, keys = split_key_column(self, X, sensitive=columns, reset=reset)
        else:
            keys = None if key is None else keys_given(key, n_samples)
            features, groups = (
                split_columns(self, X, reset=reset) if columns else (indexable(X)[0], None)
            )
        if groups is None:
            groups = groups_given(sensitive, n_samples, reset=reset)
        return features, groups, keys

    def _routed_fit(self, sample_weight: Any, sensitive: Any, params: dict[str, Any]) -> Bunch:
        """Give what goes to the classifier and to the splitter."""
        given = dict(params)
        if sample_weight is not None:
            given["sample_weight"] = sample_weight
        if _routing_enabled():
            if sensitive is not None:
                given["sensitive_features"] = sensitive
            routed = process_routing(self, "fit", **given)
            return Bunch(
                fit=routed.classifier.fit,
                predict=routed.classifier.predict_proba,
                split=routed.splitter.split,
            )
        if self._is_prefit():
            if params:
                raise ValueError(f"cv='prefit' fits nothing: no use for {', '.join(params)}")
            return Bunch(predict={})
        if sample_weight is not None and not has_fit_parameter(self.classifier, "sample_weight"):
            raise ValueError(
                f"fit of {type(self.classifier).__name__} takes no sample_weight; of a pipeline "
                "name the step, as in logisticregression__sample_weight=..., or switch on metadata "
                "routing"
            )
        return Bunch(fit=given, predict={}, split={})

    def _as_fitted(self, features: Any, routed: Bunch) -> CrossFit:
        self.classes_ = np.asarray(self.classifier.classes_)
        scores = positive_scores(self.classifier, features, routed.predict)
        return CrossFit(self.classifier, np.arange(len(scores)), scores)

    def _cross_fitted(
        self, features: Any, y: LabelArray, groups: LabelArray, routed: Bunch
    ) -> list[CrossFit]:
        """Fit the classifiers that predict, each with scores of rows that are held out."""
        self.classes_ = np.unique(y)
        folds = folds_of(
            self.cv,
            features,
            y,
            groups,
            seed=self._seed,
            split_params=routed.split,
            small_groups=self.small_groups,
        )
        return cross_fits(
            self.classifier,
            features,
            y,
            folds if self.ensemble else [one_split(folds, len(y))],
            fit_params=routed.fit,
            predict_params=routed.predict,
            n_jobs=self.n_jobs,
        )

    def _learn(
        self,
        fits: list[CrossFit],
        groups: LabelArray,
        labels: LabelArray,
        weights: FloatArray,
        sample_weight: FloatArray | None,
    ) -> dict[Any, float]:
        """Keep the quantiles of every group and their barycenter, of every classifier.

        Gives the number of held-out rows of every group that is repaired.
        """
        kept = self._small_groups_of(fits, groups, labels, sample_weight)
        fitted = np.flatnonzero(~kept)
        weights = weights[fitted]
        if len(fitted) < 2 or not weights.any():
            raise ValueError(
                f"groups {labels[fitted].tolist()} are left after small_groups='keep', a repair "
                "needs two or more with a weight above 0; lower cv"
            )
        folds = []
        for _, rows, scores in fits:
            masks = [rows_with(groups[rows], label) for label in labels[fitted].tolist()]
            own_weight = None if sample_weight is None else sample_weight[rows]
            folds.append(HeldOutScores.of(scores, masks, own_weight))
        noise = noise_fractions(folds)
        tables = [learn_tables(fold, weights, int(self.n_levels), noise) for fold in folds]
        self.classifiers_ = [fit.classifier for fit in fits]
        self.common_quantiles_ = np.stack([own.common for own in tables])
        # a kept group has the barycenter's quantiles: its map is the identity
        self.quantiles_ = np.repeat(self.common_quantiles_[:, None], len(labels), axis=1)
        self.quantiles_[:, fitted] = np.stack([own.quantiles for own in tables])
        self.groups_ = labels
        self.kept_groups_ = labels[kept]
        return {
            label: effective_size(folds, place)
            for place, label in enumerate(labels[fitted].tolist())
        }

    def _small_groups_of(
        self,
        fits: list[CrossFit],
        groups: LabelArray,
        labels: LabelArray,
        sample_weight: FloatArray | None,
    ) -> NDArray[np.bool_]:
        """Tell which groups have no held-out row of some classifier; refuse them if asked to."""
        small = np.zeros(len(labels), dtype=bool)
        for place, label in enumerate(labels.tolist()):
            own = rows_with(groups, label)
            if sample_weight is not None and not sample_weight[own].any():
                raise ValueError(f"sample_weight is 0 for every row of group {label!r}")
            if sample_weight is not None:
                own &= sample_weight > 0.0
            small[place] = not all(own[rows].any() for _, rows, _ in fits)
            if small[place] and self.small_groups == "error":
                raise ValueError(
                    f"cv holds out no row of group {label!r} at a time; give a number of folds, or "
                    "a splitter that shares out the groups, or set small_groups='keep'"
                )
        return small

    def _warn_of_small_groups(self, sizes: dict[Any, float]) -> None:
        """Warn of groups that are left where they are, and of those that are repaired by few."""
        if len(self.kept_groups_):
            warnings.warn(
                f"Groups too small to repair: {', '.join(map(str, self.kept_groups_))}. Their "
                "scores are left where they are; the other groups are repaired without them.",
                UserWarning,
                stacklevel=3,
            )
        few = {label: size for label, size in sizes.items() if size < _FEW_ROWS}
        if few:
            words = [
                f"{label!r} ({size:.0f} rows, gamma {_NOISE_OF_GAMMA / np.sqrt(size):.2f})"
                for label, size in few.items()
            ]
            warnings.warn(
                f"Few held-out rows of groups {', '.join(words)}: sampling noise alone leaves new "
                "scores that far from parity on average, and differences within this noise are "
                "not repaired. Give more rows, or join groups.",
                UserWarning,
                stacklevel=3,
            )

    def _take_features(self) -> None:
        """Know the features as the classifier does, where no column has been taken out."""
        if self.sensitive_columns is not None or self.key_column is not None:
            return
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.classifiers_[0], name):
                setattr(self, name, getattr(self.classifiers_[0], name))

    def _repaired(
        self, method: str, X: Any, sensitive: Any, key: Any, params: dict[str, Any]
    ) -> FloatArray:
        """Let one classifier score every row, and transport the score by the map of its group."""
        check_is_fitted(self)
        features, groups, keys = self._split(X, sensitive, key, reset=False)
        masks, unknown = split_by_group(
            groups, self.groups_, groups_place(self), self.handle_unknown
        )
        routed = self._routed_predict(method, sensitive, key, params)
        all_tables = list(map(ScoreTables, self.quantiles_, self.common_quantiles_))
        if self.handle_unknown == "barycenter":
            weights = weights_over(self.groups_, self.weights)
            weights[np.isin(self.groups_, self.kept_groups_)] = 0.0
            all_tables = [tables.with_pool(weights) for tables in all_tables]
            masks.append(unknown)
        chosen, draws = self._draws(features, groups, keys, all_tables)
        averaged = self._is_mean()
        repaired = np.zeros(len(groups))
        for place, classifier in enumerate(self.classifiers_):
            rows = np.flatnonzero(averaged | (chosen == place))
            if len(rows) == 0:
                continue
            scores = scores_of_rows(classifier, features, rows, routed)
            own_masks = [own[rows] for own in masks]
            own_draws = None if draws is None else draws[rows]
            carried = all_tables[place].carried(scores, own_masks, float(self.amount), own_draws)
            repaired[rows] += carried
        return repaired / len(all_tables) if averaged else repaired

    def _draws(
        self,
        features: Any,
        groups: LabelArray,
        keys: KeyArray | None,
        all_tables: list[ScoreTables],
    ) -> tuple[PlaceArray, FloatArray | None]:
        """Give the classifier of every row, and its number among rows of equal score if needed."""
        n_classifiers = len(all_tables)
        spread = self.ties == "spread" and any(tables.has_ties() for tables in all_tables)
        if (n_classifiers == 1 or self._is_mean()) and not spread:
            return np.zeros(len(groups), dtype=np.intp), None
        bits = bits_of_rows(features, self._seed)
        if keys is None:
            keys = copies_before(bits, groups)
        chosen = (n_classifiers * draws_of_rows(bits, keys, self._seed, 1)).astype(np.intp)
        return chosen, draws_of_rows(bits, keys, self._seed) if spread else None

    def _classes_at(self, scores: FloatArray) -> Any:
        return self.classes_[(scores > 0.5).astype(np.intp)]

    def _routed_predict(
        self, method: str, sensitive: Any, key: Any, params: dict[str, Any]
    ) -> dict[str, Any]:
        """Give what goes to `predict_proba` of the classifier."""
        if not _routing_enabled():
            if params:
                raise TypeError(
                    f"{method} got {', '.join(params)}, which needs metadata routing: "
                    "sklearn.set_config(enable_metadata_routing=True)"
                )
            return {}
        given = dict(params)
        if sensitive is not None:
            given["sensitive_features"] = sensitive
        if key is not None:
            given["key"] = key
        routed = process_routing(self, method, **given)
        return dict(routed.classifier.predict_proba)


def _routing_enabled() -> bool:
    from sklearn import get_config

    return bool(get_config().get("enable_metadata_routing", False))
