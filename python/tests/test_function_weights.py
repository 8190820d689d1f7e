# SPDX-License-Identifier: MIT
"""Functions refuse weights and plans that have no meaning."""

from __future__ import annotations

import numpy as np
import pytest

import lbw

X = np.arange(4.0)[:, None]
ONE = np.ones((2, 1, 1))
MEANS = np.array([[0.0], [9.0]])


@pytest.mark.parametrize(
    ("ws", "text"),
    [
        ([1, 1, 1, -0.1], "expected weights >= 0"),
        ([0, 0, 0, 0], "not all 0"),
        ([1, 1, 1], "has shape"),
        (np.ones((2, 2)), "has shape"),
        ([1, 1, 1, np.nan], "contains NaN"),
    ],
)
def test_weights_of_samples(ws, text):
    with pytest.raises(ValueError, match=text):
        lbw.empirical_bures_wasserstein_distance(X, X, ws=ws)


def test_a_negative_regularization_is_refused():
    with pytest.raises(ValueError, match=r"reg is -0\.3"):
        lbw.empirical_bures_wasserstein_distance(X, X, reg=-0.3)


def test_columns_of_weights_are_accepted():
    flat = lbw.empirical_bures_wasserstein_distance(X, X + 1, ws=[1, 2, 3, 4])
    column = lbw.empirical_bures_wasserstein_distance(X, X + 1, ws=[[1], [2], [3], [4]])
    assert flat == column


def test_densities_of_negative_weights_are_refused():
    with pytest.raises(ValueError, match="w has a smallest entry of -1"):
        lbw.gmm_pdf([[0.0]], [[0.0]], [[[1.0]]], [-1.0])


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ([[0.5, np.nan], [0.0, 0.5]], "contains NaN"),
        ([[0.6, -0.1], [0.0, 0.5]], "expected masses >= 0"),
        ([[0.9, 0.0], [0.0, 0.1]], "do not sum to w_s"),
        (np.zeros((3, 4)), "has shape"),
    ],
)
def test_plans(plan, text):
    with pytest.raises(ValueError, match=text):
        lbw.gmm_ot_apply_map([[0.5]], MEANS, MEANS + 1, ONE, ONE, [0.5, 0.5], [0.5, 0.5], plan=plan)
