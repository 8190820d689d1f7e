# SPDX-License-Identifier: MIT
"""Sample weights: a row of weight 2 is two copies of the row, and a row of weight 0 is none."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_sample_weight_equivalence_on_dense_data

from lbw import GaussianMixture, GroupRepair, LocalTransport

N = 600


def table(seed: int = 0, n: int = N) -> tuple[Any, Any, Any]:
    """Return two groups of different spread, and whole weights from 0 to 3."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(2, size=n)
    X = rng.normal(size=(n, 3)) * (1.0 + groups[:, np.newaxis]) + 2.0 * groups[:, np.newaxis]
    return X, np.array(["a", "b"])[groups], rng.integers(4, size=n).astype(float)


def repeated(*values: Any, weights: Any) -> list[Any]:
    return [np.repeat(value, weights.astype(int), axis=0) for value in values]


def options() -> dict[str, Any]:
    return {"n_components": 1, "check_samples": 0, "refine": 6, "dither": 0.0}


def test_group_repair_of_whole_weights_is_that_of_repeated_rows():
    X, groups, weights = table()
    weighted = GroupRepair(**options()).fit(X, None, weights, sensitive_features=groups)
    copies, labels = repeated(X, groups, weights=weights)
    expected = GroupRepair(**options()).fit(copies, sensitive_features=labels)
    plain = GroupRepair(**options()).fit(X, sensitive_features=groups)
    moved = weighted.transform(X, sensitive_features=groups)
    np.testing.assert_allclose(
        moved, expected.transform(X, sensitive_features=groups), rtol=1e-7, atol=1e-7
    )
    assert np.abs(moved - plain.transform(X, sensitive_features=groups)).max() > 0.01


@pytest.mark.filterwarnings("ignore:a boosted tree")
def test_group_repair_ignores_rows_of_weight_0():
    X, groups, weights = table(n=1200)
    changed = X.copy()
    changed[weights == 0.0] = np.round(100.0 * X[weights == 0.0])
    used = weights > 0.0
    fit = {"sample_weight": weights, "sensitive_features": groups}
    left, right = (GroupRepair(refine=4).fit(data, **fit) for data in (X, changed))
    alone = GroupRepair(refine=4).fit(X[used], None, weights[used], sensitive_features=groups[used])
    expected = alone.transform(X, sensitive_features=groups)
    for repair in (left, right):
        np.testing.assert_array_equal(repair.transform(X, sensitive_features=groups), expected)
        assert repair.check_ == alone.check_
        assert repair.check_ is not None


@pytest.mark.parametrize("criterion", ["aic", "bic", "heldout"])
def test_criteria_use_weights(criterion):
    rng = np.random.default_rng(0)
    clumps = np.concatenate([rng.normal(c, 0.3, (200, 1)) for c in (0.0, 10.0, 20.0, 30.0)])
    weights = np.repeat([1.0, 1.0, 0.0, 0.0], 200)
    fit = GaussianMixture(criterion, n_components_range=[1, 2, 3, 4], n_init=2, random_state=0)
    assert fit.fit(clumps).n_components_ == 4
    assert fit.fit(clumps, sample_weight=weights).n_components_ == 2
    assert fit.means_.max() < 11.0


def test_bic_counts_copies():
    X, _, weights = table()
    table_of = GaussianMixture("bic", n_components_range=[1]).fit
    weighted = table_of(X, sample_weight=weights).selection_["bic"]
    (copies,) = repeated(X, weights=weights)
    expected = table_of(copies).selection_["bic"]
    np.testing.assert_allclose(weighted, expected, rtol=1e-10)


@pytest.mark.parametrize("coupling", ["plan", "matching"])
def test_numbers_of_groups_are_selected_by_weighted_rows(coupling):
    rng = np.random.default_rng(0)
    clumps = [rng.normal(c, 0.3, (300, 1)) for c in (0.0, 10.0, 20.0)]
    X = np.concatenate(clumps * 2)
    groups = np.repeat(["a", "b"], 900)
    weights = np.tile(np.repeat([2.0, 1.0, 0.0], 300), 2)
    transport = LocalTransport("bic", n_components_range=[1, 2, 3], coupling=coupling)
    assert transport.fit(X, groups).n_components_.tolist() == [3, 3]
    assert transport.fit(X, groups, weights).n_components_.tolist() == [2, 2]


def test_report_of_whole_weights_is_that_of_repeated_rows():
    X, groups, _ = table()
    new, labels, weights = table(1, 400)
    copies = repeated(new, labels, weights=weights)
    transport = LocalTransport(1).fit(X, groups)
    weighted = transport.report(new, labels, sample_weight=weights, n_permutations=19)
    assert str(weighted) == str(transport.report(*copies, n_permutations=19))
    repair = GroupRepair(check_samples=0).fit(X, sensitive_features=groups)
    options = {"n_permutations": 19}
    left = repair.report(new, sensitive_features=labels, sample_weight=weights, **options)
    right = repair.report(copies[0], sensitive_features=copies[1], **options)
    assert str(left) == str(right)
    with pytest.raises(ValueError, match="sample_weight is given without X"):
        transport.report(sample_weight=weights)


def test_report_counts_the_weights_of_the_fit():
    X, groups, weights = table()
    report = LocalTransport(1).fit(X, groups, weights).report()
    (copies,) = repeated(groups, weights=weights)
    assert list(report.components["n_samples"]) == [(copies == "a").sum(), (copies == "b").sum()]


def test_check_sees_the_weighted_rows():
    """Half of the rows cannot be repaired by a fit to the others; their weight is tiny."""
    rng = np.random.default_rng(0)
    groups = np.resize(["a", "b"], 4000)
    X = rng.normal(size=(4000, 2))
    rare = rng.random(4000) < 0.5
    lattice = 1.0 + 0.5 * (groups == "a")
    X[rare] = np.round(X[rare] / lattice[rare, np.newaxis]) * lattice[rare, np.newaxis] + 0.25
    weights = np.where(rare, 1e-9, 1.0)
    with (
        pytest.warns(UserWarning, match="makes groups differ in columns"),
        pytest.warns(UserWarning, match="a boosted tree still tells"),
    ):
        plain = GroupRepair(dither=0.0).fit(X, sensitive_features=groups)
    weighted = GroupRepair(dither=0.0).fit(X, None, weights, sensitive_features=groups)
    assert plain.check_.separable
    assert not weighted.check_.separable
    assert weighted.check_.auc < plain.check_.auc - 0.1


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 3.0, 1e300])
def test_scale_of_weights_does_not_change_maps(scale):
    X, groups, weights = table()
    transport = LocalTransport(2, random_state=0)
    expected = transport.fit(X, groups, weights).transform(X, groups)
    warned = pytest.warns(UserWarning, match="divide them by their mean")
    with warned if scale > 10.0 else nullcontext():
        moved = transport.fit(X, groups, scale * weights).transform(X, groups)
    np.testing.assert_allclose(moved, expected, rtol=1e-6, atol=1e-6)


def test_group_without_weight_is_refused_or_kept():
    X, groups, weights = table()
    weights[groups == "a"] = 0.0
    with pytest.raises(ValueError, match=r"sample_weight is 0 for all .* rows of group 'a'"):
        LocalTransport(1).fit(X, groups, weights)
    three = np.where(np.arange(N) % 3 == 0, "c", groups)
    weights = np.where(three == "c", 0.0, 1.0)
    with pytest.warns(UserWarning, match="Groups too small"):
        kept = LocalTransport(1, small_groups="keep").fit(X, three, weights)
    assert kept.kept_groups_.tolist() == ["c"]


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_bad_weights_are_refused(bad):
    X, groups, weights = table()
    weights[5] = bad
    for fit in (
        lambda: GroupRepair().fit(X, None, weights, sensitive_features=groups),
        lambda: LocalTransport(1).fit(X, groups, weights),
        lambda: LocalTransport(1).fit(X, groups).report(X, groups, sample_weight=weights),
    ):
        with pytest.raises(ValueError, match="eight"):
            fit()


def test_missing_values_in_rows_of_weight_0_are_refused():
    X, groups, weights = table()
    X[np.flatnonzero(weights == 0.0)[0], 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        GroupRepair().fit(X, None, weights, sensitive_features=groups)


def test_metadata_routing_passes_weights_to_a_step():
    X, groups, weights = table()
    y = (X[:, 1] > 0.0).astype(int)
    with config_context(enable_metadata_routing=True):
        repair = GroupRepair(**options())
        repair.set_fit_request(sample_weight=True, sensitive_features=True)
        repair.set_transform_request(sensitive_features=True)
        model = LogisticRegression().set_fit_request(sample_weight=True)
        pipeline = make_pipeline(repair, model)
        pipeline.fit(X, y, sample_weight=weights, sensitive_features=groups)
        moved = pipeline[:-1].transform(X, sensitive_features=groups)
    expected = GroupRepair(**options()).fit(X, None, weights, sensitive_features=groups)
    np.testing.assert_array_equal(moved, expected.transform(X, sensitive_features=groups))


class RepairedByTarget(GroupRepair):
    """GroupRepair as the check calls it: y holds the groups, all rows are of the first."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> RepairedByTarget:
        return super().fit(X, None, sample_weight, sensitive_features=y)

    def transform(self, X: Any) -> Any:
        return super().transform(X, sensitive_features=self.groups_[0])


@pytest.mark.filterwarnings("ignore:Few rows of groups")
@pytest.mark.filterwarnings("ignore:.*components have fewer than")
def test_scikit_learn_finds_weights_equivalent_to_copies():
    check_sample_weight_equivalence_on_dense_data("GroupRepair", RepairedByTarget(check_samples=0))
