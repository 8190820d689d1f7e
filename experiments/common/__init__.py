# SPDX-License-Identifier: MIT
"""What the studies share: the data folder, tables of results, clocks, progress."""
