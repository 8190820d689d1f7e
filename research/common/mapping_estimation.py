# SPDX-License-Identifier: MIT
"""Mapping Estimation (Perrot et al. 2016) to a free-support barycenter (Cuturi, Doucet 2014)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import ot
from numpy.typing import NDArray

Points = NDArray[np.float64]


def barycenter_atoms(
    groups: Sequence[Points],
    n_atoms: int,
    weights: Sequence[float],
    rng: np.random.Generator,
    **options: Any,
) -> Points:
    """Return the atoms of the barycenter, started from random points of all groups."""
    pooled = np.concatenate(groups)
    start = pooled[rng.choice(len(pooled), min(n_atoms, len(pooled)), replace=False)]
    masses = [np.full(len(group), 1.0 / len(group)) for group in groups]
    return np.asarray(
        ot.lp.free_support_barycenter(groups, masses, start, weights=np.array(weights), **options)
    )


def fitted_mapping(group: Points, atoms: Points, **options: Any) -> ot.da.MappingTransport:
    """Return POT's map of a group to the atoms, with a bias."""
    mapping = ot.da.MappingTransport(bias=True, **options)
    with warnings.catch_warnings():  # inner solvers warn if they reach their iteration limit
        warnings.simplefilter("ignore")
        return mapping.fit(Xs=group, Xt=atoms)
