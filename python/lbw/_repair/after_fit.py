# SPDX-License-Identifier: MIT
"""The check of a repair after its fit, and its warnings."""

from __future__ import annotations

from typing import Any

from .._input.fit_rows import FitRows
from .._transport.params import amounts_over
from .._transport.report import displacement_warning
from .check import check_repair, small_groups_text, warning_text

__all__ = ["check_and_warnings"]


def check_and_warnings(repair: Any, rows: FitRows) -> list[str]:
    """Set `check_` of a fitted repair, by rows of the fit, and return what to warn of."""
    transport = repair.transport_
    weights = transport._weights_of(repair.weights).tolist()
    moved_far = displacement_warning(transport._model, rows, repair.groups_, weights, repair.n_jobs)
    checked = repair.check_samples > 0 and min(amounts_over(repair.groups_, repair.amount)) == 1.0
    if checked:
        repair.check_ = check_repair(transport, rows, repair.weights, repair.check_samples)
    texts = [moved_far, small_groups_text(transport, rows, repair.check_, checked=checked)]
    if repair.check_ is not None and repair.check_.separable:
        names = repair._repaired_names()
        texts.append(warning_text(repair.check_, transport, rows.X, rows.labels, names))
    return [text for text in texts if text]
