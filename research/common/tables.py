# SPDX-License-Identifier: MIT
"""Read tables of results."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from .rows import table_files


def read_table(results: Path, name: str) -> pd.DataFrame | None:
    """Return a table of results, or None if it has not been measured yet."""
    parts = [pd.read_csv(path) for path in table_files(results, name)]
    return pd.concat(parts, ignore_index=True) if parts else None
