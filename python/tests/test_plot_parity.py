# SPDX-License-Identifier: MIT
"""Pictures of parity and repairs."""

from enum import Enum

import numpy as np
import pandas as pd
import pytest
from plot_samples import blobs, offsets, plt, refused
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

from lbw import GroupRepair, LocalTransport
from lbw.metrics import ParityResult, demographic_parity_gamma
from lbw.plot import (
    ParityDisplay,
    RepairDisplay,
    RocCurve,
)

pytestmark = [
    pytest.mark.usefixtures("figures_off_screen"),
    pytest.mark.filterwarnings("ignore:fit does not check the repair"),
]


def scores(n_groups=2, n_samples=600, seed=1):
    random = np.random.default_rng(seed)
    groups = random.integers(n_groups, size=n_samples)
    return random.normal(size=n_samples) * (1 + groups) + 0.3 * groups, groups


class Site(str, Enum):
    north = "n"
    northeast = "ne"


class TestParityDisplay:
    @pytest.mark.parametrize("form", [list, lambda own: pd.DataFrame({"site": own})])
    def test_labels_are_those_of_the_measure(self, form):
        y_score, groups = scores()
        sites = np.array([Site.north, Site.northeast], dtype=object)[groups]
        display = ParityDisplay.from_predictions(y_score, form(sites.tolist()))
        assert [(curve.negative, curve.positive) for curve in display.curves] == [("n", "ne")]
        curve = ParityDisplay.from_predictions(y_score, groups).curves[0]
        assert display.curves[0].distance("ks") == curve.distance("ks")

    @pytest.mark.parametrize("kind", ["ks", "kuiper"])
    @pytest.mark.parametrize("n_groups", [2, 4])
    def test_marked_distances_add_up_to_gamma(self, kind, n_groups):
        y_score, groups = scores(n_groups)
        display = ParityDisplay.from_predictions(y_score, groups, kind=kind)
        gamma = float(demographic_parity_gamma(y_score, groups, kind=kind))
        assert float(display.result) == gamma
        lengths = [np.ptp(line.get_ydata()) for line in display.distance_lines_]
        assert len(lengths) == (1 if kind == "ks" else 2)
        # rates are rounded once each
        assert sum(lengths) == pytest.approx(gamma, abs=1e-14)
        assert all(np.ptp(line.get_xdata()) == 0 for line in display.distance_lines_)
        assert display.distance_lines_[0].get_label() == rf"$\gamma$ = {gamma:.3f} ({kind})"

    def test_curves_are_shares_above_the_threshold(self):
        display = ParityDisplay.from_predictions([1, 2, 2, 3], ["a", "a", "b", "b"])
        (line,) = display.lines_
        assert line.get_xydata().tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]
        assert display.ax_.get_xlabel() == "share of a above the threshold"
        assert display.ax_.get_ylabel() == "share of b above the threshold"
        assert line.get_label() == "group b against a"
        assert display.diagonal_.get_xydata().tolist() == [[0, 0], [1, 1]]

    def test_of_many_groups_the_pair_farthest_apart_is_marked(self):
        y_score = np.array([1, 2, 3, 4, 2, 3, 4, 5, 9, 8, 7, 6.0])
        groups = np.repeat(["a", "b", "c"], 4)
        display = ParityDisplay.from_predictions(y_score, groups)
        assert [curve.name for curve in display.curves] == [
            "b against a", "c against a", "c against b",
        ]  # fmt: skip
        widths = [line.get_linewidth() for line in display.lines_]
        assert widths[0] < widths[1]
        assert display.lines_[1].get_label() == "group c against a"

    def test_band_is_the_noise_of_random_groups(self):
        y_score, groups = scores()
        display = ParityDisplay.from_predictions(y_score, groups)
        corners = display.noise_.get_paths()[0].vertices
        middle = corners[np.isclose(corners[:, 0], 0.5)][:, 1]
        expected = 0.5 + display.result.null_quantile * np.array([-1, 1])
        np.testing.assert_allclose(np.unique(middle.round(12)), expected, atol=1e-11)

    def test_no_null_is_no_band(self):
        y_score, groups = scores()
        display = ParityDisplay.from_predictions(y_score, groups, kind="kuiper")
        assert display.noise_ is None
        display = ParityDisplay.from_predictions(y_score, groups, n_permutations=0)
        assert display.noise_ is None

    def test_draws_curves_made_elsewhere(self):
        curve = RocCurve("a", "b", np.array([0, 0.5, 1]), np.array([0, 0.8, 1]))
        display = ParityDisplay(curves=[curve], result=ParityResult(0.3, "ks")).plot()
        assert display.distance_lines_[0].get_xydata().tolist() == [[0.5, 0.5], [0.5, 0.8]]

    def test_infinite_scores_are_drawn(self):
        display = ParityDisplay.from_predictions([-np.inf, 0, 0, np.inf], [0, 0, 1, 1])
        assert display.lines_[0].get_xydata().tolist() == [[0, 0], [0, 0.5], [0.5, 1], [1, 1]]

    def test_classifiers_and_regressors_give_their_scores(self):
        X, groups = blobs()
        y = (X[:, 2] > 0).astype(int)
        for classifier, method in (
            (LogisticRegression(), lambda model: model.predict_proba(X)[:, 1]),
            (LinearSVC(), lambda model: model.decision_function(X)),
            (LinearRegression(), lambda model: model.predict(X)),
        ):
            classifier.fit(X, y)
            display = ParityDisplay.from_estimator(classifier, X, groups, y=y)
            expected = ParityDisplay.from_predictions(method(classifier), groups)
            assert display.result == expected.result
            assert display.target_line_.get_label() == "target 1 against 0"
            assert np.max(display.target_curve.distance("ks")) > 0.9

    def test_refuses_what_has_no_single_score(self):
        X, groups = blobs()
        three = LogisticRegression().fit(X, np.arange(len(X)) % 3)
        with refused("ParityDisplay: 3 classes, expected 2"):
            ParityDisplay.from_estimator(three, X, groups)
        message = "ParityDisplay: LocalTransport has neither predict_proba nor decision_function"
        with refused(message):
            ParityDisplay.from_estimator(LocalTransport(), X, groups)
        message = "ParityDisplay: y has shape (300,) and 3 classes, expected (300,) and 2"
        with refused(message):
            ParityDisplay.from_predictions(X[:, 0], groups, y=np.arange(len(X)) % 3)


class TestRepairDisplay:
    def test_panels_show_rows_before_and_after(self):
        X, groups = blobs()
        repair = GroupRepair().fit(X, sensitive_features=groups)
        display = RepairDisplay.from_estimator(
            repair, X, sensitive_features=groups, features=(1, 0)
        )
        repaired = repair.transform(X, sensitive_features=groups)
        for table, drawn in zip((X, repaired), display.points_, strict=True):
            for name, points in zip(("g0", "g1"), drawn, strict=True):
                expected = table[groups == name][:, [1, 0]]
                np.testing.assert_array_equal(offsets(points), expected)
                assert points.get_label() == name
        before, after = display.axes_
        assert before.get_xlim() == after.get_xlim()
        assert before.get_ylim() == after.get_ylim()
        assert before.get_xlabel() == after.get_xlabel() == "x1"

    def test_groups_may_be_a_column_of_the_table(self):
        pandas = pytest.importorskip("pandas")
        X, groups = blobs()
        table = pandas.DataFrame({"age": X[:, 0], "sex": groups, "pay": X[:, 1], "h": X[:, 2]})
        repair = GroupRepair(sensitive_columns="sex").fit(table)
        display = RepairDisplay.from_estimator(repair, table, features=("pay", "age"))
        np.testing.assert_array_equal(offsets(display.points_[0][1]), X[groups == "g1"][:, [1, 0]])
        repaired = np.asarray(repair.transform(table))
        expected = repaired[groups == "g1"][:, [1, 0]]
        np.testing.assert_array_equal(offsets(display.points_[1][1]), expected)
        assert display.axes_[0].get_xlabel() == "pay"

    def test_groups_of_several_columns_are_their_combinations(self):
        X, groups = blobs()
        sensitive = np.column_stack([groups, np.where(X[:, 2] > 0, "p", "q")])
        repair = GroupRepair().fit(X, sensitive_features=sensitive)
        display = RepairDisplay.from_estimator(repair, X, sensitive_features=sensitive)
        assert [points.get_label() for points in display.points_[0]] == repair.groups_.tolist()
        assert sum(len(offsets(points)) for points in display.points_[1]) == len(X)

    def test_needs_groups_from_somewhere(self):
        X, groups = blobs()
        repair = GroupRepair().fit(X, sensitive_features=groups)
        with pytest.raises(ValueError, match="GroupRepair needs the groups"):
            RepairDisplay.from_estimator(repair, X)

    def test_draws_into_an_axes_that_is_there(self):
        X, groups = blobs()
        figure, ax = plt.subplots()
        display = RepairDisplay(before=X[:, :2], after=X[:, 1:], groups=groups).plot(ax=ax)
        assert display.ax_ is ax
        assert display.figure_ is figure
        assert plt.get_fignums() == [figure.number]

    def test_tells_ten_groups_apart_and_no_more(self):
        random = np.random.default_rng(0)
        points = random.normal(size=(110, 2))
        display = RepairDisplay(before=points[:100], after=points[:100], groups=np.arange(100) % 10)
        drawn = display.plot().points_[0]
        assert len({tuple(part.get_facecolor()[0, :3]) for part in drawn}) == 10
        display = RepairDisplay(before=points, after=points, groups=np.arange(110) % 11)
        with refused("RepairDisplay: 11 groups, expected at most 10"):
            display.plot()
