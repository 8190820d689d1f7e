# SPDX-License-Identifier: MIT
"""Displays show what the estimators hold; the artists are read back and compared."""

import itertools
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

import lbw.plot
from lbw import GaussianMixture, GroupRepair, LocalTransport
from lbw.metrics import ParityResult, demographic_parity_gamma
from lbw.plot import (
    BarycenterTriangleDisplay,
    Components,
    MatchingDisplay,
    MixtureDisplay,
    ParityDisplay,
    RepairDisplay,
    RocCurve,
    SelectionDisplay,
)
from lbw.plot._axes import COLORS, MARKERS

plt = pytest.importorskip("matplotlib.pyplot")
colors = pytest.importorskip("matplotlib.colors")


@pytest.fixture(autouse=True)
def figures_off_screen():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


def refused(message):
    """Expect a ValueError of exactly these words."""
    return pytest.raises(ValueError, match=f"^{re.escape(message)}$")


def blobs(n_groups=2, n_samples=150, n_features=3, seed=0):
    """Two blobs in each group; group g lies 4 g to the right."""
    random = np.random.default_rng(seed)
    groups = np.repeat([f"g{g}" for g in range(n_groups)], n_samples)
    X = random.normal(size=(len(groups), n_features))
    X[:, 0] += np.repeat(4.0 * np.arange(n_groups), n_samples)
    X[::2, 1] += 8.0
    return X, groups


def offsets(collection):
    return np.asarray(collection.get_offsets())


class TestMixtureDisplay:
    @pytest.mark.parametrize("covariance_type", ["full", "tied", "diag", "spherical"])
    def test_ellipses_lie_at_n_std_of_the_marginal(self, covariance_type):
        X, _ = blobs(n_groups=1)
        mixture = GaussianMixture(2, covariance_type=covariance_type, random_state=0).fit(X)
        display = MixtureDisplay.from_estimator(mixture, X, features=(2, 1), n_std=1.5)
        given = mixture.covariances_
        for component, ellipse in enumerate(display.ellipses_):
            covariance = {
                "full": lambda k: given[k],
                "tied": lambda k: given,
                "diag": lambda k: np.diag(given[k]),
                "spherical": lambda k: given[k] * np.eye(3),
            }[covariance_type](component)[np.ix_([2, 1], [2, 1])]
            border = ellipse.get_patch_transform().transform(
                [[np.cos(t), np.sin(t)] for t in np.linspace(0, 2 * np.pi, 9)]
            )
            away = border - mixture.means_[component][[2, 1]]
            distances = np.sqrt(np.sum(away @ np.linalg.inv(covariance) * away, axis=1))
            np.testing.assert_allclose(distances, 1.5, rtol=1e-10)
        np.testing.assert_array_equal(offsets(display.means_), mixture.means_[:, [2, 1]])
        np.testing.assert_array_equal(offsets(display.points_), X[:, [2, 1]])

    def test_heavier_components_are_more_opaque_and_have_larger_means(self):
        display = MixtureDisplay(
            weights=np.array([0.1, 0.6, 0.3]),
            means=np.zeros((3, 2)),
            covariances=np.stack([np.eye(2)] * 3),
        ).plot()
        opacities = [ellipse.get_facecolor()[3] for ellipse in display.ellipses_]
        assert np.argsort(opacities).tolist() == [0, 2, 1]
        assert np.argsort(display.means_.get_sizes()).tolist() == [0, 2, 1]
        assert display.points_ is None

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_names_come_from_the_table(self, library):
        module = pytest.importorskip(library)
        X, _ = blobs(n_groups=1)
        columns = dict(zip(["age", "income", "height"], X.T, strict=True))
        table = (module.table if library == "pyarrow" else module.DataFrame)(columns)
        mixture = GaussianMixture(2, random_state=0).fit(table)
        display = MixtureDisplay.from_estimator(mixture, table, features=("height", "age"))
        assert display.ax_.get_xlabel() == "height"
        assert display.ax_.get_ylabel() == "age"
        np.testing.assert_array_equal(offsets(display.points_), X[:, [2, 0]])

    def test_ellipses_are_in_view(self):
        display = MixtureDisplay(
            weights=np.ones(1), means=np.array([[5.0, 50.0]]), covariances=np.diag([4.0, 1.0])[None]
        ).plot(n_std=3)
        assert display.ax_.get_xlim()[0] <= -1
        assert display.ax_.get_xlim()[1] >= 11
        assert display.ax_.get_ylim()[1] >= 53

    def test_a_picture_has_y_downwards_and_one_scale(self):
        X, _ = blobs(n_groups=1)
        mixture = GaussianMixture(2, random_state=0).fit(X)
        display = MixtureDisplay.from_estimator(mixture, X, picture=True)
        assert display.ax_.yaxis_inverted()
        assert display.ax_.get_aspect() == 1

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"features": (0, 3)}, "there is no feature 3, there are 3"),
            (
                {"features": ("x", 0)},
                "there is no feature 'x' among ['x0', 'x1', 'x2']",
            ),
            ({"features": (0, 1, 2)}, "features is (0, 1, 2), expected two"),
            ({"X": np.zeros((5, 2))}, "X has shape (5, 2), expected (n_samples, 3)"),
        ],
    )
    def test_refuses_what_the_mixture_does_not_have(self, options, message):
        mixture = GaussianMixture(2, random_state=0).fit(blobs(n_groups=1)[0])
        with refused("MixtureDisplay: " + message):
            MixtureDisplay.from_estimator(mixture, **options)


class TestMatchingDisplay:
    def test_lines_join_coupled_means(self):
        X, groups = blobs()
        transport = LocalTransport(n_components=2).fit(X, groups)
        display = MatchingDisplay.from_estimator(transport, X, groups)
        drawn = {tuple(np.ravel(segment)) for segment in display.lines_.get_segments()}
        first, second = transport.mixtures_
        expected = {(*first.means_[i, :2], *second.means_[j, :2]) for i, j in transport.coupling_}
        assert drawn == expected
        for group, name in enumerate(transport.groups_):
            np.testing.assert_array_equal(offsets(display.points_[group]), X[groups == name][:, :2])
            np.testing.assert_array_equal(
                offsets(display.means_[group]), transport.mixtures_[group].means_[:, :2]
            )
        legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert legend == ["g0", "g1"]

    def hand_made(self, **changes):
        components = [
            Components(np.full(2, 0.5), np.array([[x, 0.0], [x, 1.0]]), np.stack([np.eye(2)] * 2))
            for x in (0.0, 1.0, 2.0)
        ]
        parts = {
            "group_names": ["a", "b", "c"],
            "components": components,
            "coupling": np.array([[0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1]]),
            "coupling_masses": np.array([0.1, 0.2, 0.3, 0.4]),
        }
        return MatchingDisplay(**{**parts, **changes}).plot()

    def test_tuples_that_share_a_pair_share_a_line_of_their_mass(self):
        display = self.hand_made()
        widths = {
            tuple(np.ravel(segment).tolist()): width
            for segment, width in zip(
                display.lines_.get_segments(), display.lines_.get_linewidths(), strict=True
            )
        }
        masses = {  # from a to b, then from a to c
            (0, 0, 1, 0): 0.3, (0, 1, 1, 0): 0.3, (0, 1, 1, 1): 0.4,
            (0, 0, 2, 0): 0.1, (0, 0, 2, 1): 0.2, (0, 1, 2, 1): 0.7,
        }  # fmt: skip
        assert widths.keys() == masses.keys()
        slopes = [(widths[pair] - 0.4) / mass for pair, mass in masses.items()]
        np.testing.assert_allclose(slopes, slopes[0])
        assert slopes[0] > 0

    def test_lines_start_from_the_reference(self):
        display = self.hand_made(reference=2)
        assert {segment[0, 0] for segment in display.lines_.get_segments()} == {2.0}
        assert display.points_ == []

    def test_reference_is_the_transports(self):
        X, groups = blobs(n_groups=3)
        transport = LocalTransport(n_components=2, reference="g1").fit(X, groups)
        display = MatchingDisplay.from_estimator(transport)
        assert transport.groups_[display.reference] == "g1"

    def test_refuses_points_without_groups_and_unknown_groups(self):
        X, groups = blobs()
        transport = LocalTransport(n_components=2).fit(X, groups)
        with refused("MatchingDisplay: X and groups are needed together"):
            MatchingDisplay.from_estimator(transport, X)
        message = "MatchingDisplay: groups holds ['g7'], fitted were ['g0', 'g1']"
        with refused(message):
            MatchingDisplay.from_estimator(transport, X, np.where(groups == "g0", "g0", "g7"))
        message = "MatchingDisplay: groups has 3 labels for 300 rows of X"
        with refused(message):
            MatchingDisplay.from_estimator(transport, X, groups[:3])

    def test_refuses_more_groups_than_colours(self):
        with refused("MatchingDisplay: 11 groups, expected at most 10"):
            self.hand_made(group_names=list("abcdefghijk"))


class TestBarycenterTriangleDisplay:
    def test_panels_hold_the_carried_points(self):
        X, groups = blobs(n_groups=3)
        transport = LocalTransport(n_components=2).fit(X, groups)
        display = BarycenterTriangleDisplay.from_estimator(
            transport, X, groups, n_steps=2, features=(1, 0)
        )
        weights = display.barycentric_weights
        assert weights.tolist() == [
            [1, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 1, 0], [0, 0.5, 0.5], [0, 0, 1],
        ]  # fmt: skip
        for at, drawn in zip(weights, display.points_, strict=True):
            if np.max(at) == 1:
                expected = X[groups == transport.groups_[np.argmax(at)]]
            else:
                expected = transport.transform(X, groups, to=at)
            np.testing.assert_array_equal(offsets(drawn), expected[:, [1, 0]])

    def test_corners_lie_at_the_corners_and_panels_do_not_overlap(self):
        X, groups = blobs(n_groups=3)
        transport = LocalTransport(n_components=2).fit(X, groups)
        display = BarycenterTriangleDisplay.from_estimator(transport, X, groups)
        assert len(display.axes_) == 15
        display.figure_.canvas.draw()
        boxes = [panel.get_position() for panel in display.axes_]
        top, left, right = (boxes[position] for position in (0, 10, 14))
        assert left.x0 < top.x0 < right.x0
        assert top.y0 > left.y0 == right.y0
        assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
        assert display.axes_[0].get_title() == "g0"
        assert display.axes_[10].get_xlabel() == "g1"
        assert display.axes_[14].get_xlabel() == "g2"

    def test_panels_share_limits_that_hold_all_points(self):
        X, groups = blobs(n_groups=3)
        transport = LocalTransport(n_components=2).fit(X, groups)
        display = BarycenterTriangleDisplay.from_estimator(transport, X, groups, picture=True)
        points = np.concatenate(display.panels)
        limits = {(panel.get_xlim(), panel.get_ylim()) for panel in display.axes_}
        (((left, right), (bottom, top)),) = limits
        assert left < points[:, 0].min() < points[:, 0].max() < right
        assert top < points[:, 1].min() < points[:, 1].max() < bottom

    def test_colours_are_mixed_by_the_weights(self):
        X, groups = blobs(n_groups=2)
        transport = LocalTransport(n_components=2).fit(X, groups)
        display = BarycenterTriangleDisplay.from_estimator(transport, X, groups, n_steps=4)
        first, second = np.array(colors.to_rgb(COLORS[0])), np.array(colors.to_rgb(COLORS[1]))
        drawn = [points.get_facecolor()[0, :3] for points in display.points_]
        np.testing.assert_allclose(drawn[0], first)
        np.testing.assert_allclose(drawn[1], 0.75 * first + 0.25 * second)
        np.testing.assert_allclose(drawn[4], second)

    def test_two_groups_make_a_row(self):
        X, groups = blobs(n_groups=2)
        transport = LocalTransport(n_components=2).fit(X, groups)
        display = BarycenterTriangleDisplay.from_estimator(transport, X, groups, n_steps=3)
        assert display.barycentric_weights[:, 0].tolist() == [1, 2 / 3, 1 / 3, 0]
        display.figure_.canvas.draw()
        boxes = [panel.get_position() for panel in display.axes_]
        assert len({round(box.y0, 9) for box in boxes}) == 1
        assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes))

    def test_refuses_four_groups_and_no_steps(self):
        X, groups = blobs(n_groups=4)
        transport = LocalTransport(n_components=2).fit(X, groups)
        with refused("BarycenterTriangleDisplay: 4 groups, expected 2 or 3"):
            BarycenterTriangleDisplay.from_estimator(transport, X, groups)
        keep = groups != "g3"
        transport = LocalTransport(n_components=2).fit(X[keep], groups[keep])
        with refused("BarycenterTriangleDisplay: n_steps is 0, expected >= 1"):
            BarycenterTriangleDisplay.from_estimator(transport, X[keep], groups[keep], n_steps=0)


class TestSelectionDisplay:
    @pytest.mark.parametrize("criterion", ["aic", "bic"])
    def test_shows_the_selection_of_the_mixture(self, criterion):
        X, _ = blobs(n_groups=1)
        mixture = GaussianMixture(criterion, random_state=0).fit(X)
        display = SelectionDisplay.from_estimator(mixture)
        for name, line in display.lines_.items():
            np.testing.assert_array_equal(line.get_xdata(), mixture.selection_["n_components"])
            np.testing.assert_array_equal(line.get_ydata(), mixture.selection_[name])
        assert display.chosen_line_.get_xdata() == [mixture.n_components_] * 2
        label = f"chosen {mixture.n_components_}, least {criterion.upper()}"
        assert display.chosen_line_.get_label() == label

    def test_shows_the_loss_on_held_out_samples_where_that_chose(self):
        X, _ = blobs(n_groups=1)
        mixture = GaussianMixture("heldout", n_components_range=range(1, 5)).fit(X)
        display = SelectionDisplay.from_estimator(mixture)
        assert list(display.lines_) == ["heldout"]
        np.testing.assert_array_equal(
            display.lines_["heldout"].get_ydata(), -mixture.selection_["heldout_log_likelihood"]
        )
        label = f"chosen {mixture.n_components_}, least held-out loss"
        assert display.chosen_line_.get_label() == label
        assert list(display.plot(criteria=["bic"]).lines_) == ["bic"]

    def hand_made(self, **options):
        return SelectionDisplay(
            n_components=np.array([1, 2, 3]),
            aic=np.array([3.0, 1.0, 2.0]),
            bic=np.array([4.0, 3.0, 5.0]),
            chosen=2,
            criterion="bic",
            converged=np.array([True, True, False]),
        ).plot(**options)

    def test_fits_that_did_not_converge_stay_hollow(self):
        display = self.hand_made()
        hollow = display.unconverged_["aic"]
        assert (hollow.get_xdata().tolist(), hollow.get_ydata().tolist()) == ([3], [2.0])
        assert hollow.get_markerfacecolor() == "white"

    def test_several_mixtures_share_an_axes(self):
        first = self.hand_made(criteria=["aic"], name="cat", color="C0")
        second = self.hand_made(criteria=["aic"], name="tooth", color="C1", ax=first.ax_)
        assert second.figure_ is first.figure_
        assert list(first.lines_) == ["aic"]
        labels = [text.get_text() for text in second.ax_.get_legend().get_texts()]
        assert "cat: AIC" in labels
        assert "tooth: chosen 2, least BIC" in labels
        assert colors.to_rgba(second.lines_["aic"].get_color()) == colors.to_rgba("C1")

    def test_refuses_a_number_that_was_given_and_unknown_criteria(self):
        mixture = GaussianMixture(2, random_state=0).fit(blobs(n_groups=1)[0])
        message = (
            "SelectionDisplay: the mixture did not choose its number of components; fit it with "
            "n_components='aic', 'bic' or 'heldout'"
        )
        with refused(message):
            SelectionDisplay.from_estimator(mixture)
        with refused("SelectionDisplay: criteria holds 'icl', expected 'aic' or 'bic'"):
            self.hand_made(criteria=["aic", "icl"])


def scores(n_groups=2, n_samples=600, seed=1):
    random = np.random.default_rng(seed)
    groups = random.integers(n_groups, size=n_samples)
    return random.normal(size=n_samples) * (1 + groups) + 0.3 * groups, groups


class TestParityDisplay:
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
        with pytest.raises(ValueError, match="GroupRepair does not know the groups"):
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


def test_ten_colours_and_markers_differ():
    assert len(set(COLORS)) == len(set(MARKERS)) == 10


def test_every_display_is_exported():
    for name in lbw.plot.__all__:
        assert getattr(lbw.plot, name).__name__ == name


@pytest.mark.parametrize(
    "draw",
    [
        lambda: MixtureDisplay.from_estimator(GaussianMixture(2)),
        lambda: MatchingDisplay.from_estimator(LocalTransport()),
        lambda: BarycenterTriangleDisplay.from_estimator(LocalTransport(), *blobs()),
        lambda: SelectionDisplay.from_estimator(GaussianMixture("aic")),
        lambda: RepairDisplay.from_estimator(GroupRepair(), blobs()[0]),
    ],
)
def test_estimators_must_be_fitted(draw):
    with pytest.raises(NotFittedError):
        draw()


@pytest.mark.parametrize(
    "draw",
    [
        lambda: ParityDisplay.from_predictions([1, 2], [0, 1]),
        lambda: RepairDisplay(
            before=np.zeros((2, 2)), after=np.zeros((2, 2)), groups=np.arange(2)
        ).plot(),
        lambda: MixtureDisplay.from_estimator(GaussianMixture(2)),
    ],
)
def test_without_matplotlib_the_extra_is_named(draw, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"Display needs matplotlib: pip install lbw\[plot\]$"):
        draw()


def test_importing_the_displays_does_not_import_matplotlib():
    code = "import sys, lbw.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_displays_lead_from_one_estimator_to_another():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(120, 2)), np.repeat(["a", "b"], 60)
    repair = lbw.GroupRepair(2, max_iter=500).fit(X, sensitive_features=groups)
    assert MatchingDisplay.from_estimator(repair).ax_ is not None
    with pytest.raises(TypeError, match="give one of its mixtures_, or see MatchingDisplay"):
        MixtureDisplay.from_estimator(repair.transport_)
