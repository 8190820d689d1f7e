# SPDX-License-Identifier: MIT
"""Chance that belongs to a row: numbers that are a function of a seed and the row alone."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import FloatArray
from ._tables import column_names, columns_of, is_table, to_array

__all__ = ["draws_of_rows"]

Bits = NDArray[np.uint64]

_INCREMENT = np.uint64(0x9E3779B97F4A7C15)


def draws_of_rows(features: Any, seed: int) -> FloatArray:
    """Give every row a number in [0, 1), the same in any batch and order.

    Equal rows have equal numbers.
    """
    if hasattr(features, "tocoo"):
        sums = _sums_of_sparse(features, seed)
    else:
        columns = _columns_of(features)
        sums = np.zeros(len(columns[0]), dtype=np.uint64)
        for position, column in enumerate(columns):
            sums += _mixed(_bits_of(column) ^ _key(seed, position))
    draws: FloatArray = (_mixed(sums) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return draws


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
    keys = np.concatenate([_key(seed, position) for position in range(features.shape[1])])
    sums = np.zeros(features.shape[0], dtype=np.uint64)
    given = _mixed(_bits_of(entries.data[stored]) ^ keys[entries.col[stored]])
    np.add.at(sums, entries.row[stored], given)
    return sums


def _bits_of(column: NDArray[Any]) -> Bits:
    """Give the bits of numbers as float64, -0 being 0, and a digest of anything else."""
    if column.dtype.kind in "fiub":
        return (np.ascontiguousarray(column, dtype=np.float64) + 0.0).view(np.uint64)
    texts, places = np.unique(column.astype(str), return_inverse=True)
    digests = [blake2b(text.encode(), digest_size=8).digest() for text in texts.tolist()]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)[places.ravel()]


def _key(seed: int, position: int) -> Bits:
    """Give what the bits of a column are mixed with, as an array of one."""
    start = (seed + (position + 1) * int(_INCREMENT)) % 2**64
    return _mixed(np.array([start], dtype=np.uint64))


def _mixed(values: Bits) -> Bits:
    """Apply the finalizer of splitmix64 (Steele, Lea, Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: Bits = values ^ (values >> np.uint64(31))
    return mixed
