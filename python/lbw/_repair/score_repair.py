# SPDX-License-Identifier: MIT
"""Repair of a classifier's scores so that groups have them alike."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.metrics import accuracy_score
from sklearn.utils import Bunch, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import (
    _num_samples,
    check_is_fitted,
)

from .._input.arrays import FloatArray
from .._input.keys import KeyArray
from .._input.labels import LabelArray
from .._input.split_input import split_input
from .._input.tables import to_array
from .._input.user_level import user_level
from .._input.validation import unfitted_on_error, validate_parameters, validated_weights
from .._options.names import seed_of
from .._options.presented import parametrized, public
from .._options.repair import ScoreRepairParameters
from .._transport.params import weights_over
from .class_groups import LearnedClasses, learn_classes, row_keys
from .class_scores import check_classifier, class_scores, class_targets
from .crossfit import CrossFit, cross_fits
from .folds import folds_of, one_split
from .routing import routed_fit
from .saved_scores import SavedScores
from .score_groups import LearnedGroups, learn_groups
from .score_rows import repaired_scores

__all__ = ["ScoreRepair"]


@parametrized
class ScoreRepair(
    ClassifierMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    SavedScores,
    ScoreRepairParameters,
    BaseEstimator,  # type: ignore[misc]
):
    """Repair a classifier's scores so that every group has the same distribution of scores.

    A row keeps its rank among the scores of its group by one classifier and gets the score that
    this rank has on average over the groups. This is the Wasserstein barycenter of the groups,
    which is exact in one dimension. Afterwards no threshold tells the groups apart (demographic
    parity), and scores have moved as little as that allows.

    The distribution of every group is learned from rows that the classifier has not seen. For
    every fold of the rows, one classifier is fitted to the others and its scores of this fold are
    the ones that its repair is learned from. Every row is scored by one of these classifiers, which
    is chosen by a random number that belongs to the row, so two rows of a group keep their order
    if the same one scores both. A mean of repaired scores need not have parity, because
    classifiers may agree more in one group than in another.

    With more than two classes, the vector of all probabilities is transported to the barycenter of
    the groups by local maps and sliced steps, as `GroupRepair` transports features, and projected
    onto the simplex. The groups then have nearly the same distribution of vectors, and so of every
    class's score and of the predicted class. Ranks are not defined for vectors.

    The groups are given as in `GroupRepair`. Either pass `sensitive_features` to `fit` and to every
    prediction, which scikit-learn's metadata routing passes through pipelines, or name
    `sensitive_columns` of X, which are used and then dropped, so the classifier never sees them.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classifiers_ : list of estimators
        The classifiers whose scores are repaired, one for every fold or a single one.
    classes_ : ndarray of shape (n_classes,)
        The classes. Scores are probabilities of the second of two, and of all of more classes.
    groups_ : ndarray of shape (n_groups,)
        The sorted labels of the groups.
    quantiles_ : ndarray of shape (n_classifiers, n_groups, n_levels)
        The scores of every group at equally spaced levels from 0 to 1. Only for two classes.
    common_quantiles_ : ndarray of shape (n_classifiers, n_levels)
        The weighted mean of the quantiles over the groups, the target of the repair. Only for two
        classes.
    transports_ : list of LocalTransport
        The maps of the vectors of probabilities, for every classifier the same, in an orthonormal
        basis of the simplex. Only for more than two classes.
    kept_groups_ : ndarray of shape (n_kept_groups,)
        The groups that were too small to repair and are not changed; see `small_groups`.
    n_features_in_ : int
        The number of columns seen in `fit`, including the sensitive ones, if the classifier has it.
    feature_names_in_ : ndarray of shape (n_features,)
        The names of the columns seen in `fit`, if all of them are strings.

    Notes
    -----
    The random number of a row is a function of `random_state`, its values and its key. Without
    keys, the key of a row is the number of equal rows of its group before it in the same call.
    Distinct rows therefore get the same score in any batch and order, and copies of a row are
    spread over the ranks of their score. A service that scores one row at a time sees no copies
    and gives all of them one score. To spread them, pass a key that belongs to the case, such as
    the number of the customer: the same case then gets the same score every time.

    The distribution of a small group is shrunk towards that of all rows by the fraction of their
    difference that sampling noise explains, which vanishes for large groups. A group that does not
    differ beyond noise is therefore left about where it is, and does not distort the others. `fit`
    warns of groups that few rows, or few per classifier, leave far from parity.

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
            Any input that the classifier accepts, with the sensitive columns if there are any.
        y : array-like of shape (n_samples,)
            The classes, two or more. Not needed if `cv` is "prefit".
        sample_weight : array-like of shape (n_samples,), default=None
            The weights of the rows, for the classifier and for the distributions of the scores.
        sensitive_features : array-like of shape (n_samples,) or (n_samples, n_columns)
            The group of every row, unless `sensitive_columns` says where it is in X.
        **params : dict
            Passed to `fit` of the classifier, or under metadata routing to those who request them.

        Returns
        -------
        self : object
            Returns the instance itself.
        """
        self._validate_params()
        check_classifier(self.classifier, prefit=self._is_prefit())
        with unfitted_on_error(self):
            features, groups, _ = self._split(X, sensitive_features, None, reset=True)
            self._seed = seed_of(self.random_state)
            labels = np.unique(groups)
            if len(labels) < 2:
                raise ValueError(
                    f"There is a single group, {labels[0].item()!r}. A repair needs two or more."
                )
            weights = weights_over(labels, self.weights)
            sample_weight = validated_weights(sample_weight, features)
            routed = routed_fit(self, sample_weight, sensitive_features, params)
            if self._is_prefit():
                fits = [self._as_fitted(features, routed)]
            else:
                y = class_targets(y, X, type(self).__name__)
                fits = self._cross_fitted(features, y, groups, routed)
            learned = self._learned(fits, features, groups, labels, weights, sample_weight)
            self._take(fits, labels, learned)
        for text in learned.warnings():
            warnings.warn(text, UserWarning, stacklevel=user_level())
        return self

    def predict_proba(
        self, X: Any, *, sensitive_features: Any = None, key: Any = None, **params: Any
    ) -> FloatArray:
        """Return the repaired probabilities of all classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows, seen in `fit` or new.
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
        probabilities : ndarray of shape (n_samples, n_classes)
            The probabilities, in the order of `classes_`.
        """
        scores = self._repaired("predict_proba", X, sensitive_features, key, params)
        return scores if scores.ndim == 2 else np.column_stack([1.0 - scores, scores])

    def predict(
        self, X: Any, *, sensitive_features: Any = None, key: Any = None, **params: Any
    ) -> Any:
        """Return the class of the largest repaired probability, the first of equal ones.

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
        """Return the accuracy: the fraction of rows whose class is predicted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The classes of the rows.
        sample_weight : array-like of shape (n_samples,), default=None
            The weights of the rows.
        sensitive_features : label or array-like of shape (n_samples,) or (n_samples, n_columns)
            As in `predict_proba`.
        key : array-like of shape (n_samples,), default=None
            As in `predict_proba`.
        **params : dict
            As in `predict_proba`.

        Returns
        -------
        accuracy : float
            The accuracy, from 0 to 1.
        """
        scores = self._repaired("score", X, sensitive_features, key, params)
        return float(
            accuracy_score(to_array(y), self._classes_at(scores), sample_weight=sample_weight)
        )

    def get_metadata_routing(self) -> MetadataRouter:
        """Tell scikit-learn what this repair, the classifier and the splitter request."""
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
        """Tell scikit-learn whether the estimator is fitted."""
        return hasattr(self, "groups_")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn what input is accepted: that of the classifier."""
        tags = super().__sklearn_tags__()
        known = get_tags(self.classifier).classifier_tags
        tags.classifier_tags.multi_class = known is None or known.multi_class
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
        """Split X into the input of the classifier, and the group and the key of every row."""
        n_samples = _num_samples(X)
        if reset and n_samples < 2:
            raise ValueError(f"X has n_samples = {n_samples}. A repair needs rows of two groups.")
        return split_input(
            self,
            X,
            sensitive,
            key,
            reset=reset,
            checked=lambda features, whole: indexable(features)[0] if whole else features,
        )

    def _as_fitted(self, features: Any, routed: Bunch) -> CrossFit:
        self.classes_ = np.asarray(self.classifier.classes_)
        if len(self.classes_) < 2:
            raise ValueError(
                f"the classifier has the single class {self.classes_[0].item()!r}, expected two or "
                "more"
            )
        scores = class_scores(self.classifier, features, routed.predict, len(self.classes_))
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
            n_classes=len(self.classes_),
            n_jobs=self.n_jobs,
        )

    def _learned(
        self,
        fits: list[CrossFit],
        features: Any,
        groups: LabelArray,
        labels: LabelArray,
        weights: FloatArray,
        sample_weight: FloatArray | None,
    ) -> LearnedGroups | LearnedClasses:
        """Learn the distributions of two classes by quantiles, and of more by local maps."""
        rows = (groups, labels, weights, sample_weight)
        if len(self.classes_) == 2:
            n_levels = int(self.n_levels)
            return learn_groups(fits, *rows, n_levels=n_levels, small_groups=self.small_groups)
        return learn_classes(
            fits,
            row_keys(features, groups, None, self._seed),
            *rows,
            small_groups=self.small_groups,
            seed=self._seed,
        )

    def _take(
        self, fits: list[CrossFit], labels: LabelArray, learned: LearnedGroups | LearnedClasses
    ) -> None:
        """Set the fitted attributes.

        The features are known as the classifier knows them, unless a column has been taken out.
        """
        self.classifiers_ = [fit.classifier for fit in fits]
        for name in ("quantiles_", "common_quantiles_", "transports_"):
            self.__dict__.pop(name, None)
        if isinstance(learned, LearnedClasses):
            self.transports_ = [own.transport for own in learned.maps]
        else:
            self.quantiles_ = learned.quantiles
            self.common_quantiles_ = learned.common_quantiles
        self.groups_ = labels
        self.kept_groups_ = learned.kept
        if self.sensitive_columns is not None or self.key_column is not None:
            return
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.classifiers_[0], name):
                setattr(self, name, getattr(self.classifiers_[0], name))

    def _repaired(
        self, method: str, X: Any, sensitive: Any, key: Any, params: dict[str, Any]
    ) -> FloatArray:
        check_is_fitted(self)
        validate_parameters(self, "handle_unknown", "ties", "amount", "ensemble")
        return repaired_scores(self, method, X, sensitive, key, params)

    def _classes_at(self, scores: FloatArray) -> Any:
        places = scores > 0.5 if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[places.astype(np.intp)]


public(globals(), "lbw")
