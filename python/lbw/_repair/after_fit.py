# SPDX-License-Identifier: MIT
"""The check of a repair after its fit, and its warnings."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._input.arrays import SampleArray
from .._input.fit_rows import FitRows
from .._transport.params import amounts_over
from .._transport.report import displacement_warning, far_values_warning
from .check import check_repair, small_groups_text, warning_text
from .new_differences import new_differences_text

__all__ = ["check_and_warnings", "warnings_of_all_rows"]

_LEAST_ID_ROWS = 50  # as in the program


def check_and_warnings(repair: Any, rows: FitRows) -> list[str]:
    """Set `check_` of a fitted repair, by rows of the fit, and return what to warn of."""
    transport = repair.transport_
    weights = transport._weights_of(repair.weights).tolist()
    moved_far = displacement_warning(transport._model, rows, repair.groups_, weights, repair.n_jobs)
    checked = repair.check_samples > 0 and min(amounts_over(repair.groups_, repair.amount)) == 1.0
    if checked:
        repair.check_ = check_repair(transport, rows, repair.weights, repair.check_samples)
    far_values = far_values_warning(transport._model, rows, repair.groups_)
    texts = [
        far_values,
        moved_far,
        small_groups_text(transport, rows, repair.check_, checked=checked),
    ]
    if repair.check_ is not None and np.isnan(repair.check_.auc):
        texts.append(_undefined_text(rows))
    if repair.check_ is not None and repair.check_.separable:
        names = repair._repaired_names()
        texts.append(warning_text(repair.check_, transport, rows.X, rows.labels, names))
    if repair.check_samples > 0:
        texts.append(new_differences_text(repair, rows))
    return [text for text in texts if text]


def _undefined_text(rows: FitRows) -> str:
    """Return why the AUC of a check is not defined."""
    counts = {
        label: len(np.unique(rows.X[rows.labels == label], axis=0))
        for label in np.unique(rows.labels).tolist()
    }
    named = ", ".join(f"{label!r} ({count})" for label, count in counts.items())
    return (
        "fit could not check the repair, and check_.auc is NaN: the groups have so few distinct "
        f"rows, {named}, that parts of the held-out rows lack a group. Give more distinct rows, or "
        "evaluate new rows; check_samples=0 disables the check and this warning."
    )


def warnings_of_all_rows(repair: Any, rows: FitRows) -> list[str]:
    """Do what `check_and_warnings` does by all rows of the fit, and warn of identifiers too."""
    names = repair.get_feature_names_out().tolist()
    found = [
        name for name, column in zip(names, rows.X.T, strict=True) if _looks_like_identifier(column)
    ]
    texts = check_and_warnings(repair, rows)
    if not found:
        return texts
    text = (
        f"Columns {found} have a different whole number in every row and are repaired like other "
        "columns. If they are identifiers, leave them out: drop them before fit, repair the other "
        "columns in a ColumnTransformer, or name one of them in key_column."
    )
    return [text, *texts]


def _looks_like_identifier(column: SampleArray) -> bool:
    """Return whether a column has distinct whole numbers, all small enough to have a fraction."""
    if len(column) < _LEAST_ID_ROWS or np.abs(column).max() >= 1.0 / np.finfo(column.dtype).eps:
        return False
    return bool((column == np.floor(column)).all()) and len(np.unique(column)) == len(column)
