# SPDX-License-Identifier: MIT
"""The progress of long work: a bar if tqdm is installed, lines of text otherwise."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Any

__all__ = ["ProgressBar", "RowProgress"]

_SECONDS_BETWEEN_LINES = 5.0


class ProgressBar(contextlib.AbstractContextManager[Any]):
    """A bar of tqdm, closed by `with`.

    Parameters
    ----------
    shown : bool
        Whether to show a bar.
    title : str
        The name of the work.
    unit : str
        What is counted.
    **options : object
        Further options of tqdm.

    Attributes
    ----------
    bar : tqdm.tqdm or None
        The bar; None if it is not shown or tqdm is not installed.
    """

    def __init__(self, shown: bool, title: str, unit: str, **options: Any) -> None:
        self.bar: Any = None
        if shown:
            with contextlib.suppress(ImportError):
                from tqdm.auto import tqdm

                self.bar = tqdm(desc=title, unit=f" {unit}", leave=True, **options)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()


class RowProgress(ProgressBar):
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
        super().__init__(bool(verbose), title, "rows", unit_scale=True, total=total)
        self._title = title
        self._has_lines = bool(verbose) and self.bar is None
        self._total = total
        self._n_rows = 0
        self._begin = self._last = time.perf_counter()

    def add(self, n_rows: int) -> None:
        """Count rows."""
        self._n_rows += n_rows
        if self.bar is not None:
            self.bar.update(n_rows)
        elif self._has_lines and time.perf_counter() - self._last > _SECONDS_BETWEEN_LINES:
            self._print()

    def _print(self) -> None:
        self._last = time.perf_counter()
        total = "" if self._total is None else f" of {self._total}"
        rate = self._n_rows / max(self._last - self._begin, 1e-9)
        text = f"{self._title}: {self._n_rows}{total} rows, {rate:.3g} rows per second"
        print(text, file=sys.stderr, flush=True)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._has_lines and error[0] is None:
            self._print()
