# SPDX-License-Identifier: MIT
"""Results survive the way to the files and back."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from harness.results import Side, read_results, read_runs, write_results
from samples import sample_results


class ResultsTest(unittest.TestCase):
    """What is written is read again."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / "made"
        write_results(self.folder, sample_results())

    def test_json_reads_back_to_the_same_results(self) -> None:
        self.assertEqual(read_results(self.folder), sample_results())

    def test_csv_has_one_row_per_timing_with_numbers_as_numbers(self) -> None:
        runs = read_runs(self.folder)
        self.assertEqual(len(runs), 5 + 2 + 0 + 1 + 1 + 1 + 2)
        self.assertEqual(
            runs[-1],
            {
                "key": "sweep_n",
                "side": "lbw",
                "threads": 1,
                "n": 7,
                "d": 2,
                "k": 3,
                "repetition": 1,
                "seconds": 0.25,
            },
        )
        memory = next(run for run in runs if run["key"] == "fit_memory")
        self.assertIsNone(memory["k"])

    def test_median_and_least_are_of_the_repetitions(self) -> None:
        side = Side("lbw", 1, [3.0, 1.0, 2.0, 9.0])
        self.assertEqual((side.median, side.least), (2.5, 1.0))

    def test_a_side_that_is_not_there_is_named(self) -> None:
        with self.assertRaisesRegex(KeyError, "em_f64 has no side 'SciPy'"):
            sample_results().comparisons[0].side("SciPy")


if __name__ == "__main__":
    unittest.main()
