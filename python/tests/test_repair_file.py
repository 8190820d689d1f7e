# SPDX-License-Identifier: MIT
"""Files of GroupRepair: the program `lbw` repairs alike."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from repair_samples import census

from lbw import GroupRepair

PROGRAM = Path(sys.executable).parent / "lbw"


def transported(folder: Path, table: pd.DataFrame, *options: str) -> pd.DataFrame:
    """Transport a table to the barycenter with the program."""
    table.to_csv(folder / "table.csv", index=False)
    files = [folder / "repair.safetensors", folder / "table.csv", "-o", folder / "repaired.csv"]
    arguments = [PROGRAM, "transport", *files, "--group-column", "sex", "--to", "barycenter"]
    done = subprocess.run(
        [*map(str, arguments), "--key", "number", *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return pd.read_csv(folder / "repaired.csv")


@pytest.fixture
def table() -> pd.DataFrame:
    frame, _ = census(800)
    return frame.assign(number=np.arange(800))


def test_the_program_finds_columns_by_name(tmp_path, table):
    repair = GroupRepair(sensitive_columns="sex", key_column="number").fit(table)
    repair.save(tmp_path / "repair.safetensors")
    expected = repair.transform(table)
    repaired = transported(tmp_path, table[["number", "years", "sex", "hours"]])
    np.testing.assert_allclose(repaired[["hours", "years"]], expected, rtol=1e-12)
    loaded = GroupRepair.load(tmp_path / "repair.safetensors")
    np.testing.assert_array_equal(loaded.transform(table), expected)
    assert loaded.transport_.feature_names_in_.tolist() == ["hours", "years"]


def test_save_names_the_options_that_the_program_needs(tmp_path, table):
    params = {"sensitive_columns": "sex", "key_column": "number", "refine": 0}
    repair = GroupRepair(amount=0.5, weights={"f": 1, "m": 3}, **params).fit(table)
    with pytest.warns(UserWarning, match="pass --amount 0.5.$"):
        repair.save(tmp_path / "repair.safetensors")
    repaired = transported(tmp_path, table, "--amount", "0.5")  # the weights are in the file
    np.testing.assert_allclose(repaired[["hours", "years"]], repair.transform(table), rtol=1e-12)
    repair.set_params(amount={"f": 0.25}, weights=None)
    with pytest.warns(UserWarning, match=r"\(--from 'f' --amount 0.25, --from 'm' --amount 1\)"):
        repair.save(tmp_path / "repair.safetensors")


def test_save_is_silent_if_the_program_repairs_alike(tmp_path, table):
    params = {"sensitive_columns": "sex", "key_column": "number", "weights": [1, 3]}
    repair = GroupRepair(**params).fit(table)  # the model is refined for the weights
    repair.save(tmp_path / "repair.safetensors")
    repaired = transported(tmp_path, table)
    np.testing.assert_allclose(repaired[["hours", "years"]], repair.transform(table), rtol=1e-12)
