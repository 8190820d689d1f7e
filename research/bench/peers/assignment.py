# SPDX-License-Identifier: MIT
"""Assignment by SciPy."""

from __future__ import annotations

from typing import Any

from scipy.optimize import linear_sum_assignment

from common.clock import Stopwatch

from . import inputs
from .inputs import answered


def scipy_assignment(request: dict[str, Any]) -> dict[str, Any]:
    """Match the rows of ``cost`` to its columns at minimal cost."""
    cost = inputs.array(request["cost"])
    with Stopwatch() as watch:
        rows, columns = linear_sum_assignment(cost)
    return answered(watch, cost=cost[rows, columns].sum())
