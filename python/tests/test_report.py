# SPDX-License-Identifier: MIT
"""What a report says is what scikit-learn, SciPy, POT and NumPy say."""

import json
import sys
import warnings

import numpy as np
import ot
import pytest
from conftest import blobs
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import NearestNeighbors

import lbw
from lbw import GroupRepair, LocalTransport, dist_bures_squared, mixture_distance
from lbw.metrics import TwoSampleResult, group_auc, sliced_wasserstein


@pytest.fixture
def fitted(two_groups):
    return LocalTransport(3, coupling="matching", map="hard").fit(*two_groups)


@pytest.fixture
def held_out():
    X = np.concatenate([blobs(150, 11), 0.5 * blobs(120, 12, shift=4.0)])
    return X, np.repeat(["a", "b"], [150, 120])


# --- two samples


def test_sliced_distance_is_that_of_pot():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 4)), rng.gamma(2.0, size=(130, 4))
    directions = ot.sliced.get_random_projections(4, 30, seed=1)
    expected = ot.sliced_wasserstein_distance(X, Y, projections=directions, p=2)
    result = sliced_wasserstein(X, Y, directions=directions.T, n_permutations=0)
    assert result == TwoSampleResult(float(result))
    assert float(result) == pytest.approx(expected, rel=1e-12)


def test_sliced_null_is_that_of_labels_dealt_at_random():
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(60, 3)), rng.normal(0.3, 1.0, size=(50, 3))
    directions = ot.sliced.get_random_projections(3, 20, seed=2)
    pooled = np.concatenate([X, Y])
    deals = []
    for _ in range(400):
        order = rng.permutation(110)
        first, second = pooled[order[:60]], pooled[order[60:]]
        deals.append(ot.sliced_wasserstein_distance(first, second, projections=directions))
    result = sliced_wasserstein(X, Y, directions=directions.T, n_permutations=400)
    assert result.null_mean == pytest.approx(np.mean(deals), rel=0.05)
    assert result.null_quantile == pytest.approx(np.quantile(deals, 0.95), rel=0.1)


def test_group_auc_is_that_of_scikit_learn_on_average():
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(300, 3)), rng.normal(0.5, 1.5, size=(200, 3))
    points = np.concatenate([X, Y])
    scaled = points / points.std(axis=0)
    label = np.repeat([0, 1], [300, 200])
    expected = []
    for _ in range(20):
        for half in np.array_split(rng.permutation(500), 2):
            rest = np.setdiff1d(np.arange(500), half)
            search = NearestNeighbors(n_neighbors=16).fit(scaled[rest])
            neighbors = rest[search.kneighbors(scaled[half], return_distance=False)]
            expected.append(roc_auc_score(label[half], label[neighbors].mean(axis=1)))
    ours = [float(group_auc(X, Y, n_permutations=0, random_state=seed)) for seed in range(20)]
    # each has a standard deviation of about .02
    assert np.mean(ours) == pytest.approx(np.mean(expected), abs=0.01)
    null = group_auc(X, Y, n_permutations=99, n_jobs=1)
    assert null == group_auc(X, Y, n_permutations=99, n_jobs=3)
    assert null.p_value == 0.01


def test_two_samples_are_refused_with_their_reason():
    with pytest.raises(ValueError, match="first has 2 features and second 3"):
        sliced_wasserstein(np.zeros((5, 2)), np.zeros((5, 3)))
    with pytest.raises(ValueError, match="n_neighbors is 30, expected a number up to 5"):
        group_auc(np.zeros((5, 2)), np.zeros((5, 2)), n_neighbors=30)


# --- the model alone


def test_components_tell_mass_samples_and_condition(fitted, two_groups):
    table = fitted.report().components
    assert table["group"].tolist() == ["a"] * 3 + ["b"] * 3
    assert table["component"].tolist() == [0, 1, 2] * 2
    weights = np.concatenate([mixture.weights_ for mixture in fitted.mixtures_])
    np.testing.assert_array_equal(table["mass"], weights)
    np.testing.assert_allclose(table["n_samples"], weights * np.repeat([400, 300], 3))
    conditions = [np.linalg.cond(c) for m in fitted.mixtures_ for c in m.covariances_]
    np.testing.assert_allclose(table["condition"], conditions, rtol=1e-10)


def test_pairs_tell_what_a_plan_saves_over_a_matching(fitted):
    (row,) = fitted.report().to_dict()["pairs"]
    a, b = fitted.mixtures_
    cost = ot.dist(a.means_, b.means_)
    rows, columns = linear_sum_assignment(cost)
    assert row["matching_total"] == pytest.approx(cost[rows, columns].sum(), rel=1e-12)
    assert row["plan_cost"] == pytest.approx(ot.emd2(a.weights_, b.weights_, cost), rel=1e-9)
    along = np.minimum(a.weights_, b.weights_[columns])
    left, missing = a.weights_ - along, b.weights_ - along[np.argsort(columns)]
    assert row["misplaced_mass"] == pytest.approx(left.sum(), rel=1e-9)
    rest = ot.emd2(left, missing * left.sum() / missing.sum(), cost)
    expected = (along * cost[rows, columns]).sum() + rest
    assert row["matching_cost"] == row["coupling_cost"] == pytest.approx(expected, rel=1e-9)
    assert row["coupling_cost"] >= row["plan_cost"]
    places = np.argsort(columns)  # of b's components, those of a
    there, back = a.weights_[places], b.weights_[columns]
    remaining = [
        ot.emd2(weights, m.weights_, dist_bures_squared(m.means_, m.means_, *[m.covariances_] * 2))
        for weights, m in ((there, b), (back, a))
    ]
    assert row["remaining_distance"] == pytest.approx(np.sqrt(max(remaining)), rel=1e-6)
    distance = mixture_distance(a, b)
    assert row["mixture_distance"] == pytest.approx(distance, rel=1e-12)
    totals = sorted(
        cost[[0, 1, 2], order].sum()
        for order in ([0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0])
    )
    assert row["runner_up_gap"] == pytest.approx(totals[1] - totals[0], rel=1e-9)
    assert row["is_coupling"] is True
    assert row["matching"] == columns.tolist()
    assert fitted.report().pairs["matching"][0] == columns.tolist()


def test_unequal_numbers_of_components_have_no_matching(two_groups):
    report = LocalTransport([2, 3], coupling="plan").fit(*two_groups).report()
    (row,) = report.to_dict()["pairs"]
    assert row["matching_cost"] is row["matching"] is None
    assert np.isnan(report.pairs["matching_cost"][0])
    assert row["coupling_cost"] == pytest.approx(row["plan_cost"])


def test_without_samples_there_is_nothing_about_them(fitted):
    report = fitted.report()
    assert len(report.carried) == len(report.separations) == 0
    assert report.to_dict()["barycentric_weights"] is None
    assert "from" not in repr(report).split("verdict")[0].split()


# --- held-out samples


def test_held_out_rows_come_from_the_maps(fitted, held_out):
    X, groups = held_out
    report = fitted.report(X, groups, n_permutations=19)
    carried = report.carried
    assert carried["from"].tolist() == ["a", "b", "a", "b"]
    assert carried["to"].tolist() == ["b", "a", None, None]
    a, b = X[groups == "a"], X[groups == "b"]
    there = fitted.transform(a, "a", to="b")
    moved = np.linalg.norm(there - a, axis=1)
    assert carried["rms_displacement"][0] == pytest.approx(np.sqrt(np.mean(moved**2)))
    assert carried["largest_displacement"][0] == pytest.approx(moved.max())
    assert carried["log_likelihood"][0] == pytest.approx(fitted.mixtures_[1].score(there))
    assert carried["target_log_likelihood"][0] == pytest.approx(fitted.mixtures_[1].score(b))
    distance = sliced_wasserstein(there, b, n_permutations=19)
    assert carried["sliced_after"][0] == pytest.approx(float(distance), rel=1e-12)
    assert carried["sliced_after_p_value"][0] == distance.p_value
    assert np.isnan(carried["sliced_after"][2])
    middle = [fitted.transform(X[groups == label], label) for label in "ab"]
    after = group_auc(*middle, n_permutations=19)
    assert report.separations["auc_after"][0] == pytest.approx(float(after), abs=1e-12)
    assert report.separations["auc_before"][0] == pytest.approx(
        float(group_auc(a, b, n_permutations=0))
    )
    assert report.to_dict()["barycentric_weights"] == [0.5, 0.5]


def test_labels_of_any_kind_come_back(two_groups):
    X, groups = two_groups
    numbers = np.where(groups == "a", 7, -1)
    report = LocalTransport(2).fit(X, numbers).report(X, numbers, n_permutations=0)
    assert report.components["group"].tolist() == [-1, -1, 7, 7]
    assert report.carried["to"].tolist() == [7, -1, None, None]
    json.dumps(report.to_dict())


def test_weights_and_some_groups_alone(fitted, held_out):
    X, groups = held_out
    report = fitted.report(X[groups == "b"], groups[groups == "b"], weights={"a": 1.0})
    assert report.carried["from"].tolist() == ["b"]
    assert report.to_dict()["barycentric_weights"] == [1.0, 0.0]


def test_tables_without_pandas_are_structured_arrays(fitted, held_out, monkeypatch):
    with_pandas = fitted.report(*held_out, n_permutations=0)
    frame = with_pandas.carried
    monkeypatch.setitem(sys.modules, "pandas", None)
    table = fitted.report(*held_out, n_permutations=0).carried
    assert isinstance(table, np.ndarray)
    assert list(table.dtype.names) == list(frame.columns)
    np.testing.assert_array_equal(table["rms_displacement"], frame["rms_displacement"])
    assert table["out_of_proportion"].dtype == bool


def test_the_repr_is_for_people(fitted, held_out):
    report = fitted.report(*held_out, n_permutations=9)
    text = repr(report)
    for words in ("mixture_distance", "runner_up_gap", "rms_displacement", "\nverdict\n  "):
        assert words in text
    for sentence in report.verdict.splitlines():
        assert sentence in text
    assert set(report.warnings) <= set(report.verdict.splitlines())


def test_it_speaks_of_parameters_by_their_names_here(two_groups):
    with pytest.warns(UserWarning, match="EM did not converge"):
        report = LocalTransport(3, max_iter=1, tol=0.0).fit(*two_groups).report()
    assert "increase max_iter (1) or tol (0)" in report.warnings[0]
    assert "increase max_iter (1) or tol (0)" in repr(report)


def test_it_repeats_at_any_number_of_threads(two_groups, held_out):
    one, three = (
        repr(LocalTransport(3, n_jobs=n).fit(*two_groups).report(*held_out)) for n in (1, 3)
    )
    assert one == three


def test_bad_arguments_are_refused_with_their_reason(fitted, held_out):
    X, groups = held_out
    with pytest.raises(ValueError, match=r"X is given without groups\. Give both or neither"):
        fitted.report(X)
    words = r"report: weights is \[1, 99\] without X, expected None: .* Give X and groups too"
    with pytest.raises(ValueError, match=words):
        fitted.report(weights=[1, 99])
    with pytest.raises(ValueError, match="groups is given without X"):
        fitted.report(groups=groups)
    with pytest.raises(ValueError, match=r"group 'c' at row 150 .* one of \['a', 'b'\]$"):
        fitted.report(X, np.where(groups == "b", "c", groups))
    with pytest.raises(ValueError, match="group 'a' has 3 samples, expected 10 or more"):
        fitted.report(X[:3], groups[:3])
    with pytest.raises(ValueError, match="n_permutations is -1"):
        fitted.report(X, groups, n_permutations=-1)


# --- false warnings and missed ones


def repaired(draw, seed, sizes=(300, 200), **params):
    """Report on a repair of two groups, on samples that its fit has not seen."""
    rng = np.random.default_rng(seed)
    X, new = (np.concatenate([draw(rng, n, g) for g in (0, 1)]) for n in sizes)
    repair = GroupRepair(random_state=seed, **params)
    repair.fit(X, sensitive_features=np.repeat([0, 1], sizes[0]))
    return repair.report(new, sensitive_features=np.repeat([0, 1], sizes[1]), n_permutations=49)


def test_a_repair_of_equal_groups_is_seldom_warned_of():
    reports = [repaired(lambda rng, n, g: rng.normal(size=(n, 4)), seed) for seed in range(20)]
    assert sum(bool(report.warnings) for report in reports) <= 1
    assert any("No problems found." in report.verdict for report in reports)


@pytest.mark.filterwarnings("ignore::UserWarning")  # of the fit, which may say so too
def test_a_repair_that_moves_values_apart_is_warned_of():
    def draw(rng, n, group):
        share = 0.3 + 0.15 * group
        return np.column_stack([rng.binomial(k, share, size=n) for k in (10, 1, 10)]).astype(float)

    for seed in range(5):
        report = repaired(draw, seed, (1500, 800), dither=0.0, refine=0)
        assert "a classifier separates '0' from '1'" in report.warnings[-1]
        (row,) = report.to_dict()["separations"]
        assert row["auc_after"] > row["auc_after_limit"]


def test_limits_belong_to_what_is_compared(fitted, held_out):
    report = fitted.report(*held_out, n_permutations=19).to_dict()
    for row in report["carried"]:
        assert (row["sliced_after_limit"] is None) == (row["to"] is None)
        assert row["n_target_samples"] in (150, 120)
        assert row["target_log_likelihood_deviation"] > 0.0
    (pair,) = report["separations"]
    assert 0.5 < pair["auc_after_limit"] < 1.0
    assert pair["sliced_after_limit"] > pair["sliced_after_null_mean"]
    none = fitted.report(*held_out, n_permutations=0).to_dict()["carried"]
    assert all(row["sliced_after_limit"] is None for row in none)


# --- repairs, and maps that move samples too far


def one_hot(n_samples, seed):
    """Two groups of one-hot rows; the first lacks a category that the second has."""
    rng = np.random.default_rng(seed)
    group = rng.integers(2, size=n_samples)
    shares = np.array([[0.5, 0.5, 0.0], [0.3, 0.4, 0.3]])
    category = np.array([rng.choice(3, p=shares[g]) for g in group])
    return np.column_stack([np.eye(3)[category], rng.normal(size=n_samples)]), group


@pytest.mark.filterwarnings("ignore::UserWarning")  # others of the same fit
def test_a_repair_that_throws_samples_away_says_so():
    X, group = one_hot(600, 0)
    with pytest.warns(
        UserWarning, match="New samples of '0' are moved too far in the transport to the"
    ):
        repair = GroupRepair(
            covariance_floor=1e-6,
            relative_covariance_floor=0.0,
            group_shrinkage=0.0,
            refine=0,
            dither=0.0,
        ).fit(X, sensitive_features=group)
    new, new_group = one_hot(300, 1)
    new[new_group == 0, :3] = np.eye(3)[2]  # a category that the fit has not seen in this group
    report = repair.report(new, sensitive_features=new_group)
    assert "moved too far" in report.warnings[0]
    assert "relative_covariance_floor (0) or covariance_floor (1e-06)" in report.warnings[0]
    assert report.carried["out_of_proportion"].any()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        floored = GroupRepair(check_samples=0).fit(X, sensitive_features=group)
    calm = floored.report(new, sensitive_features=new_group)
    to_the_barycenter = [row for row in calm.to_dict()["carried"] if row["to"] is None]
    assert len(to_the_barycenter) == 2
    assert not any(row["out_of_proportion"] for row in to_the_barycenter)


@pytest.mark.filterwarnings("ignore:fit does not check the repair")
def test_a_repair_reports_on_its_own_weights_and_columns(held_out):
    X, groups = held_out
    table = np.column_stack([X, groups == "b"])
    repair = GroupRepair(sensitive_columns=3, weights=[0.25, 0.75]).fit(table)
    report = repair.report(table, n_permutations=0)
    assert report.to_dict()["barycentric_weights"] == [0.25, 0.75]
    repaired = repair.transform(table)
    expected = float(group_auc(repaired[:150], repaired[150:], n_permutations=0))
    assert report.separations["auc_after"][0] == pytest.approx(expected, abs=1e-12)
    assert len(repair.report().carried) == 0
    with pytest.raises(ValueError, match="sensitive_features is given without X"):
        repair.report(sensitive_features=groups)


def small_units(scale):
    rng = np.random.default_rng(0)
    return rng.normal(0, [1.0, scale], (400, 2)), np.repeat(["a", "b"], 200)


def test_a_floor_that_swamps_a_feature_is_told():
    X, groups = small_units(1e-4)
    words = r"covariance_floor \(1e-06\) is .* times the variance of feature 2 of 2 .* group '[ab]'"
    with pytest.warns(UserWarning, match=words):
        model = LocalTransport(1).fit(X, groups)
    assert any("covariance_floor (1e-06)" in text for text in model.report().warnings)
    with pytest.warns(UserWarning, match=words.replace("[ab]", "X[st]")):
        floored = lbw.transport(X[:200], X[200:] + 1.0, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        LocalTransport(1).fit(*small_units(0.02))
        options = {"covariance_floor": 0.0, "relative_covariance_floor": 1e-3}
        relative = lbw.transport(X[:200], X[200:] + 1.0, 1, **options)
    assert abs(relative - floored).max() > 1e-6


@pytest.mark.filterwarnings("ignore:. of . components have fewer than 10 samples")
def test_fewer_distinct_rows_than_components_are_fitted():
    X = np.concatenate([np.repeat([[0.0, 0.0], [1.0, 2.0]], 10, axis=0), small_units(1.0)[0][:20]])
    with pytest.warns(UserWarning, match="Group 'a' has 2 distinct samples, fewer than its 3 comp"):
        model = LocalTransport(3).fit(X, np.repeat(["a", "b"], 20))
    assert model.mixtures_[0].means_.shape == (3, 2)
    assert np.isfinite(model.transform(X[:20], "a", to="b")).all()
