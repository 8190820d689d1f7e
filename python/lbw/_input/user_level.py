# SPDX-License-Identifier: MIT
"""Where a warning points to."""

from __future__ import annotations

import inspect

__all__ = ["user_level"]

_PACKAGES = ("lbw", "sklearn", "joblib")  # pipelines call methods through joblib


def user_level() -> int:
    """Return the `stacklevel` of the first caller outside this package, scikit-learn and joblib."""
    frame = inspect.currentframe()
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in _PACKAGES:
        frame = frame.f_back
        level += 1
    return level
