# SPDX-License-Identifier: MIT

from __future__ import annotations

import numpy as np
import pytest
from conftest import blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import lbw
from lbw import LocalTransport

pytestmark = pytest.mark.wheel


def gaussian_groups() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(300, 2)), 3 + 2 * rng.normal(size=(200, 2))])
    return X, np.repeat([10, 20], [300, 200])


def test_one_component_is_the_map_between_gaussians():
    X, groups = gaussian_groups()
    transport = LocalTransport(n_components=1, covariance_floor=0.0).fit(X, groups)
    source, target = X[groups == 10], X[groups == 20]
    A, b = lbw.empirical_bures_wasserstein_mapping(source, target, reg=0.0)
    np.testing.assert_allclose(transport.transform(source, 10, to=20), source @ A + b, atol=1e-12)
    half = transport.transform(source, 10, to=20, amount=0.5)
    np.testing.assert_allclose(half, (source + source @ A + b) / 2, atol=1e-12)


def test_carried_samples_have_the_moments_of_the_target():
    X, groups = gaussian_groups()
    transport = LocalTransport(n_components=1, covariance_floor=0.0).fit(X, groups)
    for to, rows in ((10, groups == 10), (20, groups == 20)):
        carried = transport.transform(X, groups, to=to)
        for group in (10, 20):
            np.testing.assert_allclose(carried[groups == group].mean(axis=0), X[rows].mean(axis=0))
            np.testing.assert_allclose(
                np.cov(carried[groups == group].T, bias=True),
                np.cov(X[rows].T, bias=True),
                atol=1e-10,
            )


def test_labels_of_rows_and_one_label_agree(two_groups):
    X, groups = two_groups
    transport = LocalTransport(n_components=3).fit(X, groups)
    together = transport.transform(X, groups)
    for group in "ab":
        rows = groups == group
        np.testing.assert_array_equal(together[rows], transport.transform(X[rows], group))
        np.testing.assert_array_equal(together[rows], transport.transform(X[rows], groups[rows]))


def test_a_group_onto_itself_stays(two_groups):
    X, groups = two_groups
    transport = LocalTransport(n_components=3).fit(X, groups)
    carried = transport.transform(X, groups, to="b")
    np.testing.assert_array_equal(carried[groups == "b"], X[groups == "b"])
    np.testing.assert_array_equal(transport.transform(X, groups, amount=0.0), X)
    np.testing.assert_allclose(transport.transform(X, groups, to=[0.0, 1.0]), carried, atol=1e-12)


@pytest.mark.parametrize("scale", [5e-324, 0.125, 4.0, 2.0**1020])
def test_weights_are_divided_by_their_sum(two_groups, scale):
    X, groups = two_groups
    model = LocalTransport(2, random_state=0).fit(X, groups)
    expected = model.transform(X, groups, to=[0.25, 0.75])
    np.testing.assert_array_equal(model.transform(X, groups, to=[scale, 3.0 * scale]), expected)
    by_label = {model.groups_[0].item(): 1, model.groups_[1].item(): 3}
    np.testing.assert_array_equal(model.transform(X, groups, to=by_label), expected)
    np.testing.assert_array_equal(
        model.barycenter([scale, 3.0 * scale]).means_, model.barycenter([0.25, 0.75]).means_
    )


@pytest.mark.parametrize("kind", ["hard", "soft", "random"])
def test_all_weight_on_a_group_is_that_group(kind):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 2)) + np.repeat([0.0, 2.0, -1.0], 200)[:, None]
    groups = np.repeat(["a", "b", "c"], 200)
    model = LocalTransport(3, map=kind, random_state=0).fit(X, groups)
    np.testing.assert_array_equal(
        model.transform(X, groups, to=[0, 1, 0]), model.transform(X, groups, to="b")
    )


def test_features_of_small_units_reach_the_target():
    rng = np.random.default_rng(4)
    mixing = np.linalg.cholesky([[1.0, 0.3, -0.4], [0.3, 1.0, 0.2], [-0.4, 0.2, 1.0]])
    units = np.array([2e6, 10.0, 0.01])
    source = rng.normal(size=(2000, 3)) * units
    target = (rng.normal(size=(2000, 3)) @ mixing.T) * units * [1.5, 0.7, 1.65] + units
    X, groups = np.vstack([source, target]), np.repeat(["a", "b"], 2000)
    model = LocalTransport(1, covariance_floor=0.0).fit(X, groups)
    moved = model.transform(source, "a", to="b") / units
    np.testing.assert_allclose(moved.mean(axis=0), (target / units).mean(axis=0), atol=1e-9)
    np.testing.assert_allclose(np.cov(moved.T), np.cov((target / units).T), atol=1e-9)


def test_weights_may_be_given_by_label(two_groups):
    X, groups = two_groups
    transport = LocalTransport(n_components=3).fit(X, groups)
    expected = transport.transform(X, groups, to=[0.25, 0.75])
    by_label = transport.transform(X, groups, to={"b": 0.75, "a": 0.25})
    np.testing.assert_array_equal(by_label, expected)
    only_b = transport.barycenter({"b": 1.0})
    np.testing.assert_array_equal(only_b.means_, transport.barycenter([0.0, 1.0]).means_)


def test_learned_attributes_describe_the_fit(two_groups):
    X, groups = two_groups
    transport = LocalTransport(n_components=3, coupling="matching", reference="b").fit(X, groups)
    assert transport.groups_.tolist() == ["a", "b"]
    assert transport.reference_ == "b"
    assert transport.coupling_.shape == (3, 2)
    assert sorted(transport.coupling_[:, 0]) == sorted(transport.coupling_[:, 1]) == [0, 1, 2]
    assert transport.coupling_masses_.sum() == pytest.approx(1.0)
    for group, mixture in zip("ab", transport.mixtures_, strict=True):
        expected = lbw.GaussianMixture(3).fit(X[groups == group])
        np.testing.assert_array_equal(mixture.means_, expected.means_)
        assert mixture.mean_log_likelihood_ == expected.mean_log_likelihood_
        assert not hasattr(mixture, "lower_bound_")  # it is of steps that a model does not keep
        assert mixture.predict(X).max() == 2


def test_barycenter_is_a_fitted_mixture(two_groups):
    X, groups = two_groups
    transport = LocalTransport(n_components=3).fit(X, groups)
    middle = transport.barycenter()
    first, second = transport.mixtures_
    tuples = transport.coupling_
    expected = (first.means_[tuples[:, 0]] + second.means_[tuples[:, 1]]) / 2
    np.testing.assert_allclose(middle.means_, expected)
    assert middle.sample(10)[0].shape == (10, 3)
    corner = transport.barycenter([1.0, 0.0])
    np.testing.assert_array_equal(corner.means_, first.means_[tuples[:, 0]])
    # what is carried to the barycenter looks like it
    carried = transport.transform(X, groups)
    assert middle.score(carried) > middle.score(X) + 1.0


def test_three_groups_and_any_reference():
    X = np.concatenate([blobs(200, seed, shift=seed) for seed in range(3)])
    groups = np.repeat([0, 1, 2], 200)
    for reference in (None, 0, 2):
        transport = LocalTransport(
            n_components=3, coupling="matching", map="hard", reference=reference
        ).fit(X, groups)
        assert transport.coupling_.shape == (3, 3)
        weights = [0.2, 0.3, 0.5]
        carried = transport.transform(X, groups, to=weights)
        middle = transport.barycenter(weights)
        for group in range(3):
            own = carried[groups == group]
            labels = middle.predict(own)
            means = [own[labels == i].mean(axis=0) for i in range(3)]
            np.testing.assert_allclose(means, middle.means_, atol=0.3)


@pytest.mark.parametrize(
    "labels",
    [[0, 1], [0.5, 1.5], [False, True], ["", "x"], [np.str_("é"), np.str_("ü")]],
    ids=["int", "float", "bool", "empty", "unicode"],
)
def test_labels_of_any_plain_type(labels, tmp_path):
    X = np.concatenate([blobs(50, 0), blobs(50, 1, shift=3.0)])
    groups = np.repeat(np.array(labels), 50)
    transport = LocalTransport(n_components=2).fit(X, groups)
    assert transport.groups_.tolist() == labels
    carried = transport.transform(X[:50], labels[0], to=labels[1])
    transport.save(tmp_path / "m.safetensors")
    loaded = LocalTransport.load(tmp_path / "m.safetensors")
    assert loaded.groups_.tolist() == labels
    assert loaded.groups_.dtype.kind == transport.groups_.dtype.kind
    np.testing.assert_array_equal(loaded.transform(X[:50], labels[0], to=labels[1]), carried)


def test_objects_become_plain_labels():
    X = blobs(40, 0)
    groups = np.array(["a", "b"] * 20, dtype=object)
    assert LocalTransport(1).fit(X, groups).groups_.dtype.kind == "U"


def test_weights_count_samples():
    X = np.concatenate([blobs(40, 0), blobs(40, 1, shift=2.0)])
    groups = np.repeat([0, 1], 40)
    counts = np.random.default_rng(0).integers(1, 3, size=80)
    left = LocalTransport(1).fit(X, groups, sample_weight=counts)
    right = LocalTransport(1).fit(np.repeat(X, counts, axis=0), np.repeat(groups, counts))
    np.testing.assert_allclose(left.transform(X, 0, to=1), right.transform(X, 0, to=1), rtol=1e-9)


def test_same_bits_at_any_thread_count(two_groups):
    X, groups = two_groups
    results = [
        LocalTransport(5, n_jobs=n_jobs, random_state=3).fit(X, groups).transform(X, groups)
        for n_jobs in (1, 2, -1, None)
    ]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])


def bad_fits():
    X = blobs(20, 0)
    g = np.array(["a", "b"] * 10)
    yield {}, X, g[:5], "groups has 5 labels for 20 rows of X"
    yield {}, X, np.array(["a"] * 20), "groups has a single label, 'a'. A transport needs"
    yield {}, X, None, "requires y to be passed, but the target y is None"
    yield {}, X, [None, "b"] * 10, r"groups has no label at row 0 \(counted from 0\)"
    yield {}, X, [np.nan, 1.0] * 10, r"groups has NaN or infinity for a label at row 0"
    yield (
        {},
        X,
        np.array([1, "b"] * 10, dtype=object),
        r"groups has labels of different types \(int, str\)",
    )
    yield {}, X, np.array([(1,), (2,)] * 10 + [None], dtype=object)[:-1], "has labels of type tuple"
    yield {}, X, np.ones((20, 2)), r"expected one label per row, got an array of shape \(20, 2\)"
    yield (
        {"n_components": 11},
        X,
        g,
        r"group 'a': fit_mixture: n_components = 11 exceeds the number of samples \(10\). Reduce",
    )
    yield {"reference": "c"}, X, g, r"reference: group 'c' was not seen in fit, expected one of"
    yield {"coupling": "best"}, X, g, "The 'coupling' parameter of LocalTransport must be"
    yield {"max_iter": -1}, X, g, "The 'max_iter' parameter of LocalTransport must be"
    yield {}, np.where(X > 8, np.nan, X) * np.nan, g, "Input X contains NaN"


@pytest.mark.parametrize(("params", "X", "groups", "words"), bad_fits())
def test_bad_fits_say_why_and_leave_nothing(params, X, groups, words):
    transport = LocalTransport(**params)
    with pytest.raises(ValueError, match=words):
        transport.fit(X, groups)
    with pytest.raises(NotFittedError):
        transport.transform(X, "a")
    assert [name for name in vars(transport) if name.endswith("_")] == []


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (
            ([[0.0, 0.0, 0.0]], "c"),
            r"groups: group 'c' at row 0 \(counted from 0\) was not seen in fit, expected one of "
            r"\['a', 'b'\]. handle_unknown='ignore' leaves",
        ),
        (([[0.0, 0.0, 0.0]], ["c"]), "groups: group 'c' at row 0"),
        (([[0.0, 0.0, 0.0]], "a", "c"), "to: group 'c' was not seen in fit"),
        (([[0.0, 0.0, 0.0]], "a", [1.0]), r"weights have the shape \(1,\), expected \(2,\)"),
        (([[0.0, 0.0, 0.0]], "a", [0.7, -0.7]), "expected finite numbers >= 0, at least one above"),
        (([[0.0, 0.0, 0.0]], "a", [0.7, np.nan]), "expected finite numbers >= 0, at least one"),
        (([[0.0, 0.0, 0.0]], "a", [np.inf, 1.0]), "expected finite numbers >= 0, at least one"),
        (([[0.0, 0.0, 0.0]], "a", [0.0, 0.0]), "expected finite numbers >= 0, at least one above"),
        (([[0.0, 0.0, 0.0]], "a", ["b", "a"]), "is neither a group, one of"),
        (([[0.0, 0.0, 0.0]], "a", {"c": 1.0}), r"weights name the groups \['c'\], expected some"),
        (([[0.0, 0.0]], "a"), "X has 2 features, but LocalTransport is expecting 3 features"),
        (([[np.nan, 0.0, 0.0]], "a"), "Input X contains NaN"),
        (([[0.0, 0.0, 0.0]], None), "groups is None"),
        (([[0.0, 0.0, 0.0]], ["a", "b"]), "groups has 2 labels for 1 rows of X"),
    ],
)
def test_bad_transforms_say_why(two_groups, args, words):
    transport = LocalTransport(2).fit(*two_groups)
    with pytest.raises(ValueError, match=words):
        transport.transform(*args)


def test_no_convergence_names_the_groups():
    X = np.concatenate([blobs(200, 0), blobs(200, 1)])
    with pytest.warns(ConvergenceWarning, match="in 1 steps for groups: 0, 1. Raise max_iter"):
        LocalTransport(5, max_iter=1).fit(X, np.repeat([0, 1], 200))


def test_one_line_is_the_estimator(two_groups):
    X, groups = two_groups
    source, target = X[groups == "a"], X[groups == "b"]
    expected = LocalTransport(4).fit(X, groups).transform(source, "a", to="b")
    np.testing.assert_array_equal(lbw.transport(source, target, 4), expected)
    assert lbw.transport(source.astype(np.float32), target, 4).dtype == np.float32
    with pytest.raises(ValueError, match="Xs: expected 2 dimensions"):
        lbw.transport(source[0], target)
    with pytest.raises(lbw.InvalidArgument, match="features"):
        lbw.transport(source[:, :2], target)


def test_set_output_names_columns(two_groups):
    pytest.importorskip("pandas")
    X, groups = two_groups
    transport = LocalTransport(2).set_output(transform="pandas").fit(X, groups)
    frame = transport.transform(X, groups)
    assert frame.columns.tolist() == ["x0", "x1", "x2"]


@pytest.mark.filterwarnings("ignore:groups. no row is of a group of the fit")
def test_unknown_groups_are_refused_left_or_averaged(two_groups, tmp_path):
    X, groups = two_groups
    rows = X[:5]
    for choice in ("ignore", "barycenter"):
        transport = LocalTransport(2, map="hard", handle_unknown=choice).fit(X, groups)
        known = transport.groups_[1]
        moved = transport.transform(rows, "stranger", to=known)
        densities = np.exp([mixture.score_samples(rows) for mixture in transport.mixtures_])
        probability = (densities / densities.sum(axis=0))[:, :, np.newaxis]
        places = np.array(
            [transport.transform(rows, group, to=known) for group in transport.groups_]
        )
        mean = (probability * places).sum(axis=0)
        np.testing.assert_allclose(moved, rows if choice == "ignore" else mean, rtol=1e-12)
        transport.save(tmp_path / "model.safetensors")
        loaded = LocalTransport.load(tmp_path / "model.safetensors")
        np.testing.assert_array_equal(loaded.transform(rows, "stranger", to=known), moved)
        if choice == "ignore":
            back = transport.inverse_transform(moved, "stranger", to=known)
            np.testing.assert_array_equal(back, rows)
        else:
            with pytest.raises(ValueError, match="group 'stranger' at row 0"):
                transport.inverse_transform(moved, "stranger", to=known)
    with pytest.raises(ValueError, match="'handle_unknown' parameter of LocalTransport must be"):
        LocalTransport(handle_unknown="drop").fit(X, groups)
