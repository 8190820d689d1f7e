# SPDX-License-Identifier: MIT
"""Measure the memory of the program ``lbw fit`` on a large file."""

from __future__ import annotations

from pathlib import Path

from .jobs import Bench
from .program import run_program
from .results import Comparison, Side
from .sizes import D, K

LIMIT = 256 * 2**20
SMALL = 100_000  # samples of the second group
NOT_CONVERGED = 3  # exit code of a fit that reached its maximal number of steps


def stream_comparison(bench: Bench, program: Path) -> Comparison:
    """Fit a large and a small file with the program and record its peak memory."""
    n = bench.sizes.stream
    model = bench.store.folder / "stream.safetensors"
    files = [bench.store.samples(n, D, K, seed=1), bench.store.samples(SMALL, D, K, seed=2)]
    options = ["-k", str(K), "--max-iterations", "5", "--threads", str(bench.threads), "--quiet"]
    run = run_program([str(program), "fit", *files, *options, "-o", str(model)])
    side = Side("lbw fit", bench.threads)
    if run.code in (0, NOT_CONVERGED):
        side.seconds = [run.seconds]
        side.checks = {"peak_bytes": run.peak_bytes, "seconds": run.seconds}
    else:
        side.error = run.words.splitlines()[-1] if run.words else f"exit code {run.code}"
    return Comparison(
        "stream",
        f"memory of `lbw fit` on a file of {8e-9 * n * D:.1f} GB, five EM steps at most",
        {"n": n, "d": D, "k": K},
        [side],
        [{"kind": "memory_limit", "at_most_bytes": LIMIT}],
    )
