# SPDX-License-Identifier: MIT
import pytest

from common.clock import interleaved, timed
from common.places import MissingDataError, data_file
from common.rows import Rows, table_files
from common.tables import read_table


def test_rows_know_which_steps_are_done(tmp_path):
    path = tmp_path / "folder" / "table.csv"
    Rows(path, ["name", "k"], ["value"]).add({"name": "a, b", "k": 3, "value": 1 / 3})
    again = Rows(path, ["name", "k"], ["value"])
    assert again.done(name="a, b", k=3)
    assert not again.done(name="a, b", k=4)
    again.add([{"name": "c", "k": 1, "value": 2.0}])
    assert path.read_text() == 'name,k,value\n"a, b",3,0.333333\nc,1,2\n'
    assert list(path.parent.iterdir()) == [path]


def test_a_large_table_is_divided_by_a_column(tmp_path):
    path = tmp_path / "table.csv"
    rows = Rows(path, ["name", "k"], ["value"], part="k")
    rows.add({"name": name, "k": k, "value": 1.5} for name in "ab" for k in (10, 9))
    assert [file.name for file in table_files(tmp_path, "table")] == ["9.csv", "10.csv"]
    assert (tmp_path / "table" / "9.csv").read_text() == "name,k,value\na,9,1.5\nb,9,1.5\n"
    assert Rows(path, ["name", "k"], ["value"], part="k").done(name="b", k=10)
    assert read_table(tmp_path, "table")["k"].tolist() == [9, 9, 10, 10]
    assert read_table(tmp_path, "other") is None


def test_rows_refuse_a_table_of_other_columns(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("name,other\n")
    with pytest.raises(ValueError, match="Move the file away to measure again"):
        Rows(path, ["name"], ["value"])


def test_rows_refuse_a_row_that_lacks_a_column(tmp_path):
    rows = Rows(tmp_path / "table.csv", ["name"], ["value"])
    with pytest.raises(ValueError, match="expected"):
        rows.add({"name": "a"})
    assert not rows.done(name="a")


def test_missing_data_says_where_it_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("LBW_DATA", str(tmp_path))
    with pytest.raises(MissingDataError, match="Set LBW_DATA"):
        data_file("shapes", "cat.png")


def test_contestants_take_turns_after_a_round_of_warming_up():
    order = []
    contestants = {name: (lambda name=name: order.append(name)) for name in "ab"}
    counted = [(turn, name) for turn, name, _, _ in interleaved(contestants, 2, rest=0.0)]
    assert order == ["a", "b"] * 3
    assert counted == [(0, "a"), (0, "b"), (1, "a"), (1, "b")]


def test_the_clock_is_the_one_given():
    ticks = iter([1.0, 4.0])
    assert timed(lambda: "done", lambda: next(ticks)) == (3.0, "done")
