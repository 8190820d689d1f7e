# SPDX-License-Identifier: MIT
"""Monotone piecewise linear functions, found by tables, because ONNX has no binary search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from onnx import TensorProto

from ._graph import Graph
from ._knots import Lookup

__all__ = ["LookupTensors", "add_lookup", "along_piece", "nearest_knots"]


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
    """Add the number of the piece of every value (n, n_functions), or (n, 1) for all functions.

    Values are in cells if the tables have no units.
    """
    last = len(layout.starts) - 1
    place = values
    if tables.low:
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
    if len(tables.pieces) == 2:
        piece = find_pieces(graph, values, tables, layout)
        at_0, slope = (graph.op("GatherElements", table, piece, axis=0) for table in tables.pieces)
        return graph.op("Add", graph.op("Mul", values, slope), at_0)
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
