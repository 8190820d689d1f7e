# SPDX-License-Identifier: MIT
"""Parquet files that are larger than memory: reading them in batches, and writing batches."""

from __future__ import annotations

from ._parquet import read_parquet, transform_parquet, write_parquet

__all__ = ["read_parquet", "transform_parquet", "write_parquet"]
