# SPDX-License-Identifier: MIT
"""Repair by Mapping Estimation.

The cost grows with the cube of the number of rows, so the maps are learned from a subsample of
`ROWS_PER_GROUP` rows of each group and then transport all rows. Settings are selected on training
rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import ot

from common.mapping_estimation import barycenter_atoms, fitted_mapping

from .choice import inner_split, merit_of, ranked
from .protocol import Part, Split

ROWS_PER_GROUP = 300
MAX_ITERATIONS = 10


@dataclass(frozen=True)
class Setting:
    """The settings of Mapping Estimation."""

    kernel: str  # "linear" or "gaussian"
    n_atoms: int = 100  # atoms of the barycenter
    eta: float = 1e-3
    sigma: float = 1.0  # bandwidth of the Gaussian kernel


GRIDS = {  # The paper's grid has 6 atoms x 5 etas, and 4 sigmas for the Gaussian kernel.
    "linear": [Setting("linear", k, eta) for k, eta in product((20, 100), (1e-3, 1.0))],
    "gaussian": [
        Setting("gaussian", k, eta, sigma)
        for k, eta, sigma in product((100,), (1e-3, 1.0), (1.0, 10.0, 100.0))
    ],
}


def repaired_by_mapping(
    split: Split, setting: Setting, seed: int, rows_per_group: int = ROWS_PER_GROUP
) -> Split:
    """Transport both groups to their barycenter by maps learned from a subsample."""
    maps = _fitted(split.train, setting, seed, rows_per_group)
    return split.mapped(lambda part: _transported(part, maps))


def repaired_by_choice(split: Split, kernel: str, seed: int) -> tuple[Split, Setting]:
    """Repair with the best setting for which the solver succeeds on this subsample."""
    reach = 100.0 * np.abs(split.train.features).max()
    for setting in ranked_settings(split.train, kernel, seed):
        try:
            repaired = repaired_by_mapping(split, setting, seed)
        except np.linalg.LinAlgError:
            continue
        if np.abs(repaired.train.features).max() < reach:  # otherwise the solution is not usable
            return repaired, setting
    raise np.linalg.LinAlgError(f"Mapping Estimation, {kernel}: no setting can be solved")


def ranked_settings(train: Part, kernel: str, seed: int) -> list[Setting]:
    """Rank the settings by AUC - gamma of a logistic regression on a part of the training rows."""
    inner = inner_split(train, seed)

    def merit(setting: Setting, fold: int) -> float:
        try:
            return merit_of(repaired_by_mapping(inner, setting, seed))
        except (np.linalg.LinAlgError, ValueError):  # singular, or not finite
            return -np.inf

    return ranked(GRIDS[kernel], merit, n_folds=1)


def _fitted(
    train: Part, setting: Setting, seed: int, rows_per_group: int
) -> dict[str, ot.da.MappingTransport]:
    rng = np.random.default_rng(seed)
    samples = {}
    for name in np.unique(train.group):
        own = train.features[train.group == name]
        # without copies of rows, which make the kernel matrix singular
        _, rows = np.unique(own.round(6), axis=0, return_index=True)
        samples[name] = own[rng.permutation(rows)[:rows_per_group]]
    groups = list(samples.values())
    atoms = barycenter_atoms(groups, setting.n_atoms, (0.5, 0.5), rng, numItermax=50)
    options = {"kernel": setting.kernel, "eta": setting.eta, "sigma": setting.sigma}
    return {
        name: fitted_mapping(rows, atoms, max_iter=MAX_ITERATIONS, **options)
        for name, rows in samples.items()
    }


def _transported(part: Part, maps: dict[str, ot.da.MappingTransport]) -> np.ndarray:
    features = np.empty_like(part.features)
    for name, mapping in maps.items():
        rows = part.group == name
        features[rows] = mapping.transform(Xs=part.features[rows])
    return features
