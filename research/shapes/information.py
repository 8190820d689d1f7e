# SPDX-License-Identifier: MIT
"""Measure AIC and BIC against the number of components, per shape (figure 7)."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

import lbw
from common.progress import progress

from .measure import Study
from .methods import N_THREADS
from .silhouettes import SHAPES, split_of

ATOMS = [2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150]


def measure_information(study: Study) -> None:
    """Fit a mixture to all points of every shape, with three starts."""
    rows = study.rows("information", ["shape", "k"], ["n_points", "aic", "bic", "iterations"])
    split = split_of(0)
    atoms = ATOMS if study.name == "full" else ATOMS[:8:2]
    for place, shape in enumerate(SHAPES):
        points = np.concatenate([split.train[place], split.held_out[place]])
        for k in progress(atoms, f"AIC and BIC, {shape}"):
            if rows.done(shape=shape, k=k):
                continue
            mixture = lbw.GaussianMixture(
                k, n_init=3, tol=1e-4, max_iter=500, random_state=0, n_jobs=N_THREADS
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                mixture.fit(points)
            rows.add(
                {
                    "shape": shape,
                    "k": k,
                    "n_points": len(points),
                    "aic": mixture.aic(points),
                    "bic": mixture.bic(points),
                    "iterations": mixture.n_iter_,
                }
            )
