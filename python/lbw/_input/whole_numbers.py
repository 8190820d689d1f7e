# SPDX-License-Identifier: MIT
"""Whole numbers that double precision rounds, as identifiers may be."""

from __future__ import annotations

from typing import Any

import numpy as np

from .tables import frame_of

__all__ = ["refuse_rounded", "refuse_rounded_column"]

_LEAST_ROUNDED = 2**53  # as in the program


def refuse_rounded(X: Any, name: str) -> None:
    """Raise if a table or an array has integers that double precision rounds.

    Numbers that are floats already are taken as they are.
    """
    frame = frame_of(X)
    if frame is not None:
        for place, (column, kind) in enumerate(frame.schema.items()):
            if kind.is_integer() and len(series := frame[:, place].drop_nulls()):
                _refuse_beyond(series.min(), series.max(), f"{name} has", repr(str(column)))
        return
    if isinstance(X, np.ndarray) and X.ndim == 2:
        for place, column in enumerate(X.T if _may_be_large(X) else ()):
            _refuse_values(column, f"{name} has", f"column {place}")


def refuse_rounded_column(values: np.ndarray[Any, Any], where: str) -> None:
    """Raise if a column has integers that double precision rounds."""
    if _may_be_large(values):
        _refuse_values(values, "there are", where)


def _may_be_large(values: np.ndarray[Any, Any]) -> bool:
    return values.dtype.kind == "O" or (values.dtype.kind in "iu" and values.dtype.itemsize == 8)


def _refuse_values(column: np.ndarray[Any, Any], subject: str, where: str) -> None:
    whole = column
    if column.dtype.kind == "O":
        whole = np.array([v for v in column if isinstance(v, (int, np.integer))], dtype=object)
    if len(whole):
        _refuse_beyond(whole.min(), whole.max(), subject, where)


def _refuse_beyond(least: Any, largest: Any, subject: str, where: str) -> None:
    if int(least) > -_LEAST_ROUNDED and int(largest) < _LEAST_ROUNDED:
        return
    raise ValueError(
        f"{subject} whole numbers of 2^53 or more in {where}, which double precision rounds, so "
        "that different numbers may become equal. If they are identifiers, leave the column out, "
        "or name it in key_column of GroupRepair. Otherwise convert it first, with astype(float)."
    )
