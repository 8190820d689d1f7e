# SPDX-License-Identifier: MIT
"""The comparisons of ``make bench`` and their targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .data import Store
from .em_jobs import em_trials
from .package_jobs import package_trials
from .sizes import PIPELINE, SKLEARN, UNTUNED, D, K, Sizes, large_sizes
from .targets import check, faster
from .trials import Contestant, Trial
from .workers import Crew, Worker


@dataclass(frozen=True)
class Bench:
    """The workers, inputs and sizes of the comparisons."""

    crew: Crew
    store: Store
    sizes: Sizes
    threads: int = 2

    def contestant(
        self, name: str, worker: Worker | None, request: dict[str, Any], **rest: Any
    ) -> Contestant:
        """Return a contestant: a worker and its job."""
        return Contestant(name, worker, {"threads": self.threads, **request}, **rest)

    def ours(self, request: dict[str, Any], name: str = "lbw", **rest: Any) -> Contestant:
        """Return lbw as a contestant."""
        return self.contestant(name, self.crew.ours, request, **rest)

    def peer(self, name: str, request: dict[str, Any], **rest: Any) -> Contestant:
        """Return a Python peer with tuned settings."""
        return self.contestant(name, self.crew.peers, request, **rest)

    def untuned(self, name: str, request: dict[str, Any], **rest: Any) -> Contestant:
        """Return a Python worker with default settings."""
        return self.contestant(name, self.crew.untuned, request, **rest)

    def peak(self, kind: str) -> Contestant:
        """Return the peak rate of multiply-adds of the machine as a contestant."""
        return self.ours({"job": "fma_peak", "type": kind}, f"FMA peak {kind}")

    def trials(self) -> Iterator[Trial]:
        """Yield every comparison. The inputs of finished ones may be dropped."""
        yield from em_trials(self)
        self.crew.forget()
        yield self.whole_trial()
        yield self.fit_trial()
        yield self.same_start_trial()
        self.crew.forget()
        yield self.kmeans_trial()
        yield self.transport_trial()
        yield from (self.kind_trial(kind, most) for kind, most in (("soft", 3), ("random", 1.5)))
        yield self.python_trial()
        self.crew.forget()
        yield self.wide_transport_trial()
        self.crew.forget()
        yield from (self.assignment_trial(k) for k in self.sizes.assignments)
        yield from (self.plan_trial(k, limit) for k, limit in ((20, 1e-3), (200, 50e-3)))
        yield self.barycenter_trial()
        yield from (self.maps_trial(d, least) for d, least in ((2, 10), (10, 5), (30, 2)))
        yield self.paper_trial()
        yield self.memory_trial()
        yield from package_trials(self)

    def groups(self, n: int, d: int, part: str = "train") -> list[str]:
        """Return the files of two groups, drawn from different mixtures."""
        return [self.store.samples(n, d, K, seed, part) for seed in (1, 2)]

    def fit_request(self, n: int) -> dict[str, Any]:
        """Return the request for fits of two large groups."""
        files = {"groups": self.groups(n, D), "heldout": self.groups(n, D, "heldout")}
        return {"job": "fit", **files, "k": K}

    def transport_request(self, n: int, d: int = D) -> dict[str, Any]:
        """Return the request for the transport of points between two mixtures."""
        return {
            "job": "transport",
            "samples": self.store.samples(n, d, K, seed=1),
            "mixture": self.store.mixture(d, K, seed=1),
            "target": self.store.mixture(d, K, seed=2),
        }

    def whole_trial(self) -> Trial:
        """Return the whole job of the paper, from fitting two groups to transporting both."""
        n = self.sizes.small
        job = {"job": "whole", "groups": self.groups(n, 2), "k": K}
        return Trial(
            "whole",
            f"whole job, two groups of {n:,}, d = 2, k = {K}: fit, match,"
            " transport both to the barycenter",
            {"n": n, "d": 2, "k": K},
            [self.ours(job), self.peer(PIPELINE, job, best_of_threads=(1, 2))],
            [faster(40, PIPELINE), check("check_not_below", "log_likelihood", PIPELINE)],
            self.sizes.short_repetitions,
            seeded=True,
        )

    def fit_trial(self) -> Trial:
        """Return the fit of two large groups from scratch."""
        n = self.sizes.fit_samples
        job = self.fit_request(n)
        unheld = check("check_not_below", "heldout_log_likelihood", SKLEARN, slack=1e-4)
        return Trial(
            "fit",
            f"fit from scratch, two groups of {n:,}, d = {D}, k = {K}",
            large_sizes(n),
            [self.ours(job), self.peer(SKLEARN, job)],
            [faster(150, SKLEARN), unheld],
            self.sizes.repetitions,
            seeded=True,
            patience=300,
        )

    def same_start_trial(self) -> Trial:
        """Return equal steps from one start. From scratch, the optimum depends on the seed."""
        n = self.sizes.fit_samples
        starts = [self.store.start(D, K, seed) for seed in (1, 2)]
        job = {**self.fit_request(n), "starts": starts, "steps": 5}
        return Trial(
            "fit_same_start",
            "five EM steps of the same groups from the same start",
            large_sizes(n),
            [self.ours(job), self.peer(SKLEARN, job)],
            [check("check_close", "heldout_log_likelihood", SKLEARN, within=1e-9)],
            min(3, self.sizes.repetitions),
        )

    def kmeans_trial(self) -> Trial:
        """Return the k-means start."""
        n = self.sizes.samples
        job = {"job": "kmeans", "samples": self.store.samples(n, D, K, seed=1), "k": K}
        return Trial(
            "kmeans",
            f"k-means start, n = {n:,}, d = {D}, k = {K}",
            large_sizes(n),
            [self.ours(job), self.peer("scikit-learn KMeans", job)],
            [
                faster(15, "scikit-learn KMeans"),
                check("check_ratio", "inertia", "scikit-learn KMeans", at_most=1.01),
            ],
            self.sizes.repetitions,
            seeded=True,
        )

    def transport_trial(self) -> Trial:
        """Return the transport of many points."""
        n = self.sizes.samples
        peer = "scikit-learn predict, NumPy"
        job = self.transport_request(n)
        copy = self.ours({"job": "copy", "bytes": 8 * n * D}, "memory copy")
        return Trial(
            "transport",
            f"transport {n:,} points, d = {D}, k = {K}",
            large_sizes(n),
            [self.ours(job), self.peer(peer, job), copy],
            [
                faster(40, peer),
                {"kind": "slowdown", "against": copy.name, "at_most": 4},
                check("check_close", "mean_square", peer, within=1e-9),
            ],
            self.sizes.short_repetitions,
        )

    def wide_transport_trial(self) -> Trial:
        """Return the transport of points with many features."""
        n, d = self.sizes.wide_transport
        peer = "scikit-learn predict, NumPy"
        job = self.transport_request(n, d)
        return Trial(
            f"transport_wide_{d}",
            f"transport {n:,} points, d = {d}, k = {K}",
            {"n": n, "d": d, "k": K},
            [self.ours(job), self.peer(peer, job)],
            [faster(15, peer), check("check_close", "mean_square", peer, within=1e-9)],
            self.sizes.repetitions,
        )

    def kind_trial(self, kind: str, at_most: float) -> Trial:
        """Return the transport of the same points along a plan, by a random or soft map."""
        n = self.sizes.samples
        job = self.transport_request(n)
        hard = self.ours({**job, "kind": "hard"}, "lbw, hard")
        return Trial(
            f"transport_{kind}",
            f"transport the same points along a plan, {kind} map",
            large_sizes(n),
            [self.ours({**job, "kind": kind}), hard],
            [{"kind": "slowdown", "against": hard.name, "at_most": at_most}],
            self.sizes.short_repetitions,
        )

    def python_trial(self) -> Trial:
        """Return transport from Python and from C++, to measure the overhead of the bindings."""
        n = self.sizes.samples
        model = str(self.store.folder / "python.safetensors")
        groups = self.groups(self.sizes.small, D)
        self.crew.untuned.ask({"job": "save_model", "groups": groups, "k": K, "model": model})
        samples = self.store.samples(n, D, K, seed=1)
        job = {"job": "transport_model", "model": model, "samples": samples}
        # untuned, so that both sides request the memory of the result from the system
        python = self.untuned("lbw from Python", job)
        return Trial(
            "python",
            f"transport {n:,} points from Python, d = {D}, k = {K}, compared with C++",
            large_sizes(n),
            [python, self.ours(job, "lbw from C++")],
            [
                {"kind": "slowdown", "against": "lbw from C++", "at_most": 1.05},
                check("check_close", "mean_square", "lbw from C++", within=1e-12),
            ],
            self.sizes.short_repetitions,
        )

    def assignment_trial(self, k: int) -> Trial:
        """Return an assignment of k means."""
        job = {"job": "assignment", "cost": self.store.cost(k, D, seed=1), "threads": 1}
        return Trial(
            f"assignment_{k}",
            f"assignment, k = {k:,}",
            {"k": k, "d": D},
            [self.ours(job), self.peer("SciPy", job)],
            [faster(5, "SciPy"), check("check_close", "cost", "SciPy", within=1e-9)],
            self.sizes.repetitions,
        )

    def plan_trial(self, k: int, limit: float) -> Trial:
        """Return an optimal plan between two vectors of k weights."""
        weights = [f"{self.store.mixture(D, k, seed)}.weights.npy" for seed in (1, 2)]
        job = {
            "job": "plan",
            "cost": self.store.cost(k, D, seed=1),
            "rows": weights[0],
            "columns": weights[1],
            "threads": 1,
        }
        return Trial(
            f"plan_{k}",
            f"optimal plan, k = {k:,}",
            {"k": k, "d": D},
            [self.ours(job), self.peer("POT emd", job)],
            [
                {"kind": "time_limit", "at_most_seconds": limit},
                check("check_close", "cost", "POT emd", within=1e-9),
            ],
            self.sizes.short_repetitions,
        )

    def barycenter_trial(self) -> Trial:
        """Return the barycenter of three mixtures."""
        job = {
            "job": "barycenter",
            "mixtures": [self.store.mixture(2, K, seed) for seed in (1, 2, 3)],
        }
        peer = "POT gmm_barycenter_fixed_point"
        return Trial(
            "barycenter",
            f"barycenter of three mixtures, d = 2, k = {K}, multimarginal coupling",
            {"k": K, "d": 2},
            [self.ours(job), self.peer(peer, job)],
            [faster(1, peer), check("check_ratio", "cost", peer, at_most=1.0)],
            self.sizes.short_repetitions,
        )

    def maps_trial(self, d: int, least: float) -> Trial:
        """Return many maps between covariances."""
        count = self.sizes.maps
        sources, targets = (self.store.covariances(count, d, seed) for seed in (1, 2))
        job = {"job": "maps", "sources": sources, "targets": targets}
        numpy = self.peer("NumPy", {**job, "job": "maps_numpy"}, best_of_threads=(1, 2))
        pot = self.peer("POT", {**job, "job": "maps_pot"}, best_of_threads=(1, 2))
        return Trial(
            f"maps_{d}",
            f"{count:,} covariance maps, d = {d}",
            {"n": count, "d": d},
            [self.ours(job), numpy, pot],
            [faster(least, "NumPy"), faster(least, "POT")],
            self.sizes.short_repetitions,
        )

    def paper_trial(self) -> Trial:
        """Return the paper's comparison with POT's joint estimate of map and coupling."""
        n = self.sizes.paper
        peer = "POT MappingTransport"
        job = {"job": "paper_map", "groups": self.groups(n, 2), "k": K}
        return Trial(
            "paper_map",
            f"learn a map from {n:,} points and transport them, d = 2, k = {K}",
            {"n": n, "d": 2, "k": K},
            [self.ours(job), self.peer(peer, job)],
            [faster(2000, peer)],
            self.sizes.repetitions,
        )

    def memory_trial(self) -> Trial:
        """Return the memory that a fit uses in addition to its input."""
        n = self.sizes.samples
        samples = self.store.samples(n, D, K, seed=1)
        job = {"job": "fit_memory", "samples": samples, "steps": 5, "k": K}
        return Trial(
            "fit_memory",
            f"memory of a fit in addition to its input, n = {n:,}, d = {D}, k = {K}",
            large_sizes(n),
            [self.ours(job, fresh=True), self.untuned(UNTUNED, job, fresh=True)],
            [{"kind": "memory_share", "at_most": 1.1}],
            self.sizes.memory_repetitions,
        )
