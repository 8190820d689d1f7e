# SPDX-License-Identifier: MIT
"""The affine pieces of a map: by the most probable component, or averaged over all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import _core
from .._input.arrays import FloatArray
from ._densities import Densities, centre_of, joint_densities
from ._graph import Graph
from ._probabilities import labels_of, relative_of

__all__ = ["AffineMaps", "add_pieces", "are_alike"]


class AffineMaps(NamedTuple):
    """One affine map per component: x -> offsets_k + matrices_k (x - origin)."""

    origin: FloatArray
    matrices: FloatArray  # (k, d, d), or (k, d): diagonals
    offsets: FloatArray  # (k, d)

    @classmethod
    def heaviest(cls, along: _core.LocalMap) -> AffineMaps:
        """Take the piece of every component with the largest share, the first of equal ones."""
        best: dict[int, _core.MapPiece] = {}
        for piece in along.pieces:
            if piece.component not in best or piece.share > best[piece.component].share:
                best[piece.component] = piece
        return cls._of([[(best[k], 1.0)] for k in sorted(best)])

    @classmethod
    def average(cls, along: _core.LocalMap) -> AffineMaps:
        """Average the pieces of every component by their shares."""
        own: dict[int, list[_core.MapPiece]] = {}
        for piece in along.pieces:
            own.setdefault(piece.component, []).append(piece)
        sums = {k: sum(piece.share for piece in own[k]) for k in own}
        return cls._of([[(piece, piece.share / sums[k]) for piece in own[k]] for k in sorted(own)])

    @classmethod
    def _of(cls, pieces: list[list[tuple[_core.MapPiece, float]]]) -> AffineMaps:
        origin = centre_of(np.array([own[0][0].source_mean for own in pieces]))
        matrices, offsets = [], []
        for own in pieces:
            parts = [(_matrix(piece), part, piece) for piece, part in own]
            matrices.append(sum(part * matrix for matrix, part, _ in parts))
            images = [
                part * (piece.target_mean + _applied(matrix, origin - piece.source_mean))
                for matrix, part, piece in parts
            ]
            offsets.append(np.sum(images, axis=0))
        return cls(origin, np.array(matrices), np.array(offsets))

    @property
    def are_diagonal(self) -> bool:
        """Whether every feature is scaled by itself."""
        return self.matrices.ndim == 2


def _matrix(piece: _core.MapPiece) -> FloatArray:
    matrix: FloatArray = piece.matrix
    return matrix[:, 0] if matrix.shape[1] == 1 else matrix


def _applied(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    return matrix * vector if matrix.ndim == 1 else matrix @ vector


def are_alike(along: _core.LocalMap) -> bool:
    """Return whether all pieces are the same map, so that no component needs to be found."""
    first = along.pieces[0]
    names = ("source_mean", "matrix", "target_mean")
    return all(
        np.array_equal(getattr(piece, name), getattr(first, name))
        for piece in along.pieces
        for name in names
    )


def add_pieces(graph: Graph, x: str, along: _core.LocalMap) -> str:
    """Add the images of points under the pieces of a hard or soft map."""
    soft = along.kind == "soft" and not are_alike(along)
    maps = AffineMaps.average(along) if soft else AffineMaps.heaviest(along)
    centred = graph.op("Sub", x, graph.number(maps.origin)) if maps.origin.any() else x
    if len(maps.offsets) == 1 or are_alike(along):
        return _single(graph, centred, maps)
    joint = joint_densities(graph, x, Densities.of(along.source))
    if soft:
        shares = relative_of(graph, joint).shares(graph)
        return _averaged(graph, centred, shares, maps)
    if maps.are_diagonal:
        return _scaled(graph, centred, labels_of(graph, joint, len(maps.offsets)), maps)
    return _selected(graph, centred, graph.op("ArgMax", joint.name, axis=1, keepdims=0), maps)


def _single(graph: Graph, x: str, maps: AffineMaps) -> str:
    offset = graph.number(maps.offsets[0])
    if maps.are_diagonal:
        return graph.op("Add", graph.op("Mul", x, graph.number(maps.matrices[0])), offset)
    return graph.op("Gemm", x, graph.number(maps.matrices[0].T), offset)


def _scaled(graph: Graph, x: str, labels: str, maps: AffineMaps) -> str:
    """Scale every row by the factors of its component; the label after the last one gives NaN."""
    invalid = np.full((1, maps.offsets.shape[1]), np.nan)
    factors = graph.number(np.concatenate([maps.matrices, invalid]))
    offsets = graph.number(np.concatenate([maps.offsets, invalid]))
    scaled = graph.op("Mul", x, graph.op("Gather", factors, labels, axis=0))
    return graph.op("Add", scaled, graph.op("Gather", offsets, labels, axis=0))


def _images(graph: Graph, x: str, maps: AffineMaps) -> str:
    """Add the images of every row under all maps, (n, k * d)."""
    k, d = maps.offsets.shape
    stacked = graph.number(maps.matrices.reshape(k * d, d).T)
    return graph.op("Gemm", x, stacked, graph.number(maps.offsets.reshape(k * d)))


def _selected(graph: Graph, x: str, labels: str, maps: AffineMaps) -> str:
    """Compute all images, which is faster than to gather a matrix per row, and pick one."""
    k, d = maps.offsets.shape
    images = graph.op("Reshape", _images(graph, x, maps), graph.integers(-1, d))
    n_rows = graph.op("Squeeze", graph.op("Shape", labels), graph.integers(0))
    zero, one = graph.constant(np.int64(0)), graph.constant(np.int64(1))
    rows = graph.op("Range", zero, n_rows, one)
    first = graph.op("Mul", rows, graph.constant(np.int64(k)))
    return graph.op("Gather", images, graph.op("Add", first, labels), axis=0)


def _averaged(graph: Graph, x: str, shares: str, maps: AffineMaps) -> str:
    k, d = maps.offsets.shape
    if not maps.are_diagonal and d > 2 * k:
        return _by_images(graph, x, shares, maps)
    offsets = graph.op("MatMul", shares, graph.number(maps.offsets))
    if not maps.are_diagonal:
        return _by_average_map(graph, x, shares, offsets, maps)
    factors = graph.op("MatMul", shares, graph.number(maps.matrices))
    return graph.op("Add", graph.op("Mul", x, factors), offsets)


def _by_average_map(graph: Graph, x: str, shares: str, offsets: str, maps: AffineMaps) -> str:
    """Average the matrices of every row, and multiply them by the row.

    Batched products of small matrices are slow, so the row is repeated and the products are summed
    by matrices of ones.
    """
    k, d = maps.offsets.shape
    columns = np.swapaxes(maps.matrices, 1, 2).reshape(k, d * d)  # (input, output)
    averages = graph.op("MatMul", shares, graph.number(columns))
    repeat = np.kron(np.eye(d), np.ones((1, d)))
    total = np.kron(np.ones((d, 1)), np.eye(d))
    repeated = graph.op("MatMul", x, graph.number(repeat))
    products = graph.op("Mul", averages, repeated)
    return graph.op("Gemm", products, graph.number(total), offsets)


def _by_images(graph: Graph, x: str, shares: str, maps: AffineMaps) -> str:
    """Average the images of every row, which needs less memory if there are many features."""
    k, d = maps.offsets.shape
    images = graph.op("Reshape", _images(graph, x, maps), graph.integers(-1, k, d))
    weights = graph.op("Unsqueeze", shares, graph.integers(1))
    return graph.op("Squeeze", graph.op("MatMul", weights, images), graph.integers(1))
