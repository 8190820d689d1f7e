# SPDX-License-Identifier: MIT
"""Columns of X that a parameter names: by name in a table, by position elsewhere."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from .tables import is_table, raw_names

__all__ = [
    "check_whole_names",
    "keep_column_parameters",
    "name_at",
    "position_of",
    "refuse_other_parameters",
]

_PARAMETERS = ("sensitive_columns", "key_column")


def position_of(column: Any, X: Any, n_columns: int, parameter: str) -> int:
    """Return the position of a column of X.

    A string is a name. An integer is a name where the table has integers for names, and a position
    otherwise.
    """
    names = raw_names(X) if is_table(X) else []
    if isinstance(column, str):
        if column not in names:
            known = f"expected one of {names}" if names else "X has no column names"
            raise ValueError(f"{parameter}: there is no column {column!r}; {known}")
        return names.index(column)
    if column in names:
        return names.index(column)
    whole = _whole_names(X)
    if whole is not None:
        raise ValueError(
            f"{parameter}: there is no column {int(column)}; the names of the columns of X are "
            f"integers, expected one of {whole}. Give a name, or pass X as an array to use "
            "positions."
        )
    if not -n_columns <= int(column) < n_columns:
        raise ValueError(
            f"{parameter}: there is no column {int(column)}, X has {n_columns} columns"
        )
    return int(column) % n_columns


def name_at(estimator: Any, position: int) -> Any:
    """Return the name of a column of the fit, or its position if the columns have no names."""
    names = getattr(estimator, "feature_names_in_", None)
    if names is None:
        names = getattr(estimator, "_whole_names", None)
    return position if names is None else names[position]


def keep_column_parameters(estimator: Any) -> None:
    """Keep which columns the parameters of a fit name."""
    estimator._columns_of_fit = {name: _named_by(estimator, name) for name in _PARAMETERS}


def refuse_other_parameters(estimator: Any) -> None:
    """Raise if parameters name other columns than those of the fit, which would be used instead."""
    known = getattr(estimator, "_columns_of_fit", {})
    for parameter, expected in known.items():
        if _named_by(estimator, parameter) != expected:
            value = getattr(estimator, parameter)
            had = "none" if not expected else ", ".join(map(repr, expected))
            raise ValueError(f"{parameter} is {value!r}, but the fit had {had}. Set it before fit.")


def _named_by(estimator: Any, parameter: str) -> list[Any]:
    columns = getattr(estimator, parameter)
    if columns is None or isinstance(columns, (str, Integral)):
        return [] if columns is None else [columns]
    return list(columns)


def check_whole_names(estimator: Any, X: Any, *, reset: bool) -> None:
    """Keep names of columns that are integers, or refuse others than those of the fit.

    Names that are strings are checked by scikit-learn, which ignores integers.
    """
    names = _whole_names(X)
    if reset:
        estimator._whole_names = names
        return
    known = getattr(estimator, "_whole_names", None)
    if is_table(X) and known is not None and names != known:
        raise ValueError(
            f"The names of the columns of X should match those of the fit: expected {known}, got "
            f"{raw_names(X)}. Rename or reorder the columns."
        )


def _whole_names(X: Any) -> list[int] | None:
    """Return the names of a table if they are integers and are not the positions themselves."""
    names = raw_names(X) if is_table(X) else []
    if not any(isinstance(name, Integral) for name in names):
        return None
    numbers = [int(name) if isinstance(name, Integral) else name for name in names]
    return None if numbers == list(range(len(numbers))) else numbers
