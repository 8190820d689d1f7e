# SPDX-License-Identifier: MIT
"""The scripts of examples/ run as a reader would run them, and show what they claim."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
PREFIX = EXAMPLES.parent / "build" / "prefix"  # `make wheel` installs the C++ library there
PNG = b"\x89PNG\r\n\x1a\n"


def run(name, folder, *arguments):
    command = [sys.executable, "-W", "error::UserWarning", EXAMPLES / f"{name}.py", *arguments]
    folders = [str(PREFIX / "lib" / "pkgconfig"), os.environ.get("PKG_CONFIG_PATH", "")]
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "2",
        "PKG_CONFIG_PATH": os.pathsep.join(filter(None, folders)),
    }
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
    tests = "\n".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    run_by_tests = set(re.findall(r'run\("(\w+)", tmp_path', tests))
    assert {script.stem for script in SCRIPTS} <= run_by_tests


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_is_under_60_lines(script):
    assert len(script.read_text().splitlines()) < 60


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_draws_a_picture_which_is_its_thumbnail_in_the_gallery(script):
    assert "savefig(" in script.read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_the_docstring_has_a_title_for_the_gallery(script):
    _, title, line, empty, *_ = ast.get_docstring(ast.parse(script.read_text()), False).split("\n")
    assert (line, empty) == ("=" * len(title), "")


def test_batch_effects_keeps_the_kinds_that_a_plan_mixes(tmp_path):
    output = run("batch_effects", tmp_path)
    picture(tmp_path / "batch_effects.png")
    accuracy = {
        name: numbers(rf"{name} +accuracy in A, B, C: ([\d.]+), ([\d.]+), ([\d.]+)", output)
        for name in ("measured", "matching", "plan")
    }
    assert min(accuracy["measured"]) < 0.7
    assert min(accuracy["matching"]) > 0.99
    assert min(accuracy["plan"]) < 0.9


def test_colour_transfer_gives_the_picture_the_colours_of_the_other(tmp_path):
    output = run("colour_transfer", tmp_path)
    picture(tmp_path / "colour_transfer.png")
    (before,) = numbers(r"day +distance .*: ([\d.]+)", output)
    (after,) = numbers(r"day, transferred +distance .*: ([\d.]+)", output)
    assert after < before / 10


def test_covariance_types_prefers_full_covariances_for_many_samples_only(tmp_path):
    output = run("covariance_types", tmp_path)
    picture(tmp_path / "covariance_types.png")
    few, many = zip(
        *(
            numbers(rf"\n{kind} +(-[\d.]+) +(-[\d.]+)", output)
            for kind in ("full", "tied", "diag", "spherical")
        ),
        strict=True,
    )
    assert max(many) == many[0]
    assert min(few) == few[0]


def test_from_cpp_starts_at_the_spiral_and_ends_at_the_cross(tmp_path):
    if shutil.which("pkg-config") is None or not (PREFIX / "lib" / "pkgconfig").is_dir():
        pytest.skip(f"the C++ library is not installed in {PREFIX}; make wheel installs it")
    output = run("from_cpp", tmp_path)
    picture(tmp_path / "from_cpp.png")
    x, y = numbers(r"first point in each picture: \[\[([\d.-]+), ([\d.-]+)\]", output)
    assert (x, y) == (0.2, 0.0)  # the first point of the spiral itself
    x, y = numbers(r"\[([\d.-]+), ([\d.-]+)\]\]", output)
    assert min(abs(x), abs(y)) < 0.12  # in one of the bars of the cross


def test_kinds_of_maps_finds_the_soft_map_farthest_from_the_target(tmp_path):
    output = run("kinds_of_maps", tmp_path)
    picture(tmp_path / "kinds_of_maps.png")
    results = {
        kind: numbers(rf"{kind} +distance to the arch ([\d.]+) \(noise: ([\d.]+)\)", output)
        for kind in ("hard", "soft", "random")
    }
    assert results["random"][0] < results["random"][1]
    assert results["soft"][0] > results["soft"][1]


def test_reading_a_report_warns_of_one_component_and_not_of_eight(tmp_path):
    output = run("reading_a_report", tmp_path)
    picture(tmp_path / "reading_a_report.png")
    one, eight = re.split(r"n_components=\d", output)[1:3]
    assert "To reduce the difference" in one
    assert "No problems found." not in one
    assert "No problems found." in eight


def test_streaming_moves_all_rows_in_little_memory(tmp_path):
    output = run("streaming", tmp_path)
    picture(tmp_path / "streaming.png")
    assert list(tmp_path.iterdir()) == [tmp_path / "streaming.png"]
    n_rows, mebibytes = numbers(r"(\d+) rows, fit and transport used (\d+) MiB more", output)
    assert n_rows == 1_000_000
    assert mebibytes < 300  # blocks of 32 MiB, the rows for the start, and buffers of Parquet


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


def test_onnx_deployment_gives_the_probabilities_of_the_pipeline(tmp_path):
    output = run("onnx_deployment", tmp_path)
    picture(tmp_path / "onnx_deployment.png")
    assert (tmp_path / "loans.onnx").stat().st_size > 100_000
    (error,) = numbers(r"largest difference ([\de.-]+)", output)
    assert error < 1e-9
    before = numbers(r"unrepaired: loans for ([\d.]+) of the men and ([\d.]+)", output)
    after = numbers(r"\nrepaired: loans for ([\d.]+) of the men and ([\d.]+)", output)
    assert abs(before[0] - before[1]) > 0.2
    assert abs(after[0] - after[1]) < 0.1
    assert "unknown group: [nan nan]" in output
