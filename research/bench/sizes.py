# SPDX-License-Identifier: MIT
"""The sizes of the jobs, and the names that several jobs share."""

from __future__ import annotations

from dataclasses import dataclass

SKLEARN = "scikit-learn"
PIPELINE = "scikit-learn, SciPy, NumPy"
UNTUNED = "scikit-learn, untuned"
D, K = 10, 20


@dataclass(frozen=True)
class Sizes:
    """The sizes of all jobs."""

    samples: int = 1_000_000
    fit_samples: int = 1_000_000
    small: int = 10_000
    assignments: tuple[int, ...] = (200, 1000, 3000)
    maps: int = 1000
    paper: int = 1000
    wide: tuple[tuple[int, int, int, float], ...] = (  # samples, features, components, target
        (200_000, 30, 20, 30),
        (100_000, 64, 10, 18),
        (20_000, 128, 20, 9),
        (10_000, 300, 20, 5),
    )
    wide_transport: tuple[int, int] = (100_000, 128)  # samples and features
    single: tuple[tuple[int, int], ...] = ((31_000, 10), (1_000_000, 10))
    linear: tuple[tuple[int, int], ...] = (  # samples per group and features
        (10_000, 10),
        (500_000, 2),
        (500_000, 10),
        (100_000, 100),
        (20_000, 300),
    )
    repaired: int = 31_000  # rows of the repair, of both groups
    sampled: int = 10_000
    separable: int = 50_000  # samples of the fits of diagonal and spherical covariances
    stream: int = 20_000_000  # 1.6 GB; 0 skips this job
    repetitions: int = 5
    short_repetitions: int = 11  # for jobs that take less than a second
    memory_repetitions: int = 2
    sweep_n: tuple[int, ...] = (
        *(1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000),
        *(30_000_000, 100_000_000),
    )
    sweep_k: tuple[int, ...] = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
    sweep_d: tuple[int, ...] = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
    sweep_k_samples: int = 100_000
    sweep_d_samples: int = 20_000
    sweep_repetitions: int = 3


QUICK = Sizes(
    samples=50_000,
    fit_samples=10_000,
    assignments=(200, 1000),
    paper=200,
    wide=((10_000, 30, 20, 30), (5_000, 64, 10, 18)),
    wide_transport=(5_000, 128),
    single=((31_000, 10),),
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
    sweep_k_samples=20_000,
    sweep_d_samples=20_000,
    sweep_repetitions=1,
)


def large_sizes(n: int) -> dict[str, int]:
    """Return the sizes of a job with n samples, D features and K components."""
    return {"n": n, "d": D, "k": K}
