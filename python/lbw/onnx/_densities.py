# SPDX-License-Identifier: MIT
"""Joint log-densities of the components of a mixture, in the form that is fastest and accurate.

With `y = whitening_k (x - mean_k)`, the joint log-density of a point and component k is
`log_scale_k - |y|^2 / 2`. There are four forms of the same number:

- "shared" whitens points once if all components have one covariance. The square of the point is
  common to all components, and what is left is linear.
- "features" writes all quadratic forms as linear functions of the squares of d (d + 1) / 2 linear
  forms. It needs the smallest matrices, and loses about the square of the largest distance in
  standard deviations.
- "stacked" multiplies points by the whitening matrices of all components at once. It loses about
  that distance itself.
- "differences" subtracts every mean before it whitens, and loses nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from onnx import TensorProto

from .. import _core
from .._input.arrays import FloatArray
from .._mixture.initial import precisions_cholesky
from .._options.names import covariance_layout, sklearn_name
from ._graph import Graph

__all__ = ["Densities", "Joint", "centre_of", "joint_densities"]

_ROUNDING = {np.float64: 2.0**-53, np.float32: 2.0**-24}
# The largest error of a log-density near the components, a tenth of what tests allow.
_ALLOWED = {np.float64: 1e-10, np.float32: 2e-5}
_DEVIATIONS = 3.0  # of a sample from its mean


def centre_of(means: FloatArray) -> FloatArray:
    """Return the centre of means as numbers of single precision, which both precisions have.

    The difference of a point close to it is then exact, even if the data is far from 0.
    """
    centre: FloatArray = means.mean(axis=0)
    with np.errstate(over="ignore"):
        rounded = centre.astype(np.float32).astype(np.float64)
    return np.where(np.isfinite(rounded), rounded, centre)


class Joint(NamedTuple):
    """Joint log-densities up to a term of the row, and that term; "" if it is 0."""

    name: str  # (n, n_components)
    shift: str  # (n, 1)
    dtype: type


class Densities(NamedTuple):
    """A mixture as the forms need it."""

    kind: str
    means: FloatArray  # (k, d)
    whitening: FloatArray  # (k, d, d), y = whitening (x - mean)
    log_scale: FloatArray  # (k)

    @classmethod
    def of(cls, mixture: _core.Mixture) -> Densities:
        """Factor the covariances of a mixture."""
        kind, (k, d) = sklearn_name(mixture.covariance_type), mixture.means.shape
        factors = precisions_cholesky(mixture.covariances, kind)
        if covariance_layout(kind).entries != "matrix":
            deviations = np.broadcast_to(factors.reshape(k, -1), (k, d))
            whitening = deviations[:, :, np.newaxis] * np.eye(d)
        else:
            whitening = np.broadcast_to(np.swapaxes(factors, -1, -2), (k, d, d))
        log_determinants = np.log(np.diagonal(whitening, axis1=1, axis2=2)).sum(axis=1)
        with np.errstate(divide="ignore"):  # a component of weight 0
            log_weights = np.log(mixture.weights)
        log_scale = log_weights + log_determinants - 0.5 * d * np.log(2 * np.pi)
        return cls(kind, mixture.means, whitening, log_scale)

    @property
    def origin(self) -> FloatArray:
        """The centre of the components; forms are computed relative to it."""
        return centre_of(self.means)

    def pooled(self) -> FloatArray:
        """Return the matrix that whitens points by the mean covariance of the components."""
        roots = np.linalg.inv(self.whitening)
        mean = (roots @ np.swapaxes(roots, 1, 2)).mean(axis=0)
        return np.asarray(np.linalg.inv(np.linalg.cholesky(mean)))

    def reach(self) -> float:
        """Return the largest distance of a usual sample from the origin, in deviations."""
        about = np.linalg.norm(
            np.einsum("kij,lj->kli", self.whitening, self.means - self.origin), axis=2
        )
        spread = np.linalg.norm(self.whitening @ np.linalg.inv(self.pooled()), axis=(1, 2))
        return float(about.max() + _DEVIATIONS * max(1.0, spread.max()))


def joint_densities(graph: Graph, x: str, densities: Densities) -> Joint:
    """Add the joint log-densities of all components at points `x`."""
    k, d = densities.means.shape
    reach = densities.reach()
    n_features = d if densities.kind in ("diag", "spherical") else d * (d + 1) // 2
    is_small = n_features * (d + k) < k * d * d
    dtype = _accurate_type(graph, reach * reach * d)
    if densities.kind == "tied" and dtype is not None and k > 1:
        return _shared(graph, _as_type(graph, x, dtype), densities, dtype)
    if is_small and dtype is not None:
        return _features(graph, _as_type(graph, x, dtype), densities, dtype)
    dtype = _accurate_type(graph, reach * d)
    if dtype is not None:
        return _stacked(graph, _as_type(graph, x, dtype), densities, dtype)
    return _differences(graph, _as_type(graph, x, np.float64), densities)


def _accurate_type(graph: Graph, lost: float) -> type | None:
    """Return the type in which a loss of this factor is allowed, None if there is none."""
    for dtype in (graph.dtype, np.float64):
        if lost * _ROUNDING[dtype] <= _ALLOWED[dtype]:
            return dtype  # type: ignore[no-any-return]
    return None


def _as_type(graph: Graph, x: str, dtype: type) -> str:
    if dtype == graph.dtype:
        return x
    return graph.cast(x, TensorProto.DOUBLE)


def _centred(graph: Graph, x: str, densities: Densities, dtype: type) -> str:
    if not densities.origin.any():
        return x
    return graph.op("Sub", x, graph.constant(densities.origin, dtype))


def _shared(graph: Graph, x: str, densities: Densities, dtype: type) -> Joint:
    whitening = densities.whitening[0]
    means = (densities.means - densities.origin) @ whitening.T
    constants = densities.log_scale - 0.5 * np.square(means).sum(axis=1)
    x = _centred(graph, x, densities, dtype)
    whitened = graph.op("MatMul", x, graph.constant(whitening.T, dtype))
    name = graph.op(
        "Gemm", whitened, graph.constant(means.T, dtype), graph.constant(constants, dtype)
    )
    squares = graph.op("ReduceSumSquare", whitened, graph.integers(1), keepdims=1)
    return Joint(name, graph.op("Mul", squares, graph.constant(-0.5, dtype)), dtype)


def _features(graph: Graph, x: str, densities: Densities, dtype: type) -> Joint:
    """Squares of the axes z_i and of the sums z_i + z_j of points z with pooled covariance 1."""
    d = densities.means.shape[1]
    pooled = densities.pooled()
    whitening = densities.whitening @ np.linalg.inv(pooled)
    precision = np.swapaxes(whitening, 1, 2) @ whitening
    means = (densities.means - densities.origin) @ pooled.T
    linear = np.einsum("kij,kj->ki", precision, means)
    constants = densities.log_scale - 0.5 * np.einsum("ki,ki->k", means, linear)
    forms, squares = np.eye(d), np.diagonal(precision, axis1=1, axis2=2)
    if densities.kind not in ("diag", "spherical"):
        first, second = np.triu_indices(d, 1)  # 2 z_i z_j = (z_i + z_j)^2 - z_i^2 - z_j^2
        forms = np.concatenate([forms, forms[first] + forms[second]])
        squares = np.concatenate(
            [2 * squares - precision.sum(axis=2), precision[:, first, second]], axis=1
        )
    x = _centred(graph, x, densities, dtype)
    along = graph.op("MatMul", x, graph.constant((forms @ pooled).T, dtype))
    square = graph.op("Mul", along, along)
    rest = graph.op(
        "Gemm", x, graph.constant((linear @ pooled).T, dtype), graph.constant(constants, dtype)
    )
    return Joint(graph.op("Gemm", square, graph.constant(-0.5 * squares.T, dtype), rest), "", dtype)


def _stacked(graph: Graph, x: str, densities: Densities, dtype: type) -> Joint:
    k, d = densities.means.shape
    means = np.einsum("kij,kj->ki", densities.whitening, densities.means - densities.origin)
    x = _centred(graph, x, densities, dtype)
    whitened = graph.op(
        "Gemm",
        x,
        graph.constant(densities.whitening.reshape(k * d, d).T, dtype),
        graph.constant(-means.reshape(k * d), dtype),
    )
    return _from_whitened(
        graph, graph.op("Reshape", whitened, graph.integers(-1, k, d)), densities, dtype
    )


def _differences(graph: Graph, x: str, densities: Densities) -> Joint:
    dtype = np.float64
    means = graph.constant(densities.means[:, np.newaxis, :], dtype)
    differences = graph.op("Sub", graph.op("Unsqueeze", x, graph.integers(0)), means)
    factors = graph.constant(np.swapaxes(densities.whitening, 1, 2), dtype)
    whitened = graph.op("MatMul", differences, factors)
    return _from_whitened(graph, graph.op("Transpose", whitened, perm=[1, 0, 2]), densities, dtype)


def _from_whitened(graph: Graph, whitened: str, densities: Densities, dtype: type) -> Joint:
    squares = graph.op("ReduceSumSquare", whitened, graph.integers(2), keepdims=0)
    half = graph.op("Mul", squares, graph.constant(-0.5, dtype))
    return Joint(graph.op("Add", half, graph.constant(densities.log_scale, dtype)), "", dtype)
