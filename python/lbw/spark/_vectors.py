# SPDX-License-Identifier: MIT
"""Columns of vectors and arrays in Arrow, as Spark lays them out."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .._input.arrays import FloatArray

__all__ = ["list_array", "vector_array"]

_DENSE = 1


def list_array(values: FloatArray, valid: NDArray[np.bool_]) -> pa.Array:
    """Return lists of doubles, null where rows are not valid; `values` has the valid rows."""
    width = values.shape[1]
    offsets = np.zeros(len(valid) + 1, dtype=np.int32)
    np.cumsum(valid * width, out=offsets[1:])
    flat = pa.array(np.ascontiguousarray(values).ravel(), type=pa.float64())
    mask = None if valid.all() else pa.array(~valid)
    return pa.ListArray.from_arrays(pa.array(offsets), flat, mask=mask)


def vector_array(values: FloatArray, valid: NDArray[np.bool_]) -> pa.Array:
    """Return dense vectors, null where rows are not valid; `values` has the valid rows."""
    n_rows = len(valid)
    kinds = pa.array(np.full(n_rows, _DENSE, dtype=np.int8))
    fields = [
        pa.field("type", pa.int8(), nullable=False),
        pa.field("size", pa.int32()),
        pa.field("indices", pa.list_(pa.field("element", pa.int32(), nullable=False))),
        pa.field("values", pa.list_(pa.field("element", pa.float64(), nullable=False))),
    ]
    nothing = [pa.nulls(n_rows, own.type) for own in fields[1:3]]
    own = list_array(values, valid).cast(fields[3].type)
    mask = None if valid.all() else pa.array(~valid)
    return pa.StructArray.from_arrays([kinds, *nothing, own], fields=fields, mask=mask)
