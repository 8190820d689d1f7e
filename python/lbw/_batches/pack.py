# SPDX-License-Identifier: MIT
"""Rows of a group in a scratch file: written once, then read in blocks by every pass."""

from __future__ import annotations

import contextlib
import mmap
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._input.arrays import FloatArray
from .sources import summary_of

__all__ = ["BlockSource", "PackedRows"]

_BLOCK_BYTES = 1 << 25  # of a block of a pass
_BUFFER_BYTES = 1 << 20  # of the file that is written
_ROWS_AT_ONCE = 512  # fetched before their pages are dropped


class PackedRows:
    """A scratch file of rows: their features as float64, and their weights as a last column.

    The file has no name, so the system removes it when it is closed, also if the process is killed.

    Parameters
    ----------
    n_features : int
        The number of features.
    weighted : bool
        Whether rows have weights.
    folder : str, default=None
        The folder of the file. If None, that of `tempfile.gettempdir()`.
    """

    def __init__(self, n_features: int, *, weighted: bool, folder: str | None = None) -> None:
        self.n_features = n_features
        self.weighted = weighted
        self.n_rows = 0
        self._sums = np.zeros(3)  # of weights: number above 0, sum, sum of squares
        self._file = tempfile.TemporaryFile(buffering=_BUFFER_BYTES, dir=folder, prefix="lbw-")  # noqa: SIM115

    def append(self, rows: FloatArray) -> None:
        """Add rows of features, with the weight as the last column if there are weights."""
        self._file.write(np.ascontiguousarray(rows).data)
        self.n_rows += len(rows)
        if self.weighted:
            weights = rows[:, -1]
            self._sums += (weights > 0.0).sum(), weights.sum(), np.square(weights).sum()

    def summary(self) -> dict[str, Any]:
        """Return the counts and sums of weights."""
        n_positive, weight, squared = self._sums.tolist()
        sums = (int(n_positive), weight, squared) if self.weighted else None
        return summary_of(self.n_rows, self.n_features, sums)

    def mapped(self) -> mmap.mmap:
        """Return the memory of the whole file, after the last row."""
        self._file.flush()
        return mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)

    def close(self) -> None:
        """Remove the file."""
        self._file.close()


class BlockSource:
    """The rows of a packed file as a source. Every pass holds one block of them in memory."""

    def __init__(self, packed: PackedRows, n_threads: int = 0) -> None:
        self._packed = packed
        self._n_threads = n_threads
        self._memory = packed.mapped()
        width = packed.n_features + packed.weighted
        self._row_bytes = 8 * width
        self._values = np.frombuffer(self._memory, dtype=np.float64).reshape(-1, width)

    def summary(self) -> dict[str, Any]:
        """Return the counts and sums of weights."""
        return self._packed.summary()

    def rows(self, indices: NDArray[np.int64]) -> tuple[FloatArray, FloatArray | None]:
        """Return some rows and their weights."""
        values = np.empty((len(indices), self._values.shape[1]))
        for begin in range(0, len(indices), _ROWS_AT_ONCE):
            own = indices[begin : begin + _ROWS_AT_ONCE]
            values[begin : begin + len(own)] = self._values[own]
            self._drop(int(own[0]), int(own[-1]) + 1)
        features = np.ascontiguousarray(values[:, : self._packed.n_features])
        return features, values[:, -1].copy() if self._packed.weighted else None

    def blocks(self) -> Iterator[tuple[int, FloatArray, FloatArray | None]]:
        """Yield the first index, the features and the weights of one block after another."""
        size = max(1024, _BLOCK_BYTES // self._row_bytes // 1024 * 1024)
        n_features = self._packed.n_features
        for first in range(0, len(self._values), size):
            values = self._values[first : first + size]
            weights = values[:, -1].copy() if self._packed.weighted else None
            yield first, values[:, :n_features], weights
            self._drop(first, first + len(values))

    def moment_sums(self, mixture: bytes, precision: str, part: str, seed: int) -> bytes:
        """Return the sums of all rows of a part, added block by block."""
        total: bytes | None = None
        for first, X, weights in self.blocks():
            sums = _core.moment_sums(
                mixture,
                X,
                weights,
                precision=precision,
                n_threads=self._n_threads,
                part=part,
                seed=seed,
                first_row=first,
            )
            total = sums if total is None else _core.merge_moment_sums([total, sums])
        assert total is not None  # there is at least one row
        return total

    def _drop(self, first: int, end: int) -> None:
        """Tell the system that the memory of some rows is not needed now."""
        if not hasattr(mmap, "MADV_DONTNEED"):
            return
        begin = first * self._row_bytes // mmap.PAGESIZE * mmap.PAGESIZE
        self._memory.madvise(mmap.MADV_DONTNEED, begin, end * self._row_bytes - begin)

    def close(self) -> None:
        """Give the memory back and remove the file."""
        del self._values
        # The traceback of an error may hold parts of the memory. It is given back with them.
        with contextlib.suppress(BufferError):
            self._memory.close()
        self._packed.close()
