# SPDX-License-Identifier: MIT
"""The comparisons of ``make bench`` and what is wanted of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .data import Store
from .package_jobs import package_trials
from .targets import check, faster, share
from .trials import Contestant, Trial
from .verdicts import em_flops
from .workers import Crew

SKLEARN = "scikit-learn"
UNTUNED = "scikit-learn, untuned"
PIPELINE = "scikit-learn, SciPy, NumPy"
D, K = 10, 20


@dataclass(frozen=True)
class Sizes:
    """How large the jobs are."""

    samples: int = 1_000_000
    fit_samples: int = 1_000_000
    small: int = 10_000
    assignments: tuple[int, ...] = (200, 1000, 3000)
    maps: int = 1000
    paper: int = 1000
    linear: tuple[tuple[int, int], ...] = (  # samples of a group and features
        (10_000, 10),
        (500_000, 2),
        (500_000, 10),
        (100_000, 100),
        (20_000, 300),
    )
    sampled: int = 10_000
    separable: int = 50_000  # samples of the fits of diagonal and spherical covariances
    stream: int = 20_000_000  # 1.6 GB; 0 leaves it out
    repetitions: int = 5
    short_repetitions: int = 11  # of what takes less than a second
    memory_repetitions: int = 2
    sweep_n: tuple[int, ...] = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
    sweep_k: tuple[int, ...] = (5, 10, 20, 50, 100, 200)
    sweep_d: tuple[int, ...] = (2, 4, 8, 16, 32, 64)
    sweep_samples: int = 100_000  # of the sweeps over k and d
    sweep_repetitions: int = 3


QUICK = Sizes(
    samples=50_000,
    fit_samples=10_000,
    assignments=(200, 1000),
    paper=200,
    linear=((10_000, 10), (50_000, 10), (10_000, 100), (10_000, 300)),
    sampled=2_000,
    separable=10_000,
    stream=0,
    repetitions=3,
    short_repetitions=5,
    memory_repetitions=1,
    sweep_n=(10_000, 50_000),
    sweep_k=(5, 20),
    sweep_d=(2, 10),
    sweep_samples=20_000,
    sweep_repetitions=1,
)


@dataclass(frozen=True)
class Bench:
    """Workers, inputs and sizes that the comparisons are made of."""

    crew: Crew
    store: Store
    sizes: Sizes
    threads: int = 2

    def ours(self, request: dict[str, Any], name: str = "lbw", **rest: Any) -> Contestant:
        """Return our side of a job."""
        return Contestant(name, self.crew.ours, {"threads": self.threads, **request}, **rest)

    def peer(self, name: str, request: dict[str, Any], **rest: Any) -> Contestant:
        """Return a Python peer, tuned."""
        return Contestant(name, self.crew.peers, {"threads": self.threads, **request}, **rest)

    def peak(self, kind: str) -> Contestant:
        """Return the machine's multiply-adds as a contestant."""
        return self.ours({"job": "fma_peak", "type": kind}, f"FMA peak {kind}")

    def trials(self) -> Iterator[Trial]:
        """Yield every comparison; inputs of one that is done may be forgotten."""
        yield from self.em_trials()
        self.crew.forget()
        yield self.whole_trial()
        yield self.fit_trial()
        yield self.same_start_trial()
        self.crew.forget()
        yield self.kmeans_trial()
        yield self.carry_trial()
        yield from (self.kind_trial(kind, most) for kind, most in (("soft", 3), ("random", 1.5)))
        yield self.python_trial()
        self.crew.forget()
        yield from (self.assignment_trial(k) for k in self.sizes.assignments)
        yield from (self.plan_trial(k, limit) for k, limit in ((20, 1e-3), (200, 50e-3)))
        yield self.barycenter_trial()
        yield from (self.maps_trial(d, least) for d, least in ((2, 10), (10, 5), (30, 2)))
        yield self.paper_trial()
        yield self.memory_trial()
        yield from package_trials(self)

    def em_trials(self) -> Iterator[Trial]:
        """Yield EM iterations: double, single, one thread against two, and the paper's size."""
        n = self.sizes.samples
        job = self.em_request(n, D, K)
        sklearn = self.peer(SKLEARN, job, best_of_threads=(1, 2))
        untuned = Contestant(UNTUNED, self.crew.untuned, {"threads": self.threads, **job})
        armadillo = Contestant(
            "Armadillo gmm_full", self.crew.armadillo, {"threads": self.threads, **job}
        )
        numpy = self.peer("NumPy, features", {**job, "job": "em_iteration_numpy"})
        alone = self.ours({**job, "job": "em_pass"}, "lbw, a pass of its own")
        sizes = {"n": n, "d": D, "k": K}
        flops = em_flops(n, D, K)
        same = check("check_close", "log_likelihood", SKLEARN, within=1e-9)
        yield Trial(
            "em_f64",
            f"EM iteration, n = {n:,}, d = {D}, k = {K}",
            sizes,
            [self.ours(job), sklearn, untuned, numpy, armadillo, alone, self.peak("f64")],
            [faster(30, SKLEARN), share(0.7, "FMA peak f64", flops), same],
            self.sizes.repetitions,
        )
        yield Trial(
            "em_f32",
            "the same, computed in single precision",
            sizes,
            [self.ours({**job, "precision": "f32"}), sklearn, self.peak("f32")],
            [faster(50, SKLEARN), check("check_close", "log_likelihood", SKLEARN, within=1e-6)],
            self.sizes.repetitions,
        )
        single = self.ours({**job, "threads": 1}, "lbw")
        yield Trial(
            "em_threads",
            "the same on two threads, against one",
            sizes,
            [self.ours(job, "lbw on two threads"), single],
            [faster(1.85, "lbw")],
            self.sizes.short_repetitions,
        )
        small = self.em_request(self.sizes.small, 2, K)
        yield Trial(
            "em_small",
            f"EM iteration, n = {self.sizes.small:,}, d = 2, k = {K}",
            {"n": self.sizes.small, "d": 2, "k": K},
            [
                self.ours({**small, "steps": 20}),
                self.peer(SKLEARN, small, best_of_threads=(1, 2)),
                self.ours({"job": "fma_peak", "type": "f64", "threads": 1}, "FMA peak f64"),
            ],
            [check("check_close", "log_likelihood", SKLEARN, within=1e-9)],
            self.sizes.short_repetitions,
        )

    def em_request(self, n: int, d: int, k: int) -> dict[str, Any]:
        """Return the request for an EM iteration, which every worker understands."""
        return {
            "job": "em_iteration",
            "samples": self.store.samples(n, d, k, seed=1),
            "mixture": self.store.start(d, k, seed=1),
            "steps": 3,  # of a fit, whose time between the first and the last counts
            "k": k,
        }

    def groups(self, n: int, d: int, part: str = "train") -> list[str]:
        """Return the files of two groups, of different mixtures."""
        return [self.store.samples(n, d, K, seed, part) for seed in (1, 2)]

    def whole_trial(self) -> Trial:
        """Return the paper's job from two groups of points to both carried."""
        n = self.sizes.small
        job = {"job": "whole", "groups": self.groups(n, 2), "k": K}
        return Trial(
            "whole",
            f"whole job, two groups of {n:,}, d = 2, k = {K}: fit, match, average, carry both",
            {"n": n, "d": 2, "k": K},
            [self.ours(job), self.peer(PIPELINE, job, best_of_threads=(1, 2))],
            [faster(40, PIPELINE), check("check_not_below", "log_likelihood", PIPELINE)],
            self.sizes.short_repetitions,
            seeded=True,
        )

    def fit_trial(self) -> Trial:
        """Return the fit of two large groups from scratch."""
        n = self.sizes.fit_samples
        files = {"groups": self.groups(n, D), "heldout": self.groups(n, D, "heldout")}
        job = {"job": "fit", **files, "k": K}
        unheld = check("check_not_below", "heldout_log_likelihood", SKLEARN, slack=1e-4)
        return Trial(
            "fit",
            f"fit from scratch, two groups of {n:,}, d = {D}, k = {K}",
            {"n": n, "d": D, "k": K},
            [self.ours(job), self.peer(SKLEARN, job)],
            [faster(100, SKLEARN), unheld],
            self.sizes.repetitions,
            seeded=True,
            patience=300,
        )

    def same_start_trial(self) -> Trial:
        """Return equal steps from one start: from scratch, chance decides where a fit ends."""
        n = self.sizes.fit_samples
        files = {"groups": self.groups(n, D), "heldout": self.groups(n, D, "heldout")}
        starts = [self.store.start(D, K, seed) for seed in (1, 2)]
        job = {"job": "fit", **files, "starts": starts, "steps": 5, "k": K}
        return Trial(
            "fit_same_start",
            "five EM steps of the same groups from the same start",
            {"n": n, "d": D, "k": K},
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
            {"n": n, "d": D, "k": K},
            [self.ours(job), self.peer("scikit-learn KMeans", job)],
            [
                faster(10, "scikit-learn KMeans"),
                check("check_ratio", "inertia", "scikit-learn KMeans", at_most=1.01),
            ],
            self.sizes.repetitions,
            seeded=True,
        )

    def carry_trial(self) -> Trial:
        """Return the carrying of many points."""
        n = self.sizes.samples
        peer = "scikit-learn predict, NumPy"
        job = {
            "job": "carry",
            "samples": self.store.samples(n, D, K, seed=1),
            "mixture": self.store.mixture(D, K, seed=1),
            "target": self.store.mixture(D, K, seed=2),
        }
        copy = self.ours({"job": "copy", "bytes": 8 * n * D}, "copy of the bytes")
        return Trial(
            "carry",
            f"carry {n:,} points, d = {D}, k = {K}",
            {"n": n, "d": D, "k": K},
            [self.ours(job), self.peer(peer, job), copy],
            [
                faster(40, peer),
                {"kind": "slowdown", "against": copy.name, "at_most": 5},
                check("check_close", "mean_square", peer, within=1e-9),
            ],
            self.sizes.short_repetitions,
        )

    def kind_trial(self, kind: str, at_most: float) -> Trial:
        """Return the carrying of the same points along a plan, in another way than the hard one."""
        n = self.sizes.samples
        job = {
            "job": "carry",
            "samples": self.store.samples(n, D, K, seed=1),
            "mixture": self.store.mixture(D, K, seed=1),
            "target": self.store.mixture(D, K, seed=2),
        }
        hard = self.ours({**job, "kind": "hard"}, "lbw, hard")
        return Trial(
            f"carry_{kind}",
            f"carry the same points along a plan, map {kind}",
            {"n": n, "d": D, "k": K},
            [self.ours({**job, "kind": kind}), hard],
            [{"kind": "slowdown", "against": hard.name, "at_most": at_most}],
            self.sizes.short_repetitions,
        )

    def python_trial(self) -> Trial:
        """Return the carrying from Python beside that from C++: what the bindings cost."""
        n = self.sizes.samples
        model = str(self.store.folder / "python.safetensors")
        groups = self.groups(self.sizes.small, D)
        self.crew.untuned.ask({"job": "save_model", "groups": groups, "k": K, "model": model})
        job = {"job": "carry_model", "model": model, "samples": self.store.samples(n, D, K, seed=1)}
        # untuned, so that both sides ask the system for the memory of the result
        python = Contestant("lbw from Python", self.crew.untuned, {"threads": self.threads, **job})
        return Trial(
            "python",
            f"carry {n:,} points from Python, d = {D}, k = {K}, against C++",
            {"n": n, "d": D, "k": K},
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
        """Return an optimal plan between k and k weights, which a fit then costs more."""
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
            f"barycenter of three mixtures, d = 2, k = {K}: coupled at once",
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
        """Return the paper's comparison with a map learned jointly with the coupling."""
        n = self.sizes.paper
        peer = "POT MappingTransport"
        job = {"job": "paper_map", "groups": self.groups(n, 2), "k": K}
        return Trial(
            "paper_map",
            f"learn a map of {n:,} points and carry them, d = 2, k = {K}",
            {"n": n, "d": 2, "k": K},
            [self.ours(job), self.peer(peer, job)],
            [faster(2000, peer)],
            self.sizes.repetitions,
        )

    def memory_trial(self) -> Trial:
        """Return the memory that a fit takes beyond its input."""
        n = self.sizes.samples
        samples = self.store.samples(n, D, K, seed=1)
        job = {"job": "fit_memory", "samples": samples, "steps": 5, "k": K}
        return Trial(
            "fit_memory",
            f"memory of a fit beyond its input, n = {n:,}, d = {D}, k = {K}",
            {"n": n, "d": D, "k": K},
            [self.ours(job, fresh=True), self.untuned_memory(job)],
            [{"kind": "memory_share", "at_most": 1.1}],
            self.sizes.memory_repetitions,
        )

    def untuned_memory(self, job: dict[str, Any]) -> Contestant:
        """Return scikit-learn without the settings that make it keep freed memory."""
        request = {"threads": self.threads, **job}
        return Contestant(UNTUNED, self.crew.untuned, request, fresh=True)
