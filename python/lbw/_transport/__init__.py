# SPDX-License-Identifier: MIT
"""Transport maps between groups: the estimator, the one-line function and reports."""
