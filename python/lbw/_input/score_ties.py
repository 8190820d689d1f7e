# SPDX-License-Identifier: MIT
"""Scores that differ by no more than rounding count as equal."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

import numpy as np

from .arrays import FloatArray

__all__ = ["ScoreTolerance", "joined", "snapped"]


def relative_rounding(dtype: Any) -> float:
    """Return the relative difference up to which scores count as equal.

    A score that is a sum of many terms, such as the votes of a forest, differs in the last bits
    with the order of summation. The error grows with the number of terms and not with the spacing
    of the scores, so thousands of roundings are allowed for in float64 and some tens in float32.
    """
    return 4e-6 if dtype == np.float32 else 1e-12


class ScoreTolerance(NamedTuple):
    """The difference up to which scores count as equal, in parts of a score and absolute."""

    relative: float
    absolute: float

    @classmethod
    def of(cls, dtype: Any, scores: FloatArray) -> ScoreTolerance:
        """Return the tolerance of these scores.

        Terms that cancel, as in 1 - p, leave an error where the score is 0. The absolute part is
        what rounding is at the lowest score that lies above such errors: the one next to a score
        that is smaller by more than the relative tolerance. Scores such as 1e-40 and 1e-41 are no
        errors, and neither are those beside an outlier; only probabilities have this part.
        """
        relative = relative_rounding(dtype)
        sizes = np.unique(np.abs(scores.astype(np.float64)))
        jumps = np.flatnonzero(sizes[:-1] <= relative * sizes[1:])
        if len(jumps) == 0 or sizes[-1] > 1.0:
            return cls(relative, 0.0)
        return cls(relative, relative * float(sizes[jumps[-1] + 1]))

    def at(self, scores: Any) -> Any:
        """Return the difference that is allowed at these scores."""
        return np.maximum(self.relative * np.abs(scores), self.absolute)


def joined(scores: FloatArray, tolerance: ScoreTolerance) -> FloatArray:
    """Give scores that differ by no more than rounding one common value; infinities stay.

    Scores are grouped where the gap to the next one is wide. Scores that lie densely, so that such
    a group is wider than rounding makes it, are cut into groups of the width of the tolerance.
    """
    result: FloatArray = scores.copy()
    finite = np.flatnonzero(np.isfinite(scores))
    if len(finite) == 0:
        return result
    order = finite[np.argsort(scores[finite], kind="stable")]
    ordered = scores[order]
    with np.errstate(over="ignore"):
        starts = np.append(True, np.diff(ordered) > tolerance.at(ordered[1:]))
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(ordered)) - 1
    wide = ordered[last] - ordered[first] > 2.0 * tolerance.at(ordered[last])
    for begin, end in zip(first[wide].tolist(), last[wide].tolist(), strict=True):
        starts[_cuts(ordered[begin : end + 1].tolist(), tolerance, begin)] = True
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(ordered)) - 1
    middles = ordered[first] + 0.5 * (ordered[last] - ordered[first])
    result[order] = middles[np.cumsum(starts) - 1]
    return result


def snapped(scores: FloatArray, quantiles: FloatArray, tolerance: ScoreTolerance) -> FloatArray:
    """Give scores that differ from a known one by no more than rounding its value."""
    after = np.searchsorted(quantiles, scores)
    low = quantiles[np.maximum(after - 1, 0)]
    high = quantiles[np.minimum(after, len(quantiles) - 1)]
    nearest = np.where(scores - low < high - scores, low, high)
    near = np.abs(scores - nearest) <= tolerance.at(nearest)
    result: FloatArray = np.where(near, nearest, scores)
    return result


def _cuts(ordered: list[float], tolerance: ScoreTolerance, offset: int) -> list[int]:
    """Return where groups of the width of the tolerance begin, from the lowest score upwards."""
    cuts, place = [], 0
    while place < len(ordered):
        cuts.append(offset + place)
        end = ordered[place] + max(tolerance.relative * abs(ordered[place]), tolerance.absolute)
        place = bisect_right(ordered, end, place + 1)
    return cuts
