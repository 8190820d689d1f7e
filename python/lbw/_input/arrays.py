# SPDX-License-Identifier: MIT
"""Arrays for the core: they are not copied if the core can read them as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .mapped_files import copy_of_mapped
from .tables import TIMES, first_gap
from .whole_numbers import refuse_rounded

FloatArray = NDArray[np.float64]
SampleArray = NDArray[Any]  # float64 or float32

PlaceArray = NDArray[np.intp]

LARGEST = 1e100  # the core refuses larger numbers, because products of them overflow

__all__ = [
    "LARGEST",
    "FloatArray",
    "PlaceArray",
    "SampleArray",
    "as_core_samples",
    "as_doubles",
    "as_places",
    "as_samples",
    "refuse_masked",
    "refuse_other_values",
    "safe_to_read",
    "values_of",
]


def as_core_samples(samples: SampleArray) -> SampleArray:
    """Return the samples themselves if the core can read them, else a copy in C order."""
    if _is_readable(samples):
        return samples
    return np.ascontiguousarray(copy_of_mapped(samples))


def safe_to_read(values: Any) -> Any:
    """Copy an array of a mapped file that the core cannot read; give back anything else."""
    if isinstance(values, np.ndarray) and values.ndim == 2 and _is_readable(values):
        return values
    return copy_of_mapped(values)


def _is_readable(samples: np.ndarray[Any, Any]) -> bool:
    """Return whether the core can read samples without a copy.

    The features of a row must lie side by side and rows must follow one another, with gaps or
    without, as in any slice of rows or of neighbouring columns of a C-ordered array.
    """
    row_step, feature_step = samples.strides
    size = samples.itemsize
    n_samples, n_features = samples.shape
    side_by_side = n_features == 1 or feature_step == size
    rows_follow = n_samples == 1 or (row_step >= n_features * size and row_step % size == 0)
    is_plain = samples.dtype in (np.float64, np.float32) and samples.dtype.isnative
    return side_by_side and rows_follow and samples.flags.aligned and is_plain


def as_places(numbers: NDArray[np.int64]) -> PlaceArray:
    """Return the core's integers as np.intp, without a copy if it has the same size."""
    return numbers.view(np.intp) if np.dtype(np.intp).itemsize == 8 else numbers.astype(np.intp)


def as_samples(values: ArrayLike, name: str) -> SampleArray:
    """Check that values are a matrix of numbers: float32 stays, all else becomes float64."""
    values = safe_to_read(values)
    refuse_rounded(values, name)
    array = values_of(values, name)
    if array.ndim != 2:
        raise ValueError(f"{name}: expected 2 dimensions (samples, features), got {array.ndim}")
    if array.dtype != np.float32:
        array = array.astype(np.float64, copy=False)
    return as_core_samples(array)


def values_of(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return values as an array; raise if they are masked, text, dates or times."""
    refuse_masked(values, name)
    array = np.asarray(safe_to_read(values))
    refuse_other_values(array, name)
    return array


def refuse_masked(values: Any, name: str) -> None:
    """Raise if an array has masked values, because a computation would ignore the mask."""
    if not isinstance(values, np.ma.MaskedArray) or not np.ma.is_masked(values):
        return
    masked = np.ma.getmaskarray(values)
    row = int(np.argwhere(masked)[0][0]) if masked.ndim else 0
    raise ValueError(
        f"{name} is a masked array, and {int(masked.sum())} of its {masked.size} values are "
        f"masked, the first at row {row} (counted from 0), expected values without a mask. Fill "
        "them with filled(...), or drop their rows."
    )


def refuse_other_values(array: NDArray[Any], name: str) -> None:
    """Raise if an array holds dates, times, text or pandas.NA.

    NumPy could read some of these as numbers, and says nothing useful of the others.
    """
    if array.dtype.kind not in "USOmM":
        return
    time = next((value for value in array.flat if isinstance(value, TIMES)), None)
    if time is not None:
        raise ValueError(
            f"{name} has dates or times, as {str(time)!r}, expected numbers. Convert them, for "
            "instance to days since a date, or drop the columns."
        )
    text = next((value for value in array.flat if isinstance(value, (str, bytes))), None)
    if text is not None:
        raise ValueError(
            f"could not convert string to float: {name} has text, as {str(text)!r}, expected "
            "numbers. Encode categories as numbers, and convert numbers with astype(float)."
        )
    gap = first_gap(array.flat)
    if gap is not None:
        row = gap // max(1, array[:1].size)
        raise ValueError(
            f"Input {name} contains NaN: it has no value at row {row} (counted from 0), expected "
            "numbers. Fill the gaps or drop the rows."
        )


def as_doubles(values: ArrayLike, name: str, *, ndim: int) -> FloatArray:
    """Check the number of dimensions and give the values as float64 in C order."""
    array = np.ascontiguousarray(copy_of_mapped(values_of(values, name)), dtype=np.float64)
    if np.ndim(values) != ndim:
        raise ValueError(f"{name}: expected {ndim} dimensions, got {np.ndim(values)}")
    return array
