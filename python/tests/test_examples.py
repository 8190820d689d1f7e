# SPDX-License-Identifier: MIT
"""The scripts of examples/ run as a reader would run them, and show what they claim."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
PNG = b"\x89PNG\r\n\x1a\n"


def run(name, folder, *arguments):
    command = [sys.executable, "-W", "error::UserWarning", EXAMPLES / f"{name}.py", *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    result = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def picture(path):
    data = path.read_bytes()
    assert data.startswith(PNG)
    assert len(data) > 10_000  # an empty figure of this size takes far less
    return data


def numbers(pattern, text):
    found = re.search(pattern, text)
    assert found, f"{pattern} is not in\n{text}"
    return [float(group) for group in found.groups()]


def test_every_example_is_tested():
    tested = {"morph", "domain_adaptation", "fair_classifier", "fair_scores", "choosing_k"}
    assert {script.stem for script in SCRIPTS} == tested


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_is_under_60_lines(script):
    assert len(script.read_text().splitlines()) < 60


def test_morph_carries_unseen_points_into_the_other_shapes(tmp_path):
    output = run("morph", tmp_path)
    picture(tmp_path / "morph.png")
    for shape, least in (("heart", 0.97), ("star", 0.95)):
        before, after = numbers(rf"inside the {shape}: ([\d.]+) -> ([\d.]+)", output)
        assert before < 0.85
        assert after > least


def test_domain_adaptation_beats_no_adaptation_and_one_linear_map(tmp_path):
    output = run("domain_adaptation", tmp_path)
    picture(tmp_path / "domain_adaptation.png")
    (before,) = numbers(r"without adaptation +accuracy ([\d.]+)", output)
    accuracy, milliseconds = numbers(r"lbw LocalTransport +accuracy ([\d.]+) +([\d.]+) ms", output)
    linear, _ = numbers(r"POT LinearTransport +accuracy ([\d.]+) +([\d.]+) ms", output)
    exact, exact_milliseconds = numbers(r"POT EMDTransport +accuracy ([\d.]+) +([\d.]+) ms", output)
    assert before < 0.75
    assert accuracy > 0.98
    assert accuracy > max(linear, exact)
    assert milliseconds < exact_milliseconds


def test_fair_classifier_lowers_gamma_and_keeps_the_auc(tmp_path):
    output = run("fair_classifier", tmp_path)
    picture(tmp_path / "fair_classifier.png")
    raw_auc, raw_gamma = numbers(r"unrepaired: AUC ([\d.]+), gamma ([\d.]+)", output)
    auc, gamma = numbers(r"\nrepaired: +AUC ([\d.]+), gamma ([\d.]+)", output)
    assert raw_gamma > 0.2
    assert gamma < 0.08  # fair scores of 1500 rows pass 0.07 one time in twenty
    assert auc > raw_auc - 0.01
    assert "'grouprepair__amount': 1.0" in output


def test_fair_scores_trades_little_auc_for_parity(tmp_path):
    output = run("fair_scores", tmp_path)
    picture(tmp_path / "fair_scores.png")
    rows = [
        numbers(rf"\n +{amount}  ([\d.]+)  ([\d.]+)", output) for amount in ("0.00", "0.50", "1.00")
    ]
    (auc, gamma), (_, halfway), (repaired_auc, repaired) = rows
    (by_chance,) = numbers(r"sampling noise alone gives gamma up to ([\d.]+)", output)
    assert gamma > 0.25
    assert gamma > halfway > repaired
    assert repaired < by_chance
    assert repaired_auc > auc - 0.03


def test_choosing_k_finds_the_true_number(tmp_path):
    output = run("choosing_k", tmp_path)
    picture(tmp_path / "choosing_k.png")
    assert "selected by BIC: 5 (true number: 5)" in output


def test_the_picture_goes_where_the_argument_says(tmp_path):
    run("choosing_k", tmp_path, "elsewhere.png")
    picture(tmp_path / "elsewhere.png")
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere.png"]
