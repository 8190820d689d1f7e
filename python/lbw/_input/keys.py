# SPDX-License-Identifier: MIT
"""Keys of rows: what tells equal rows apart where a random number belongs to a row.

A random number of a row is a function of the seed, the values of the row and its key, an unsigned
number of 64 bits. Keys come from the caller, as an argument or as a column of X. Without them, the
key of a row is the number of equal rows of its group before it in the same call, so distinct rows
have the key 0.
"""

from __future__ import annotations

import re
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import refuse_masked
from .labels import LabelArray
from .mapped_files import copy_of_mapped
from .tables import to_array
from .texts import refuse_surrogates

__all__ = ["KeyArray", "copies_before", "keys_given"]

KeyArray = NDArray[np.uint64]

_OFFSET_BASIS = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)
_PLAIN_INTEGER = re.compile(rb"0|-?[1-9][0-9]{0,19}")


def keys_given(key: Any, n_samples: int, name: str = "key") -> KeyArray:
    """Turn keys of rows into numbers of 64 bits.

    Integers are taken modulo 2^64. So are strings that are a whole number of 64 bits in plain
    decimal digits, such as "7" or "-7"; other strings, such as "007", are hashed by 64-bit FNV-1a
    of their UTF-8 bytes. A single value is the key of a single row.
    """
    refuse_masked(key, name)
    if isinstance(key, list | tuple) and not any(isinstance(value, float) for value in key):
        # NumPy would turn very large integers into floats, and integers among texts into texts
        key = np.array(key, dtype=object)
    values = np.asarray(copy_of_mapped(to_array(key)))
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
        return _from_texts(values.tolist(), name)
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


def _from_floats(values: NDArray[Any], name: str) -> KeyArray:
    """Take whole numbers that a matrix of floats holds."""
    whole = np.isfinite(values) & (values == np.rint(values))
    if not whole.all():
        raise _strange(values[~whole][:1], name)
    if (np.abs(values) >= 2.0**53).any():
        raise ValueError(
            f"{name} holds numbers of 2^53 or more as floats, which cannot represent every "
            "integer. Use integers or strings."
        )
    return values.astype(np.int64).astype(np.uint64)


def _strange(values: NDArray[Any], name: str) -> ValueError:
    kinds = (str, Integral)
    value = next((v for v in values.tolist() if not isinstance(v, kinds)), values.tolist()[0])
    return ValueError(
        f"{name} holds {value!r}, expected whole numbers or strings, one kind for all rows; "
        "convert other identifiers to strings"
    )


def _from_texts(texts: list[Any], name: str) -> KeyArray:
    """Take whole numbers as they are, and hash all other texts."""
    try:
        encoded = [text if isinstance(text, bytes) else text.encode() for text in texts]
    except UnicodeEncodeError as error:
        refuse_surrogates(error.object, f"{name}: the key")
        raise
    keys = _hashes(encoded)
    for place, text in enumerate(encoded):
        if _PLAIN_INTEGER.fullmatch(text) and -(2**63) <= (number := int(text)) < 2**64:
            keys[place] = number % 2**64
    return keys


def _hashes(encoded: list[bytes]) -> KeyArray:
    """Return the 64-bit FNV-1a hash of every text, byte by byte over all of them at once."""
    lengths = np.array([len(text) for text in encoded], dtype=np.intp)
    letters = np.frombuffer(b"".join(encoded), dtype=np.uint8).astype(np.uint64)
    starts = np.cumsum(lengths) - lengths
    hashes = np.full(len(encoded), _OFFSET_BASIS)
    for place in range(int(lengths.max(initial=0))):
        longer = np.flatnonzero(lengths > place)
        hashes[longer] = (hashes[longer] ^ letters[starts[longer] + place]) * _PRIME
    return hashes
