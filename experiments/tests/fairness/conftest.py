# SPDX-License-Identifier: MIT
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fairness.protocol import Part, Split


@pytest.fixture(scope="session")
def split() -> Split:
    """Two groups that differ in mean and spread, with a label that leans on both."""
    rng = np.random.default_rng(0)

    def part(n_rows: int) -> Part:
        group = rng.integers(2, size=n_rows)
        features = rng.normal(size=(n_rows, 3)) * (1.0 + group[:, None]) + 1.5 * group[:, None]
        label = features[:, 0] + rng.normal(size=n_rows) > 1.0
        return Part(features, label, np.array(["a", "b"])[group])

    return Split(part(900), part(500))
