# SPDX-License-Identifier: MIT
"""The comparisons of one EM iteration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .sizes import SKLEARN, UNTUNED, D, K, large_sizes
from .targets import check, faster, share
from .trials import Trial
from .verdicts import em_flops

if TYPE_CHECKING:
    from .jobs import Bench


def em_trials(bench: Bench) -> Iterator[Trial]:
    """Yield EM iterations in double and single precision, on one and two threads."""
    n = bench.sizes.samples
    job = em_request(bench, n, D, K)
    sklearn = bench.peer(SKLEARN, job, best_of_threads=(1, 2))
    untuned = bench.untuned(UNTUNED, job)
    armadillo = bench.contestant("Armadillo gmm_full", bench.crew.armadillo, job)
    numpy = bench.peer("NumPy, quadratic features", {**job, "job": "em_iteration_numpy"})
    alone = bench.ours({**job, "job": "em_pass"}, "lbw, separate pass")
    sizes = large_sizes(n)
    flops = em_flops(n, D, K)
    same = check("check_close", "log_likelihood", SKLEARN, within=1e-9)
    yield Trial(
        "em_f64",
        f"EM iteration, n = {n:,}, d = {D}, k = {K}",
        sizes,
        [bench.ours(job), sklearn, untuned, numpy, armadillo, alone, bench.peak("f64")],
        [faster(30, SKLEARN), share(0.7, "FMA peak f64", flops), same],
        bench.sizes.repetitions,
    )
    yield Trial(
        "em_f32",
        "the same in single precision",
        sizes,
        [bench.ours({**job, "precision": "f32"}), sklearn, bench.peak("f32")],
        [faster(50, SKLEARN), check("check_close", "log_likelihood", SKLEARN, within=1e-6)],
        bench.sizes.repetitions,
    )
    single = bench.ours({**job, "threads": 1}, "lbw")
    yield Trial(
        "em_threads",
        "the same on two threads, compared with one",
        sizes,
        [bench.ours(job, "lbw on two threads"), single],
        [faster(1.85, "lbw")],
        bench.sizes.short_repetitions,
    )
    small = em_request(bench, bench.sizes.small, 2, K)
    yield Trial(
        "em_small",
        f"EM iteration, n = {bench.sizes.small:,}, d = 2, k = {K}",
        {"n": bench.sizes.small, "d": 2, "k": K},
        [
            bench.ours({**small, "steps": 20}),
            bench.peer(SKLEARN, small, best_of_threads=(1, 2)),
            bench.ours({"job": "fma_peak", "type": "f64", "threads": 1}, "FMA peak f64"),
        ],
        [check("check_close", "log_likelihood", SKLEARN, within=1e-9)],
        bench.sizes.short_repetitions,
    )
    bench.crew.forget()
    for n, d, k, least in bench.sizes.wide:
        yield wide_trial(bench, n, d, k, least)


def wide_trial(bench: Bench, n: int, d: int, k: int, least: float) -> Trial:
    """Return an EM iteration with many features."""
    job = em_request(bench, n, d, k)
    return Trial(
        f"em_wide_{d}",
        f"EM iteration, n = {n:,}, d = {d}, k = {k}",
        {"n": n, "d": d, "k": k},
        [bench.ours(job), bench.peer(SKLEARN, job), bench.untuned(UNTUNED, job), bench.peak("f64")],
        [
            faster(least, SKLEARN),
            share(0.6, "FMA peak f64", em_flops(n, d, k)),
            check("check_close", "log_likelihood", SKLEARN, within=1e-9),
        ],
        bench.sizes.repetitions,
    )


def em_request(bench: Bench, n: int, d: int, k: int) -> dict[str, Any]:
    """Return the request for an EM iteration, in the form that all workers read."""
    return {
        "job": "em_iteration",
        "samples": bench.store.samples(n, d, k, seed=1),
        "mixture": bench.store.start(d, k, seed=1),
        "steps": 3,  # steps of a fit; the time between the first and the last is measured
        "k": k,
    }
