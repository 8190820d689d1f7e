# SPDX-License-Identifier: MIT
"""Estimators at the ends of double precision: a result is accurate, or an error says why."""

import warnings

import numpy as np
import pytest

import lbw
from lbw import GaussianMixture, GroupRepair, LocalTransport, MomentSums, moment_sums

POWERS = (-490, -300, -40, 40, 300)  # scales from 1e-148 to 1e90


def two_groups():
    rng = np.random.default_rng(0)
    groups = np.repeat(["a", "b"], 150)
    centers = np.where(rng.uniform(size=300) < 0.5, 0.0, 5.0)[:, None]
    return centers + rng.normal(size=(300, 2)) * [1.0, 0.5] + (groups == "b")[:, None], groups


def scaled(X, power):
    return np.ldexp(X, power)


@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag", "spherical"])
def test_mixtures_scale_with_the_samples(covariance_type):
    X, _ = two_groups()
    settings = {"n_components": 2, "covariance_type": covariance_type, "reg_covar": 0.0}
    expected = GaussianMixture(**settings, random_state=0).fit(X)
    for power in POWERS:
        mixture = GaussianMixture(**settings, random_state=0).fit(scaled(X, power))
        np.testing.assert_allclose(scaled(mixture.means_, -power), expected.means_, rtol=1e-7)
        shift = 2 * power * np.log(2)
        assert mixture.lower_bound_ + shift == pytest.approx(expected.lower_bound_, abs=1e-8)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e-160])
def test_mixtures_without_a_floor_say_that_samples_are_too_small(scale):
    X, _ = two_groups()
    with pytest.raises(lbw.NumericalError, match="fit_mixture: the "):
        GaussianMixture(2, reg_covar=0.0, random_state=0).fit(scale * X)


@pytest.mark.parametrize("scale", [1e100, 1e150, 1e300])
def test_samples_that_are_too_large_are_named(scale):
    X, groups = two_groups()
    message = r"expected finite values up to 1e\+100; rescale that feature"
    with pytest.raises(ValueError, match=message):
        GaussianMixture(2).fit(scale * X)
    with pytest.raises(ValueError, match=message):
        LocalTransport(n_components=2).fit(scale * X, groups)


def test_transport_scales_with_the_samples():
    X, groups = two_groups()
    settings = {"n_components": 2, "covariance_floor": 0.0, "relative_covariance_floor": 1e-3}
    expected = LocalTransport(**settings, random_state=0).fit(X, groups).transform(X, groups)
    for power in POWERS:
        Y = scaled(X, power)
        images = LocalTransport(**settings, random_state=0).fit(Y, groups).transform(Y, groups)
        np.testing.assert_allclose(scaled(images, -power), expected, rtol=1e-6, atol=1e-6)


def test_transport_moves_with_a_distant_origin():
    X, groups = two_groups()
    expected = LocalTransport(n_components=2, random_state=0).fit(X, groups).transform(X, groups)
    Y = X + 1e9  # a standard deviation of 1 is rounded to 1e-7
    images = LocalTransport(n_components=2, random_state=0).fit(Y, groups).transform(Y, groups)
    np.testing.assert_allclose(images - 1e9, expected, atol=1e-4)


def test_transport_keeps_duplicated_and_constant_columns():
    X, groups = two_groups()
    Y = np.column_stack([X, X[:, 0], np.full(len(X), 7.0)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a covariance that is nearly singular
        images = LocalTransport(n_components=2, random_state=0).fit(Y, groups).transform(Y, groups)
    np.testing.assert_allclose(images[:, 0], images[:, 2], atol=1e-2)
    np.testing.assert_allclose(images[:, 3], 7.0, atol=1e-9)


@pytest.mark.parametrize("exponent", [-1060, -1000, -300, 300, 1000])
def test_only_ratios_of_weights_matter(exponent):
    X, _ = two_groups()
    weights = np.random.default_rng(1).integers(1, 4, len(X)).astype(float)
    expected = GaussianMixture(2, random_state=0).fit(X, sample_weight=weights)
    mixture = GaussianMixture(2, random_state=0).fit(X, sample_weight=np.ldexp(weights, exponent))
    np.testing.assert_array_equal(mixture.means_, expected.means_)
    np.testing.assert_array_equal(mixture.covariances_, expected.covariances_)


def test_weights_of_all_magnitudes_give_weighted_moments():
    X, _ = two_groups()
    weights = 10.0 ** np.random.default_rng(2).uniform(-300, 300, len(X))
    mixture = GaussianMixture(1, reg_covar=1e-6).fit(X, sample_weight=weights)
    shares = weights / weights.max() / (weights / weights.max()).sum()
    mean = shares @ X
    covariance = (shares[:, None] * (X - mean)).T @ (X - mean) + 1e-6 * np.eye(2)
    np.testing.assert_allclose(mixture.means_[0], mean, rtol=1e-12)
    np.testing.assert_allclose(mixture.covariances_[0], covariance, rtol=1e-10)


def test_moment_sums_are_accurate_or_refused():
    X, _ = two_groups()
    mixture = GaussianMixture(2, reg_covar=0.0, random_state=0).fit(scaled(X, -40))
    expected = moment_sums(mixture, scaled(X, -40))
    for weight in (1e-200, 1e-100, 1e100, 1e200):
        sums = moment_sums(mixture, scaled(X, -40), sample_weight=np.full(len(X), weight))
        assert isinstance(sums, MomentSums)
        np.testing.assert_allclose(sums.second / weight, expected.second, rtol=1e-10)
    with pytest.raises(ValueError, match="underflow; scale the weights up"):
        moment_sums(mixture, scaled(X, -40), sample_weight=np.full(len(X), 1e-300))
    with pytest.raises(ValueError, match=r"scale them down|scale the weights down"):
        moment_sums(mixture, scaled(X, -40), sample_weight=np.full(len(X), 1e308))


def test_fewer_distinct_samples_than_components_are_no_error():
    X = np.repeat(np.array([[0.0, 1.0], [2.0, 3.0], [5.0, 1.0]]), 10, axis=0)
    with pytest.warns(UserWarning, match="3 distinct samples, fewer than n_components=5. Only 3"):
        mixture = GaussianMixture(5, random_state=0).fit(X)
    assert len(np.unique(mixture.means_, axis=0)) == 3
    assert mixture.weights_.sum() == pytest.approx(1.0)
    groups = np.repeat(["a", "b"], 30)
    with warnings.catch_warnings(record=True) as caught:  # there are others, of small components
        warnings.simplefilter("always")
        transport = LocalTransport(n_components=5).fit(np.vstack([X, X + 9]), groups)
    expected = "Group 'a' has 3 distinct samples, fewer than its 5 components"
    assert any(str(warning.message).startswith(expected) for warning in caught)
    assert np.isfinite(transport.transform(X, "a", to="b")).all()


def test_group_repair_scales_with_the_samples():
    X, groups = two_groups()

    def repaired(values):
        repair = GroupRepair(n_components=2, check_samples=0, dither=0.0, map="soft")
        repair.fit(values, sensitive_features=groups)
        return repair.transform(values, sensitive_features=groups)

    expected = repaired(X)
    for power in POWERS:
        images = scaled(repaired(scaled(X, power)), -power)
        np.testing.assert_allclose(images, expected, rtol=1e-5, atol=1e-5)


def test_functions_of_gaussians_say_what_exceeds_double_precision():
    unit = 1e75
    first = np.array([[unit**-2, 0.5], [0.5, unit**2]])
    second = np.array([[4 * unit**-2, -0.5], [-0.5, unit**2]])
    with pytest.raises(lbw.NumericalError, match=r"factor of more than 1e60.*rescale the features"):
        lbw.bures_wasserstein_mapping(np.zeros(2), np.zeros(2), first, second)
    with pytest.raises(lbw.NumericalError, match="rescale the features"):
        lbw.bures_wasserstein_distance(np.full(1, 1e308), np.full(1, -1e308), np.eye(1), np.eye(1))
