# SPDX-License-Identifier: MIT
"""Functions that have the names and arguments of POT and SciPy."""
