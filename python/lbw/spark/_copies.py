# SPDX-License-Identifier: MIT
"""Numbers of copies of rows over the batches of a partition. Runs on executors."""

from __future__ import annotations

import numpy as np

from .._input.arrays import FloatArray
from .._input.keys import KeyArray
from .._input.row_draws import bits_of_rows

__all__ = ["CopyNumbers"]


class CopyNumbers:
    """Counts the equal rows before every row, batch by batch.

    Rows are told apart by hashes of 64 bits. The hashes of earlier batches are kept in sorted runs
    of falling size, so a batch is found in few searches and memory is 16 bytes per distinct row.

    Parameters
    ----------
    salted : bool
        Whether a hash of the first batch is added to all numbers. Noise of dithered rows needs it:
        otherwise, equal rows of a training and a test set would get equal noise, and a classifier
        could memorize their groups.
    """

    def __init__(self, *, salted: bool) -> None:
        self._salted = salted
        self._salt: np.uint64 | None = None
        self._runs: list[tuple[KeyArray, KeyArray]] = []  # sorted hashes and their counts

    def next(self, X: FloatArray) -> KeyArray:
        """Return the numbers of the next rows."""
        hashes = bits_of_rows(X, 0)
        if self._salt is None:
            self._salt = hashes.sum(dtype=np.uint64) if self._salted else np.uint64(0)
        distinct, inverse, counts = np.unique(hashes, return_inverse=True, return_counts=True)
        numbers = self._seen(distinct)[inverse] + _within(inverse.ravel(), counts)
        self._add(distinct, counts.astype(np.uint64))
        return numbers + self._salt

    def _seen(self, distinct: KeyArray) -> KeyArray:
        """Return how often hashes occurred in earlier batches."""
        seen = np.zeros(len(distinct), dtype=np.uint64)
        for hashes, counts in self._runs:
            places = np.searchsorted(hashes, distinct).clip(max=len(hashes) - 1)
            found = hashes[places] == distinct
            seen[found] += counts[places[found]]
        return seen

    def _add(self, hashes: KeyArray, counts: KeyArray) -> None:
        while self._runs and len(self._runs[-1][0]) < 2 * len(hashes):
            more, more_counts = self._runs.pop()
            both, inverse = np.unique(np.concatenate([more, hashes]), return_inverse=True)
            sums = np.zeros(len(both), dtype=np.uint64)
            np.add.at(sums, inverse.ravel(), np.concatenate([more_counts, counts]))
            hashes, counts = both, sums
        self._runs.append((hashes, counts))


def _within(inverse: np.ndarray, counts: np.ndarray) -> KeyArray:
    """Return the number of equal entries before each entry of a batch."""
    order = np.argsort(inverse, kind="stable")
    first = np.repeat(np.cumsum(counts) - counts, counts)
    numbers = np.empty(len(inverse), dtype=np.uint64)
    numbers[order] = np.arange(len(inverse)) - first
    return numbers
