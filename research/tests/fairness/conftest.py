# SPDX-License-Identifier: MIT
import numpy as np
import pytest

from fairness.protocol import Part, Split


@pytest.fixture(scope="session")
def split() -> Split:
    """Return two groups that differ in mean and spread, with a label that depends on both."""
    rng = np.random.default_rng(0)

    def part(n_rows: int) -> Part:
        group = rng.integers(2, size=n_rows)
        features = rng.normal(size=(n_rows, 3)) * (1.0 + group[:, None]) + 1.5 * group[:, None]
        label = features[:, 0] + rng.normal(size=n_rows) > 1.0
        return Part(features, label, np.array(["a", "b"])[group])

    return Split(part(900), part(500))
