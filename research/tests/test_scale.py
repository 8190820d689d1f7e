# SPDX-License-Identifier: MIT
import logging

import numpy as np
import pandas as pd
import pytest

import lbw
from scale.mixture import heldout
from scale.passes import PassTimes
from scale.report import compared, executors, line
from scale.study import COLUMNS, N_COMPONENTS, draw, record_batch
from scale.transform import numpy_maps


def test_samples_repeat_and_depend_on_the_seed():
    np.testing.assert_array_equal(draw(100, [1, 5]), draw(100, [1, 5]))
    assert not np.array_equal(draw(100, [1, 5]), draw(100, [1, 6]))


def test_heldout_is_the_mean_log_likelihood():
    mixture = lbw.GaussianMixture(3, random_state=0).fit(draw(2000, [1]))
    test = draw(500, [2])
    own = heldout(mixture.weights_, mixture.means_, mixture.covariances_, test)
    assert own == pytest.approx(mixture.score(test), rel=1e-12)


def test_numpy_maps_are_those_of_lbw():
    samples = np.concatenate([draw(4000, [3]), draw(4000, [4]) * 1.5 + 2.0])
    groups = np.repeat(["a", "b"], 4000)
    options = {"coupling": "matching", "map": "hard", "random_state": 0}
    model = lbw.LocalTransport(N_COMPONENTS, **options).fit(samples, groups)
    rows = draw(1000, [5])
    (carried,) = numpy_maps(model)([record_batch(rows)])
    own = np.stack([carried.column(name).to_numpy() for name in COLUMNS], axis=1)
    moved = model.transform(rows, ["a"] * len(rows), to="b")
    np.testing.assert_allclose(own, moved, rtol=1e-9, atol=1e-9)


def test_times_of_passes_come_from_the_log():
    with PassTimes() as times:
        log = logging.getLogger("lbw.spark")
        log.info("LocalTransport: packed: 10 rows in 2 partitions, 1.25 s (8 rows per second)")
        log.info("LocalTransport: pass 3: 10 rows in 2 partitions, 0.50 s (20 rows per second)")
        log.info("something else")
    assert times.packing == [1.25]
    assert times.passes == [0.5]


def test_report_finds_a_line_and_ratios():
    rows = pd.DataFrame({"rows": [10, 30, 100], "pass_seconds": [2.0, 4.0, 11.0]})
    assert "1.00 s and 100000000.0 ns per row" in line(rows)
    assert "within 0.0 %" in line(rows)
    fits = pd.DataFrame({"fit": ["lbw", "peer"], "seconds": [2.0, 10.0]})
    assert "| lbw | 2.0 s | 5.0 × |" in compared(fits, {})
    cluster = pd.DataFrame(
        {"executors": [1, 2], "rows": [5, 10], "packing_seconds": 1.0, "pass_seconds": [1.0, 1.25]}
    )
    assert "| 2 | 10 | 1.0 s | 1.250 s | 80% |" in executors(cluster)
