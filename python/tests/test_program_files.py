# SPDX-License-Identifier: MIT
"""`python -m lbw` with Parquet and Arrow files, compressed files of others, and docs/program.md."""

import gzip
import io
import json
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
import pyarrow.csv as csv  # noqa: E402
import pyarrow.feather as feather  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402

BIN = Path(sys.executable).parent
PAGE = Path(__file__).resolve().parents[2] / "docs" / "program.md"


def run(*words, program=(sys.executable, "-m", "lbw"), **options):
    return subprocess.run([*program, *words], capture_output=True, text=True, **options)


def lbw(*words, **options):
    done = run(*words, program=(BIN / "lbw",), **options)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Give a folder with A and B as CSV and Parquet, and a model of both."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for name, shift in (("A", 0), ("B", 5)):
        table = pa.table(
            {
                "x": rng.normal(shift, 1, 200),
                "id": [f"{i:03}" for i in range(200)],
                "y": rng.integers(0, 99, 200),
                "day": pa.array(range(200), pa.date32()),
                "sort": pa.array(["u", "v"] * 100).dictionary_encode(),
                "on": [True, None] * 100,
            }
        )
        parquet.write_table(table, f"{name}.parquet")
        csv.write_csv(table, f"{name}.csv")
    lbw("fit", "A.csv", "B.csv", "--columns", "x,y", "-k", "2", "-o", "model.safetensors")
    return tmp_path


def transport(table, *words):
    return ("transport", "model.safetensors", table, "--from", "A", "--to", "B", *words)


def test_parquet_files_are_fitted_as_csv_files(folder):
    words = ("--columns", "x,y", "-k", "2", "-o", "m.safetensors")
    done = run("fit", "A.parquet", "B=B.parquet", *words)
    assert done.returncode == 0, done.stderr
    assert Path("m.safetensors").read_bytes() == Path("model.safetensors").read_bytes()


@pytest.mark.parametrize("output", ["out.parquet", "out.feather", "out.arrow"])
@pytest.mark.parametrize("option", [("-o",), ("--output=",)])
def test_parquet_comes_back_with_its_types(folder, output, option):
    words = (*option, output) if len(option[0]) == 2 else (option[0] + output,)
    done = run(*transport("A.parquet", *words))
    assert done.returncode == 0, done.stderr
    read = parquet.read_table if output == "out.parquet" else feather.read_table
    result, given = read(output), parquet.read_table("A.parquet")
    lbw(*transport("A.csv", "-o", "out.csv"))
    expected = csv.read_csv("out.csv")
    for feature in ("x", "y"):
        assert result[feature].to_pylist() == expected[feature].to_pylist()
        assert result[feature].type == pa.float64()
    assert result.column_names == given.column_names
    for other in ("id", "day", "on"):
        assert result[other].to_pylist() == given[other].to_pylist()
        assert result[other].type == given[other].type
    assert result["sort"].to_pylist() == given["sort"].to_pylist()
    assert pa.types.is_dictionary(result["sort"].type)


def test_inputs_may_be_descriptors_of_the_shell(folder):
    words = f"{sys.executable} -m lbw repair <(cat t.csv) --protected g -o out.parquet"
    Path("t.csv").write_text("g,x\n" + "".join(f"{'ab'[i % 2]},{i % 17}\n" for i in range(100)))
    done = run("-c", words, program=("bash",))
    assert done.returncode == 0, done.stderr
    assert parquet.read_table("out.parquet").num_rows == 100


@pytest.mark.parametrize("output", ["out.parquet", "out.arrow"])
def test_tables_without_names_keep_their_first_row(folder, output):
    read = parquet.read_table if output == "out.parquet" else feather.read_table
    points = np.array([[1.0, 2.0], [3.0, 4.5], [-5.0, 6.0]])
    np.savetxt("plain.csv", points, delimiter=",")
    np.save("plain.npy", points)
    Path("named.csv").write_text("id,x,y\n" + "".join(f"k{i},{i},{i + 1}\n" for i in range(3)))
    Path("texts.csv").write_text("".join(f"k{i},{i},{i + 1}\n" for i in range(3)))
    for given, extra, names in (
        ("plain.csv", (), ["f0", "f1"]),
        ("plain.npy", (), ["f0", "f1"]),
        ("named.csv", ("--columns", "x,y"), ["id", "x", "y"]),
        ("texts.csv", ("--columns", "2,3"), ["f0", "f1", "f2"]),
    ):
        done = run(*transport(given, "--amount", "0", "-o", output, *extra))
        assert done.returncode == 0, done.stderr
        table = read(output)
        assert table.num_rows == 3, given
        assert table.column_names == names


def test_a_file_is_transported_in_place(folder):
    assert run(*transport("A.parquet", "-o", "out.parquet")).returncode == 0
    assert run(*transport("A.parquet", "-o", "A.parquet")).returncode == 0
    assert parquet.read_table("A.parquet").equals(parquet.read_table("out.parquet"))


@pytest.mark.parametrize("kind", ["file", "stream", "feather1"])
def test_arrow_files_are_read(folder, kind):
    table = parquet.read_table("A.parquet").select(["x", "y"])
    if kind == "feather1":
        feather.write_feather(table, "A.any", version=1)
    else:
        with (pa.ipc.new_file if kind == "file" else pa.ipc.new_stream)("A.any", table.schema) as w:
            w.write_table(table, max_chunksize=70)
    done = run(*transport("A.any", "-q"))
    assert done.returncode == 0, done.stderr
    assert done.stdout == lbw(*transport("A.csv", "-q", "--keep", "none")).stdout


def test_missing_values_stay_in_place(folder):
    table = pa.table({"x": [1.0, None, float("nan"), 4.0], "y": [1, 2, 3, None]})
    parquet.write_table(table, "holes.parquet")
    done = run(*transport("holes.parquet", "-o", "out.parquet"))
    assert done.returncode == 1
    assert "holes.parquet:3: column 1 (x): the cell is empty; fill it in" in done.stderr
    assert not Path("out.parquet").exists()
    done = run(*transport("holes.parquet", "-o", "out.parquet", "--missing", "skip"))
    assert done.returncode == 0, done.stderr
    result = parquet.read_table("out.parquet")
    assert [value is None for value in result["x"].to_pylist()] == [False, True, True, True]
    assert [value is None for value in result["y"].to_pylist()] == [False, True, True, True]


def test_single_precision_keeps_its_value(folder):
    table = parquet.read_table("A.parquet").select(["x", "y"])
    table = table.set_column(0, "x", table["x"].cast(pa.float32()))
    parquet.write_table(table, "single.parquet")
    done = run(*transport("single.parquet", "--amount", "0", "-q"))
    values = [float(line.split(",")[0]) for line in done.stdout.splitlines()[1:]]
    assert values == table["x"].to_pylist()


def test_whole_numbers_keep_their_digits_and_types(folder):
    table = parquet.read_table("A.parquet").slice(0, 2)
    large = pa.array([2**53 + 1, 2**63 + 3], pa.uint64())
    table = table.append_column("key", large).append_column("age", pa.array([7, None], pa.int8()))
    parquet.write_table(table, "whole.parquet")
    done = run(*transport("whole.parquet", "-o", "out.parquet"))
    assert done.returncode == 0, done.stderr
    result = parquet.read_table("out.parquet")
    for name in ("key", "age"):
        assert result[name].type == table[name].type
        assert result[name].to_pylist() == table[name].to_pylist()
    assert result["y"].type == pa.float64()  # a feature, which has become fractions


def test_all_types_of_other_columns_come_back(folder):
    table = parquet.read_table("A.parquet").slice(0, 4)
    given = {
        "text": pa.array(["", None, "a", " b "]),
        "exact": pa.array(
            [Decimal("1.25"), None, Decimal(10) ** 40, Decimal(0)], pa.decimal256(50, 2)
        ),
        "price": pa.array(
            [Decimal("1.25"), None, Decimal("3.10"), Decimal(0)], pa.decimal128(9, 2)
        ),
        "single": pa.array([0.1, None, 3.0, 4.0], pa.float32()),
        "time": pa.array([1, None, 3, 4], pa.timestamp("ns", "UTC")),
        "category": pa.array(["", "v", None, "v"]).dictionary_encode(),
    }
    for name, column in given.items():
        table = table.append_column(name, column)
    parquet.write_table(table, "types.parquet")
    done = run(*transport("types.parquet", "-o", "out.parquet"))
    assert done.returncode == 0, done.stderr
    result = parquet.read_table("out.parquet")
    for name in given:
        assert result[name].type == table[name].type
        assert result[name].to_pylist() == table[name].to_pylist()


def test_texts_that_look_like_numbers_stay_texts(folder):
    rng = np.random.default_rng(2)
    codes = pa.array([["00123", "12", "7", None, ""][i % 5] for i in range(80)])
    table = pa.table(
        {
            "x": rng.normal(np.tile([0, 3], 40), 1),
            "code": codes,
            "kind": pa.array(["1", "2"] * 40).dictionary_encode(),
            "site": ["1", "2"] * 40,
        }
    )
    parquet.write_table(table, "codes.parquet")
    words = ("repair", "codes.parquet", "--protected", "site", "-o", "out.parquet")
    done = run(*words)
    assert done.returncode == 0, done.stderr
    result = parquet.read_table("out.parquet")
    assert not result["x"].equals(table["x"])
    for name in ("code", "kind", "site"):
        assert result[name].type == table[name].type
        assert result[name].equals(table[name])
    expected = (
        'codes.parquet:2: column 2 (code): "00123" is text, expected a number; choose other '
        "columns with --columns, or convert them to numbers"
    )
    for words in (
        ("repair", "codes.parquet", "--protected", "site", "--columns", "x,code"),
        ("fit", "codes.parquet", "--group-column", "site", "-o", "m.safetensors"),
        ("select", "codes.parquet", "--columns", "code", "-k", "1"),
    ):
        done = run(*words)
        assert done.returncode == 1
        assert expected in done.stderr
    done = run("score", "codes.parquet", "--score", "code", "--protected", "site")
    assert done.returncode == 1
    assert '"00123" is text, expected a number; choose another column with --score' in done.stderr


def test_codes_of_csv_files_stay_texts(folder):
    numbers = np.random.default_rng(1).normal(size=(60, 2))
    rows = [
        f"{x},{y},{i % 30:05},{10**20 + i},{10**17 + i},{i % 9},{i / 4 if i % 7 else ''},"
        f"+4930{i},{i:#x},{i}E{i % 5},{i}e+2,{['+3', '1E5', 10**20, 4.5][i % 4]}"
        for i, (x, y) in enumerate(numbers)
    ]
    header = "x,y,zip,long,id,n,h,phone,hex,article,e,mixed"
    Path("codes.csv").write_text("\n".join([header, *rows]))
    done = run(*transport("codes.csv", "-o", "out.parquet"))
    assert done.returncode == 0, done.stderr
    result = parquet.read_table("out.parquet")
    assert result["zip"].to_pylist() == [f"{i % 30:05}" for i in range(60)]
    assert result["long"].to_pylist() == [str(10**20 + i) for i in range(60)]
    assert result["id"].to_pylist() == [10**17 + i for i in range(60)]
    assert result["n"].to_pylist() == [i % 9 for i in range(60)]
    assert result["h"].to_pylist() == [i / 4 if i % 7 else None for i in range(60)]
    assert result["phone"].to_pylist() == [f"+4930{i}" for i in range(60)]
    assert result["hex"].to_pylist() == [f"{i:#x}" for i in range(60)]
    assert result["article"].to_pylist() == [f"{i}E{i % 5}" for i in range(60)]
    assert result["e"].to_pylist() == [100.0 * i for i in range(60)]
    assert result["mixed"].to_pylist() == [3.0, 1e5, 1e20, 4.5] * 15


def test_exact_numbers_are_transported(folder):
    table = parquet.read_table("A.parquet").select(["x", "y"])
    exact = table["x"].cast(pa.decimal128(38, 18), safe=False).cast(pa.decimal256(50, 18))
    parquet.write_table(table.set_column(0, "x", exact), "exact.parquet")
    done = run(*transport("exact.parquet", "-o", "out.parquet"))
    assert done.returncode == 0, done.stderr
    moved = parquet.read_table("out.parquet")
    assert moved["x"].type == pa.float64()
    expected = csv.read_csv(io.BytesIO(lbw(*transport("A.csv", "-q")).stdout.encode()))
    np.testing.assert_allclose(moved["x"], expected["x"], rtol=0, atol=1e-9)


def test_names_of_numbers_are_names(folder):
    rng = np.random.default_rng(1)
    for name in "CD":
        table = pa.table({"0": rng.normal(size=50), "1": rng.normal(size=50)})
        parquet.write_table(table, f"{name}.parquet")
    done = run("fit", "C.parquet", "D.parquet", "-k", "1", "-o", "numbers.safetensors")
    assert done.returncode == 0, done.stderr
    shown = lbw("inspect", "numbers.safetensors", "--json").stdout
    assert json.loads(shown)["feature_names"] == ["0", "1"]
    words = ("C.parquet", "--from", "C", "--to", "D", "-o", "out.parquet")
    done = run("transport", "numbers.safetensors", *words)
    assert done.returncode == 0, done.stderr
    assert parquet.read_table("out.parquet").column_names == ["0", "1"]


def test_other_commands_write_parquet(folder):
    done = run("barycenter", "model.safetensors", "--sample", "50", "-o", "sample.parquet")
    assert done.returncode == 0, done.stderr
    assert parquet.read_table("sample.parquet").shape == (50, 2)
    done = run("select", "A.parquet", "--columns", "x,y", "-k", "1:2", "-o", "curve.feather")
    assert done.returncode == 0, done.stderr
    assert feather.read_table("curve.feather")["n_components"].to_pylist() == [1, 2]


def test_a_curve_does_not_replace_its_table(folder):
    before = Path("A.parquet").read_bytes()
    done = run("select", "A.parquet", "--columns", "x,y", "-k", "1:2", "-o", "./A.parquet")
    assert done.returncode != 0
    assert "--output is the input A.parquet, which the curve would replace" in done.stderr
    assert Path("A.parquet").read_bytes() == before


def test_bad_arguments_are_named_and_nothing_is_written(folder):
    Path("kept.parquet").write_bytes(b"as it was")
    parquet.write_table(pa.table({"x": [[1.0]], "y": [2.0]}), "nested.parquet")
    for words, expected in (
        (transport("A.parquet", "--delimiter", ";"), "need CSV, A.parquet is a Parquet or Arrow"),
        (transport("nested.parquet", "-o", "t.parquet"), "column 'x' of type list<"),
        (transport("A.csv", "-o", "no/x.parquet"), "the directory 'no' does not exist"),
        (transport("A.parquet", "-o", "kept.parquet", "--to", "C"), "more than once"),
        (transport("missing.parquet", "-o", "kept.parquet"), "cannot read 'missing.parquet'"),
    ):
        done = run(*words)
        assert done.returncode != 0
        assert expected in done.stderr
        assert "Traceback" not in done.stderr
    assert Path("kept.parquet").read_bytes() == b"as it was"


@pytest.mark.parametrize("protected", [(), ("--protected", "sort")])
def test_columns_that_csv_cannot_hold_are_named(folder, protected):
    table = parquet.read_table("A.parquet").slice(0, 2)
    words = ("repair", "nested.parquet", *protected) if protected else transport("nested.parquet")
    nested = table.append_column("tags", pa.array([[1], [2, 3]]))
    nested = nested.append_column("both", pa.array([{"a": 1}, {"a": 2}]))
    raw = table.append_column("raw", pa.array([b"\xff", b"a"], pa.large_binary()))
    for given, named in (
        (nested, r"column 'tags' of type list<\S+ \w+>, column 'both' of type struct<a: int64>"),
        (raw, "column 'raw' of type large_binary"),
    ):
        parquet.write_table(given, "nested.parquet")
        done = run(*words)
        assert done.returncode == 1
        assert re.search(rf"nested.parquet: {named} cannot be written as CSV \(", done.stderr)
        assert "Drop columns that are neither numbers nor text" in done.stderr
        assert "structs that are not read are kept if -o is a Parquet or Arrow file" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["A.parquet", "A.arrow"])
def test_damaged_files_are_named(folder, name):
    feather.write_feather(parquet.read_table("A.parquet"), "A.arrow", compression="uncompressed")
    bytes_ = Path(name).read_bytes()
    Path(name).write_bytes(bytes_[: len(bytes_) // 2])
    done = run("transport", "model.safetensors", name, "--from", "A", "--to", "B")
    assert done.returncode == 1
    assert f"python -m lbw: cannot read '{name}', it is truncated or damaged" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_error_of_the_program_leads_here(folder):
    done = run(*transport("A.parquet"), program=(BIN / "lbw",))
    assert done.returncode == 1
    assert "run the same command with 'python -m lbw' instead of 'lbw'" in done.stderr


def test_other_programs_read_compressed_output(folder):
    expected = lbw(*transport("A.csv", "-q")).stdout
    lbw(*transport("A.csv", "-o", "out.csv.gz"))
    assert gzip.decompress(Path("out.csv.gz").read_bytes()).decode() == expected
    lbw(*transport("A.csv", "-o", "out.csv.zst"))
    with pa.CompressedInputStream(pa.OSFile("out.csv.zst"), "zstd") as stream:
        assert stream.read().decode() == expected


def test_compressed_files_of_others_are_read(folder):
    expected = lbw(*transport("A.csv", "-q")).stdout
    Path("A.gz").write_bytes(gzip.compress(Path("A.csv").read_bytes()))
    with pa.CompressedOutputStream(pa.OSFile("A.zst", "wb"), "zstd") as stream:
        stream.write(Path("A.csv").read_bytes())
    for name in ("A.gz", "A.zst"):
        assert lbw(*transport(name, "-q")).stdout == expected


def test_the_page_of_the_program_runs_as_printed(tmp_path):
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sh|bash)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 6
    environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = run("-euc", "".join(blocks), program=("sh",), cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    (table,) = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    number = re.compile(r"[0-9]\.[0-9]{3}")
    lines = {number.sub("0.000", line): line for line in done.stdout.splitlines()}
    for line in table.splitlines():
        shown = [float(value) for value in number.findall(lines[number.sub("0.000", line)])]
        assert shown == pytest.approx([float(v) for v in number.findall(line)], abs=0.01)
    moved = parquet.read_table(tmp_path / "moved.parquet")
    assert moved.column_names == ["x", "y", "note"]
    assert moved.num_rows == 400
    with gzip.open(tmp_path / "moved.csv.gz", "rt") as piped:
        assert len(piped.readlines()) == 401
