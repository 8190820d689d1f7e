# SPDX-License-Identifier: MIT
"""`python -m lbw` with columns of Parquet files that are groups or no features."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pa = pytest.importorskip("pyarrow")
import pyarrow.feather as feather  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402

from lbw import GroupRepair  # noqa: E402
from lbw._program.columns import group_columns  # noqa: E402


def run(*words):
    command = [sys.executable, "-m", "lbw", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


def table_of(n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    group = rng.random(n_rows) < 0.5
    return pd.DataFrame({"x": rng.normal(size=n_rows) + group, "y": rng.normal(size=n_rows)})


@pytest.mark.parametrize("name", [None, "id"])
def test_an_index_of_pandas_and_durations_are_left_unchanged(tmp_path, name):
    table = table_of()
    table["site"] = np.where(table.x > 0.5, "a", "b")
    table["took"] = pd.to_timedelta(np.arange(300) % 7, unit="s")
    table.index = pd.Index(np.random.default_rng(1).permutation(300) + 1000, name=name)
    table.to_parquet(tmp_path / "in.parquet")
    run("repair", tmp_path / "in.parquet", "--protected", "site", "-o", tmp_path / "out.parquet")
    repaired = pd.read_parquet(tmp_path / "out.parquet")
    assert (repaired.x != table.x).any()
    pd.testing.assert_index_equal(repaired.index, table.index)
    pd.testing.assert_frame_equal(repaired[["site", "took"]], table[["site", "took"]])


def test_an_index_that_is_named_is_used(tmp_path):
    table = table_of()
    table["site"] = np.where(table.y > 0.0, "a", "b")
    table = table.set_index("y")
    table.to_parquet(tmp_path / "in.parquet")
    words = ("--protected", "site", "--columns", "x,y")
    run("repair", tmp_path / "in.parquet", *words, "-o", tmp_path / "out.parquet")
    repaired = pd.read_parquet(tmp_path / "out.parquet")
    assert repaired.index.name == "y"
    assert (repaired.index != table.index).any()


def test_an_index_that_is_a_feature_of_a_model_is_used(tmp_path):
    table = table_of()
    table["site"] = np.where(table.y > 0.0, "a", "b")
    table = table.set_index("y")
    table.to_parquet(tmp_path / "in.parquet")
    model, first, again = (tmp_path / name for name in ("m", "first.parquet", "again.parquet"))
    words = ("--protected", "site", "--columns", "x,y", "--save-model", model)
    run("repair", tmp_path / "in.parquet", *words, "-o", first)
    run("repair", "--model", model, tmp_path / "in.parquet", "-o", again)
    pd.testing.assert_frame_equal(pd.read_parquet(again), pd.read_parquet(first))


def test_an_index_that_is_repaired_becomes_a_column(tmp_path):
    table = table_of()
    table["site"] = np.where(table.y > 0.0, "a", "b")
    table.index = pd.Index(np.arange(300) % 40 + 20, name="age")
    table.to_parquet(tmp_path / "in.parquet")
    words = ("--protected", "site", "--columns", "x,age")
    run("repair", tmp_path / "in.parquet", *words, "-o", tmp_path / "out.parquet")
    repaired = pd.read_parquet(tmp_path / "out.parquet")
    assert (repaired.age.to_numpy() != table.index).any()


def test_names_of_groups_in_weights_are_no_columns(tmp_path):
    table = table_of()
    table["site"] = np.where(table.y > 0.0, "a", "b")
    table.index = pd.Index(np.random.default_rng(1).permutation(300), name="a")
    table.to_parquet(tmp_path / "in.parquet")
    words = ("--protected", "site", "--weights", "a=1,b=2")
    run("repair", tmp_path / "in.parquet", *words, "-o", tmp_path / "out.parquet")
    pd.testing.assert_index_equal(pd.read_parquet(tmp_path / "out.parquet").index, table.index)


def test_a_name_of_a_group_that_is_a_number_is_no_position(tmp_path):
    table = table_of().set_axis(["0", "1"], axis=1)
    table["2"] = np.where(table["0"] > 0.5, "a", "b")
    table.to_parquet(tmp_path / "in.parquet")
    run("repair", tmp_path / "in.parquet", "--protected", "2", "-o", tmp_path / "out.parquet")
    repaired = pd.read_parquet(tmp_path / "out.parquet")
    assert (repaired[["0", "1"]] != table[["0", "1"]]).any().all()


def test_a_digit_of_another_kind_is_a_name(tmp_path):
    table = table_of()
    table["²"] = np.where(table.x > 0.5, "a", "b")
    table.to_parquet(tmp_path / "in.parquet")
    run("repair", tmp_path / "in.parquet", "--protected", "²", "-o", tmp_path / "out.parquet")
    assert (pd.read_parquet(tmp_path / "out.parquet").x != table.x).any()


def test_a_line_break_in_an_argument_is_part_of_a_name():
    assert group_columns(["--protected", "a\nb"]) == ["a\nb"]


def test_a_model_that_is_overwritten_has_no_effect(tmp_path):
    table = table_of()
    table["site"] = np.where(table.y > 0.0, "a", "b")
    table["smokes"] = table.x > 0.0
    table.to_parquet(tmp_path / "in.parquet")

    def repaired(*words):
        saved = ("--save-model", tmp_path / "m.safetensors", "-o", tmp_path / "out.parquet")
        run("repair", tmp_path / "in.parquet", *words, *saved)
        return pd.read_parquet(tmp_path / "out.parquet")

    first = repaired("--protected", "site")
    repaired("--protected", "smokes", "--columns", "x")
    pd.testing.assert_frame_equal(repaired("--protected", "site"), first)


def test_names_of_groups_may_contain_commas(tmp_path):
    table = table_of()
    table["dose, mg"] = np.where(table.y > 0.0, 1.0, 2.5)
    table.to_parquet(tmp_path / "in.parquet")
    model, first, again = (tmp_path / name for name in ("m", "first.parquet", "again.parquet"))
    words = ("--protected", '"dose, mg"', "--save-model", model)
    run("repair", tmp_path / "in.parquet", *words, "-o", first)
    run("repair", "--model", model, tmp_path / "in.parquet", "-o", again)
    pd.testing.assert_frame_equal(pd.read_parquet(again), pd.read_parquet(first))


@pytest.fixture
def nested(tmp_path, monkeypatch):
    """Give a table with a list and a struct before and between its other columns."""
    monkeypatch.chdir(tmp_path)
    table = table_of()
    lists = [[1.0, 2.0], None, []] * 100
    structs = [{"a": 1}, None, {"a": 2}] * 100
    columns = {"lst": lists, "x": table.x, "s": structs, "y": table.y}
    whole = pa.table({**columns, "site": np.where(table.x > 0.5, "a", "b")})
    parquet.write_table(whole, "in.parquet")
    parquet.write_table(whole.select(["x", "y", "site"]), "plain.parquet")
    return whole


@pytest.mark.parametrize(
    "words",
    [
        ("score", "--protected", "site", "--score", "x", "--permutations", "0"),
        ("select", "--columns", "x,y", "--components", "1:2"),
        ("fit", "--group-column", "site", "--columns", "x,y", "-o", "m"),
        ("inspect", "m", "--group-column", "site", "--permutations", "0", "--data"),
    ],
    ids=lambda words: words[0],
)
def test_lists_and_structs_that_are_not_read_may_be_in_a_table(nested, words):
    run("fit", "plain.parquet", "--group-column", "site", "-o", "m")
    results = [run(*words, name).stdout for name in ("in.parquet", "plain.parquet")]
    assert results[0].replace("in.parquet", "plain.parquet") == results[1]


def test_columns_after_lists_have_their_numbers(nested):
    run("fit", "in.parquet", "--group-column", "5", "--columns", "2,4", "-o", "numbers")
    run("fit", "in.parquet", "--group-column", "site", "--columns", "x,y", "-o", "names")
    assert Path("numbers").read_bytes() == Path("names").read_bytes()


@pytest.mark.parametrize("output", ["out.parquet", "out.feather"])
def test_lists_and_structs_are_kept_in_repaired_and_transported_tables(nested, output):
    run("fit", "plain.parquet", "--group-column", "site", "-o", "m")
    for words in (
        ("repair", "in.parquet", "--protected", "site"),
        ("repair", "in.parquet", "--protected", "site", "--except", "lst,s"),
        ("transport", "m", "in.parquet", "--group-column", "site", "--to", "a"),
    ):
        run(*words, "-o", output)
        is_parquet = output.endswith("parquet")
        moved = parquet.read_table(output) if is_parquet else feather.read_table(output)
        for name in ("lst", "s", "site"):
            assert moved[name].equals(nested[name])
        assert not moved["x"].equals(nested["x"])


def test_lists_and_structs_that_are_read_are_refused(nested):
    repair = ("repair", "in.parquet", "--protected")
    for words, expected in (
        ((*repair, "site", "--columns", "x,lst", "-o", "out.parquet"), "column 'lst' of type list"),
        ((*repair, "site", "--key", "1", "-o", "out.parquet"), "column 'lst' of type list"),
        ((*repair, "s", "-o", "out.parquet"), "column 's' of type struct<a: int64>"),
        ((*repair, "site", "-o", "out.csv"), "are kept if -o is a Parquet or Arrow file"),
        (("fit", "in.parquet", "--group-column", "site", "-o", "m"), "column 1 (lst): "),
        (("score", "in.parquet", "--protected", "s", "--score", "x"), "column 's' of type struct"),
    ):
        command = [sys.executable, "-m", "lbw", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 1
        assert expected in done.stderr
        assert not Path("out.parquet").exists()


@pytest.mark.filterwarnings("ignore:fit does not check", "ignore:Few rows")
@pytest.mark.parametrize("kind", [bool, np.float64, np.float32, int])
@pytest.mark.parametrize("several", [False, True])
def test_models_of_python_find_their_groups_in_parquet_files(tmp_path, kind, several):
    table = table_of()
    table["flag"] = (table.x > 0.5).astype(kind)
    table["other"] = np.arange(300) % 2 * 0.5
    columns = ["flag", "other"] if several else ["flag"]
    table = table if several else table.drop(columns="other")
    repair = GroupRepair(sensitive_columns=columns, random_state=0).fit(table)
    repair.save(tmp_path / "model.safetensors")
    expected = repair.transform(table)
    table.to_parquet(tmp_path / "in.parquet")
    model = ("--model", tmp_path / "model.safetensors")
    run("repair", *model, tmp_path / "in.parquet", "-o", tmp_path / "out.parquet")
    repaired = pd.read_parquet(tmp_path / "out.parquet")
    np.testing.assert_allclose(repaired[["x", "y"]], expected, atol=1e-12)
    pd.testing.assert_frame_equal(repaired[columns], table[columns])
