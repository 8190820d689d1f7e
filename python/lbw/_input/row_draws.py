# SPDX-License-Identifier: MIT
"""Random numbers that belong to a row: functions of a seed, the row and its key alone."""

from __future__ import annotations

from hashlib import blake2b
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import FloatArray
from .keys import KeyArray
from .tables import column_names, columns_of, is_table, to_array

__all__ = ["bits_of_rows", "draws_of_rows", "keys_of_rows"]

Bits = NDArray[np.uint64]

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)


def bits_of_rows(features: Any, seed: int) -> Bits:
    """Give every row 64 bits that are a function of the seed and its values alone."""
    if hasattr(features, "tocoo"):
        return _sums_of_sparse(features, seed)
    columns = _columns_of(features)
    sums = np.zeros(len(columns[0]), dtype=np.uint64)
    salts = _salts(seed, len(columns))
    for position, column in enumerate(columns):
        sums += _mixed(_bits_of(column) ^ salts[position])
    return sums


def draws_of_rows(bits: Bits, keys: KeyArray, seed: int, stream: int = 0) -> FloatArray:
    """Give every row a number in [0, 1) that is a function of seed, values and key alone.

    `bits` are those of `bits_of_rows`. Rows that have both bits and key in common have equal
    numbers. Another stream gives numbers that are independent of those of the first.
    """
    keyed = keys_of_rows(bits, keys, seed)
    keyed += np.uint64(stream * int(_INCREMENT) % 2**64)  # states of splitmix64
    draws: FloatArray = (_mixed(keyed) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return draws


def keys_of_rows(bits: Bits, keys: KeyArray, seed: int) -> KeyArray:
    """Give every row a key that is a function of seed, values and its own key alone."""
    salt = _mixed(np.array([seed % 2**64], dtype=np.uint64))
    keyed: KeyArray = bits + np.where(keys == 0, np.uint64(0), _mixed(keys ^ salt))
    return keyed


def _columns_of(features: Any) -> list[NDArray[Any]]:
    if is_table(features):
        return columns_of(features, list(range(len(column_names(features)))))
    array = np.asarray(to_array(features))
    array = array.reshape(len(array), -1)
    return [array[:, column] for column in range(array.shape[1])]


def _sums_of_sparse(features: Any, seed: int) -> Bits:
    """Add up what the stored entries of every row give, zeros left out."""
    entries = features.tocoo()
    stored = entries.data != 0
    salts = _salts(seed, features.shape[1])
    sums = np.zeros(features.shape[0], dtype=np.uint64)
    given = _mixed(_bits_of(entries.data[stored]) ^ salts[entries.col[stored]])
    np.add.at(sums, entries.row[stored], given)
    return sums


def _bits_of(column: NDArray[Any]) -> Bits:
    """Return the bits of numbers as float64, -0 being 0, and a digest of anything else."""
    if column.dtype == object and all(isinstance(value, Real) for value in column.tolist()):
        column = column.astype(np.float64)  # numbers of a matrix that has texts elsewhere
    if column.dtype.kind in "fiub":
        return (np.ascontiguousarray(column, dtype=np.float64) + 0.0).view(np.uint64)
    texts, places = np.unique(column.astype(str), return_inverse=True)
    digests = [blake2b(text.encode(), digest_size=8).digest() for text in texts.tolist()]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)[places.ravel()]


def _salts(seed: int, n_columns: int) -> Bits:
    """Return the numbers that the bits of every column are mixed with."""
    positions = np.arange(1, n_columns + 1, dtype=np.uint64)
    return _mixed(np.uint64(seed % 2**64) + positions * _INCREMENT)  # modulo 2^64


def _mixed(values: Bits) -> Bits:
    """Apply the finalizer of splitmix64 (Steele, Lea, Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Bits = values ^ (values >> np.uint64(31))
    return mixed
