# SPDX-License-Identifier: MIT
"""Input handling: arrays, tables, labels, keys and groups on their way to the core."""
