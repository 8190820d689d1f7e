# SPDX-License-Identifier: MIT
import numpy as np
import pytest

from starts.measure import FITS, score
from starts.report import difference
from starts.samples import DATA_SETS


@pytest.mark.parametrize("name", DATA_SETS)
def test_data_sets_have_enough_distinct_samples_and_repeat(name):
    data = DATA_SETS[name]
    samples = data.draw(data.n_samples, np.random.default_rng(3))
    assert len(samples) == data.n_samples
    assert np.isfinite(samples).all()
    assert len(np.unique(samples, axis=0)) > data.n_components
    np.testing.assert_array_equal(samples, data.draw(data.n_samples, np.random.default_rng(3)))


def test_one_component_has_the_same_likelihood_in_every_fit():
    rng = np.random.default_rng(0)
    samples, test = rng.normal(size=(200, 2)), rng.normal(size=(500, 2))
    scores = [score(fit, samples, test, 0, n_components=1)[0] for fit in FITS]
    np.testing.assert_allclose(scores, scores[0], rtol=1e-9)


def test_difference_of_medians_has_an_interval_around_it():
    values = np.random.default_rng(0).normal(size=400)
    median, low, high = difference(values + 1, values)
    assert median == pytest.approx(1)
    assert low < 1 < high
    # 1.25 / sqrt(400) is the standard error of each median
    assert high - low == pytest.approx(2 * 1.96 * 1.25 / 20 * np.sqrt(2), rel=0.25)
