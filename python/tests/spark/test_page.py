# SPDX-License-Identifier: MIT
"""The page docs/spark.md runs as printed, and its numbers are those of the code."""

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

import lbw

PAGE = Path(__file__).resolve().parents[3] / "docs" / "spark.md"
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_runs_as_printed(spark, tmp_path, monkeypatch, large_batches):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "page"}
    blocks = FENCE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 4
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for code in blocks:
            # Java does not follow chdir, so relative paths of Spark would lie in the repository
            own = code.replace('"transport_model"', repr(str(tmp_path / "transport_model")))
            exec(compile(own, str(PAGE), "exec"), names)
    assert (tmp_path / "transport_model" / "metadata").is_dir()
    means = names["moved"].groupBy("region").avg("income_south").collect()
    assert abs(means[0][1] - means[1][1]) < 0.1
    rates = names["scored"].groupBy("region").avg("label", "prediction").collect()
    assert abs(rates[0][1] - rates[1][1]) > 0.3
    assert abs(rates[0][2] - rates[1][2]) < 0.1
    assert names["python_model"].groups_.tolist() == ["north", "south"]


@pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])
def test_the_formula_of_bytes_per_pass_is_that_of_the_code(kind):
    k, d = 5, 4
    X = np.random.default_rng(0).normal(size=(300, d))
    mixture = lbw.GaussianMixture(k, covariance_type=kind, max_iter=0).fit(X)
    triangle = d * (d + 1) // 2
    m = {"full": k * triangle, "tied": triangle, "diag": k * d, "spherical": k}[kind]
    expected = 8 * (k * (1 + 2 * d) + d + m) + 70
    assert len(lbw.moment_sums(mixture, X).to_bytes()) == expected
