# SPDX-License-Identifier: MIT
"""Samples and helpers that the tests of displays share."""

import re

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")


def refused(message):
    """Expect a ValueError of exactly these words."""
    return pytest.raises(ValueError, match=f"^{re.escape(message)}$")


def blobs(n_groups=2, n_samples=150, n_features=3, seed=0):
    """Two blobs in each group; group g lies 4 g to the right."""
    random = np.random.default_rng(seed)
    groups = np.repeat([f"g{g}" for g in range(n_groups)], n_samples)
    X = random.normal(size=(len(groups), n_features))
    X[:, 0] += np.repeat(4.0 * np.arange(n_groups), n_samples)
    X[::2, 1] += 8.0
    return X, groups


def offsets(collection):
    return np.asarray(collection.get_offsets())
