# SPDX-License-Identifier: MIT
"""Warnings of fits that send new samples too far."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import blobs
from sklearn.pipeline import make_pipeline

from lbw import Batches, GaussianMixture, LocalTransport


def two_clouds(n, seed=0):
    random = np.random.default_rng(seed)
    X = np.concatenate([random.normal(0, 1, (n, 3)), random.normal(3, 1, (n, 3))])
    return X, np.repeat(["a", "b"], n)


def test_components_of_few_samples_are_warned_of():
    X, groups = two_clouds(15, seed=2)
    new = np.random.default_rng(1).normal(size=(500, 3))
    with pytest.warns(UserWarning, match=r"components have fewer than 10 samples") as caught:
        far = LocalTransport().fit(X, groups).transform(new, "a", to="b")
    assert far.std() > 5.0
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert "shrinkage='auto'" in str(caught[0].message)
    # the remedies of the warning work, and are not warned of
    fewer = LocalTransport(1)
    floored = LocalTransport(relative_covariance_floor=0.1)
    for remedy in (fewer, floored):
        assert remedy.fit(X, groups).transform(new, "a", to="b").std() < 3.0
    LocalTransport(shrinkage="auto").fit(X, groups)


@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag", "spherical"])
def test_a_fit_of_many_samples_is_not_warned_of(covariance_type):
    X = np.concatenate([blobs(300, 1), blobs(300, 2, shift=1.0), [[99.0, 99.0, 99.0]]])
    LocalTransport(4, covariance_type=covariance_type).fit(X, np.repeat([0, 1], [300, 301]))


def test_a_feature_that_is_constant_in_one_group_is_warned_of():
    X, groups = two_clouds(200)
    X[groups == "a", 1] = 0.0
    words = r"Feature 2 of 3 is constant in group 'a' and varies .* sent about 9[0-9]+ times"
    with pytest.warns(UserWarning, match=words):
        transport = LocalTransport(1).fit(X, groups)
    assert abs(transport.transform([[0.0, 1.0, 0.0]], "a", to="b")[0, 1]) > 300.0
    for regularized in (LocalTransport(1, covariance_floor=0.1), LocalTransport(1, dither="auto")):
        moved = regularized.fit(X, groups).transform([[0.0, 1.0, 0.0]], "a", to="b")
        assert abs(moved[0, 1]) < 10.0
    X[:, 1] = np.where(groups == "a", 0.0, 7.0)  # constant in both groups
    LocalTransport(1).fit(X, groups)


def test_a_feature_that_varies_after_many_equal_values_is_not_constant():
    X, groups = two_clouds(200)
    X[:199, 1] = 0.0  # group "a" but its last row
    X[199, 1] = 5.0
    LocalTransport(1).fit(X, groups)


@pytest.mark.parametrize("scale", [1e-5, 3e-9, 1e-10, 1e-12, 1e-40])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_floor_that_exceeds_the_variance_is_warned_of(scale, weighted):
    X, groups = two_clouds(200)
    weights = np.ones(len(X)) if weighted else None
    words = r"covariance_floor \(1e-06\) is .* the variance of feature 1 of 3 .* in group '[ab]'"
    with pytest.warns(UserWarning, match=words) as caught:
        LocalTransport(1).fit(X * [scale, 1.0, 1.0], groups, weights)
    assert len(caught) == 1
    with pytest.warns(UserWarning, match=r"reg_covar \(1e-06\) is .* feature 1 of 3 .* reg_covar"):
        GaussianMixture(2).fit(X * [scale, 1.0, 1.0], sample_weight=weights)


def test_a_row_without_weight_does_not_hide_the_warning_of_a_floor():
    X, groups = two_clouds(200)
    weights = np.where(np.arange(len(X)) == 7, 0.0, 1.0)
    X[:, 0] *= 1e-5
    X[7, 0] = 1e30
    with pytest.warns(UserWarning, match=r"reg_covar \(1e-06\) is .* feature 1 of 3"):
        GaussianMixture(2).fit(X, sample_weight=weights)
    with pytest.warns(UserWarning, match=r"covariance_floor \(1e-06\) is .* feature 1 of 3"):
        LocalTransport(1).fit(X, groups, weights)


@pytest.mark.parametrize("second", [1.0, 1e-10])
def test_a_feature_is_in_one_warning_whatever_its_variance_in_other_groups(second):
    X, groups = two_clouds(200)
    X -= 3.0 * (groups == "b")[:, np.newaxis]
    X *= [1.0, second, 1.0]
    X[:, 0] *= np.where(groups == "a", 1e-8, 1e-10)  # on both sides of what the core finds
    with pytest.warns(UserWarning, match=r"covariance_floor") as caught:
        LocalTransport(1).fit(X, groups)
    texts = [str(own.message) for own in caught]
    assert [text.count("feature 1 of 3") for text in texts] == [1, 0][: len(texts)]
    assert [text.count("feature 2 of 3") for text in texts] == [0, 1][: len(texts)]
    assert len(texts) == (1 if second == 1.0 else 2)


def test_a_floor_is_warned_of_in_fits_of_batches():
    X, _ = two_clouds(200)
    with pytest.warns(UserWarning, match=r"reg_covar \(1e-06\) is .* feature 1 of 3 .* reg_covar"):
        GaussianMixture(2).fit(Batches([X[:100] * [1e-6, 1.0, 1.0], X[100:] * [1e-6, 1.0, 1.0]]))
    X[:, 0] = 7.3
    GaussianMixture(2).fit(Batches([X[:100], X[100:]]))


@pytest.mark.parametrize("constant", [0.0, 0.1, 1e-30, 7.3e6])
def test_a_floor_is_not_warned_of_for_constant_features(constant):
    X, groups = two_clouds(200)
    X[:, 0] = constant
    X[::2, 0] *= 1.0 + np.finfo(float).eps  # by rounding
    LocalTransport(1).fit(X, groups)
    GaussianMixture(2).fit(X)
    GaussianMixture(2, reg_covar=1e-3).fit(1e-10 * X)  # a deliberate choice


@pytest.mark.parametrize(
    ("options", "scale", "copies"),
    [
        ({"n_components": 2, "max_iter": 1}, 1.0, 1),
        ({"n_components": 2, "reg_covar": 1e-6}, 1e-5, 1),
        ({"n_components": 3}, 1.0, 150),
        ({"n_components": "heldout", "n_components_range": [1]}, 1.0, 3),
    ],
)
def test_warnings_of_a_mixture_name_the_line_of_the_caller(options, scale, copies):
    X = scale * np.random.default_rng(0).normal(size=(300 // copies, 2)).repeat(copies, axis=0)
    words = "reg_covar|did not converge|has 2 distinct samples|200 of 300 samples are copies"
    mixture = GaussianMixture(**options)
    for use in (
        mixture.fit,
        mixture.fit_predict,
        make_pipeline(mixture).fit,
        lambda rows: mixture.fit(Batches([rows])),
    ):
        with pytest.warns(UserWarning, match=words) as caught:
            use(X)
        assert {own.filename for own in caught} == {__file__}


def test_what_the_warning_of_reg_covar_says_separates_clusters():
    rng = np.random.default_rng(0)
    X = 1e-10 * np.concatenate([rng.normal(0, 1, (300, 1)), rng.normal(9, 1, (300, 1))])
    with pytest.warns(UserWarning, match="set reg_covar to a number such as 2e-22") as caught:
        blurred = GaussianMixture(2).fit(X)
    assert abs(np.ptp(blurred.means_)) < 1e-12
    assert len(caught) == 1
    means = GaussianMixture(2, reg_covar=2e-22).fit(X).means_
    np.testing.assert_allclose(np.ptp(means), 9e-10, rtol=0.05)  # sd of a mean is 0.06e-10
