# SPDX-License-Identifier: MIT
from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import sklearn
import sklearn.mixture
from conftest import blobs
from scipy.stats import mannwhitneyu
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.fixes import parse_version

from lbw import GaussianMixture

TYPES = ["full", "tied", "diag", "spherical"]


def start_of(X: np.ndarray, k: int, covariance_type: str) -> dict[str, np.ndarray]:
    d = X.shape[1]
    precisions = {
        "full": np.repeat(np.eye(d)[None], k, axis=0),
        "tied": np.eye(d),
        "diag": np.ones((k, d)),
        "spherical": np.ones(k),
    }
    return {
        "weights_init": np.full(k, 1 / k),
        "means_init": X[:k],
        "precisions_init": precisions[covariance_type],
    }


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
    assert list(ours)[: len(theirs)] == list(theirs)


def test_public_methods_are_those_of_sklearn():
    def names(cls):
        return {name for name in dir(cls) if not name.startswith("_")}

    # set_fit_request comes with sample_weight, which scikit-learn's mixture has not
    assert names(GaussianMixture) - {"precisions_", "precisions_cholesky_"} == names(
        sklearn.mixture.GaussianMixture
    ) | {"set_fit_request"}


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
        ({"n_components": "aic", "means_init": [[0.0]]}, "leaves no place for weights_init"),
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


@pytest.mark.parametrize("criterion", ["aic", "bic"])
def test_chooses_the_number_of_components(criterion):
    X = blobs(900, 4)
    mixture = GaussianMixture(criterion, n_components_range=range(1, 7)).fit(X)
    curve = mixture.selection_
    assert curve["n_components"].tolist() == [1, 2, 3, 4, 5, 6]
    assert mixture.n_components_ == curve["n_components"][np.argmin(curve[criterion])]
    assert mixture.aic(X) == pytest.approx(
        curve["aic"].min() if criterion == "aic" else curve["aic"][np.argmin(curve["bic"])]
    )
    if criterion == "bic":
        assert mixture.n_components_ == 3
    assert "selection_" not in vars(GaussianMixture(2).fit(X))
    with pytest.raises(ValueError, match="chooses without sample_weight"):
        mixture.fit(X, sample_weight=np.ones(900))


def test_partial_start_fills_in_the_rest():
    X = blobs(300, 5)
    truth = 6.0 * np.eye(3)
    mixture = GaussianMixture(3, means_init=truth, n_init=3).fit(X)
    np.testing.assert_allclose(mixture.means_, truth, atol=0.5)


def test_warm_start_goes_on_from_the_last_fit():
    X = blobs(500, 6)
    with pytest.warns(ConvergenceWarning):
        mixture = GaussianMixture(5, max_iter=2, warm_start=True, tol=1e-9).fit(X)
    first = mixture.mean_log_likelihood_
    with pytest.warns(ConvergenceWarning):
        mixture.fit(X)
    assert mixture.lower_bounds_[0] == pytest.approx(first, rel=1e-12)
    assert mixture.lower_bound_ > first


@pytest.mark.parametrize("init_params", ["kmeans", "k-means++", "random", "random_from_data"])
def test_every_start_works_and_repeats_at_any_thread_count(init_params):
    X = blobs(2000, 7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fits = [
            GaussianMixture(3, init_params=init_params, random_state=4, n_jobs=n_jobs).fit(X)
            for n_jobs in (1, 2, None)
        ]
    for fit in fits[1:]:
        np.testing.assert_array_equal(fit.means_, fits[0].means_)
        np.testing.assert_array_equal(fit.covariances_, fits[0].covariances_)


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


def test_max_iter_0_gives_the_start():
    X = blobs(300, 10)
    start = start_of(X, 2, "full")
    mixture = GaussianMixture(2, max_iter=0, **start).fit(X)
    np.testing.assert_array_equal(mixture.means_, X[:2])
    assert (mixture.n_iter_, mixture.lower_bounds_, mixture.lower_bound_) == (0, [], -np.inf)


def test_f32_precision_is_close():
    X = blobs(2000, 11)
    kwargs = start_of(X, 3, "full")
    double = GaussianMixture(3, **kwargs).fit(X)
    single = GaussianMixture(3, **kwargs, precision="f32").fit(X)
    assert single.lower_bound_ == pytest.approx(double.lower_bound_, rel=1e-5)
    assert single.lower_bound_ != double.lower_bound_


def test_starts_are_what_their_names_say():
    X = blobs(300, 12)
    start = {
        name: GaussianMixture(3, init_params=name, max_iter=0).fit(X).means_
        for name in ("kmeans", "k-means++", "random", "random_from_data")
    }
    rows = {tuple(row) for row in X}
    assert all(tuple(mean) in rows for mean in start["random_from_data"])
    assert all(tuple(mean) in rows for mean in start["k-means++"])
    assert not any(tuple(mean) in rows for mean in start["kmeans"])
    np.testing.assert_allclose(start["random"], np.tile(X.mean(axis=0), (3, 1)), atol=0.5)


def test_held_out_samples_choose():
    X = blobs(900, 4)
    numbers = range(1, 7)
    mixture = GaussianMixture("heldout", n_components_range=numbers, max_iter=500).fit(X)
    curve = mixture.selection_
    best = np.argmax(curve["heldout_log_likelihood"])
    assert mixture.n_components_ == curve["n_components"][best] >= 3
    # the fit is to all samples, those on the curve are to four in five
    given = GaussianMixture(mixture.n_components_, max_iter=500).fit(X)
    np.testing.assert_array_equal(mixture.means_, given.means_)
    assert curve["mean_log_likelihood"][best] != pytest.approx(mixture.lower_bound_, abs=1e-6)
    likelihoods = GaussianMixture("aic", n_components_range=numbers, max_iter=500).fit(X).selection_
    assert "heldout_log_likelihood" not in likelihoods


@pytest.mark.parametrize("numbers", [[], [0, 1], [1.5], ["2"]])
def test_numbers_to_choose_from_are_checked(numbers):
    with pytest.raises(ValueError, match=r"n_components_range holds .*, expected whole numbers >="):
        GaussianMixture("bic", n_components_range=numbers).fit(blobs(50, 0))


def test_numbers_to_choose_from_may_be_an_array():
    mixture = GaussianMixture("bic", n_components_range=np.array([2, 3])).fit(blobs(300, 0))
    assert mixture.selection_["n_components"].tolist() == [2, 3]


def test_aic_and_bic_may_choose_differently():
    X = np.random.default_rng(0).exponential(size=(150, 2))
    chosen = {}
    for criterion in ("aic", "bic"):
        mixture = GaussianMixture(criterion, n_components_range=range(1, 6), max_iter=500).fit(X)
        curve = mixture.selection_[criterion]
        assert mixture.n_components_ == mixture.selection_["n_components"][curve.argmin()]
        chosen[criterion] = mixture.n_components_
    assert chosen["bic"] < chosen["aic"]


def test_a_partial_start_is_tried_n_init_times():
    X = np.random.default_rng(0).exponential(size=(300, 2))
    options = {"weights_init": np.full(6, 1 / 6), "init_params": "random_from_data"}
    bounds = [
        GaussianMixture(6, n_init=n_init, max_iter=500, **options).fit(X).lower_bound_
        for n_init in (1, 8)
    ]
    assert bounds[1] > bounds[0]


def test_weights_that_nearly_sum_to_1_are_taken():
    mixture = GaussianMixture(2, weights_init=[0.5, 0.5000005], max_iter=0).fit(blobs(50, 0))
    assert mixture.weights_.sum() == pytest.approx(1.0, abs=1e-12)


def hard_samples(name: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw samples that EM finds hard: groups far apart, a ring, one-hot and binary columns."""
    if name == "far":
        centers = np.array([[0.0, 0.0, 0.0], [30.0, 0.0, 5.0], [0.0, 30.0, -5.0]])
        return centers[rng.integers(0, 3, n)] + rng.normal(size=(n, 3))
    if name == "ring":
        angles = rng.uniform(0, 2 * np.pi, n)
        return np.c_[np.cos(angles), np.sin(angles)] + 0.1 * rng.normal(size=(n, 2))
    if name == "one-hot":
        return np.hstack([np.eye(4)[rng.integers(0, 4, n)] for _ in range(2)])
    return (rng.uniform(size=(n, 4)) < [0.5, 0.3, 0.7, 0.2]).astype(float)


@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("init_params", ["kmeans", "k-means++", "random", "random_from_data"])
def test_every_start_is_as_good_as_sklearns_on_new_samples(init_params, covariance_type):
    # `make experiments-starts` compares more data sets
    for name in ("far", "ring", "one-hot", "binary") if covariance_type == "full" else ("one-hot",):
        rng = np.random.default_rng(0)
        X, new = hard_samples(name, 200, rng), hard_samples(name, 2000, rng)
        options = {"init_params": init_params, "covariance_type": covariance_type}
        scores = []
        for kind in (GaussianMixture, sklearn.mixture.GaussianMixture):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                fits = [kind(4, random_state=seed, **options).fit(X) for seed in range(30)]
            scores.append(np.array([fit.score(new) for fit in fits]))
        ours, theirs = scores
        # medians of 30 seeds differ by chance where EM has several maxima, by more than 1 there
        by_chance = mannwhitneyu(ours + 0.01, theirs, alternative="less").pvalue > 1e-3
        assert by_chance or np.median(ours) >= np.median(theirs) - 0.01, name


def test_more_starts_never_lower_the_likelihood():
    for seed in range(5):
        X = np.random.default_rng(seed).exponential(size=(50, 2))
        options = {"n_components": 3, "max_iter": 1, "random_state": seed}
        with pytest.warns(ConvergenceWarning):
            few, many = (GaussianMixture(n_init=n, **options).fit(X) for n in (1, 10))
        assert many.mean_log_likelihood_ >= few.mean_log_likelihood_


@pytest.mark.parametrize("covariance_type", TYPES)
def test_a_random_start_does_not_stop_where_it_starts(covariance_type):
    # many samples: responsibilities drawn at random give components that are nearly equal
    X = hard_samples("far", 2000, np.random.default_rng(0))
    options = {"covariance_type": covariance_type, "random_state": 0}
    single = GaussianMixture(1, **options).fit(X).score(X)
    mixture = GaussianMixture(3, init_params="random", **options).fit(X)
    assert mixture.n_iter_ > 3
    assert mixture.score(X) > single + 1.0


@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("given", [False, True])
def test_fewer_distinct_samples_than_components_fit_with_a_warning(covariance_type, given):
    X = np.repeat([[0.0, 0.0], [1.0, 2.0]], [6, 4], axis=0)
    options = {"means_init": np.arange(10.0).reshape(5, 2)} if given else {}
    mixture = GaussianMixture(5, covariance_type=covariance_type, **options)
    with pytest.warns(ConvergenceWarning, match="X has 2 distinct samples, fewer than n_comp"):
        mixture.fit(X)
    assert mixture.means_.shape == (5, 2)
    assert mixture.weights_.sum() == pytest.approx(1.0)
    if given:
        return
    # the density is that of a component for every distinct sample
    two = GaussianMixture(2, covariance_type=covariance_type).fit(X)
    np.testing.assert_allclose(mixture.score_samples(X), two.score_samples(X), rtol=1e-9)
    assert len(np.unique(mixture.means_.round(9), axis=0)) == 2


def test_a_singular_fit_fails_in_sklearns_words():
    X = np.repeat([[0.0, 0.0], [1.0, 2.0]], [6, 4], axis=0)
    for n_components in (1, 5):
        with pytest.raises(ValueError, match="some components have ill-defined empirical covar"):
            GaussianMixture(n_components, reg_covar=0).fit(X)


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
