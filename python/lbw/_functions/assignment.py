# SPDX-License-Identifier: MIT
"""Least-cost matching, by SciPy's name and with its arguments."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._input.arrays import PlaceArray, as_doubles, as_places
from .._options.presented import public

__all__ = ["linear_sum_assignment"]


def linear_sum_assignment(
    cost_matrix: ArrayLike, maximize: bool = False
) -> tuple[PlaceArray, PlaceArray]:
    """Match rows to columns one to one at the least total cost.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_rows, n_columns)
        Costs; infinity forbids a pair.
    maximize : bool, default=False
        Whether to make the total as large as possible instead.

    Returns
    -------
    row_ind, col_ind : ndarray of shape (min(n_rows, n_columns),)
        The matched pairs, rows ascending. Ties are broken the same way on every run.

    Examples
    --------
    >>> import lbw
    >>> rows, columns = lbw.linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> columns
    array([1, 0, 2])
    """
    cost = as_doubles(cost_matrix, "cost_matrix", ndim=2)
    if cost.size == 0:
        empty = np.empty(0, dtype=np.intp)
        return empty, empty
    columns, _ = _core.match(-cost if maximize else cost)
    rows = np.flatnonzero(columns >= 0)
    return rows, as_places(columns[rows])


public(globals(), "lbw")
