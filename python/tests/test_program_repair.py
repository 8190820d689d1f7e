# SPDX-License-Identifier: MIT
"""`lbw repair` and `lbw score` give the results of GroupRepair and of lbw.metrics."""

from __future__ import annotations

import json
import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from lbw import GroupRepair
from lbw.__main__ import program
from lbw.metrics import demographic_parity_gamma

FEATURES = ["income", "age", "owner", "debt"]


def run(*arguments: Any, code: int = 0) -> subprocess.CompletedProcess[str]:
    words = [str(program()), *map(str, arguments)]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == code, result.stderr
    return result


def people(n_rows: int = 500, seed: int = 0) -> pd.DataFrame:
    """Columns in mixed units, whole numbers and booleans, between an identifier and texts."""
    rng = np.random.default_rng(seed)
    sex = rng.integers(2, size=n_rows)
    region = rng.integers(2, size=n_rows)
    return pd.DataFrame(
        {
            "id": np.arange(n_rows) + 7000,
            "income": np.exp(rng.normal(8 + 0.6 * sex, 0.5)),
            "sex": np.where(sex == 1, "m", "f"),
            "age": rng.integers(18, 70, size=n_rows) + 3 * sex,
            "town": rng.choice(["Bonn", "Köln, Süd", "Ulm"], size=n_rows),
            "owner": (rng.random(n_rows) < 0.3 + 0.3 * sex).astype(int),
            "debt": rng.normal(0.01 * region, 0.002 * (1 + sex)),
            "region": np.where(region == 1, 10, 9),
            "target": rng.integers(2, size=n_rows),
        }
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    people().to_csv(tmp_path / "table.csv", index=False)
    return tmp_path / "table.csv"


def repaired_by_python(frame: pd.DataFrame, groups: Any, **params: Any) -> np.ndarray:
    repair = GroupRepair(check_samples=0, **params)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(repair.fit_transform(frame[FEATURES], sensitive_features=groups))


@pytest.mark.parametrize(
    ("protected", "options", "params"),
    [
        ("sex", [], {}),
        ("region", ["--seed", 5], {"random_state": 5}),
        ("sex,region", ["--amount", 0.5], {"amount": 0.5}),
        ("sex", ["--components", 3, "--refine", 4], {"n_components": 3, "refine": 4}),
        ("sex", ["--weights", "f=3,m=1"], {"weights": {"f": 0.75, "m": 0.25}}),
        ("sex", ["--dither", 0, "--group-shrinkage", 0], {"dither": 0, "group_shrinkage": 0}),
    ],
)
def test_repair_is_that_of_group_repair(table, tmp_path, protected, options, params):
    out = tmp_path / "out.csv"
    run("repair", table, "--protected", protected, "--columns", ",".join(FEATURES), *options,
        "-o", out)  # fmt: skip
    before, after = pd.read_csv(table), pd.read_csv(out)
    columns = protected.split(",")
    groups = before[columns] if len(columns) > 1 else before[protected]
    expected = repaired_by_python(before, groups, **params)
    np.testing.assert_array_equal(after[FEATURES].to_numpy(), expected)
    assert list(after.columns) == list(before.columns)
    others = [name for name in before.columns if name not in FEATURES]
    pd.testing.assert_frame_equal(after[others], before[others])


def test_except_leaves_columns_and_texts_as_they_are(table, tmp_path):
    out = tmp_path / "out.csv"
    result = run("repair", table, "--protected", "sex", "--except", "id,region,target", "-o", out)
    before, after = pd.read_csv(table), pd.read_csv(out)
    changed = [name for name in before.columns if not before[name].equals(after[name])]
    assert changed == FEATURES
    assert "columns without numbers are left unchanged and may reveal the group: 'town'" in (
        result.stderr
    )


def test_report_is_that_of_the_metrics(table, tmp_path):
    out = tmp_path / "out.csv"
    result = run("repair", table, "--protected", "sex", "--columns", "income,owner", "--json",
                 "-o", out)  # fmt: skip
    before, after = pd.read_csv(table), pd.read_csv(out)
    report = json.loads(result.stdout)
    assert [column["name"] for column in report["columns"]] == ["income", "owner"]
    for column in report["columns"]:
        name = column["name"]
        raw = demographic_parity_gamma(before[name], before["sex"], n_bootstraps=0)
        new = demographic_parity_gamma(after[name], after["sex"], n_bootstraps=0)
        assert column["before"] == raw.value
        assert column["after"] == new.value
        assert column["noise"] == pytest.approx(new.null_quantile, rel=1e-12)
        assert column["p_value"] == pytest.approx(new.p_value, rel=1e-12)
    sizes = before["sex"].value_counts()
    assert report["groups"] == [{"name": g, "n_rows": int(sizes[g])} for g in ("f", "m")]


@pytest.mark.parametrize("protected", ["sex", "region", "sex,region"])
def test_saved_repair_is_read_by_python_and_by_the_program(table, tmp_path, protected):
    model, out = tmp_path / "repair.safetensors", tmp_path / "out.csv"
    run("repair", table, "--protected", protected, "--columns", ",".join(FEATURES),
        "--amount", 0.7, "--save-model", model, "-o", tmp_path / "first.csv")  # fmt: skip
    new = people(40, seed=1)
    new.to_csv(tmp_path / "new.csv", index=False)
    run("repair", "--model", model, tmp_path / "new.csv", "-o", out)
    loaded = GroupRepair.load(model)
    assert loaded.amount == 0.7
    expected = loaded.transform(new[FEATURES], sensitive_features=new[protected.split(",")])
    np.testing.assert_array_equal(pd.read_csv(out)[FEATURES].to_numpy(), np.asarray(expected))


def test_program_applies_a_repair_of_python(table, tmp_path):
    frame = pd.read_csv(table)
    columns = [*FEATURES, "sex"]
    repair = GroupRepair(sensitive_columns="sex", amount={"f": 0.5}, check_samples=0)
    repair.fit(frame[columns])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        repair.save(tmp_path / "repair.safetensors")
    out = tmp_path / "out.csv"
    run("repair", "--model", tmp_path / "repair.safetensors", table, "-o", out)
    expected = repair.transform(frame[columns])
    np.testing.assert_array_equal(pd.read_csv(out)[FEATURES].to_numpy(), np.asarray(expected))


@pytest.mark.parametrize("key", ["id", 0])
def test_program_uses_the_key_column_of_a_repair(table, tmp_path, key):
    frame = people()[["id", *FEATURES, "sex"]]
    model, out = tmp_path / "repair.safetensors", tmp_path / "out.csv"
    repair = GroupRepair(sensitive_columns="sex", key_column=key, check_samples=0).fit(frame)
    assert repair.dithered_features_  # draws depend on keys
    repair.save(model)
    new = people(60, seed=1).sample(frac=1, random_state=2)
    new.to_csv(tmp_path / "new.csv", index=False)
    run("repair", "--model", model, tmp_path / "new.csv", "-o", out)
    expected = repair.transform(new[["id", *FEATURES, "sex"]])
    np.testing.assert_array_equal(pd.read_csv(out)[FEATURES].to_numpy(), np.asarray(expected))
    new.drop(columns="id").to_csv(tmp_path / "new.csv", index=False)
    result = run("repair", "--model", model, tmp_path / "new.csv", code=2)
    assert f"--key of {model}: {tmp_path / 'new.csv'} has no column 'id'" in result.stderr


def test_python_uses_the_key_column_of_the_program(table, tmp_path):
    model, out = tmp_path / "repair.safetensors", tmp_path / "out.csv"
    run("repair", table, "--protected", "sex", "--columns", "income,age,owner", "--key", "id",
        "--save-model", model, "-o", out)  # fmt: skip
    frame = pd.read_csv(table)
    repair = GroupRepair.load(model)
    assert repair.key_column == "id"
    columns = ["id", "income", "age", "owner"]
    expected = repair.transform(frame[columns], sensitive_features=frame["sex"])
    np.testing.assert_array_equal(pd.read_csv(out)[columns[1:]].to_numpy(), np.asarray(expected))
    assert repair.get_feature_names_out().tolist() == columns[1:]


@pytest.mark.parametrize("columns", [True, False])
def test_program_asks_for_groups_of_arrays(table, tmp_path, columns):
    frame = people()
    codes = (frame["sex"] == "m").astype(float)
    rows = np.column_stack([frame[FEATURES], codes])
    repair = GroupRepair(sensitive_columns=4 if columns else None, check_samples=0)
    repair.fit(rows) if columns else repair.fit(rows[:, :4], sensitive_features=codes)
    repair.save(tmp_path / "repair.safetensors")
    result = run("repair", "--model", tmp_path / "repair.safetensors", table, code=2)
    assert "does not say which column holds the groups; name it with --protected" in result.stderr


SCORES = {
    "continuous": lambda rng, group: rng.normal(0.3 * group),
    "tied": lambda rng, group: rng.integers(4, size=len(group)) + group,
    "rounding": lambda rng, group: np.round(rng.random(len(group)), 1) * (1 + 1e-15 * group),
    "parity": lambda rng, group: rng.random(len(group)),
}


@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("sizes", [(400, 300), (120, 60, 9), (5, 6), (30, 1)])
def test_score_is_that_of_the_metrics(tmp_path, kind, sizes):
    group = np.repeat(np.arange(len(sizes)), sizes)
    score = SCORES[kind](np.random.default_rng(3), group)
    order = np.random.default_rng(4).permutation(len(group))
    frame = pd.DataFrame({"s": score[order].astype(float), "g": group[order]})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    result = run("score", tmp_path / "scores.csv", "--score", "s", "--protected", "g", "--seed", 11,
                 "--confidence", 0.9, "--json")  # fmt: skip
    measures = {own["measure"]: own for own in json.loads(result.stdout)["measures"][:3]}
    for name, distance in (("gamma", "ks"), ("kuiper", "kuiper")):
        expected = demographic_parity_gamma(
            frame["s"], frame["g"], kind=distance, random_state=11, confidence=0.9
        )
        found = measures[name]
        assert found["value"] == expected.value
        for ours, theirs in (("noise", "null_quantile"), ("p_value", "p_value"), ("low", "low"),
                             ("high", "high")):  # fmt: skip
            assert found[ours] == pytest.approx(getattr(expected, theirs), rel=1e-9, abs=1e-12)
    means = frame.groupby("g")["s"].mean()
    assert measures["mean difference"]["value"] == pytest.approx(np.ptp(means), rel=1e-12)


def test_rates_at_thresholds(tmp_path):
    frame = people(300)
    frame["score"] = frame["debt"].rank(pct=True)
    frame.to_csv(tmp_path / "scores.csv", index=False)
    out = tmp_path / "parity.csv"
    run("score", tmp_path / "scores.csv", "--score", "score", "--protected", "sex", "--target",
        "target", "--threshold", ".5,.9", "-o", out)  # fmt: skip
    found = pd.read_csv(out)
    for threshold in (0.5, 0.9):
        passed = frame["score"] >= threshold
        for name, rows in (("rate", slice(None)), ("true positive rate", frame["target"] == 1),
                           ("false positive rate", frame["target"] == 0)):  # fmt: skip
            rates = passed[rows].groupby(frame["sex"]).mean()
            own = found[(found["measure"] == name) & (found["threshold"] == threshold)]
            np.testing.assert_allclose(own.set_index("group")["value"], rates, rtol=1e-12)
            assert own["value"].between(own["low"] - 1e-12, own["high"] + 1e-12).all()
            gap = found[found["measure"] == f"{name} difference"].set_index("threshold")
            assert gap["value"][threshold] == pytest.approx(np.ptp(rates), rel=1e-12)
