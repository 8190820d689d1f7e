# SPDX-License-Identifier: MIT
"""Repair of features and of scores for demographic parity."""
