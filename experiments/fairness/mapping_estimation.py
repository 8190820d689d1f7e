# SPDX-License-Identifier: MIT
"""Mapping Estimation (Perrot et al. 2016) to a free-support barycenter (Cuturi, Doucet 2014).

Its cost grows with the cube of the rows, so it sees a subsample of `ROWS_PER_GROUP` rows of each
group; it then carries all rows. Settings are chosen inside the training part.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import product

import numpy as np
import ot

from .choice import best, inner_split, merit_of
from .protocol import Part, Split

ROWS_PER_GROUP = 500
ROWS_OF_CHOICE = 250  # per group, while settings are compared
MAX_ITERATIONS = 20


@dataclass(frozen=True)
class Setting:
    """What Mapping Estimation is run with."""

    kernel: str  # "linear" or "gaussian"
    n_atoms: int = 100  # of the barycenter
    eta: float = 1e-3
    sigma: float = 1.0  # of the Gaussian kernel


GRIDS = {  # thinned: the paper's has 6 atoms x 5 etas, and 4 sigmas for the Gaussian kernel
    "linear": [Setting("linear", k, eta) for k, eta in product((20, 100), (1e-3, 1.0))],
    "gaussian": [
        Setting("gaussian", k, eta, sigma)
        for k, eta, sigma in product((20, 100), (1e-3, 1.0), (1.0, 10.0, 100.0))
    ],
}


def repaired_by_mapping(
    split: Split, setting: Setting, seed: int, rows_per_group: int = ROWS_PER_GROUP
) -> Split:
    """Carry both groups to their barycenter by maps that a subsample has taught."""
    maps = _fitted(split.train, setting, seed, rows_per_group)
    return split.mapped(lambda part: _carried(part, maps))


def chosen_setting(train: Part, kernel: str, seed: int) -> Setting:
    """Choose by AUC - gamma of a logistic regression on a part of the training rows."""
    inner = inner_split(train, seed)

    def merit(setting: Setting, fold: int) -> float:
        try:
            return merit_of(repaired_by_mapping(inner, setting, seed, ROWS_OF_CHOICE))
        except np.linalg.LinAlgError:  # a wide Gaussian kernel is singular
            return -np.inf

    return best(GRIDS[kernel], merit, n_folds=1)


def _fitted(
    train: Part, setting: Setting, seed: int, rows_per_group: int
) -> dict[str, ot.da.MappingTransport]:
    rng = np.random.default_rng(seed)
    samples = {}
    for name in np.unique(train.group):
        rows = np.flatnonzero(train.group == name)
        rows = rng.choice(rows, min(rows_per_group, len(rows)), replace=False)
        samples[name] = train.features[rows]
    atoms = _barycenter(list(samples.values()), setting.n_atoms, rng)
    options = {"sigma": setting.sigma} if setting.kernel == "gaussian" else {}
    maps = {}
    for name, rows in samples.items():
        mapping = ot.da.MappingTransport(
            kernel=setting.kernel, eta=setting.eta, bias=True, max_iter=MAX_ITERATIONS, **options
        )
        with warnings.catch_warnings():  # it warns of every plan that ends at its limit
            warnings.simplefilter("ignore")
            maps[name] = mapping.fit(Xs=rows, Xt=atoms)
    return maps


def _barycenter(samples: list[np.ndarray], n_atoms: int, rng: np.random.Generator) -> np.ndarray:
    pooled = np.concatenate(samples)
    start = pooled[rng.choice(len(pooled), min(n_atoms, len(pooled)), replace=False)]
    masses = [np.full(len(rows), 1.0 / len(rows)) for rows in samples]
    return np.asarray(
        ot.lp.free_support_barycenter(
            samples, masses, start, weights=np.array([0.5, 0.5]), numItermax=50
        )
    )


def _carried(part: Part, maps: dict[str, ot.da.MappingTransport]) -> np.ndarray:
    features = np.empty_like(part.features)
    for name, mapping in maps.items():
        rows = part.group == name
        features[rows] = mapping.transform(Xs=part.features[rows])
    return features
