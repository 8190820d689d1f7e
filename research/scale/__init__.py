# SPDX-License-Identifier: MIT
"""Fits beyond one machine's memory: lbw on Spark against Spark ML, and fits from Parquet files."""
