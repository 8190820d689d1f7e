# SPDX-License-Identifier: MIT
"""Measure the held-out log-likelihood of both libraries with the same starts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import sklearn.mixture

import lbw
from common.places import SCRATCH, results_folder
from common.progress import progress
from common.rows import Rows

from .samples import DATA_SETS

STARTS = ("kmeans", "k-means++", "random", "random_from_data")
TYPES = ("full", "tied", "diag", "spherical")
FITS = ("lbw", "scikit-learn", "scikit-learn again")
OTHER_SEEDS = 1000  # seeds of the second fit of scikit-learn, for the noise of its median


@dataclass(frozen=True)
class Study:
    """The sizes of the study and the folder of its results."""

    results: Path
    n_seeds: int
    n_test: int = 10_000


OPTIONS = {"n_init": 1, "max_iter": 100, "tol": 1e-3, "reg_covar": 1e-6}
FULL = Study(results=results_folder("starts"), n_seeds=30)
QUICK = Study(results=SCRATCH / "starts", n_seeds=3, n_test=1000)


def score(
    fit: str, samples: np.ndarray, test: np.ndarray, seed: int, **options: Any
) -> tuple[float, int]:
    """Return the held-out log-likelihood per sample of one fit, and its number of steps."""
    kind = lbw.GaussianMixture if fit == "lbw" else sklearn.mixture.GaussianMixture
    seed += OTHER_SEEDS if fit == FITS[2] else 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mixture = kind(random_state=seed, **OPTIONS, **options).fit(samples)
        return float(mixture.score(test)), int(mixture.n_iter_)


def measure(study: Study, name: str) -> None:
    """Fit a data set from every start, with every type of covariance and every seed."""
    keys = ["data", "start", "covariance", "fit", "seed"]
    rows = Rows(study.results / "starts.csv", keys, ["heldout", "steps"])
    data = DATA_SETS[name]
    rng = np.random.default_rng(list(DATA_SETS).index(name))
    samples, test = data.draw(data.n_samples, rng), data.draw(study.n_test, rng)
    for cell in progress(list(product(STARTS, TYPES, FITS)), name):
        start, covariance, fit = cell
        options = {"init_params": start, "covariance_type": covariance}
        found = []
        for seed in range(study.n_seeds):
            key = dict(zip(keys, (name, *cell, seed), strict=True))
            if rows.done(**key):
                continue
            k = data.n_components
            heldout, steps = score(fit, samples, test, seed, n_components=k, **options)
            found.append({**key, "heldout": heldout, "steps": steps})
        rows.add(found)
