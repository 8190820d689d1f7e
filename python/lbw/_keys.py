# SPDX-License-Identifier: MIT
"""Keys of rows: what tells equal rows apart where a random number belongs to a row.

A random number of a row is a function of the seed, the values of the row and its key, an unsigned
number of 64 bits. Keys come from the caller, as an argument or as a column of X. Without them, the
key of a row is the number of equal rows of its group before it in the same call, so distinct rows
have the key 0.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

from ._estimator import validate_columns
from ._labels import LabelArray
from ._sensitive import split_columns
from ._tables import column_names, columns_of, is_table, to_array, without_columns

__all__ = ["KeyArray", "copies_before", "keys_given", "split_key_column"]

KeyArray = NDArray[np.uint64]

_OFFSET_BASIS = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)


def keys_given(key: Any, n_samples: int, name: str = "key") -> KeyArray:
    """Turn keys of rows into numbers of 64 bits.

    Integers are taken modulo 2^64, strings are hashed by 64-bit FNV-1a of their UTF-8 bytes. A
    single value is the key of a single row.
    """
    values = np.asarray(to_array(key))
    if values.ndim == 0 and n_samples == 1:
        values = values.reshape(1)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.shape != (n_samples,):
        raise ValueError(
            f"{name} has the shape {values.shape}, expected ({n_samples},): one key per row of X"
        )
    if values.dtype.kind in "biu":
        return values.astype(np.uint64)  # two's complement, which is modulo 2^64
    if values.dtype.kind == "f":
        return _from_floats(values, name)
    if values.dtype.kind in "US" or all(isinstance(value, str) for value in values.tolist()):
        return _hashes(values.tolist())
    if all(isinstance(value, Integral) for value in values.tolist()):
        return np.array([int(value) % 2**64 for value in values.tolist()], dtype=np.uint64)
    raise _strange(values, name)


def copies_before(rows: KeyArray, groups: LabelArray) -> KeyArray:
    """Count the equal rows of the same group before every row; rows are told by their hashes."""
    codes = np.unique(groups, return_inverse=True)[1].ravel()
    order = np.lexsort((codes, rows))  # stable: equal rows stay in the order of the call
    starts = np.ones(len(rows), dtype=bool)
    starts[1:] = (np.diff(rows[order]) != 0) | (np.diff(codes[order]) != 0)
    places = np.arange(len(rows))
    first = np.maximum.accumulate(np.where(starts, places, 0))
    copies = np.empty(len(rows), dtype=np.uint64)
    copies[order] = places - first
    return copies


def split_key_column(
    estimator: Any, X: Any, *, sensitive: bool, reset: bool
) -> tuple[Any, LabelArray | None, KeyArray]:
    """Part X into features, the groups where sensitive columns hold them, and the keys of rows.

    The column that `key_column` of the estimator names is dropped. The names and the number of
    columns are checked, or kept where `reset` says that this is a fit; `_key_positions` then holds
    where the key column is.
    """
    if not is_table(X):
        X = check_array(X, dtype=None, ensure_all_finite=False, input_name="X", estimator=estimator)
    groups = None
    taken: list[int] = []
    if sensitive:
        _, groups = split_columns(estimator, X, reset=reset)
        taken = list(estimator._sensitive_positions)
    else:
        validate_columns(estimator, X, reset=reset)
    position = estimator._key_positions[0] if not reset else _position_in(estimator, X)
    estimator._key_positions = [position]
    if position in taken:
        raise ValueError(f"key_column={estimator.key_column!r} is one of the sensitive_columns")
    if len(taken) + 1 == estimator.n_features_in_:
        raise ValueError("X has no columns left without key_column and sensitive_columns")
    (column,) = columns_of(X, [position])
    named = f"key_column {estimator.key_column!r}"
    return without_columns(X, [*taken, position]), groups, keys_given(column, len(column), named)


def _position_in(estimator: Any, X: Any) -> int:
    column, n_columns = estimator.key_column, int(estimator.n_features_in_)
    if isinstance(column, str):
        names = column_names(X) if is_table(X) else []
        if column not in names:
            known = f"expected one of {names}" if names else "X has no column names"
            raise ValueError(f"key_column: there is no column {column!r}; {known}")
        return names.index(column)
    if not -n_columns <= int(column) < n_columns:
        raise ValueError(f"key_column: there is no column {column}, X has {n_columns} columns")
    return int(column) % n_columns


def _from_floats(values: NDArray[Any], name: str) -> KeyArray:
    """Take whole numbers that a matrix of floats holds."""
    whole = np.isfinite(values) & (values == np.rint(values))
    if not whole.all():
        raise _strange(values[~whole][:1], name)
    if (np.abs(values) < 2.0**63).all():
        return values.astype(np.int64).astype(np.uint64)
    return np.array([int(value) % 2**64 for value in values.tolist()], dtype=np.uint64)


def _strange(values: NDArray[Any], name: str) -> ValueError:
    kinds = (str, Integral)
    value = next((v for v in values.tolist() if not isinstance(v, kinds)), values.tolist()[0])
    return ValueError(
        f"{name} holds {value!r}, expected whole numbers or strings, one kind for all rows; "
        "convert other identifiers to strings"
    )


def _hashes(texts: list[Any]) -> KeyArray:
    """Give the 64-bit FNV-1a hash of every text, byte by byte over all of them at once."""
    encoded = [text if isinstance(text, bytes) else text.encode() for text in texts]
    lengths = np.array([len(text) for text in encoded], dtype=np.intp)
    letters = np.frombuffer(b"".join(encoded), dtype=np.uint8).astype(np.uint64)
    starts = np.cumsum(lengths) - lengths
    hashes = np.full(len(encoded), _OFFSET_BASIS)
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        hashes[longer] = (hashes[longer] ^ letters[starts[longer] + place]) * _PRIME
    return hashes
