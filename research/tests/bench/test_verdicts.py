# SPDX-License-Identifier: MIT
"""Test ratios, operation counts and verdicts."""

from __future__ import annotations

import unittest
from typing import Any

from samples import em_comparison, memory_comparison

from bench.results import Comparison, Side
from bench.verdicts import Verdict, em_flops, feature_count, judge, ratio_text


def two_sides(ours: dict[str, float], peer: dict[str, float]) -> Comparison:
    """Return a comparison that has only checks."""
    return Comparison("x", "x", {}, [Side("lbw", 1, [1.0], ours), Side("peer", 1, [1.0], peer)])


def judged(ours: float, peer: float, **target: Any) -> Verdict:
    """Return the verdict on one check."""
    comparison = two_sides({"inertia": ours}, {"inertia": peer})
    return judge(comparison, {"check": "inertia", "against": "peer", **target})


class CountTest(unittest.TestCase):
    """Test the number of operations of an EM iteration."""

    def test_features_are_products_coordinates_and_one(self) -> None:
        self.assertEqual(feature_count(1), 3)  # x^2, x, 1
        self.assertEqual(feature_count(2), 6)  # x^2, xy, y^2, x, y, 1
        self.assertEqual(feature_count(10), 66)

    def test_the_large_iteration_has_five_billion_operations(self) -> None:
        self.assertEqual(em_flops(1_000_000, 10, 20), 5.28e9)
        self.assertEqual(em_flops(n=10_000, d=2, k=20), 4.8e6)


class VerdictTest(unittest.TestCase):
    """Test the comparison of targets with measured values."""

    def test_speedup_is_the_ratio_of_medians(self) -> None:
        comparison = em_comparison()
        verdict = judge(comparison, comparison.targets[0])
        self.assertEqual(verdict, Verdict("≥ 30 × scikit-learn", "35.0 ×", True))

    def test_share_of_the_peak(self) -> None:
        comparison = em_comparison()
        verdict = judge(comparison, comparison.targets[1])
        self.assertEqual(verdict, Verdict("≥ 70 % of FMA peak", "50 %", False))

    def test_what_has_no_time_is_not_measured(self) -> None:
        comparison = em_comparison()
        verdict = judge(comparison, comparison.targets[2])
        self.assertEqual((verdict.seen, verdict.met, verdict.word), ("–", None, "not measured"))

    def test_time_is_compared_with_a_limit(self) -> None:
        comparison = two_sides({}, {})  # 1 s
        target = {"kind": "time_limit", "at_most_seconds": 2.0}
        self.assertEqual(judge(comparison, target), Verdict("≤ 2000 ms", "1e+03 ms", True))
        target["at_most_seconds"] = 0.5
        self.assertFalse(judge(comparison, target).met)

    def test_slowdown_is_bounded_from_above(self) -> None:
        comparison = em_comparison()
        target = {"kind": "slowdown", "against": "FMA peak", "at_most": 2}
        self.assertEqual(judge(comparison, target), Verdict("≤ 2 × FMA peak", "2.00 ×", True))
        target["at_most"] = 1.9
        self.assertFalse(judge(comparison, target).met)

    def test_checks_may_differ_within_a_relative_bound(self) -> None:
        self.assertTrue(judged(-10.0, -10.0, kind="check_close", within=0.0).met)
        self.assertTrue(judged(-10.05, -10.0, kind="check_close", within=0.01).met)
        verdict = judged(-10.2, -10.0, kind="check_close", within=0.01)
        self.assertEqual(verdict, Verdict("inertia within 0.01 of peer", "2.0e-02", False))

    def test_checks_may_not_fall_below_the_peer(self) -> None:
        self.assertTrue(judged(-1.0, -1.0, kind="check_not_below").met)
        self.assertFalse(judged(-1.1, -1.0, kind="check_not_below").met)
        verdict = judged(-1.5, -1.0, kind="check_not_below", slack=0.5)
        self.assertEqual(verdict, Verdict("inertia not below peer by 0.5", "-5.0e-01", True))

    def test_checks_may_exceed_the_peer_by_a_ratio(self) -> None:
        self.assertTrue(judged(10.1, 10.0, kind="check_ratio", at_most=1.01).met)
        verdict = judged(12.0, 10.0, kind="check_ratio", at_most=1.01)
        self.assertEqual(verdict, Verdict("inertia ≤ 1.01 × peer", "1.2000 ×", False))

    def test_a_check_that_one_side_lacks_is_not_measured(self) -> None:
        for kind in ("check_close", "check_not_below", "check_ratio"):
            target = {"kind": kind, "check": "cost", "against": "peer", "within": 1, "at_most": 1}
            self.assertIsNone(judge(two_sides({"cost": 1.0}, {}), target).met)

    def test_memory_is_bounded_by_the_input_or_by_a_number(self) -> None:
        comparison = memory_comparison()
        verdict = judge(comparison, comparison.targets[0])
        self.assertEqual(verdict, Verdict("memory ≤ 1.1 × the input", "0.50 ×", True))
        comparison.ours.checks = {"peak_bytes": 300 * 2.0**20}
        verdict = judge(comparison, {"kind": "memory_limit", "at_most_bytes": 256 * 2**20})
        self.assertEqual(verdict, Verdict("memory ≤ 256 MiB", "300 MiB", False))
        self.assertIsNone(judge(comparison, comparison.targets[0]).met)

    def test_ratios_have_about_three_digits(self) -> None:
        self.assertEqual(
            [ratio_text(ratio) for ratio in (0.994, 5.678, 56.78, 2567.8)],
            ["0.99 ×", "5.68 ×", "56.8 ×", "2,568 ×"],
        )


if __name__ == "__main__":
    unittest.main()
