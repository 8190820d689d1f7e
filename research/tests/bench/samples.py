# SPDX-License-Identifier: MIT
"""Results for the tests: two comparisons and one point of a sweep, with round numbers."""

from __future__ import annotations

from bench.results import Comparison, Results, Side


def em_comparison() -> Comparison:
    """Return an EM iteration with one target met, one missed and one not measured."""
    return Comparison(
        key="em_f64",
        title="EM iteration",
        sizes={"n": 1000, "d": 10, "k": 20},
        sides=[
            Side("lbw", 2, [0.2, 0.1, 0.3, 0.2, 0.2], {"log_likelihood": -10.0}),
            Side("scikit-learn", 1, [8.0, 6.0], {"log_likelihood": -10.0}),
            Side("Armadillo", 2, error="not built: no library"),
            Side("FMA peak", 2, [0.1], {"flops_per_second": 100e9}),
        ],
        targets=[
            {"kind": "speedup", "against": "scikit-learn", "at_least": 30},
            {"kind": "peak_share", "against": "FMA peak", "at_least": 0.7, "flops": 10e9},
            {"kind": "speedup", "against": "Armadillo", "at_least": 2},
        ],
    )


def memory_comparison() -> Comparison:
    """Return a measurement of memory."""
    checks = {"extra_bytes": 10 * 2.0**20, "input_bytes": 20 * 2.0**20}
    return Comparison(
        key="fit_memory",
        title="memory of a fit",
        sizes={"n": 5},
        sides=[
            Side("lbw", 2, [1.0], checks),
            Side("scikit-learn", 2, [1.0], {**checks, "extra_bytes": 40 * 2.0**20}),
        ],
        targets=[{"kind": "memory_share", "at_most": 1.1}],
    )


def sample_results() -> Results:
    """Return a whole run."""
    sweep = [
        Comparison(
            "sweep_n",
            "EM",
            {"n": n, "d": 2, "k": 3},
            [Side("lbw", 2, shared), Side("lbw", 1, alone)],
        )
        for n, shared, alone in ((2000, [0.25], [0.25]), (8000, [0.4, 0.6], [1.5, 0.5]))
    ]
    about = {
        "command": "make bench",
        "date": "2026-01-02",
        "commit": "abc",
        "machine": {
            "processor": "A",
            "cores": 2,
            "memory_gib": 8,
            "system": "Linux",
            "compiler": "GCC 12",
            "instruction_set": "AVX3",
        },
        "load_before": 0.5,
        "load_after": 1.25,
        "versions": {"lbw": "0.1", "NumPy": "2"},
        "peer_settings": "kernel Haswell",
        "peak": {"FMA peak f64": "115 GFLOP/s"},
    }
    return Results(about, [em_comparison(), memory_comparison()], sweep)
