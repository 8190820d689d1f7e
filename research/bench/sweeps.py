# SPDX-License-Identifier: MIT
"""Measure EM iterations over a range of sizes."""

from __future__ import annotations

from collections.abc import Iterator

from .em_jobs import em_request
from .jobs import Bench
from .results import Comparison
from .sizes import SKLEARN, D, K
from .trials import Trial, run_trial
from .verdicts import em_flops

AVERAGED_FLOPS = 2e10  # of several steps, if a single one takes fewer
MOST_SECONDS = 10.0  # time limit of the peer for one iteration
MOST_BYTES = 6e9  # memory limit of the peer
MOST_IN_MEMORY = 10_000_000  # samples; larger files stay on the disk, and lbw maps them


def peer_bytes(n: int, d: int, k: int) -> float:
    """Estimate the memory of an iteration of scikit-learn: four n x k and three n x d arrays."""
    return 8.0 * n * (4 * k + 3 * d)


def points(bench: Bench) -> Iterator[tuple[str, int, int, int]]:
    """Yield the key of each sweep and n, d, k of its points, in increasing order."""
    sizes = bench.sizes
    yield from (("sweep_n", n, D, K) for n in sizes.sweep_n)
    yield from (("sweep_k", sizes.sweep_k_samples, D, k) for k in sizes.sweep_k)
    yield from (("sweep_d", sizes.sweep_d_samples, d, K) for d in sizes.sweep_d)


def sweep_trial(bench: Bench, key: str, sizes: tuple[int, int, int], with_peer: bool) -> Trial:
    """Return one point of a sweep, on one thread and on all threads."""
    n, d, k = sizes
    job = {**em_request(bench, n, d, k), "mapped": n > MOST_IN_MEMORY}
    averaged = int(AVERAGED_FLOPS / em_flops(n, d, k))  # short steps are averaged
    job["steps"] = min(50, max(job["steps"], averaged))
    contestants = []
    for threads in (bench.threads, 1):
        contestants.append(bench.ours({**job, "threads": threads}))
        if with_peer:
            contestants.append(bench.peer(SKLEARN, {**job, "threads": threads}))
    return Trial(
        key,
        f"EM iteration, n = {n:,}, d = {d}, k = {k}",
        {"n": n, "d": d, "k": k},
        contestants,
        repetitions=bench.sizes.sweep_repetitions,
    )


def peer_rate(comparison: Comparison) -> float:
    """Return the operations per second of the slowest peer, or 0 if there is none."""
    flops = em_flops(**comparison.sizes)
    times = [side.median for side in comparison.sides if side.name == SKLEARN and side.seconds]
    return flops / max(times) if times else 0.0


def run_sweeps(bench: Bench) -> list[Comparison]:
    """Run all sweeps. The peer is skipped if it would take too long or too much memory."""
    done: list[Comparison] = []
    for key, n, d, k in points(bench):
        rates = [rate for rate in map(peer_rate, done) if rate > 0.0]
        expected = em_flops(n, d, k) / rates[-1] if rates else 0.0
        with_peer = expected <= MOST_SECONDS and peer_bytes(n, d, k) <= MOST_BYTES
        done.append(run_trial(sweep_trial(bench, key, (n, d, k), with_peer)))
        bench.crew.forget()
    return done
