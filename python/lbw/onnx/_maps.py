# SPDX-License-Identifier: MIT
"""The affine pieces of a map: by the most probable component, or averaged over all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import _core
from .._input.arrays import FloatArray
from ._affine import AffineMaps, SymmetricMaps, are_alike, scaled_basis, symmetric_maps
from ._densities import Densities, Joint, joint_densities
from ._forms import FormTensor, forms
from ._graph import Graph
from ._probabilities import labels_of, relative_of

__all__ = ["add_pieces"]


class _Components(NamedTuple):
    """The components of every row: one label, or the shares of all."""

    labels: str = ""  # (n)
    shares: str = ""  # (n, k)

    def row_of(self, graph: Graph, table: FloatArray) -> str:
        """Add the row of a table (k, m) that belongs to the label, or the average of all rows."""
        if self.shares:
            return graph.op("MatMul", self.shares, graph.number(table))
        # a label after the last one gives NaN
        invalid = np.full((1, table.shape[1]), np.nan)
        return graph.op(
            "Gather", graph.number(np.concatenate([table, invalid])), self.labels, axis=0
        )


def add_pieces(graph: Graph, x: str, along: _core.LocalMap) -> str:
    """Add the images of points under the pieces of a hard or soft map."""
    soft = along.kind == "soft" and not are_alike(along)
    maps = AffineMaps.average(along) if soft else AffineMaps.heaviest(along)
    if len(maps.offsets) == 1 or are_alike(along):
        return _linear(graph, _centred(graph, x, maps), maps, graph.number(maps.offsets[0]))
    joint = joint_densities(graph, x, Densities.of(along.source))
    own = _components(graph, joint, maps, soft)
    if joint.forms and not maps.are_diagonal and not maps.are_shifts_of_one:
        image = _by_forms(graph, x, own, joint.forms, maps)
        if image:
            return image
    return _by_components(graph, _centred(graph, x, maps), own, maps)


def _components(graph: Graph, joint: Joint, maps: AffineMaps, soft: bool) -> _Components:
    if soft:
        return _Components(shares=relative_of(graph, joint).shares(graph))
    if maps.are_diagonal:
        return _Components(labels=labels_of(graph, joint, len(maps.offsets)))
    # a product with a matrix spreads NaN to the whole row, so its label does not matter
    return _Components(labels=graph.op("ArgMax", joint.name, axis=1, keepdims=0))


def _centred(graph: Graph, x: str, maps: AffineMaps) -> str:
    return graph.op("Sub", x, graph.number(maps.origin)) if maps.origin.any() else x


def _linear(graph: Graph, x: str, maps: AffineMaps, offsets: str) -> str:
    """Apply the first matrix to all rows, and add offsets."""
    if maps.are_diagonal:
        return graph.op("Add", graph.op("Mul", x, graph.number(maps.matrices[0])), offsets)
    return graph.op("Gemm", x, graph.number(maps.matrices[0].T), offsets)


def _by_forms(graph: Graph, x: str, own: _Components, along: FormTensor, maps: AffineMaps) -> str:
    """Multiply forms of every row by coefficients; "" if the maps have no such coefficients.

    The forms are those that the densities have computed, if these are accurate for images.
    """
    if along.dtype == graph.dtype:
        symmetric = symmetric_maps(maps, along.pooled, along.origin, along.dtype)
        if symmetric:
            return _multiplied(graph, own, along.name, symmetric)
    basis = scaled_basis(maps)
    symmetric = symmetric_maps(maps, basis, maps.origin, graph.dtype)
    if not symmetric:
        return ""
    rows = graph.number((forms(len(basis)) @ basis).T)
    return _multiplied(graph, own, graph.op("MatMul", _centred(graph, x, maps), rows), symmetric)


def _multiplied(graph: Graph, own: _Components, along: str, maps: SymmetricMaps) -> str:
    products = graph.op("Mul", own.row_of(graph, maps.coefficients), along)
    return graph.op("Gemm", products, graph.number(maps.back), own.row_of(graph, maps.offsets))


def _by_components(graph: Graph, x: str, own: _Components, maps: AffineMaps) -> str:
    k, d = maps.offsets.shape
    if not maps.are_diagonal and not maps.are_shifts_of_one:
        if own.labels:
            return _selected(graph, x, own.labels, maps)
        if d > 2 * k:
            return _by_images(graph, x, own.shares, maps)
    offsets = own.row_of(graph, maps.offsets)
    if maps.are_shifts_of_one:
        return _linear(graph, x, maps, offsets)
    if maps.are_diagonal:
        return graph.op("Add", graph.op("Mul", x, own.row_of(graph, maps.matrices)), offsets)
    return _by_average_map(graph, x, own.shares, offsets, maps)


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
