# SPDX-License-Identifier: MIT
"""Assignment by SciPy."""

from __future__ import annotations

from typing import Any

from scipy.optimize import linear_sum_assignment

from . import inputs
from .clock import Stopwatch


def scipy_assignment(request: dict[str, Any]) -> dict[str, Any]:
    """Least-cost matching of the rows of ``cost`` to its columns."""
    cost = inputs.array(request["cost"])
    with Stopwatch() as watch:
        rows, columns = linear_sum_assignment(cost)
    return {"seconds": watch.seconds, "checks": {"cost": float(cost[rows, columns].sum())}}
