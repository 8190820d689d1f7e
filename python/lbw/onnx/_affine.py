# SPDX-License-Identifier: MIT
"""The affine maps of the components of a local map, and matrices that are symmetric in one basis.

The matrix of an optimal transport map is symmetric, or D S D^-1 with a symmetric S if features have
units D. With z = P (x - origin), the image of x is the offset and D^2 P^T C z, where
C = P^-T D^-2 A P^-1 is symmetric. A sum of forms therefore gives it from half as many numbers. Any
P will do: the one of the densities saves a product, and one that is diagonal loses no digits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import _core
from .._input.arrays import FloatArray
from ._densities import Densities
from ._forms import coefficients, forms

__all__ = ["AffineMaps", "SymmetricMaps", "are_alike", "scaled_basis", "symmetric_maps"]

_NEAR = 10.0  # deviations: an origin so close to 0 costs no more than one digit
_SAME = 1e-14  # relative difference of numbers that differ by rounding alone
_REACH = 3.0  # deviations of a usual sample from its mean
# The largest bound of the error of an image in deviations. Errors are a third of it or less.
_ALLOWED: dict[type, float] = {np.float64: 1e-10, np.float32: 3e-5}


class AffineMaps(NamedTuple):
    """One affine map per component: x -> offsets_k + matrices_k (x - origin)."""

    source: Densities
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
        return cls._of(along, [[(best[k], 1.0)] for k in sorted(best)])

    @classmethod
    def average(cls, along: _core.LocalMap) -> AffineMaps:
        """Average the pieces of every component by their shares."""
        own: dict[int, list[_core.MapPiece]] = {}
        for piece in along.pieces:
            own.setdefault(piece.component, []).append(piece)
        sums = {k: sum(piece.share for piece in own[k]) for k in own}
        parts = [[(piece, piece.share / sums[k]) for piece in own[k]] for k in sorted(own)]
        return cls._of(along, parts)

    @classmethod
    def _of(
        cls, along: _core.LocalMap, pieces: list[list[tuple[_core.MapPiece, float]]]
    ) -> AffineMaps:
        source = Densities.of(along.source)
        is_near = np.abs(source.origin) <= _NEAR * source.deviations()
        origin = np.where(is_near.all(), 0.0, source.origin)
        matrices, offsets = [], []
        for own in pieces:
            parts = [(_matrix(piece), part, piece) for piece, part in own]
            matrices.append(sum(part * matrix for matrix, part, _ in parts))
            images = [
                part * (piece.target_mean + _applied(matrix, origin - piece.source_mean))
                for matrix, part, piece in parts
            ]
            offsets.append(np.sum(images, axis=0))
        return cls(source, origin, np.array(matrices), np.array(offsets))

    @property
    def are_diagonal(self) -> bool:
        """Whether every feature is scaled by itself."""
        return self.matrices.ndim == 2

    @property
    def are_shifts_of_one(self) -> bool:
        """Whether all maps have the same matrix, as those of tied covariances do."""
        return np.allclose(self.matrices, self.matrices[:1], rtol=_SAME, atol=0.0)


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


class SymmetricMaps(NamedTuple):
    """The maps x -> offsets_k + (coefficients_k * forms of x) back."""

    coefficients: FloatArray  # (k, n_forms)
    back: FloatArray  # (n_forms, d)
    offsets: FloatArray  # (k, d)


def scaled_basis(maps: AffineMaps) -> FloatArray:
    """Return the matrix P that divides features by their deviations, which loses no digits."""
    return np.diag(1.0 / maps.source.deviations())


def symmetric_maps(
    maps: AffineMaps, pooled: FloatArray, origin: FloatArray, dtype: type
) -> SymmetricMaps | None:
    """Return maps by the forms of z = pooled (x - origin).

    None if the matrices are not symmetric, or if terms cancel that are too large.
    """
    units = _units(maps.matrices)
    inverse = np.linalg.inv(pooled)
    matrices = (inverse.T / units**2) @ maps.matrices @ inverse
    back = units[:, np.newaxis] ** 2 * pooled.T
    turned = np.swapaxes(matrices, 1, 2)
    deviations = maps.source.deviations()
    farthest = np.abs(maps.source.means - origin).max(axis=0) + _REACH * deviations
    sizes = np.abs(pooled) @ farthest  # of the terms of z
    of_forms = np.finfo(dtype).eps * (sizes[:, np.newaxis] + sizes)
    rounding = np.abs(matrices) * of_forms + np.abs(matrices - turned)
    errors = np.linalg.norm(np.abs(back) @ rounding, axis=2)
    if (errors > _ALLOWED[dtype] * deviations).any():
        return None
    offsets = maps.offsets + maps.matrices @ (origin - maps.origin)
    symmetric = coefficients(0.5 * (matrices + turned))
    return SymmetricMaps(symmetric, forms(len(units)) @ back.T, offsets)


def _units(matrices: FloatArray) -> FloatArray:
    """Return D for matrices D S D^-1 with symmetric S: half the logarithms of ratios, by weight."""
    d = matrices.shape[1]
    first, second = np.triu_indices(d, 1)
    sums = np.abs(matrices).sum(axis=0)
    above, below = sums[first, second], sums[second, first]
    weights = np.sqrt(above * below)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(weights > 0.0, 0.5 * np.log(above / below), 0.0)
    differences = np.eye(d)[first] - np.eye(d)[second]
    solved = np.linalg.lstsq(weights[:, np.newaxis] * differences, weights * ratios, rcond=None)
    return np.asarray(np.exp(solved[0]))
