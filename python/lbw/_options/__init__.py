# SPDX-License-Identifier: MIT
"""Parameters of the estimators: defaults, bounds, texts and their names in the core."""
