# SPDX-License-Identifier: MIT
"""Held-out rows of a selection by held-out likelihood."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _core

__all__ = ["held_out_rows"]


def held_out_rows(first_row: int, n_rows: int, seed: int) -> NDArray[np.bool_]:
    """Return which of the rows from `first_row` on are held out: one of every five, by the seed."""
    flags: NDArray[np.bool_] = _core.held_out_rows(first_row, n_rows, seed)
    return flags
