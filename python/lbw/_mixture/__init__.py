# SPDX-License-Identifier: MIT
"""Gaussian mixtures: the estimator, its initial parameters and the selection of components."""
