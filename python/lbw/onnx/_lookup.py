# SPDX-License-Identifier: MIT
"""Monotone piecewise linear functions, found by tables, because ONNX has no binary search.

The range of the knots is divided into cells of equal width. A table gives the number of knots
before each cell, and a few comparisons find the others.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto

from .._input.arrays import FloatArray
from ._graph import Graph

__all__ = [
    "KnotTable",
    "Lookup",
    "LookupTensors",
    "add_lookup",
    "along_piece",
    "layouts",
    "nearest_knots",
]

CountArray = NDArray[np.int32]
_CELLS = (256, 512, 1024, 2048, 4096)


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
    pieces: list[FloatArray]  # each like knots: begin, base, slope and, with atoms, value at begin
    n_rounds: int

    def arrays(self) -> list[NDArray[Any]]:
        """Return all arrays, in the order of LookupTensors."""
        return [self.low, self.per_unit, self.near, self.starts, self.knots, *self.pieces]


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
            column.append(np.pad(values, (0, n_rows - len(values))))
    return Lookup(
        np.array([table.knots[0] for table in tables]),
        np.array([_per_unit(table.knots, n_cells) for table in tables]),
        np.array([_rounding(table.knots) for table in tables]),
        np.column_stack(starts).astype(np.int32),
        np.column_stack(knots),
        [np.column_stack(column) for column in pieces],
        n_rounds,
    )


class LookupTensors(NamedTuple):
    """The arrays of a Lookup as tensors of a graph."""

    low: str
    per_unit: str
    near: str
    starts: str
    knots: str
    pieces: list[str]

    @classmethod
    def of(cls, names: list[str]) -> LookupTensors:
        """Take names in the order of Lookup.arrays."""
        low, per_unit, near, starts, knots, *pieces = names
        return cls(low, per_unit, near, starts, knots, pieces)


def find_pieces(graph: Graph, values: str, tables: LookupTensors, layout: Lookup) -> str:
    """Add the number of the piece of every value (n, n_functions), or (n, 1) for all functions."""
    last = len(layout.starts) - 1
    place = graph.op("Mul", graph.op("Sub", values, tables.low), tables.per_unit)
    place = graph.op("Clip", place, *(graph.constant(np.float64(end)) for end in (0, last)))
    cell = graph.cast(place, TensorProto.INT32)
    # a NaN has become any integer, which must be a cell
    cell = graph.op("Clip", cell, *(graph.constant(np.int32(end)) for end in (0, last)))
    piece = graph.op("GatherElements", tables.starts, cell, axis=0)
    for power in reversed(range(layout.n_rounds)):
        piece = _passed(graph, values, piece, tables.knots, 2**power)
    return piece


class Found(NamedTuple):
    """Where values are: their piece, the distance from its begin, and their nearest knot."""

    piece: str
    away: str  # from the begin of the piece
    nearest: str  # the knot
    gap: str  # from the nearest knot
    at_nearest: str  # the value of the function there


def nearest_knots(graph: Graph, values: str, tables: LookupTensors, layout: Lookup) -> Found:
    """Add the knot that is nearest to every value, for layouts with values at knots."""
    piece = find_pieces(graph, values, tables, layout)
    low = graph.op("GatherElements", tables.pieces[0], piece, axis=0)
    high = graph.op("GatherElements", tables.knots, piece, axis=0)
    away = graph.op("Sub", values, low)
    is_low = graph.op("Less", away, graph.op("Sub", high, values))
    nearest = graph.op("Where", is_low, low, high)
    one = graph.constant(np.int32(1))
    # a value before the first knot is nearest to it, where piece 1 begins
    place = graph.op("Where", is_low, graph.op("Max", piece, one), graph.op("Add", piece, one))
    at_nearest = graph.op("GatherElements", tables.pieces[3], place, axis=0)
    return Found(piece, away, nearest, graph.op("Sub", values, nearest), at_nearest)


def add_lookup(graph: Graph, values: str, tables: LookupTensors, layout: Lookup) -> str:
    """Add the functions of values (n, n_functions), all in double precision. NaN stays NaN.

    A value at an atom, up to rounding, is mapped as the atom is. GatherElements is four times as
    fast as Gather for single numbers.
    """
    if len(tables.pieces) == 3:
        piece = find_pieces(graph, values, tables, layout)
        begin = graph.op("GatherElements", tables.pieces[0], piece, axis=0)
        return along_piece(graph, graph.op("Sub", values, begin), piece, tables)
    found = nearest_knots(graph, values, tables, layout)
    near = graph.op("LessOrEqual", graph.op("Abs", found.gap), tables.near)
    along = along_piece(graph, found.away, found.piece, tables)
    return graph.op("Where", near, found.at_nearest, along)


def along_piece(graph: Graph, away: str, piece: str, tables: LookupTensors) -> str:
    """Add the linear functions of pieces at distances from their begins."""
    slope, base = (graph.op("GatherElements", tables.pieces[i], piece, axis=0) for i in (2, 1))
    return graph.op("Add", graph.op("Mul", away, slope), base)


def _passed(graph: Graph, values: str, piece: str, knots: str, step: int) -> str:
    """Move `step` pieces ahead where the last knot of these is not above the value."""
    ahead = piece if step == 1 else graph.op("Add", piece, graph.constant(np.int32(step - 1)))
    knot = graph.op("GatherElements", knots, ahead, axis=0)
    passed = graph.cast(graph.op("LessOrEqual", knot, values), TensorProto.INT32)
    if step > 1:
        passed = graph.op("Mul", passed, graph.constant(np.int32(step)))
    return graph.op("Add", piece, passed)
