# SPDX-License-Identifier: MIT
"""Tables of monotone piecewise linear functions, in which a cell of equal width finds the piece.

The range of the knots is divided into cells of equal width. A table gives the number of knots
before each cell, and a few comparisons find the others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray

__all__ = ["KnotTable", "Lookup", "layouts"]

CountArray = NDArray[np.int32]
_CELLS = (256, 512, 1024, 2048, 4096)
_STEEPEST = 1e3  # relative to a line through all knots: three digits are lost


class KnotTable(NamedTuple):
    """Pieces between the knots of a function; piece j begins at knot j - 1."""

    knots: FloatArray  # (n_knots), ascending
    base: FloatArray  # (n_knots + 1), the value where the piece begins
    slope: FloatArray  # (n_knots + 1)
    at_knot: FloatArray  # (n_knots + 1), the value at the knot itself

    @classmethod
    def of(cls, source: FloatArray, target: FloatArray, amount: float) -> KnotTable:
        """Make the table of a QuantileMap.

        Values before and after all knots are shifted like the ends. A knot that takes several
        levels is an atom: it is mapped to the mean of the target over its levels.
        """
        knots, first, counts = np.unique(source, return_index=True, return_counts=True)
        last = first + counts - 1
        base = np.concatenate([target[:1], target[last]])
        with np.errstate(over="ignore"):
            inner = (target[first[1:]] - target[last[:-1]]) / np.diff(knots)
        slope = np.concatenate([[1.0], np.where(np.isfinite(inner), inner, 0.0), [1.0]])
        trapezoids = np.concatenate([[0.0], np.cumsum(0.5 * (target[1:] + target[:-1]))])
        means = (trapezoids[last] - trapezoids[first]) / np.maximum(last - first, 1)
        means = np.where(last > first, np.clip(means, target[first], target[last]), target[first])
        begins = np.concatenate([knots[:1], knots])
        values = [base, np.concatenate([target[:1], means])]
        base, at_knot = ((1.0 - amount) * begins + amount * value for value in values)
        return cls(knots, base, (1.0 - amount) + amount * slope, at_knot)

    @property
    def has_atoms(self) -> bool:
        """Whether a value at a knot is not the one that the piece begins with."""
        return bool((self.base != self.at_knot).any())


class Lookup(NamedTuple):
    """Tables of several functions in one layout; column j belongs to function j."""

    low: FloatArray  # (n_functions), the first knot
    per_unit: FloatArray  # (n_functions), cells per unit
    near: FloatArray  # (n_functions), the distance from a knot that is rounding alone
    starts: CountArray  # (n_cells, n_functions): where the piece of a cell is searched from
    knots: FloatArray  # (n_rows, n_functions): the knot that ends each piece, then infinity
    # each like knots: begin, base, slope and, with atoms, value at begin; or value at 0, slope
    pieces: list[FloatArray]
    n_rounds: int

    def arrays(self) -> list[NDArray[Any]]:
        """Return all arrays, in the order of LookupTensors."""
        return [self.low, self.per_unit, self.near, self.starts, self.knots, *self.pieces]

    def in_cells(self) -> Lookup:
        """Return the tables for values in cells from the first knot, in which no unit is left."""
        per_unit = np.where(self.per_unit > 0.0, self.per_unit, 1.0)
        begin, base, slope, *at_knot = self.pieces
        ones = np.ones_like(per_unit)
        begin, slope = (begin - self.low) * per_unit, slope / per_unit
        knots = (self.knots - self.low) * per_unit
        pieces = [begin, base, slope, *at_knot]
        return Lookup(
            0.0 * ones, ones, self.near * per_unit, self.starts, knots, pieces, self.n_rounds
        )

    def lines(self) -> Lookup | None:
        """Return tables whose pieces are lines, value at 0 and slope; None if that loses digits.

        It saves one of the tables, if no function is much steeper in one place than in all.
        """
        begin, base, slope, *at_knot = self.pieces
        sizes = np.abs(slope * begin).max(axis=0)
        if at_knot or (sizes > _STEEPEST * np.ptp(base, axis=0)).any():
            return None
        return self._replace(pieces=[base - slope * begin, slope])


def layouts(groups: list[list[KnotTable]], atoms: bool = False) -> list[Lookup]:
    """Lay out several lists of tables in arrays of the same shapes, with few comparisons.

    The values at knots are left out if they are those of the pieces, unless `atoms` wants them.
    """
    tables = [table for own in groups for table in own]
    rounds = {n: max(_rounds(table.knots, n) for table in tables) for n in _CELLS}
    n_cells = min(_CELLS, key=lambda n: (rounds[n], n))
    n_rows = max(len(table.knots) for table in tables) + 2 ** rounds[n_cells]
    atoms = atoms or any(table.has_atoms for table in tables)
    return [_layout(own, n_cells, n_rows, rounds[n_cells], atoms) for own in groups]


def _per_unit(knots: FloatArray, n_cells: int) -> float:
    with np.errstate(over="ignore", divide="ignore"):
        per_unit = n_cells / (knots[-1] - knots[0])
    return float(per_unit) if np.isfinite(per_unit) else 0.0


def _rounding(knots: FloatArray) -> float:
    """Return the distance from a knot that rounding explains, after several products."""
    return float(1e-10 * (knots[-1] - knots[0]) + 1e-14 * np.abs(knots).max())


def _cells_of(knots: FloatArray, n_cells: int) -> NDArray[np.int64]:
    places = (knots - knots[0]) * _per_unit(knots, n_cells)
    return np.asarray(np.clip(places, 0.0, n_cells - 1.0).astype(np.int64))


def _rounds(knots: FloatArray, n_cells: int) -> int:
    """Return how often a range must be halved to find a knot in the fullest cell."""
    most = int(np.bincount(_cells_of(knots, n_cells)).max())
    return most.bit_length()


def _layout(
    tables: list[KnotTable], n_cells: int, n_rows: int, n_rounds: int, atoms: bool
) -> Lookup:
    starts, knots = [], []
    pieces: list[list[FloatArray]] = [[] for _ in range(4 if atoms else 3)]
    for table in tables:
        counts = np.bincount(_cells_of(table.knots, n_cells), minlength=n_cells)
        starts.append(np.cumsum(counts) - counts)
        knots.append(np.concatenate([table.knots, np.full(n_rows - len(table.knots), np.inf)]))
        begins = np.concatenate([table.knots[:1], table.knots])
        for column, values in zip(
            pieces, (begins, table.base, table.slope, table.at_knot), strict=False
        ):
            column.append(np.pad(values, (0, n_rows - len(values)), mode="edge"))
    return Lookup(
        np.array([table.knots[0] for table in tables]),
        np.array([_per_unit(table.knots, n_cells) for table in tables]),
        np.array([_rounding(table.knots) for table in tables]),
        np.column_stack(starts).astype(np.int32),
        np.column_stack(knots),
        [np.column_stack(column) for column in pieces],
        n_rounds,
    )
