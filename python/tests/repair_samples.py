# SPDX-License-Identifier: MIT
"""Samples that the tests of GroupRepair share."""

from __future__ import annotations

import numpy as np
import pandas as pd


def census(n: int = 600, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Incomes that depend on a skill, seen through features that depend on the sex."""
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m"], size=n, p=[0.4, 0.6])
    skill = rng.normal(size=n)
    shift = np.where(sex == "m", 1.5, 0.0)
    frame = pd.DataFrame(
        {
            "hours": skill + shift + rng.normal(size=n),
            "sex": sex,
            "years": (1.0 + (sex == "m")) * (skill + rng.normal(size=n)),
        }
    )
    return frame, (skill + 0.3 * rng.normal(size=n) > 0).astype(int)
