# SPDX-License-Identifier: MIT
"""Couplings, maps, dither, refinement and selection of LocalTransport."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import blobs
from scipy.stats import ks_2samp
from sklearn.datasets import make_moons
from sklearn.neighbors import KNeighborsClassifier

import lbw
from lbw import GaussianMixture, LocalTransport


def lopsided_groups() -> tuple[np.ndarray, np.ndarray]:
    """Two groups in the same two places, nine to one and one to nine."""
    rng = np.random.default_rng(4)
    places = np.concatenate(
        [np.repeat([0.0, 10.0], [900, 100]), np.repeat([0.0, 10.0], [100, 900])]
    )
    X = np.column_stack([places, np.zeros(2000)]) + rng.normal(size=(2000, 2))
    return X, np.repeat(["a", "b"], 1000)


def test_a_plan_keeps_mass_where_a_matching_does_not():
    X, groups = lopsided_groups()
    shares = {}
    for coupling in ("matching", "plan"):
        transport = LocalTransport(2, coupling=coupling, map="random").fit(X, groups)
        carried = transport.transform(X[:1000], "a", to="b")
        shares[coupling] = (carried[:, 0] > 5).mean()
    assert shares["matching"] == pytest.approx(0.1, abs=0.02)
    assert shares["plan"] == pytest.approx(0.9, abs=0.04)


def test_plan_entries_are_those_of_the_functions():
    X, groups = lopsided_groups()
    transport = LocalTransport(
        {"a": 2, "b": 3}, coupling="plan", cost="bures", map="soft", max_iter=500
    ).fit(X, groups)
    a, b = transport.mixtures_
    parameters = (a.means_, b.means_, a.covariances_, b.covariances_, a.weights_, b.weights_)
    plan = np.zeros((2, 3))
    plan[transport.coupling_[:, 0], transport.coupling_[:, 1]] = transport.coupling_masses_
    np.testing.assert_allclose(plan, lbw.gmm_ot_plan(*parameters), atol=1e-12)
    np.testing.assert_allclose(
        transport.transform(X, "a", to="b"), lbw.gmm_ot_apply_map(X, *parameters), atol=1e-9
    )


def test_random_maps_do_not_depend_on_the_batch():
    X, groups = lopsided_groups()
    transport = LocalTransport(3, coupling="plan", map="random", max_iter=500).fit(X, groups)
    whole = transport.transform(X, groups)
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(transport.transform(X[order], groups[order]), whole[order])
    one_by_one = [transport.transform(X[i : i + 1], groups[i]) for i in range(0, 2000, 100)]
    np.testing.assert_array_equal(np.concatenate(one_by_one), whole[::100])


@pytest.mark.parametrize(
    ("n_components", "words"),
    [
        ({"a": 2}, r"n_components names \['a'\], expected the groups \['a', 'b'\]"),
        ({"a": 2, "b": 2, "c": 2}, "expected the groups"),
        ([2, 3, 4], "n_components has 3 numbers for 2 groups"),
        ([2, 3], "plan"),
    ],
)
def test_numbers_per_group_are_checked(n_components, words):
    with pytest.raises(ValueError, match=words):
        LocalTransport(n_components, coupling="matching").fit(*lopsided_groups())


@pytest.mark.parametrize("options", [{}, {"coupling": "plan", "cost": "bures", "map": "random"}])
def test_options_of_the_coupling_survive_the_file(options, tmp_path):
    X, groups = lopsided_groups()
    transport = LocalTransport([2, 3] if options else 2, max_iter=500, **options).fit(X, groups)
    transport.save(tmp_path / "m.safetensors")
    loaded = LocalTransport.load(tmp_path / "m.safetensors")
    assert loaded.get_params() == transport.get_params()
    np.testing.assert_array_equal(loaded.transform(X, groups), transport.transform(X, groups))
    np.testing.assert_array_equal(loaded.coupling_masses_, transport.coupling_masses_)


@pytest.mark.parametrize("coupling", ["plan", "multimarginal"])
def test_couplings_by_mass_have_the_weights_as_marginals(coupling):
    X = np.concatenate([blobs(300, seed, shift=seed) for seed in range(3)])
    groups = np.repeat([0, 1, 2], 300)
    transport = LocalTransport([3, 4, 5], coupling=coupling, max_iter=500).fit(X, groups)
    for group, mixture in enumerate(transport.mixtures_):
        masses = np.bincount(transport.coupling_[:, group], transport.coupling_masses_)
        np.testing.assert_allclose(masses, mixture.weights_, atol=1e-12)
    middle = transport.barycenter()
    np.testing.assert_allclose(middle.weights_.sum(), 1.0)
    carried = transport.transform(X, groups)
    assert middle.score(carried) > middle.score(X)


def test_inverse_transform_carries_back(two_groups):
    X, groups = two_groups
    single = LocalTransport(1).fit(X, groups)
    for to in ("b", None, [0.3, 0.7]):
        carried = single.transform(X, groups, to)
        np.testing.assert_allclose(single.inverse_transform(carried, groups, to), X, atol=1e-10)
    local = LocalTransport(3, map="hard").fit(X, groups)
    own = X[groups == "a"]
    carried = local.transform(own, "a", to="b")
    back = local.inverse_transform(carried, "a", to="b")
    # pieces may overlap where components meet, but what comes back goes to the same place
    np.testing.assert_allclose(local.transform(back, "a", to="b"), carried, atol=1e-9)
    assert local.inverse_transform(carried.astype(np.float32), "a", to="b").dtype == np.float32
    random = LocalTransport(3, map="random").fit(X, groups)
    with pytest.raises(ValueError, match=r"map is random, which has no inverse; expected hard"):
        random.inverse_transform(X, groups)


def skewed_groups() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.exponential(size=(800, 2)), -(rng.exponential(size=(600, 2)) ** 1.5)])
    return X, np.repeat(["a", "b"], [800, 600])


def largest_gap(X: np.ndarray, groups: np.ndarray) -> float:
    """Give the largest Kolmogorov-Smirnov distance of the two groups over the features."""
    return max(ks_2samp(x[groups == "a"], x[groups == "b"]).statistic for x in X.T)


def test_dither_moves_features_of_few_values_and_is_kept(tmp_path, capsys):
    rng = np.random.default_rng(3)
    groups = np.repeat(["a", "b"], 300)
    X = np.column_stack([rng.integers(0, 4, 600) * (1 + (groups == "b")), rng.normal(size=600)])
    plain = LocalTransport(1).fit(X, groups)
    np.testing.assert_array_equal(plain.dither_, [0, 0])
    moved = LocalTransport(1, dither=0.5, verbose=1).fit(X, groups)
    np.testing.assert_array_equal(moved.dither_, [0.5, 0])
    assert "dither: 1 of 2 features: 0 by 0.5" in capsys.readouterr().err
    carried = moved.transform(X, groups)
    at_0 = X[:, 0] == 0  # one value stays close together, unless it is moved
    assert np.ptp(plain.transform(X, groups)[at_0 & (groups == "a"), 0]) < 0.35
    assert np.ptp(carried[at_0 & (groups == "a"), 0]) > 0.6
    order = rng.permutation(600)
    np.testing.assert_array_equal(moved.transform(X[order], groups[order]), carried[order])
    moved.save(tmp_path / "m.safetensors")
    loaded = LocalTransport.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(loaded.transform(X, groups), carried)
    assert loaded.get_params() == moved.get_params()
    with pytest.raises(ValueError, match="fit without dither"):
        moved.inverse_transform(X, groups)


def test_refinement_brings_groups_together(tmp_path):
    X, groups = skewed_groups()
    plain = LocalTransport(1).fit(X, groups)
    refined = LocalTransport(1, refine=10, random_state=1).fit(X, groups)
    gap = largest_gap(plain.transform(X, groups), groups)
    assert gap > 0.2
    assert largest_gap(refined.transform(X, groups), groups) < 0.25 * gap
    refined.save(tmp_path / "m.safetensors")
    loaded = LocalTransport.load(tmp_path / "m.safetensors")
    np.testing.assert_array_equal(loaded.transform(X, groups), refined.transform(X, groups))
    assert loaded.get_params() == refined.get_params()
    with pytest.raises(ValueError, match="refined the maps for"):
        refined.transform(X, groups, to=[0.2, 0.8])


def test_a_refined_model_leads_to_its_weights_by_default():
    X, groups = skewed_groups()
    refined = LocalTransport(1, refine=2, refine_weights={"a": 1, "b": 4}).fit(X, groups)
    there = refined.transform(X, groups, to=[0.2, 0.8])
    np.testing.assert_array_equal(refined.transform(X, groups), there)
    np.testing.assert_array_equal(refined.transform(X, groups, to={"a": 1, "b": 4}), there)
    np.testing.assert_array_equal(refined.fit_transform(X, groups), there)
    means = [refined.barycenter(w).means_ for w in (None, [0.2, 0.8], [0.5, 0.5])]
    np.testing.assert_array_equal(means[0], means[1])
    assert not np.array_equal(means[0], means[2])
    with pytest.raises(ValueError, match="refined the maps for"):
        refined.transform(X, groups, to=[0.5, 0.5])
    plain = LocalTransport(1).fit(X, groups)
    there = plain.transform(X, groups, to=[0.5, 0.5])
    np.testing.assert_array_equal(plain.transform(X, groups), there)


def test_shrinkage_and_relative_floor_reach_the_core():
    rng = np.random.default_rng(1)
    X, groups = rng.normal(size=(60, 40)), np.repeat([0, 1], 30)
    with pytest.warns(UserWarning, match="2 of 2 components have fewer than 41 samples"):
        bare = LocalTransport(1, covariance_floor=1e-9).fit(X, groups)
    shrunk = LocalTransport(1, covariance_floor=1e-9, shrinkage="auto").fit(X, groups)
    condition = [np.linalg.cond(fit.mixtures_[0].covariances_[0]) for fit in (bare, shrunk)]
    assert condition[1] < 100 < condition[0]
    floored = LocalTransport(1, covariance_floor=0.0, relative_covariance_floor=0.5).fit(X, groups)
    variances = X[groups == 0].var(axis=0) + 0.5 * X.var(axis=0)  # over all groups
    np.testing.assert_allclose(np.diag(floored.mixtures_[0].covariances_[0]), variances, rtol=1e-9)
    with pytest.raises(ValueError, match="The 'shrinkage' parameter of LocalTransport must be"):
        LocalTransport(1, shrinkage=2.0).fit(X, groups)


def unequal_groups() -> tuple[np.ndarray, np.ndarray]:
    """Many samples of one cluster, few of three that no one could miss."""
    X = np.concatenate([np.random.default_rng(0).normal(size=(900, 3)), blobs(150, 1)])
    return X, np.repeat(["many", "few"], [900, 150])


def choosing(criterion: str, **params) -> LocalTransport:
    return LocalTransport(criterion, n_components_range=range(1, 5), max_iter=500, **params)


@pytest.mark.parametrize("coupling", ["plan", "multimarginal"])
def test_every_group_chooses_its_number_of_components(coupling):
    X, groups = unequal_groups()
    transport = choosing("bic", coupling=coupling).fit(X, groups)
    assert transport.groups_.tolist() == ["few", "many"]
    assert transport.n_components_.tolist() == [3, 1]
    curve = transport.selection_
    assert curve["group"].tolist() == ["few"] * 4 + ["many"] * 4
    assert curve["n_components"].tolist() == [1, 2, 3, 4] * 2
    for group in ("few", "many"):
        alone = GaussianMixture("bic", n_components_range=range(1, 5), max_iter=500)
        alone.fit(X[groups == group])
        for name, values in alone.selection_.items():
            np.testing.assert_array_equal(curve[name][curve["group"] == group], values)
    given = LocalTransport({"few": 3, "many": 1}, coupling=coupling, max_iter=500).fit(X, groups)
    np.testing.assert_array_equal(transport.transform(X, groups), given.transform(X, groups))
    assert given.n_components_.tolist() == [3, 1]
    assert not hasattr(given, "selection_")
    assert not hasattr(transport.set_params(n_components=2).fit(X, groups), "selection_")


@pytest.mark.parametrize("criterion", ["aic", "bic", "heldout"])
def test_matched_groups_choose_one_number_together(criterion):
    X, groups = unequal_groups()
    transport = choosing(criterion, coupling="matching").fit(X, groups)
    curve = transport.selection_
    if criterion == "heldout":
        sizes = np.where(curve["group"] == "many", 900, 150)
        total = -(sizes * curve["heldout_log_likelihood"]).reshape(2, 4).sum(axis=0)
    else:
        total = curve[criterion].reshape(2, 4).sum(axis=0)
    assert transport.n_components_.tolist() == [1 + np.argmin(total)] * 2
    assert (curve["n_components"] == [1, 2, 3, 4] * 2).all()


@pytest.mark.filterwarnings("ignore:. of . components have fewer than 10 samples")
def test_held_out_samples_count_by_their_number():
    """What a large group loses by more components outweighs what a small one gains."""
    rng = np.random.default_rng(3)
    two = np.concatenate([rng.normal(size=(15, 1)), 4 + rng.normal(size=(15, 1))])
    X = np.concatenate([rng.normal(size=(3000, 1)), two])
    groups = np.repeat(["many", "few"], [3000, 30])
    transport = choosing("heldout", coupling="matching").fit(X, groups)
    by_group = transport.selection_["heldout_log_likelihood"].reshape(2, 4)
    weighed = 1 + np.argmax(30 * by_group[0] + 3000 * by_group[1])
    assert transport.n_components_.tolist() == [weighed] * 2
    assert weighed != 1 + np.argmax(by_group.sum(axis=0))


def test_the_choice_is_saved_refused_and_repeated(tmp_path):
    X, groups = unequal_groups()
    transport = choosing("bic", coupling="plan", random_state=0).fit(X, groups)
    transport.save(tmp_path / "model.safetensors")
    loaded = LocalTransport.load(tmp_path / "model.safetensors")
    assert loaded.n_components_.tolist() == [3, 1]
    assert loaded.get_params() == {**transport.get_params(), "n_components_range": [1, 2, 3, 4]}
    np.testing.assert_array_equal(loaded.transform(X, groups), transport.transform(X, groups))
    assert transport.fit(X, groups, np.ones(len(X))).n_components_.tolist() == [3, 1]
    with pytest.raises(ValueError, match=r"n_components_range holds \[0\], expected whole numbers"):
        transport.set_params(n_components_range=[0]).fit(X, groups)
    with pytest.raises(ValueError, match="The 'n_components' parameter"):
        LocalTransport("dic").fit(X, groups)
    with pytest.raises(ValueError, match="compares up to 200 components, but group 'few' has"):
        LocalTransport("bic", n_components_range=[1, 200]).fit(X, groups)
    one, two = (choosing("aic", coupling="plan", n_jobs=n).fit(X, groups) for n in (1, 2))
    for name, values in one.selection_.items():
        np.testing.assert_array_equal(values, two.selection_[name])


def accuracy_on_rotated_moons(seed: int, **params) -> tuple[float, float]:
    """Give the accuracy of 1-NN on new target points, without and with adaptation."""
    turn = np.array([[0.766, 0.643], [-0.643, 0.766]])  # 40 degrees
    source, labels = make_moons(400, noise=0.1, random_state=3 * seed)
    target, _ = make_moons(400, noise=0.1, random_state=3 * seed + 1)
    test, expected = make_moons(400, noise=0.1, random_state=3 * seed + 2)
    source, target, test = (points - [0.5, 0.25] for points in (source, target, test))
    X, domains = np.concatenate([source, target @ turn]), np.repeat(["s", "t"], 400)
    moved = LocalTransport(**params).fit(X, domains).transform(source, "s", to="t")
    return tuple(
        KNeighborsClassifier(1).fit(points, labels).score(test @ turn, expected)
        for points in (source, moved)
    )


def test_the_default_map_helps_a_classifier_on_another_domain():
    without, default = np.mean([accuracy_on_rotated_moons(seed) for seed in range(4)], axis=0)
    _, random = np.mean([accuracy_on_rotated_moons(s, map="random") for s in range(4)], axis=0)
    assert default > without + 0.04
    assert default > random + 0.03


def test_the_one_line_function_moves_neighbours_alike():
    rng = np.random.default_rng(0)
    Xs, Xt = rng.uniform(size=(1000, 2)), blobs(1000, 1, n_features=2)
    pairs = Xs + 1e-6 * rng.normal(size=Xs.shape)
    steps = {}
    for name, params in {"default": {}, "random": {"map": "random"}}.items():
        moved = lbw.transport(np.concatenate([Xs, pairs]), Xt, **params)
        steps[name] = np.linalg.norm(moved[:1000] - moved[1000:], axis=1).max()
    assert steps["default"] < 1e-3
    assert steps["random"] > 1
