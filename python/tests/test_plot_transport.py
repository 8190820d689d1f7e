# SPDX-License-Identifier: MIT
"""Pictures of mixtures and transports."""

import itertools

import numpy as np
import pytest
from plot_samples import blobs, offsets, refused

from lbw import GaussianMixture, LocalTransport
from lbw.plot import (
    BarycenterTriangleDisplay,
    Components,
    MatchingDisplay,
    MixtureDisplay,
    SelectionDisplay,
)
from lbw.plot._axes import COLORS

colors = pytest.importorskip("matplotlib.colors")
pytestmark = pytest.mark.usefixtures("figures_off_screen")


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
        with refused("MatchingDisplay: groups has no label at row 0 (counted from 0)"):
            MatchingDisplay.from_estimator(transport, X, [float("nan"), *groups[1:].tolist()])

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


@pytest.mark.parametrize("display", [MixtureDisplay, MatchingDisplay, BarycenterTriangleDisplay])
def test_columns_in_another_order_are_refused(display):
    pandas = pytest.importorskip("pandas")
    X, groups = blobs(n_groups=2)
    table = pandas.DataFrame(X, columns=["a", "b", "c"])
    given: tuple = (groups,)
    if display is MixtureDisplay:
        model, given = GaussianMixture(2).fit(table), ()
    else:
        model = LocalTransport(2).fit(table, groups)
    display.from_estimator(model, table, *given)
    expected = (
        f"{display.__name__}: X has the columns ['c', 'b', 'a'], expected those of the fit in "
        "their order, ['a', 'b', 'c']"
    )
    with refused(expected):
        display.from_estimator(model, table[["c", "b", "a"]], *given)
