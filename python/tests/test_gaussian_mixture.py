# SPDX-License-Identifier: MIT

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn
import sklearn.mixture
from conftest import blobs
from mixture_samples import TYPES, start_of
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.fixes import parse_version

from lbw import GaussianMixture


@pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.7"),
    reason="scikit-learn before 1.7 does not keep its likelihoods",
)
@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("reg_covar", [1e-6, 1e-2])
def test_follows_sklearn_step_by_step(covariance_type, reg_covar):
    X = blobs(600, 0)
    options = {
        "covariance_type": covariance_type,
        "tol": 1e-7,
        "max_iter": 80,
        "reg_covar": reg_covar,
    }
    options |= start_of(X, 4, covariance_type)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours = GaussianMixture(4, **options).fit(X)
        theirs = sklearn.mixture.GaussianMixture(4, **options).fit(X)
    assert len(theirs.lower_bounds_) > 10
    assert isinstance(ours.lower_bounds_, list)
    np.testing.assert_allclose(ours.lower_bounds_, theirs.lower_bounds_, rtol=0, atol=1e-9)
    assert ours.lower_bound_ == ours.lower_bounds_[-1]
    assert (ours.n_iter_, ours.converged_) == (theirs.n_iter_, theirs.converged_)
    assert ours.mean_log_likelihood_ == pytest.approx(ours.score(X), rel=1e-12)


@pytest.mark.parametrize("max_iter", [1, 2, 5])
def test_counts_steps_as_sklearn_does_when_they_run_out(max_iter):
    X = blobs(300, 3)
    options = {"max_iter": max_iter, "tol": 1e-1, **start_of(X, 3, "full")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        ours = GaussianMixture(3, **options).fit(X)
        theirs = sklearn.mixture.GaussianMixture(3, **options).fit(X)
    assert (ours.n_iter_, ours.converged_) == (theirs.n_iter_, theirs.converged_)
    np.testing.assert_allclose(ours.lower_bounds_, theirs.lower_bounds_, rtol=1e-12)
    assert ours.lower_bound_ == pytest.approx(theirs.lower_bound_, rel=1e-12)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_methods_agree_with_sklearn_on_the_same_parameters(covariance_type):
    X = blobs(500, 1)
    ours = GaussianMixture(3, covariance_type=covariance_type).fit(X)
    theirs = sklearn.mixture.GaussianMixture(3, covariance_type=covariance_type)
    for name in ("weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"):
        setattr(theirs, name, getattr(ours, name))
    theirs.n_features_in_ = 3
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-11)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-11)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-12)
    assert ours.aic(X) == pytest.approx(theirs.aic(X), rel=1e-12)
    assert ours.bic(X) == pytest.approx(theirs.bic(X), rel=1e-12)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_precisions_are_the_inverses(covariance_type):
    X = blobs(300, 2)
    mixture = GaussianMixture(2, covariance_type=covariance_type).fit(X)
    if covariance_type in ("diag", "spherical"):
        np.testing.assert_allclose(mixture.precisions_ * mixture.covariances_, 1.0)
    else:
        product = mixture.precisions_ @ mixture.covariances_
        np.testing.assert_allclose(product, np.broadcast_to(np.eye(3), product.shape), atol=1e-12)


def test_signature_is_that_of_sklearn_and_more():
    theirs = inspect.signature(sklearn.mixture.GaussianMixture).parameters
    ours = inspect.signature(GaussianMixture).parameters
    for name, parameter in theirs.items():
        assert ours[name].default == parameter.default, name
        assert ours[name].kind == parameter.kind, name
    assert next(iter(ours)) == next(iter(theirs))  # the only one that may be given by position


def test_public_methods_are_those_of_sklearn():
    def names(cls):
        return {name for name in dir(cls) if not name.startswith("_")}

    # parameters are class attributes too, which hold the defaults
    ours = names(GaussianMixture) - set(GaussianMixture().get_params())
    # set_fit_request comes with sample_weight, which scikit-learn's mixture has not, and files
    assert ours - {"precisions_", "precisions_cholesky_"} == names(
        sklearn.mixture.GaussianMixture
    ) | {"set_fit_request", "save", "load"}


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"n_components": 0}, "The 'n_components' parameter of GaussianMixture must be"),
        ({"covariance_type": "round"}, "The 'covariance_type' parameter of GaussianMixture must"),
        ({"tol": -1.0}, "The 'tol' parameter of GaussianMixture must be"),
        ({"means_init": [[0.0, 0.0]]}, "The parameter 'means' should have the shape of"),
        (
            {"n_components": 2, "weights_init": [0.5, 0.6]},
            r"The parameter 'weights' should be normalized, but got sum\(weights\) = 1.1",
        ),
        (
            {"n_components": 2, "weights_init": [-0.5, 1.5]},
            r"should be in the range \[0, 1\], but got max value 1.5",
        ),
        (
            {"precisions_init": -np.eye(3)[None]},
            "'full precision' should be symmetric, positive-definite",
        ),
        (
            {"precisions_init": np.zeros((1, 3)), "covariance_type": "diag"},
            "'diag precision' should be positive",
        ),
        ({"n_components": 400}, "Expected n_samples >= n_components but got n_components = 400"),
        ({"n_components": "aic", "means_init": [[0.0]]}, "cannot be combined with weights_init"),
        ({"n_components_range": [3, 0], "n_components": "aic"}, "n_components"),
        ({"n_jobs": 0}, "n_jobs == 0 has no meaning"),
    ],
)
def test_bad_parameters_are_named(params, words):
    with pytest.raises(ValueError, match=words):
        GaussianMixture(**params).fit(blobs(50, 0))


@pytest.mark.parametrize(
    ("X", "error", "words"),
    [
        (np.array([[1.0, np.nan], [2.0, 3.0]]), ValueError, "Input X contains NaN"),
        (np.array([[1.0, np.inf], [2.0, 3.0]]), ValueError, "Input X contains infinity"),
        (np.ones(4), ValueError, "Expected 2D array, got 1D array instead"),
        (np.empty((0, 2)), ValueError, r"Found array with 0 sample\(s\)"),
        (np.ones((1, 2)), ValueError, r"Found array with 1 sample\(s\)"),
        ([["a", "b"], ["c", "d"]], ValueError, "could not convert string to float"),
        (np.array([[1 + 2j, 0], [0, 1]]), ValueError, "Complex data not supported"),
    ],
)
def test_bad_samples_get_sklearns_words(X, error, words):
    ours, theirs = GaussianMixture(), sklearn.mixture.GaussianMixture()
    for estimator in (ours, theirs):
        with pytest.raises(error, match=words):
            estimator.fit(X)
    with pytest.raises(NotFittedError):
        ours.predict([[0.0, 0.0]])


def test_nan_and_wrong_width_in_predict_get_sklearns_words():
    mixture = GaussianMixture().fit(blobs(20, 0))
    with pytest.raises(ValueError, match="Input X contains NaN"):
        mixture.predict([[np.nan, 0.0, 0.0]])
    with pytest.raises(ValueError, match="X has 2 features, but GaussianMixture is expecting 3"):
        mixture.score_samples([[0.0, 0.0]])


def test_weights_count_samples():
    X = blobs(60, 3)
    counts = np.random.default_rng(0).integers(0, 3, size=60)
    start = start_of(X, 3, "full")
    weighted = GaussianMixture(3, **start, max_iter=20, tol=0).fit
    with pytest.warns(ConvergenceWarning):
        left = weighted(X, sample_weight=counts)
    with pytest.warns(ConvergenceWarning):
        right = GaussianMixture(3, **start, max_iter=20, tol=0).fit(np.repeat(X, counts, axis=0))
    np.testing.assert_allclose(left.means_, right.means_, rtol=1e-9)
    np.testing.assert_allclose(left.lower_bounds_, right.lower_bounds_, rtol=1e-12)


@pytest.mark.parametrize("weights", [np.ones(9), -np.ones(20), np.full(20, np.nan)])
def test_bad_weights_are_refused(weights):
    with pytest.raises(ValueError, match=r"weight|sample_weight"):
        GaussianMixture().fit(blobs(20, 0), sample_weight=weights)


def test_seeds_repeat_and_differ():
    X = blobs(400, 8, n_features=4)
    fit = lambda state: GaussianMixture(6, random_state=state).fit(X).means_  # noqa: E731
    np.testing.assert_array_equal(fit(None), fit(None))
    np.testing.assert_array_equal(fit(1), fit(1))
    np.testing.assert_array_equal(fit(np.random.RandomState(0)), fit(np.random.RandomState(0)))
    assert not np.array_equal(fit(1), fit(2))


def test_sample_has_the_moments_of_the_mixture():
    mixture = GaussianMixture(3, random_state=1).fit(blobs(900, 9))
    X, labels = mixture.sample(40_000)
    assert X.shape == (40_000, 3)
    for i in range(3):
        # five standard errors of a mean over a third of the draws
        np.testing.assert_allclose(X[labels == i].mean(axis=0), mixture.means_[i], atol=0.05)
    np.testing.assert_allclose(np.bincount(labels) / 40_000, mixture.weights_, atol=0.02)
    with pytest.raises(ValueError, match="The sampling requires at least one sample"):
        mixture.sample(0)


def test_no_convergence_warns_in_sklearns_words():
    with pytest.warns(ConvergenceWarning, match="Best performing initialization did not converge"):
        GaussianMixture(4, max_iter=1).fit(blobs(300, 10))


def test_f32_precision_is_close():
    X = blobs(2000, 11)
    kwargs = start_of(X, 3, "full")
    double = GaussianMixture(3, **kwargs).fit(X)
    single = GaussianMixture(3, **kwargs, precision="f32").fit(X)
    assert single.lower_bound_ == pytest.approx(double.lower_bound_, rel=1e-5)
    assert single.lower_bound_ != double.lower_bound_


@pytest.mark.parametrize("covariance_type", TYPES)
def test_float32_stays_float32(covariance_type):
    X = blobs(300, 1).astype(np.float32)
    single = GaussianMixture(3, covariance_type=covariance_type).fit(X)
    double = GaussianMixture(3, covariance_type=covariance_type).fit(X.astype(np.float64))
    names = ["weights_", "means_", "covariances_", "precisions_", "precisions_cholesky_"]
    for name in names:
        assert getattr(single, name).dtype == np.float32, name
        assert getattr(double, name).dtype == np.float64, name
        np.testing.assert_allclose(getattr(single, name), getattr(double, name), rtol=1e-4)
    assert single.predict_proba(X).dtype == single.score_samples(X).dtype == np.float32
    assert single.score_samples(X.astype(np.float64)).dtype == np.float64
    np.testing.assert_array_equal(single.predict(X), double.predict(X))
    # parameters that are changed in place count
    single.means_ += np.float32(1.0)
    moved = double.score_samples(X.astype(np.float64) - 1.0)
    np.testing.assert_allclose(single.score_samples(X), moved, rtol=1e-3)


def test_float32_keeps_covariances_that_rounding_would_make_singular():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    X = (1e2 * np.hstack([x, x])).astype(np.float32)  # the floor of 1e-6 is below the last digit
    mixture = GaussianMixture(1).fit(X)
    assert np.isfinite(mixture.score_samples(X)).all()


@pytest.mark.parametrize("covariance_type", TYPES)
def test_a_mixture_that_is_put_together_predicts_as_sklearns(covariance_type):
    fitted = sklearn.mixture.GaussianMixture(3, covariance_type=covariance_type, random_state=0)
    X = blobs(200, 2)
    fitted.fit(X)
    names = ["weights_", "means_", "covariances_", "precisions_cholesky_"]
    for given in (names, [name for name in names if name != "covariances_"], names[:3]):
        mixture = GaussianMixture(3, covariance_type=covariance_type)
        for name in given:
            setattr(mixture, name, getattr(fitted, name))
        np.testing.assert_array_equal(mixture.predict(X), fitted.predict(X))
        np.testing.assert_allclose(mixture.score_samples(X), fitted.score_samples(X), rtol=1e-9)
        np.testing.assert_allclose(mixture.predict_proba(X), fitted.predict_proba(X), atol=1e-9)
        if "covariances_" in given:
            assert mixture.sample(5)[0].shape == (5, 3)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_samples_far_away_have_sklearns_density(covariance_type):
    X = blobs(200, 3)
    theirs = sklearn.mixture.GaussianMixture(2, covariance_type=covariance_type).fit(X)
    ours = GaussianMixture(2, covariance_type=covariance_type)
    for name in ("weights_", "means_", "covariances_"):
        setattr(ours, name, getattr(theirs, name))
    new = np.array([[0.0, 1.0, 2.0], [1e60, 0.0, 0.0], [0.0, -1e120, 1.0], [1e200, 1e200, 1e200]])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(ours.score_samples(new), theirs.score_samples(new), rtol=1e-9)
        np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    assert ours.score_samples(new)[3] == ours.score(new) == -np.inf
    assert ours.aic(new) == np.inf
    probabilities = ours.predict_proba(new)
    np.testing.assert_allclose(probabilities[:3].sum(axis=1), 1.0)
    np.testing.assert_array_equal(probabilities[3], [0.0, 0.0])
    with pytest.raises(ValueError, match="Input X contains infinity"):
        ours.score_samples([[1e200, np.inf, 0.0]])


def test_sample_draws_anew_without_a_seed():
    mixture = GaussianMixture(2).fit(blobs(100, 4))
    assert not np.array_equal(mixture.sample(5)[0], mixture.sample(5)[0])
    np.random.seed(3)  # noqa: NPY002 - NumPy's global generator, as in scikit-learn
    first = mixture.sample(5)[0]
    np.random.seed(3)  # noqa: NPY002
    np.testing.assert_array_equal(mixture.sample(5)[0], first)
    mixture.set_params(random_state=1)
    np.testing.assert_array_equal(mixture.sample(5)[0], mixture.sample(5)[0])
    mixture.set_params(random_state=np.random.RandomState(1))
    assert not np.array_equal(mixture.sample(5)[0], mixture.sample(5)[0])


@pytest.mark.parametrize("scale", [1.0, 1e200])
def test_tables_give_no_warnings_of_names(scale):
    X = pd.DataFrame(blobs(100, 4), columns=["a", "b", "c"])
    mixture = GaussianMixture(2).fit(X)
    names = ("predict", "predict_proba", "score_samples", "score", "aic", "bic")
    for name in names:
        getattr(mixture, name)(X * scale)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        mixture.bic(X.to_numpy())
