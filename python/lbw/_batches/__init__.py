# SPDX-License-Identifier: MIT
"""Fits of rows that are not in memory: sources of rows, passes over them, scratch files."""
