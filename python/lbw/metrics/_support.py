# SPDX-License-Identifier: MIT
"""Agreement of the support of points with the support of a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from .._input.arrays import values_of
from .._input.mapped_files import copy_of_mapped

__all__ = ["SupportAgreement", "support_agreement"]


@dataclass(frozen=True)
class SupportAgreement:
    """Agreement of the support of points with a picture; all values are between 0 and 1.

    Attributes
    ----------
    iou : float
        Pixels in both supports over pixels in either: the headline.
    pixel_agreement : float
        The fraction of all pixels on which the two agree, which is high if both are small.
    inside : float
        The fraction of the points that lie in the picture's support.
    coverage : float
        The fraction of the picture's support that the points' support covers.
    """

    iou: float
    pixel_agreement: float
    inside: float
    coverage: float


def support_agreement(
    points: ArrayLike, truth: ArrayLike, *, bandwidth: float = 2.0
) -> SupportAgreement:
    """Agreement of the support of points with the support drawn in a picture.

    Points become a density by a Gaussian kernel, the density a support by Otsu's threshold.

    Parameters
    ----------
    points : array-like of shape (n_points, 2)
        In the unit square, x to the right and y downwards; points outside count as not inside.
    truth : array-like of bool, shape (size, size)
        The picture of the unit square, row 0 at the top, True where the support is.
    bandwidth : float, default=2.0
        Standard deviation of the kernel, in pixels.

    Returns
    -------
    SupportAgreement
        With `iou`, `pixel_agreement`, `inside` and `coverage`.

    Examples
    --------
    >>> import numpy as np
    >>> from lbw.metrics import support_agreement
    >>> truth = np.zeros((100, 100), dtype=bool)
    >>> truth[20:60, 30:80] = True
    >>> random = np.random.default_rng(0)
    >>> points = random.uniform([0.3, 0.2], [0.8, 0.6], size=(20_000, 2))
    >>> agreement = support_agreement(points, truth)
    >>> agreement.inside
    1.0
    >>> agreement.iou > 0.95
    True
    """
    points = _checked_points(points)
    truth = _checked_truth(truth)
    size = truth.shape[0]
    density = _core.point_density(points, size, float(bandwidth))
    support = density > _core.otsu_threshold(density)
    both = int(np.sum(support & truth))
    return SupportAgreement(
        iou=both / int(np.sum(support | truth)),
        pixel_agreement=float(np.mean(support == truth)),
        inside=float(np.mean(_lie_in(points, truth))),
        coverage=both / int(np.sum(truth)),
    )


def _checked_points(points: ArrayLike) -> NDArray[np.float64]:
    given = copy_of_mapped(values_of(points, "support_agreement: points"))
    points = np.ascontiguousarray(given, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) == 0:
        raise ValueError(
            f"support_agreement: points has shape {points.shape}, expected (n_points, 2)"
        )
    if not np.all(np.isfinite(points)):
        row = int(np.argmin(np.isfinite(points).all(axis=1)))
        raise ValueError(f"support_agreement: points is not finite at row {row}")
    return points


def _checked_truth(truth: ArrayLike) -> NDArray[np.bool_]:
    truth = values_of(truth, "support_agreement: truth")
    if truth.dtype != np.bool_:
        raise ValueError(
            f"support_agreement: truth holds {truth.dtype}, expected bool; for grey values give "
            "truth < 128 or the like"
        )
    if truth.ndim != 2 or truth.shape[0] != truth.shape[1]:
        raise ValueError(f"support_agreement: truth has shape {truth.shape}, expected (size, size)")
    if not truth.any():
        raise ValueError("support_agreement: truth is empty, expected a pixel that is True")
    return truth


def _lie_in(points: NDArray[np.float64], truth: NDArray[np.bool_]) -> NDArray[np.bool_]:
    size = truth.shape[0]
    in_square = np.all((points >= 0) & (points <= 1), axis=1)
    # the far edge belongs to the last pixel
    column, row = np.minimum(size - 1, (points[in_square] * size).astype(np.intp)).T
    lies_in = np.zeros(len(points), dtype=np.bool_)
    lies_in[in_square] = truth[row, column]
    return lies_in
