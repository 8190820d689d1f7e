# SPDX-License-Identifier: MIT
import numpy as np
import pandas as pd
import pytest

from common.tables import read_table
from fairness import compare, floors, sensitivity, timing
from fairness.classifiers import CLASSIFIERS
from fairness.methods import METHODS, PARAMS
from fairness.places import Scale
from fairness.tasks import LOADERS, Task
from fairness.workers import cached_split


@pytest.fixture
def scale(tmp_path, monkeypatch):
    """Test all steps on one small task, one split and one process."""
    rng = np.random.default_rng(3)
    group = rng.choice(["a", "b"], 600)
    table = pd.DataFrame({"x": rng.normal(group == "b"), "y": rng.normal(size=600)})
    table["code"] = np.where(rng.uniform(size=600) < 0.3 + 0.4 * (group == "b"), "p", "q")
    label = table["x"].to_numpy() + rng.normal(size=600) > 0.5
    monkeypatch.setitem(LOADERS, "small", lambda: Task("small", table, label, group, "", ""))
    cached_split.cache_clear()
    return Scale(results=tmp_path, n_splits=1, tasks=("small",), n_workers=1, n_plain_splits=1)


def rows_of(scale, name):
    return read_table(scale.results, name)


def test_methods_are_measured_only_once(scale, monkeypatch):
    few = {name: METHODS[name] for name in ("raw", "k = 1")}
    monkeypatch.setattr(compare, "METHODS", few)
    compare.compare(scale)
    table = rows_of(scale, "methods")
    assert len(table) == len(few) * len(CLASSIFIERS)
    gamma = table.pivot(index="classifier", columns="method", values="gamma")
    assert gamma.loc["logistic regression", "k = 1"] < gamma.loc["logistic regression", "raw"]
    assert table.loc[table["method"] == "raw", "displacement"].eq(0.0).all()
    assert 0.0 < rows_of(scale, "noise")["noise_mean"].min() < 0.2

    monkeypatch.setattr(compare, "_compared", None)  # fails if anything is measured again
    compare.compare(scale)


def test_a_method_that_is_missing_is_added(scale, monkeypatch):
    monkeypatch.setattr(compare, "METHODS", {"raw": METHODS["raw"]})
    compare.compare(scale)
    monkeypatch.setattr(compare, "METHODS", {name: METHODS[name] for name in ("raw", "k = 1")})
    compare.compare(scale)
    assert rows_of(scale, "methods")["method"].unique().tolist() == ["raw", "k = 1"]


def test_lbw_and_plain_repair_are_timed_on_the_same_repairs(scale):
    timing.measure_timing(scale)
    table = rows_of(scale, "timing")
    assert set(table.loc[table["by"] == "lbw", "method"]) == set(PARAMS)
    assert set(table.loc[table["by"] != "lbw", "method"]) == set(timing.IN_PLAIN)
    assert (table["seconds"] > 0.0).all()
    machine = scale.results / "machine.json"
    assert machine.is_file()
    machine.unlink()
    timing.measure_timing(scale)  # nothing is left to measure, so the machine is not written
    assert not machine.exists()


def test_regularizations_are_measured_on_components_and_on_columns(scale):
    floors.measure_floors(scale)
    table = rows_of(scale, "floors")
    assert table["features"].unique().tolist() == ["ten components", "all columns"]
    per_kind = 2 * (1 + len(floors.METHODS) * len(floors.REGULARIZATIONS))  # two classifiers
    assert table["features"].value_counts().tolist() == [per_kind, per_kind]


def test_keeping_the_protected_column_makes_raw_scores_less_fair(scale):
    sensitivity.measure_sensitivity(scale)
    table = rows_of(scale, "sensitivity")
    raw = table[(table["method"] == "raw") & (table["classifier"] == "logistic regression")]
    gamma = raw.set_index("protected")["gamma"]
    assert gamma["kept"] > gamma["dropped"] + 0.03
    assert set(table["method"]) == set(sensitivity.COMPARED)
