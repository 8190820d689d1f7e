# SPDX-License-Identifier: MIT
"""Demographic parity of weighted scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lbw.metrics import demographic_parity_gamma


def scores(seed: int, n: int = 300, shift: float = 0.5) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    groups = np.resize(["f", "m"], n)
    return np.round(rng.normal(size=n) + shift * (groups == "m"), 1), groups


def weighted_distance(score: Any, groups: Any, weights: Any, kind: str) -> float:
    """Compute the distance from its definition, threshold by threshold."""
    walks = []
    for threshold in np.unique(score):
        shares = [
            weights[(groups == g) & (score <= threshold)].sum() / weights[groups == g].sum()
            for g in ("f", "m")
        ]
        walks.append(shares[0] - shares[1])
    above, below = max(walks), -min(walks)
    return max(above, below) if kind == "ks" else above + below


@pytest.mark.parametrize("kind", ["ks", "kuiper"])
def test_whole_weights_are_copies(kind):
    score, groups = scores(0)
    weights = np.random.default_rng(1).integers(4, size=300)
    result = demographic_parity_gamma(score, groups, sample_weight=weights, kind=kind)
    copies = (np.repeat(values, weights) for values in (score, groups))
    assert result == demographic_parity_gamma(*copies, kind=kind)


@pytest.mark.parametrize("kind", ["ks", "kuiper"])
@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e280])
def test_distance_of_other_weights_follows_the_definition(kind, scale):
    score, groups = scores(0)
    weights = np.random.default_rng(1).exponential(size=300) + 0.01
    result = demographic_parity_gamma(score, groups, sample_weight=scale * weights, kind=kind)
    assert float(result) == pytest.approx(weighted_distance(score, groups, weights, kind))
    assert result.low <= float(result) <= result.high


def test_equal_weights_change_nothing():
    score, groups = scores(2)
    expected = demographic_parity_gamma(score, groups)
    result = demographic_parity_gamma(score, groups, sample_weight=np.full(300, 0.3))
    assert float(result) == pytest.approx(float(expected))
    assert (result.null_mean, result.high) == (expected.null_mean, expected.high)


@pytest.mark.parametrize("n", [10, 20, 40])
def test_equal_fractions_as_weights_keep_the_p_value(n):
    # sums of tenths round, so that equal distances differ in their last bit
    for seed in range(30):
        score, groups = scores(seed, n, 0.0)
        plain = demographic_parity_gamma(score, groups, n_bootstraps=0)
        tenths = demographic_parity_gamma(
            score, groups, n_bootstraps=0, sample_weight=np.full(n, 0.1)
        )
        assert tenths.p_value == plain.p_value


def test_rows_of_weight_0_are_ignored():
    score, groups = scores(3)
    weights = np.random.default_rng(1).exponential(size=300)
    weights[::4] = 0.0
    changed = np.where(weights == 0.0, 99.0, score)
    used = weights > 0.0
    expected = demographic_parity_gamma(score[used], groups[used], sample_weight=weights[used])
    for values in (score, changed):
        assert demographic_parity_gamma(values, groups, sample_weight=weights) == expected


def test_noise_is_that_of_the_effective_sample_size():
    """Scores at parity are rarely found apart, though few rows have most of the weight."""
    found = 0
    for seed in range(60):
        score, groups = scores(seed, 400, shift=0.0)
        weights = np.random.default_rng(seed).lognormal(0.0, 1.5, size=400)
        result = demographic_parity_gamma(
            score, groups, sample_weight=weights, n_permutations=99, n_bootstraps=0
        )
        found += result.p_value <= 0.05
    assert found <= 9  # 3 expected; more than 9 has a probability below 0.001


def test_bad_weights_are_refused():
    score, groups = scores(0)
    with pytest.raises(ValueError, match="sample_weight is 0 for all samples of a group"):
        demographic_parity_gamma(score, groups, sample_weight=(groups == "f").astype(float))
    with pytest.raises(ValueError, match="egative"):
        demographic_parity_gamma(score, groups, sample_weight=np.full(300, -1.0))
    with pytest.raises(ValueError, match="shape"):
        demographic_parity_gamma(score, groups, sample_weight=np.ones(5))
