# SPDX-License-Identifier: MIT
"""Joint log-densities of the components of a mixture, in the form that is fastest and accurate.

With `y = whitening_k (x - mean_k)`, the joint log-density of a point and component k is
`log_scale_k - |y|^2 / 2`. There are four forms of the same number:

- "shared" whitens points once if all components have one covariance. The square of the point is
  common to all components, and what is left is linear.
- "squares" writes all quadratic functions as linear functions of the squares of a point's features
  if covariances are diagonal, and of d (d + 1) / 2 linear forms otherwise. It needs the smallest
  matrices, and loses about the square of the largest distance in standard deviations.
- "stacked" multiplies points by the whitening matrices of all components at once. It loses about
  that distance itself.
- "differences" subtracts every mean before it whitens, and loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from onnx import TensorProto

from .. import _core
from .._input.arrays import FloatArray
from .._mixture.initial import precisions_cholesky
from .._options.names import covariance_layout, sklearn_name
from ._forms import FormTensor, coefficients, forms
from ._graph import Graph

__all__ = ["Densities", "Joint", "centre_of", "joint_densities"]

_ROUNDING = {np.float64: 2.0**-53, np.float32: 2.0**-24}
# The largest error of a log-density near the components, a tenth of what tests allow.
_ALLOWED = {np.float64: 1e-10, np.float32: 2e-5}
_DEVIATIONS = 3.0  # of a sample from its mean
_MODERATE = (1e-6, 1e6)  # units of features whose squares are far from overflow


def centre_of(means: FloatArray) -> FloatArray:
    """Return the centre of means as numbers of single precision, which both precisions have.

    The difference of a point close to it is then exact, even if the data is far from 0.
    """
    centre: FloatArray = means.mean(axis=0)
    with np.errstate(over="ignore"):
        rounded = centre.astype(np.float32).astype(np.float64)
    return np.where(np.isfinite(rounded), rounded, centre)


class Joint(NamedTuple):
    """Joint log-densities up to a term of the row, and what the form of them has computed."""

    name: str  # (n, n_components)
    n_components: int
    dtype: type
    whitened: str = ""  # (n, d): the term is minus half the square of these; "" if it is 0
    forms: FormTensor | None = None

    def shift(self, graph: Graph) -> str:
        """Add the term of the row (n, 1)."""
        squares = graph.op("ReduceSumSquare", self.whitened, graph.integers(1), keepdims=1)
        return graph.op("Mul", squares, graph.constant(-0.5, self.dtype))


class Densities(NamedTuple):
    """A mixture as the forms need it."""

    kind: str
    means: FloatArray  # (k, d)
    whitening: FloatArray  # (k, d, d), y = whitening (x - mean)
    log_scale: FloatArray  # (k)
    origin: FloatArray  # (d), forms are computed relative to it

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
        return cls(kind, mixture.means, whitening, log_scale, centre_of(mixture.means))

    @property
    def is_diagonal(self) -> bool:
        """Whether the features of every component are independent."""
        return self.kind in ("diag", "spherical")

    def pooled(self) -> FloatArray:
        """Return the matrix that whitens points by the mean covariance of the components."""
        roots = np.linalg.inv(self.whitening)
        mean = (roots @ np.swapaxes(roots, 1, 2)).mean(axis=0)
        return np.asarray(np.linalg.inv(np.linalg.cholesky(mean)))

    def deviations(self) -> FloatArray:
        """Return the deviation (d) of every feature in the mean covariance of the components."""
        return np.asarray(np.linalg.norm(np.linalg.inv(self.pooled()), axis=1))

    def reach(self) -> float:
        """Return the largest distance of a usual sample from the origin, in deviations."""
        about = np.linalg.norm(
            np.einsum("kij,lj->kli", self.whitening, self.means - self.origin), axis=2
        )
        spread = np.linalg.norm(self.whitening @ np.linalg.inv(self.pooled()), axis=(1, 2))
        return float(about.max() + _DEVIATIONS * max(1.0, spread.max()))


Form = Callable[[Graph, str, Densities, type], Joint]


def joint_densities(graph: Graph, x: str, densities: Densities) -> Joint:
    """Add the joint log-densities of all components at points `x`."""
    chosen = _fastest(graph, densities)
    plain = densities._replace(origin=np.zeros_like(densities.origin))
    if _fastest(graph, plain) == chosen:  # no need to subtract the origin
        densities = plain
    form, dtype = chosen
    return form(graph, _as_type(graph, x, dtype), densities, dtype)


def _fastest(graph: Graph, densities: Densities) -> tuple[Form, type]:
    """Return the fastest form that is accurate, and the type in which it is."""
    k, d = densities.means.shape
    reach = densities.reach()
    n_squares = d if densities.is_diagonal else d * (d + 1) // 2
    dtype = _accurate_type(graph, reach * reach * d)
    if densities.kind == "tied" and dtype is not None and k > 1:
        return _shared, dtype
    if n_squares * (d + k) < k * d * d and dtype is not None:
        return _squares, dtype
    dtype = _accurate_type(graph, reach * d)
    return (_differences, np.float64) if dtype is None else (_stacked, dtype)


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
    return Joint(name, len(means), dtype, whitened)


def _squares(graph: Graph, x: str, densities: Densities, dtype: type) -> Joint:
    """Squares of features, or of the forms of points z = pooled (x - origin)."""
    pooled = densities.pooled()
    if densities.is_diagonal and _are_moderate(np.diagonal(pooled)):
        pooled = np.eye(len(pooled))
    whitening = densities.whitening @ np.linalg.inv(pooled)
    precision = np.swapaxes(whitening, 1, 2) @ whitening
    means = (densities.means - densities.origin) @ pooled.T
    linear = np.einsum("kij,kj->ki", precision, means)
    constants = densities.log_scale - 0.5 * np.einsum("ki,ki->k", means, linear)
    x = _centred(graph, x, densities, dtype)
    along, squares = _along(graph, x, densities, pooled, precision, dtype)
    square = graph.op("Mul", along.name, along.name)
    rest = graph.op(
        "Gemm", x, graph.constant((linear @ pooled).T, dtype), graph.constant(constants, dtype)
    )
    name = graph.op("Gemm", square, graph.constant(-0.5 * squares.T, dtype), rest)
    return Joint(name, len(means), dtype, forms=None if densities.is_diagonal else along)


def _are_moderate(scales: FloatArray) -> bool:
    """Return whether squares need no change of units, which keeps them from overflow."""
    return bool((scales >= _MODERATE[0]).all() and (scales <= _MODERATE[1]).all())


def _along(
    graph: Graph,
    x: str,
    densities: Densities,
    pooled: FloatArray,
    precision: FloatArray,
    dtype: type,
) -> tuple[FormTensor, FloatArray]:
    """Add what is squared, and return the coefficients of the squares beside it."""
    d = len(pooled)
    if densities.is_diagonal:
        rows, squares = pooled, np.diagonal(precision, axis1=1, axis2=2)
    else:
        rows, squares = forms(d) @ pooled, coefficients(precision)
    if not np.array_equal(rows, np.eye(d)):
        x = graph.op("MatMul", x, graph.constant(rows.T, dtype))
    return FormTensor(x, pooled, densities.origin, dtype), squares


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


def _differences(graph: Graph, x: str, densities: Densities, dtype: type) -> Joint:
    means = graph.constant(densities.means[:, np.newaxis, :], dtype)
    differences = graph.op("Sub", graph.op("Unsqueeze", x, graph.integers(0)), means)
    factors = graph.constant(np.swapaxes(densities.whitening, 1, 2), dtype)
    whitened = graph.op("MatMul", differences, factors)
    return _from_whitened(graph, graph.op("Transpose", whitened, perm=[1, 0, 2]), densities, dtype)


def _from_whitened(graph: Graph, whitened: str, densities: Densities, dtype: type) -> Joint:
    squares = graph.op("ReduceSumSquare", whitened, graph.integers(2), keepdims=0)
    half = graph.op("Mul", squares, graph.constant(-0.5, dtype))
    name = graph.op("Add", half, graph.constant(densities.log_scale, dtype))
    return Joint(name, len(densities.means), dtype)
