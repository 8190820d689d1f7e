# SPDX-License-Identifier: MIT
"""Values of parameters in scikit-learn's words and in the core's."""

from __future__ import annotations

import os
from numbers import Integral
from typing import Any

import numpy as np

from .._core import CovarianceLayout, MixtureOptions
from .._core import covariance_layout as _layout_of
from .option import LARGEST_COUNT

__all__ = [
    "COVARIANCE_TYPES",
    "STARTS",
    "core_name",
    "covariance_layout",
    "n_threads_of",
    "seed_of",
    "seed_of_draws",
    "sklearn_name",
]

# scikit-learn's name -> the core's
COVARIANCE_TYPES = {
    "full": "full",
    "tied": "tied",
    "diag": "diagonal",
    "spherical": "spherical",
}
STARTS = {
    "kmeans": "kmeans",
    "k-means++": "kmeans++",
    "random": "responsibilities",
    "random_from_data": "random",
}

_DEFAULT_SEED = int(MixtureOptions().seed)


def core_name(covariance_type: str) -> str:
    """Return the core's name of a covariance type; the core's own names are accepted too."""
    return COVARIANCE_TYPES.get(covariance_type, covariance_type)


def covariance_layout(covariance_type: str) -> CovarianceLayout:
    """Return how the covariances of a type are stored, by either name of the type."""
    return _layout_of(core_name(covariance_type))


def sklearn_name(covariance_type: str) -> str:
    """Return scikit-learn's name of one of the core's covariance types."""
    return {core: name for name, core in COVARIANCE_TYPES.items()}[covariance_type]


def seed_of(random_state: Any) -> int:
    """Return the seed of a fit. None is the core's own seed, so that results are reproducible."""
    if random_state is None:
        return _DEFAULT_SEED
    if isinstance(random_state, Integral) and 0 <= int(random_state) < 2**64:
        return int(random_state)
    if not isinstance(random_state, np.random.RandomState):
        raise ValueError(
            f"random_state is {random_state!r}, expected a whole number from 0 to 2^64 - 1, a "
            "numpy.random.RandomState or None. Give an int for results that can be repeated."
        )
    return int(random_state.randint(2**31 - 1))


def seed_of_draws(random_state: Any) -> int:
    """Return the seed of samples. None is a new seed each time, of NumPy's global generator."""
    from sklearn.utils import check_random_state

    return seed_of(check_random_state(random_state) if random_state is None else random_state)


def n_threads_of(n_jobs: int | None) -> int:
    """Return the number of threads that the core may use: 0 stands for one per core.

    None is one per core too, unless OMP_NUM_THREADS limits it, as joblib does in its workers. The
    number of threads never changes a result.
    """
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "")
        return int(limit) if limit.isdigit() else 0
    if not isinstance(n_jobs, Integral) or n_jobs > LARGEST_COUNT:
        raise ValueError(
            f"n_jobs is {n_jobs!r}, expected a whole number up to {LARGEST_COUNT}, or None. Give "
            "a number of threads, or -1 for all cores."
        )
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning: give a number of threads, or -1 for all")
    if n_jobs < 0:
        return max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))
    return int(n_jobs)
