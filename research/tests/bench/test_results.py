# SPDX-License-Identifier: MIT
"""Test writing and reading results."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from samples import sample_results

from bench.results import Side, read_results, write_results


class ResultsTest(unittest.TestCase):
    """Test that results are read as they were written."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "made"
        write_results(self.folder, sample_results())

    def test_json_reads_back_to_the_same_results(self) -> None:
        self.assertEqual(read_results(self.folder), sample_results())

    def test_csv_has_one_row_per_timing(self) -> None:
        head, *rows = (self.folder / "runs.csv").read_text().splitlines()
        self.assertEqual(head, "key,side,threads,n,d,k,repetition,seconds")
        self.assertEqual(len(rows), 5 + 2 + 0 + 1 + 1 + 1 + 6)
        self.assertEqual(rows[-1], "sweep_n,lbw,1,8000,2,3,1,0.5")
        self.assertIn("fit_memory,lbw,2,5,,,0,1", rows)  # the job does not have this size

    def test_median_and_minimum_are_over_the_repetitions(self) -> None:
        side = Side("lbw", 1, [3.0, 1.0, 2.0, 9.0])
        self.assertEqual((side.median, side.least), (2.5, 1.0))

    def test_a_missing_side_is_named(self) -> None:
        with self.assertRaisesRegex(KeyError, "em_f64 has no side 'SciPy'"):
            sample_results().comparisons[0].side("SciPy")


if __name__ == "__main__":
    unittest.main()
