# SPDX-License-Identifier: MIT
"""`python -m lbw` with files that are damaged or cannot be read."""

import os
import subprocess
import sys

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")
import pyarrow.ipc as ipc  # noqa: E402
import pyarrow.parquet as parquet  # noqa: E402

from lbw._program.columns import group_columns  # noqa: E402
from lbw._program.convert import _Input, _state_of  # noqa: E402


def run(*words):
    command = [sys.executable, "-m", "lbw", *words]
    return subprocess.run(command, capture_output=True, text=True)


def table_of(n_rows=3000):
    rng = np.random.default_rng(0)
    return pa.table({"x": rng.normal(size=n_rows), "g": rng.choice(["a", "b"], n_rows)})


def write_damaged(path):
    """Write a Parquet file whose first row group can be read and whose second one cannot."""
    parquet.write_table(table_of(), path, row_group_size=1000, compression="none")
    column = parquet.ParquetFile(path).metadata.row_group(1).column(0)
    content = bytearray(path.read_bytes())
    first = column.dictionary_page_offset or column.data_page_offset
    content[first : first + 64] = b"\xff" * 64
    path.write_bytes(content)


def write_cut_stream(path):
    """Write a stream of record batches, of which the last one is cut off."""
    table = table_of()
    with ipc.new_stream(path, table.schema) as stream:
        for batch in table.to_batches(max_chunksize=1000):
            stream.write_batch(batch)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) * 5 // 6])


@pytest.mark.parametrize("write", [write_damaged, write_cut_stream])
def test_files_that_are_damaged_after_their_first_rows_are_named(tmp_path, write):
    path = tmp_path / "in.parquet"
    write(path)
    done = run("repair", str(path), "--protected", "g", "-o", str(tmp_path / "out.csv"))
    assert done.returncode == 1
    assert f"python -m lbw: cannot read '{path}', it is truncated or damaged (" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.csv").exists()


def test_a_file_that_is_damaged_during_the_run_is_named(tmp_path):
    path = tmp_path / "in.parquet"
    write_damaged(path)
    given = _Input(str(path), b"PAR1", tmp_path / "in.csv", None, _state_of(path))
    with pytest.raises(SystemExit, match=r"cannot read '.*in.parquet', it is truncated or damaged"):
        given.table()


def test_the_program_reports_a_model_that_cannot_be_read(tmp_path, monkeypatch):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"model")
    path.chmod(0)

    def refused(name, *_, **__):
        raise PermissionError(name)

    monkeypatch.setattr(os, "access", lambda name, mode: False)  # root can read every file
    monkeypatch.setattr("builtins.open", refused)
    assert set(group_columns(["transport", str(path), "--protected", "g"])) == {"g"}
