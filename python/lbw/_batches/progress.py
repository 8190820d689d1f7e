# SPDX-License-Identifier: MIT
"""The progress of reading or writing rows: a bar if tqdm is installed, lines of text otherwise."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

__all__ = ["RowProgress"]

_SECONDS_BETWEEN_LINES = 5.0


class RowProgress:
    """Shows how many rows were processed; closed by `with`.

    Parameters
    ----------
    title : str
        The name of the work.
    verbose : int
        0 shows nothing, any other number a bar or lines.
    total : int, default=None
        The number of rows, if it is known.
    """

    def __init__(self, title: str, verbose: int, total: int | None = None) -> None:
        self._title = title
        self._shown = bool(verbose)
        self._total = total
        self._n_rows = 0
        self._begin = self._last = time.perf_counter()
        self._bar = _new_bar(title, total) if self._shown else None

    def add(self, n_rows: int) -> None:
        """Count rows."""
        self._n_rows += n_rows
        if self._bar is not None:
            self._bar.update(n_rows)
        elif self._shown and time.perf_counter() - self._last > _SECONDS_BETWEEN_LINES:
            self._print()

    def _print(self) -> None:
        self._last = time.perf_counter()
        total = "" if self._total is None else f" of {self._total}"
        rate = self._n_rows / max(self._last - self._begin, 1e-9)
        text = f"{self._title}: {self._n_rows}{total} rows, {rate:.3g} rows per second"
        print(text, file=sys.stderr, flush=True)

    def __enter__(self) -> RowProgress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown and error is None:
            self._print()


def _new_bar(title: str, total: int | None) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(desc=title, unit=" rows", unit_scale=True, total=total, leave=True)
