# SPDX-License-Identifier: MIT
"""Test the peak memory of a program that uses a known amount."""

from __future__ import annotations

import os
import sys
import unittest
from pathlib import Path
from unittest import mock

from bench.program import run_program
from bench.workers import better_kernel, inherited_environment

HOLD = "import time; held = bytearray(b'x') * 100_000_000; time.sleep(0.3); raise SystemExit(3)"


@unittest.skipUnless(Path("/proc/self/status").exists(), "needs /proc")
class MemoryTest(unittest.TestCase):
    """Test the measurement of a program from outside."""

    def test_the_peak_is_that_of_the_program_not_of_its_parent(self) -> None:
        ballast = bytearray(b"y") * 400_000_000  # memory of this process, which must not be counted
        run = run_program([sys.executable, "-c", HOLD])
        del ballast
        self.assertEqual(run.code, 3)
        self.assertGreater(run.peak_bytes, 100e6)
        self.assertLess(run.peak_bytes, 200e6)

    def test_a_program_that_takes_too_long_is_ended(self) -> None:
        run = run_program([sys.executable, "-c", "import time; time.sleep(60)"], limit=0.2)
        self.assertLess(run.code, 0)
        self.assertLess(run.seconds, 30.0)


class KernelTest(unittest.TestCase):
    """Test that another OpenBLAS kernel is requested only if its own choice is poor."""

    def test_a_kernel_for_the_vector_units_there_are(self) -> None:
        old = [{"architecture": "Prescott"}, {"architecture": None}]
        self.assertEqual(better_kernel(old, "sse2 avx2 avx512vl"), "SkylakeX")
        self.assertEqual(better_kernel(old, "sse2 avx2"), "Haswell")
        self.assertEqual(better_kernel(old, "sse2"), "")
        self.assertEqual(better_kernel([{"architecture": "Zen"}], "avx2"), "")

    def test_a_kernel_of_the_environment_is_not_inherited(self) -> None:
        with mock.patch.dict(os.environ, {"OPENBLAS_CORETYPE": "Haswell", "LBW_SEEN": "1"}):
            inherited = inherited_environment()
        self.assertNotIn("OPENBLAS_CORETYPE", inherited)
        self.assertEqual(inherited["LBW_SEEN"], "1")


if __name__ == "__main__":
    unittest.main()
