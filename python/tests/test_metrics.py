# SPDX-License-Identifier: MIT
"""Parity against SciPy and scikit-learn, supports against pictures drawn by hand."""

import dataclasses
import pickle
import re
from itertools import combinations, product
from math import comb

import gamma_coverage
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ks_2samp
from sklearn.metrics import roc_curve

from lbw.metrics import (
    ParityResult,
    SupportAgreement,
    demographic_parity_gamma,
    support_agreement,
)


def refused(message):
    """Expect a ValueError of exactly these words."""
    return pytest.raises(ValueError, match=f"^{re.escape(message)}$")


def parity(y_score, groups, kind="ks"):
    """Return the value alone."""
    return float(
        demographic_parity_gamma(y_score, groups, kind=kind, n_permutations=0, n_bootstraps=0)
    )


def scores_of_two_groups(n_samples=400, shift=0.4, seed=3, decimals=None):
    random = np.random.default_rng(seed)
    groups = random.choice(["a", "b"], size=n_samples, p=[0.3, 0.7])
    scores = random.normal(size=n_samples) + shift * (groups == "b")
    return (scores if decimals is None else scores.round(decimals)), groups


class TestDistance:
    @pytest.mark.parametrize("decimals", [None, 1, 0])  # without ties, with some, with many
    @pytest.mark.parametrize("shift", [-0.5, 0.0, 2.0])
    def test_ks_is_scipys(self, decimals, shift):
        scores, groups = scores_of_two_groups(shift=shift, decimals=decimals)
        expected = ks_2samp(scores[groups == "a"], scores[groups == "b"]).statistic
        # SciPy subtracts two rounded shares of at most 1
        assert parity(scores, groups) == pytest.approx(expected, abs=4 * np.finfo(float).eps)

    @pytest.mark.parametrize("decimals", [None, 1, 0])
    @pytest.mark.parametrize("shift", [-0.5, 0.0, 2.0])
    def test_both_kinds_are_distances_of_the_roc_curve(self, decimals, shift):
        scores, groups = scores_of_two_groups(shift=shift, decimals=decimals)
        false_rate, true_rate, _ = roc_curve(groups == "b", scores, drop_intermediate=False)
        above, below = np.max(true_rate - false_rate), np.max(false_rate - true_rate)
        tolerance = 4 * np.finfo(float).eps
        assert parity(scores, groups) == pytest.approx(max(above, below), abs=tolerance)
        assert parity(scores, groups, "kuiper") == pytest.approx(above + below, abs=tolerance)

    @given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("xyz")), min_size=2, max_size=40))
    def test_is_the_largest_over_thresholds_and_pairs(self, rows):
        scores = np.array([score for score, _ in rows])
        groups = np.array([group for _, group in rows])
        names = np.unique(groups)
        if len(names) < 2:
            return
        share = {
            name: np.array([np.mean(scores[groups == name] <= cut) for cut in range(5)])
            for name in names
        }
        ks, kuiper = 0.0, 0.0
        for a, b in combinations(names, 2):
            gaps = np.append(share[a] - share[b], 0.0)
            ks = max(ks, np.abs(gaps).max())
            kuiper = max(kuiper, gaps.max() - gaps.min())
        assert parity(scores, groups) == pytest.approx(ks, abs=1e-15)
        assert parity(scores, groups, "kuiper") == pytest.approx(kuiper, abs=1e-15)

    def test_kuiper_adds_both_sides_where_groups_differ_in_spread(self):
        scores = [-2, -1, 1, 2, -0.5, -0.25, 0.25, 0.5]
        groups = [0, 0, 0, 0, 1, 1, 1, 1]
        assert parity(scores, groups) == 0.5
        assert parity(scores, groups, "kuiper") == 1.0

    def test_equal_scores_tell_nothing_whatever_their_order(self):
        assert parity([0.5] * 6, ["a", "a", "a", "b", "b", "b"]) == 0.0
        assert parity([1.0, 1.0, 2.0, 2.0], ["a", "b", "b", "a"], "kuiper") == 0.0

    def test_parted_groups_are_at_distance_one(self):
        assert parity([-np.inf, 1, 2, np.inf], ["a", "a", "b", "b"]) == 1.0

    def test_order_of_rows_names_and_units_do_not_matter(self):
        scores, groups = scores_of_two_groups(decimals=1)
        expected = parity(scores, groups)
        shuffled = np.random.default_rng(0).permutation(len(scores))
        assert parity(scores[shuffled], groups[shuffled]) == expected
        assert parity(scores, np.where(groups == "a", 7, -7)) == expected
        assert parity(-3 * scores, groups) == expected

    def test_takes_data_frames(self):
        pandas = pytest.importorskip("pandas")
        polars = pytest.importorskip("polars")
        scores, groups = scores_of_two_groups()
        for frame in (pandas.DataFrame, polars.DataFrame):
            table = frame({"score": scores, "group": groups})
            assert parity(table["score"], table["group"]) == parity(scores, groups)
        assert parity(scores, pandas.Categorical(groups)) == parity(scores, groups)


class TestNoise:
    def test_nothing_asked_for_is_nothing_given(self):
        result = demographic_parity_gamma([1, 2], [0, 1], n_permutations=0, n_bootstraps=0)
        assert result == ParityResult(value=1.0, kind="ks")
        assert result.null_mean is result.p_value is result.low is None

    def test_results_repeat_and_none_is_seed_zero(self):
        data = scores_of_two_groups()
        result = demographic_parity_gamma(*data)
        assert result == demographic_parity_gamma(*data)
        assert result == demographic_parity_gamma(*data, random_state=0)
        assert result != demographic_parity_gamma(*data, random_state=1)
        state = np.random.RandomState(0)
        assert result == demographic_parity_gamma(*data, random_state=state)

    def test_null_and_interval_do_not_depend_on_each_other(self):
        data = scores_of_two_groups()
        both = demographic_parity_gamma(*data)
        null = demographic_parity_gamma(*data, n_bootstraps=0)
        interval = demographic_parity_gamma(*data, n_permutations=0)
        assert (null.null_mean, null.null_quantile) == (both.null_mean, both.null_quantile)
        assert (interval.low, interval.high) == (both.low, both.high)

    @pytest.mark.parametrize("decimals", [None, 0])
    def test_p_value_is_that_of_all_deals(self, decimals):
        scores, groups = scores_of_two_groups(n_samples=12, shift=1.5, decimals=decimals)
        n_a = int(np.sum(groups == "a"))
        deals = []
        for members in combinations(range(12), n_a):
            dealt = np.ones(12)
            dealt[list(members)] = 0
            deals.append(parity(scores, dealt))
        expected = np.mean(np.array(deals) >= parity(scores, groups))
        result = demographic_parity_gamma(scores, groups, n_permutations=4000, n_bootstraps=0)
        # four standard deviations of a share of 4000 draws
        assert result.p_value == pytest.approx(expected, abs=4 * 0.5 / np.sqrt(4000))
        assert result.null_mean == pytest.approx(np.mean(deals), abs=4 * np.std(deals) / 4000**0.5)

    def test_null_has_the_noise_of_random_labels(self):
        scores, groups = scores_of_two_groups(n_samples=2000, shift=1.0)
        result = demographic_parity_gamma(scores, groups, n_permutations=400, n_bootstraps=0)
        # Kolmogorov's limit law: sqrt(n_a n_b / n) D has mean 0.8687 and 95 % quantile 1.3581
        n_a = np.sum(groups == "a")
        scale = np.sqrt(n_a * (2000 - n_a) / 2000)
        assert scale * result.null_mean == pytest.approx(0.8687, rel=0.05)
        assert scale * result.null_quantile == pytest.approx(1.3581, rel=0.1)
        assert result.p_value == 1 / 401

    def test_interval_holds_a_distance_far_above_the_noise(self):
        scores, groups = scores_of_two_groups(n_samples=2000, shift=1.0)
        wide = demographic_parity_gamma(scores, groups, confidence=0.99)
        narrow = demographic_parity_gamma(scores, groups, confidence=0.5)
        assert wide.low < narrow.low < wide.value < narrow.high < wide.high
        # normal shift of 1: D = 2 Phi(1/2) - 1
        assert wide.low < 0.3829 < wide.high

    @pytest.mark.parametrize("kind", ["ks", "kuiper"])
    def test_interval_is_wide_where_rows_are_few(self, kind):
        result = demographic_parity_gamma([1, 2, 3, 4, 5], list("aabbb"), kind=kind)
        # a tenth of all assignments of two rows to one group parts them too, on either side
        assert (result.low, result.high) == (0.0, 1.0)
        many = demographic_parity_gamma(np.arange(60), np.repeat(["a", "b"], 30), kind=kind)
        assert 0.6 < many.low < 0.9
        assert many.high == 1.0

    @pytest.mark.parametrize(
        ("shape", "kind", "gamma", "sizes"),
        [
            (gamma_coverage.shifted, "ks", 0.0, (50, 50)),
            (gamma_coverage.shifted, "ks", 0.2, (100, 50)),
            (gamma_coverage.plateau, "ks", 0.05, (50, 300)),
            (gamma_coverage.decisions, "ks", 0.7, (100, 50)),
            (gamma_coverage.grades, "kuiper", 0.2, (100, 50)),
            (gamma_coverage.narrowed, "kuiper", 0.05, (100, 100)),
        ],
    )
    def test_interval_covers_the_distance_of_the_populations(self, shape, kind, gamma, sizes):
        """A percentile bootstrap covers in 0, .74, 0, .89, .86 and 0 of these samples."""
        covered, _, _ = gamma_coverage.coverage(shape, kind, gamma, sizes, 80)
        assert covered >= 0.93

    @pytest.mark.parametrize(
        ("shape", "gamma", "sizes"),
        [
            (gamma_coverage.plateau, 0.383, (5, 5)),
            (gamma_coverage.plateau, 0.5, (8, 8)),
            (gamma_coverage.decisions, 0.5, (8, 8)),
            (gamma_coverage.decisions, 0.7, (10, 10)),
        ],
    )
    def test_interval_covers_the_distance_of_few_rows(self, shape, gamma, sizes):
        """Wilson's limits and the bootstrap alone cover in .90, .93, .91 and .92 of 400 samples."""
        covered, _, _ = gamma_coverage.coverage(shape, "ks", gamma, sizes, 150)
        assert covered >= 0.95

    def test_interval_of_six_rows_covers_rates_near_0_and_1(self):
        """Limits whose arms add up in squares miss in 7 % of samples."""
        missed = 0.0
        for a, b in product(range(7), range(7)):
            scores = np.append(np.arange(6) < a, np.arange(6) < b).astype(float)
            chance = comb(6, a) * comb(6, b) * 0.05 ** (a + 6 - b) * 0.95 ** (6 - a + b)
            result = demographic_parity_gamma(scores, np.repeat([0, 1], 6), n_permutations=0)
            missed += chance * (not result.low <= 0.9 <= result.high)
        assert missed < 0.05

    def test_lower_end_of_few_rows_is_not_that_of_the_bootstrap(self):
        parted = demographic_parity_gamma(np.arange(10), np.repeat(["a", "b"], 5))
        # a gamma of .383 parts 5 from 5 rows in 7 % of samples
        assert 0.0 < parted.low < 0.25
        assert parted.high == 1.0

    def test_interval_of_three_groups_is_that_of_the_farthest(self):
        random = np.random.default_rng(5)
        scores = np.concatenate([random.normal(size=(2, 400)).ravel(), random.normal(2, size=400)])
        groups = np.repeat(["a", "b", "c"], 400)
        result = demographic_parity_gamma(scores, groups, n_permutations=0)
        # normal shift of 2: D = 2 Phi(1) - 1
        assert result.low < 0.6827 < result.high
        assert result.high - result.low < 0.2
        alike = demographic_parity_gamma(random.normal(size=1200), groups, n_permutations=0)
        assert alike.low == 0.0 < alike.high < 0.2

    @pytest.mark.parametrize("precision", [np.float64, np.float32])
    def test_scores_that_differ_by_rounding_are_ties(self, precision):
        """The order of summation must not decide which group is ahead."""
        random = np.random.default_rng(6)
        groups = np.repeat(["a", "b"], 500)
        scores = random.choice([0.0, 0.1, 0.3, 0.7], size=1000)
        expected = demographic_parity_gamma(scores, groups, n_bootstraps=0)
        lower = np.where(groups == "a", 1 - 4 * np.finfo(precision).eps, 1.0)
        rounded = demographic_parity_gamma(
            (scores * lower).astype(precision), groups, n_bootstraps=0
        )
        assert rounded == expected
        assert expected.value < 0.15  # it would be .3 and more

    def test_scores_of_any_scale_keep_their_order(self):
        scores, groups = scores_of_two_groups(n_samples=400, shift=1.0)
        expected = demographic_parity_gamma(scores, groups)
        assert demographic_parity_gamma(np.exp(50.0 * scores), groups) == expected
        scores[:3] = [-np.inf, np.inf, np.inf]
        far = np.where(np.isfinite(scores), scores, np.sign(scores) * 1e300)
        assert demographic_parity_gamma(scores, groups) == demographic_parity_gamma(far, groups)

    def test_saturated_scores_are_not_ties(self):
        """Scores next to 0 differ by factors, also beside a few scores that do not."""
        groups = np.repeat([0, 1, 0, 1], [100, 100, 1, 1])
        tiny = [np.linspace(1e-9, 2e-9, 100), np.linspace(1e-7, 2e-7, 100), [0.3, 0.6]]
        single = np.concatenate(tiny).astype(np.float32)
        assert parity(single, groups) == pytest.approx(100 / 101)
        low = np.random.default_rng(7).uniform(0.0, 1e-14, 200) + 1e-14 * (np.arange(200) > 99)
        assert parity(np.append(low, [1.0, 1.0]), groups) == pytest.approx(100 / 101)

    def test_result_is_frozen_and_pickles(self):
        result = demographic_parity_gamma([1, 2, 3], [0, 1, 1])
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.value = 0.0
        assert pickle.loads(pickle.dumps(result)) == result


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, np.nan], [0, 1]), {}, "y_score is NaN at row 1"),
        (([1, 2, 3], [0, 1]), {}, "groups has shape (2,), expected (3,), one label per score"),
        (([[1], [2]], [0, 1]), {}, "y_score has shape (2, 1), expected (n_samples,)"),
        (([1, 2], [[0, 1]]), {}, "groups has shape (1, 2), expected (2,), one label per score"),
        (([1, 2], ["a", "a"]), {}, "groups holds 1 label(s) ['a'], expected two or more"),
        (([], []), {}, "groups holds 0 label(s) [], expected two or more"),
        (([1, 2], [0, 1]), {"kind": "KS"}, "kind is 'KS', expected 'ks' or 'kuiper'"),
        (([1, 2], [0, 1]), {"n_permutations": -1}, "n_permutations is -1, expected >= 0"),
        (([1, 2], [0, 1]), {"n_bootstraps": -2}, "n_bootstraps is -2, expected >= 0"),
        (([1, 2], [0, 1]), {"confidence": 1.0}, "confidence is 1.0, expected between 0 and 1"),
    ],
)
def test_parity_refuses_what_it_cannot_measure(arguments, options, message):
    with refused("demographic_parity_gamma: " + message):
        demographic_parity_gamma(*arguments, **options)


@pytest.mark.parametrize("groups", [[0.0, np.nan], ["a", None]])
def test_parity_refuses_missing_labels(groups):
    with pytest.raises(ValueError, match=r"^demographic_parity_gamma: groups .* at row 1"):
        demographic_parity_gamma([1, 2], groups)


def square(size=100, rows=slice(20, 60), columns=slice(30, 80)):
    truth = np.zeros((size, size), dtype=bool)
    truth[rows, columns] = True
    return truth


def points_in(truth, n_points=40_000, seed=0):
    random = np.random.default_rng(seed)
    pixels = np.argwhere(truth)[random.integers(truth.sum(), size=n_points)]
    return (pixels[:, ::-1] + random.uniform(size=(n_points, 2))) / truth.shape[0]


class TestSupport:
    def test_points_of_the_picture_agree_with_it(self):
        truth = square()
        agreement = support_agreement(points_in(truth), truth)
        # Otsu cuts within a pixel of the border: 180 border pixels of 2000
        assert agreement.iou > 0.95
        assert agreement.pixel_agreement > 0.98
        assert agreement.coverage > 0.95
        assert agreement.inside == 1.0

    def test_x_runs_to_the_right_and_y_downwards(self):
        truth = square()
        points = points_in(truth)
        assert support_agreement(points[:, ::-1], truth).iou < 0.6

    def test_half_the_picture_covers_half_of_it(self):
        truth = square(rows=slice(20, 80), columns=slice(20, 80))
        half = square(rows=slice(20, 80), columns=slice(20, 50))
        agreement = support_agreement(points_in(half), truth)
        assert agreement.coverage == pytest.approx(0.5, abs=0.03)
        assert agreement.iou == pytest.approx(0.5, abs=0.03)
        assert agreement.pixel_agreement == pytest.approx(1 - 0.18, abs=0.02)
        assert agreement.inside == 1.0
        assert support_agreement(points_in(truth), half).inside == pytest.approx(0.5, abs=0.01)

    def test_shares_follow_from_one_another(self):
        truth = square()
        agreement = support_agreement(points_in(square(rows=slice(30, 70))), truth)
        n_truth, n_pixels = 2000, 10_000
        both = agreement.coverage * n_truth
        either = both / agreement.iou
        assert agreement.pixel_agreement == pytest.approx(1 - (either - both) / n_pixels, abs=1e-12)

    def test_points_outside_the_unit_square_are_not_inside(self):
        truth = square()
        points = points_in(truth, n_points=3000)
        outside = np.array([[-0.5, 0.4], [0.5, 1.001], [7.0, 7.0]])
        alone = support_agreement(points, truth)
        mixed = support_agreement(np.concatenate([points, outside]), truth)
        assert mixed.iou == alone.iou
        assert mixed.inside == 3000 / 3003

    def test_far_edge_belongs_to_the_last_pixel(self):
        truth = np.zeros((4, 4), dtype=bool)
        truth[3, 3] = True
        agreement = support_agreement([[1.0, 1.0], [0.75, 0.75]], truth, bandwidth=0.25)
        assert agreement == SupportAgreement(1.0, 1.0, 1.0, 1.0)

    def test_wider_kernels_give_wider_supports(self):
        truth = square()
        points = points_in(truth, n_points=300)
        narrow, wide = (support_agreement(points, truth, bandwidth=b) for b in (0.5, 4.0))
        assert narrow.coverage < 0.5 < wide.coverage
        assert narrow.inside == wide.inside

    @pytest.mark.parametrize(
        ("points", "truth", "message"),
        [
            (np.zeros((3, 3)), square(), "points has shape (3, 3), expected (n_points, 2)"),
            (np.zeros((0, 2)), square(), "points has shape (0, 2), expected (n_points, 2)"),
            ([[0, 0], [0, np.inf]], square(), "points is not finite at row 1"),
            (np.zeros((3, 2)), square()[:50], "truth has shape (50, 100), expected (size, size)"),
            (
                np.zeros((3, 2)),
                ~square() & square(),
                "truth is empty, expected a pixel that is True",
            ),
            (
                np.zeros((3, 2)),
                square() * 255,
                "truth holds int64, expected bool; for grey values give truth < 128 or the like",
            ),
        ],
    )
    def test_refuses_what_it_cannot_measure(self, points, truth, message):
        with refused("support_agreement: " + message):
            support_agreement(points, truth)

    def test_refuses_points_that_all_lie_outside(self):
        with pytest.raises(ValueError, match="no point"):
            support_agreement([[2.0, 2.0]], square())
