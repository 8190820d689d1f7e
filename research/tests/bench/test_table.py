# SPDX-License-Identifier: MIT
"""Test the tables and the generated block of a page."""

from __future__ import annotations

import unittest

from samples import sample_results

from bench.table import (
    MARKS,
    about_table,
    comparison_table,
    generated_part,
    seconds_text,
    verdict_count,
)
from common.page import with_block

COMPARISONS = """\
| job | lbw | compared with | time | ratio | target | result |
| --- | --- | --- | --- | --- | --- | --- |
| EM iteration | 200 ms (100 ms) | scikit-learn, 1 thread | 7 s (6 s), 2 runs | 35.0 × | ≥ 30 × scikit-learn | 35.0 ×: met |
|  |  | Armadillo, 2 threads | not built | – | ≥ 70 % of FMA peak | 50 %: missed |
|  |  | FMA peak, 2 threads | 100 GFLOP/s |  | ≥ 2 × Armadillo | –: not measured |
| memory of a fit | 10 MiB | scikit-learn, 2 threads | 40 MiB | 4.00 × | memory ≤ 1.1 × the input | 0.50 ×: met |"""

ABOUT = """\
|  |  |
| --- | --- |
| command | `make bench` |
| date, commit | 2026-01-02, abc |
| machine | A, 2 cores, 8 GiB |
| system | Linux; GCC 12; AVX3 |
| load before and after | 0.50, 1.25 |
| versions | lbw 0.1, NumPy 2 |
| settings of the peers | kernel Haswell |
| FMA peak f64 | 115 GFLOP/s |"""


class TableTest(unittest.TestCase):
    """Test the tables of fixed results."""

    maxDiff = None

    def test_comparisons_have_a_row_per_contestant_or_target(self) -> None:
        self.assertEqual(comparison_table(sample_results()), COMPARISONS)

    def test_conditions_of_the_run_are_listed(self) -> None:
        self.assertEqual(about_table(sample_results()), ABOUT)

    def test_targets_are_counted(self) -> None:
        self.assertEqual(
            verdict_count(sample_results()),
            "Targets: 2 of 4 met, 1 missed, 1 not measured.",
        )

    def test_times_have_three_digits_and_a_unit(self) -> None:
        self.assertEqual(
            [seconds_text(s) for s in (1234.5, 24.25, 1.5, 0.0567, 9.99e-5, 2e-8)],
            ["1234 s", "24.2 s", "1.5 s", "56.7 ms", "99.9 µs", "20 ns"],
        )


class DocumentTest(unittest.TestCase):
    """Test that the generated part replaces the text between the marks."""

    def test_only_the_lines_between_the_marks_change(self) -> None:
        begin, end = MARKS
        text = f"# Title\n\n{begin}\nold\n{end}\n\n## By hand\n"
        made = with_block(text, MARKS, "new")
        self.assertEqual(made, f"# Title\n\n{begin}\nnew\n{end}\n\n## By hand\n")
        self.assertEqual(with_block(made, MARKS, "new"), made)

    def test_a_document_without_marks_is_refused(self) -> None:
        begin, end = MARKS
        for text in ("# Title", f"{begin} but no end", f"{end} before {begin}"):
            with self.assertRaisesRegex(ValueError, "expected the marks"):
                with_block(text, MARKS, "new")

    def test_pictures_and_growth_come_last(self) -> None:
        part = generated_part(sample_results(), [("a curve", "images/a.svg")])
        growth = "of 1.000 on one thread and 0.500 on 2, fitted to the sizes from 8 to 8,000."
        self.assertIn("![a curve](images/a.svg)", part)
        self.assertTrue(part.endswith(growth))
        self.assertIn(COMPARISONS, part)


if __name__ == "__main__":
    unittest.main()
