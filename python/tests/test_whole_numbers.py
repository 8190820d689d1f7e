# SPDX-License-Identifier: MIT
"""Integers that double precision rounds are refused, and other large numbers are not."""

import warnings

import numpy as np
import pytest

import lbw

IDS = 2**60 + np.arange(100)  # 128 neighbours are one double
GROUPS = np.repeat(["a", "b"], 50)


def rows(ids):
    ids = np.asarray(ids)
    return np.column_stack([(np.arange(100) % 7).astype(ids.dtype), ids])


def tables(ids):
    pd, pl, pa = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    x = np.random.default_rng(0).normal(size=100)
    data = {"x": x, "id": ids}
    nullable = pd.DataFrame({"x": x, "id": pd.array(ids, dtype="Int64")})
    return [pd.DataFrame(data), pl.DataFrame(data), pa.table(data), nullable]


def fits():
    return [
        lambda X: lbw.GaussianMixture().fit(X),
        lambda X: lbw.LocalTransport().fit(X, GROUPS),
        lambda X: lbw.GroupRepair().fit(X, sensitive_features=GROUPS),
    ]


@pytest.mark.parametrize("fit", fits())
def test_identifiers_that_doubles_round_are_refused(fit):
    message = r"X has whole numbers of 2\^53 or more in column 1, which double precision rounds"
    for ids in (IDS, -IDS, IDS.astype(np.uint64), IDS.astype(object), [2**53] * 100):
        with pytest.raises(ValueError, match=message):
            fit(rows(ids))
    for table in tables(IDS):
        with pytest.raises(ValueError, match=r"X has whole numbers of 2\^53 or more in 'id'"):
            fit(table)


@pytest.mark.parametrize("fit", fits())
def test_identifiers_beside_fractions_are_refused(fit):
    frame = {"id": IDS, "x": np.linspace(0.0, 1.0, 100)}
    for table in (
        pytest.importorskip("pandas").DataFrame(frame),
        pytest.importorskip("pyarrow").table(frame),
    ):
        with pytest.raises(ValueError, match=r"X has whole numbers of 2\^53 or more in 'id'"):
            fit(table)


def test_scores_that_double_precision_rounds_are_refused():
    with pytest.raises(ValueError, match=r"2\^53 or more in y_score of demographic_parity"):
        lbw.metrics.demographic_parity_gamma(np.arange(100) + 2**60, GROUPS)


@pytest.mark.parametrize("fit", fits())
def test_exact_integers_and_floats_are_taken(fit):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit(rows(2**53 - 1 - np.arange(100)))
        fit(rows(IDS.astype(float) * np.linspace(1, 2, 100)))


def test_a_key_column_may_have_any_integers():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"x": np.random.default_rng(0).normal(size=100), "id": IDS})
    repair = lbw.GroupRepair(key_column="id", check_samples=0).fit(table, sensitive_features=GROUPS)
    assert repair.transform(table, sensitive_features=GROUPS).shape == (100, 1)


def test_functions_and_new_rows_are_checked_too():
    exact = rows(np.arange(100)).astype(float)
    with pytest.raises(ValueError, match=r"Xt has whole numbers of 2\^53 or more in column 1"):
        lbw.transport(exact, rows(IDS), n_components=1)
    model = lbw.LocalTransport(1).fit(exact, GROUPS)
    with pytest.raises(ValueError, match=r"X has whole numbers of 2\^53 or more in column 1"):
        model.transform(rows(IDS), "a", to="b")


def test_batches_and_parquet_files_are_checked(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    x = np.random.default_rng(0).normal(size=100)
    parquet.write_table(pa.table({"x": x, "id": IDS, "w": IDS}), tmp_path / "rows.parquet")
    message = r"there are whole numbers of 2\^53 or more in column 'id', which double precision"
    batches = lbw.io.read_parquet(tmp_path / "rows.parquet", features=["x", "id"])
    with pytest.raises(ValueError, match=message):
        lbw.GaussianMixture().fit(batches)
    with pytest.raises(ValueError, match=r"2\^53 or more in column 1"):
        lbw.GaussianMixture().fit(lbw.Batches([rows(IDS)]))
    weighted = lbw.io.read_parquet(tmp_path / "rows.parquet", features=["x"], weight="w")
    lbw.GaussianMixture().fit(weighted)  # a rounded weight is accurate enough
