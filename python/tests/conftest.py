# SPDX-License-Identifier: MIT
"""Samples that many tests use."""

from __future__ import annotations

import numpy as np
import pytest

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # `make test-wheels` installs the package and pytest only
    pass
else:
    # machines are shared, so a slow example is no failure, and every run tests the same examples
    settings.register_profile(
        "lbw", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("lbw")


def blobs(n_samples: int, seed: int, shift: float = 0.0, n_features: int = 3) -> np.ndarray:
    """Three well separated clusters."""
    rng = np.random.default_rng(seed)
    centers = 6.0 * np.eye(3, n_features) + shift
    return centers[rng.integers(3, size=n_samples)] + rng.normal(size=(n_samples, n_features))


@pytest.fixture
def two_groups() -> tuple[np.ndarray, np.ndarray]:
    """Samples of the groups "a" and "b", in mixed order."""
    X = np.concatenate([blobs(400, 1), 0.5 * blobs(300, 2, shift=4.0)])
    groups = np.repeat(["a", "b"], [400, 300])
    order = np.random.default_rng(3).permutation(700)
    return X[order], groups[order]


@pytest.fixture
def figures_off_screen():
    """Draw without a window, and close all figures at the end."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    yield
    plt.close("all")
