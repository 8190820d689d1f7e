# SPDX-License-Identifier: MIT
"""The pages of docs/ and the README run as printed: Python and shell blocks, page by page."""

import os
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(python|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IMAGE_OR_LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)]*)?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def names_of(pages):
    return [page.relative_to(ROOT).as_posix() for page in pages]


def blocks(page):
    """Give the language and the code of each block, with the line of the page it starts at."""
    text = page.read_text(encoding="utf-8")
    found = FENCE.finditer(text)
    return [(match[1], match[2], text[: match.start(2)].count("\n")) for match in found]


# tests/spark runs its page, because Spark takes long to start; ctest runs the shell of the README
OTHER_TESTS = {"spark.md": {"python"}, "README.md": {"sh"}}


def languages(page):
    """Give the languages of a page that this file runs."""
    return {language for language, *_ in blocks(page)} - OTHER_TESTS.get(page.name, set())


PROGRAMS = [page for page in PAGES if languages(page)]


@pytest.mark.parametrize("page", PAGES, ids=names_of(PAGES))
def test_every_fence_that_says_python_is_found(page):
    # other spellings, such as ```py or ``` python, would not be run
    text = page.read_text(encoding="utf-8")
    fences = re.findall(r"^\s*(?:```|~~~)\s*\{?(?:py|python)\b", text, re.MULTILINE)
    assert [language for language, *_ in blocks(page)].count("python") == len(fences)


CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_console_blocks_name_targets_presets_and_extras_that_exist():
    console = "\n".join("".join(CONSOLE.findall(page.read_text("utf-8"))) for page in PAGES)
    named = re.findall(r"^make ([a-z-]+)", console, re.MULTILINE)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(named) > 10
    assert set(named) <= set(targets)
    presets = re.findall(r'"name": "(.+?)"', (ROOT / "CMakePresets.json").read_text())
    assert set(re.findall(r"--preset ([a-z-]+)", console)) <= set(presets)
    extras = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert set(re.findall(r"\[([a-z]+)\]['\"]", console)) <= set(extras)


def test_there_are_pages_with_programs():
    assert len(PROGRAMS) > 10


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Give a function that runs all blocks of a page once, with its names and folder."""
    results = {}

    def run(page):
        if page not in results:
            folder = tmp_path_factory.mktemp(page.stem)
            results[page] = ({"__name__": "page"}, folder)
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(folder)
                run_blocks(page, results[page][0])
        return results[page]

    return lambda name: run(ROOT / name)


def run_blocks(page, namespace):
    matplotlib.use("Agg")
    from matplotlib import pyplot

    try:
        for language, code, line in blocks(page):
            if language in languages(page) & {"sh"}:
                run_shell(code)
            elif language in languages(page):
                # empty lines in front, so that a traceback names the line of the page
                exec(compile("\n" * line + code, str(page), "exec"), namespace)
    finally:
        pyplot.close("all")


def run_shell(code):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    result = subprocess.run(
        ["sh", "-eu", "-c", code], env=environment, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", names_of(PROGRAMS))
def test_the_page_runs_as_printed(name, ran):
    ran(name)


def test_the_readme_transports_the_ring_to_the_oval(ran):
    transport = ran("README.md")[0]["transport"]
    moved = transport.transform([[1, 0], [0, 1], [-1, 0]], "ring", to="oval")
    radius = np.hypot((moved[:, 0] - 9) / 3, moved[:, 1])  # 1 on the oval
    assert abs(radius - 1).max() < 0.4


def test_the_pages_write_the_files_that_they_name(ran):
    def written(page):
        return {path.name for path in ran(page)[1].iterdir()}

    saved = {f"{name}.safetensors" for name in ("model", "mixture", "fair", "tables")}
    assert written("docs/python.md") == saved | {"new.csv", "transported.csv"}
    tutorial = {"coupling.png", "instruments.safetensors", "patients.csv", "translated.csv"}
    assert written("docs/tutorial.md") == tutorial
    assert written("docs/plots.md") == {"mixture.png"}
    assert written("docs/batches.md") == {"people.parquet", "moved.parquet"}


def test_the_page_on_components_selects_as_its_comments_say(ran):
    names, _ = ran("docs/components.md")
    assert names["chosen"].n_components_.tolist() == [1, 2]
    assert names["together"].n_components_.tolist() == [2, 2]


def test_the_tutorial_has_the_values_of_its_text(ran):
    names, folder = ran("docs/tutorial.md")
    assert names["transport"].n_components_.tolist() == [2, 2]
    assert names["report"].verdict.endswith("No problems found.")
    assert names["before"] < 0.75
    assert names["after"] > 0.99
    translated = np.loadtxt(folder / "translated.csv", delimiter=",")
    assert translated == pytest.approx(names["translated"], abs=1e-6)


def test_the_page_on_onnx_has_the_values_of_the_package(ran):
    names, folder = ran("docs/onnx.md")
    assert {path.name for path in folder.iterdir()} == {"transport.onnx"}
    expected = names["transport"].transform(names["X"], names["groups"], to="b")
    assert np.abs(names["moved"] - expected).max() < 1e-9
    outputs = [output.name for output in names["scores"].graph.output]
    assert outputs == ["label", "probabilities"]


def test_the_start_page_has_the_values_of_its_comment(ran):
    names, _ = ran("docs/index.md")
    moved = names["transport"].transform([[0, 0], [1, 1]], "old", to="new")
    assert moved == pytest.approx(np.array([[5.1, 1.0], [7.5, 2.2]]), abs=0.1)


def test_the_page_on_fairness_scores_one_row(ran):
    assert 0.0 <= ran("docs/fairness.md")[0]["one_score"] <= 1.0


def test_the_pages_on_mixtures_and_barycenters_have_the_values_of_their_comments(ran):
    names, _ = ran("docs/mixtures.md")
    assert names["lbw"].mixture_distance(names["mixture"], names["shifted"]) == pytest.approx(5)
    names, _ = ran("docs/barycenters.md")
    assert names["moved"].mean(axis=0) == pytest.approx([3, 3], abs=0.1)
    assert names["points"].mean(axis=0) == pytest.approx([3, 3], abs=0.2)
    assert names["covariance"] == pytest.approx(np.diag([4, 2.25]))


def anchors(page):
    """Return the anchors that GitHub gives to the headings of a page."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = [re.sub(r"[`*]|\]\([^)]*\)|\[", "", title) for title in HEADING.findall(text)]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=names_of(PAGES))
def test_links_lead_somewhere(page):
    for link, anchor in IMAGE_OR_LINK.findall(page.read_text(encoding="utf-8")):
        target = page.parent / link
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor[1:] in anchors(target), link + anchor
    for anchor in re.findall(r"\]\(#([^)]+)\)", page.read_text(encoding="utf-8")):
        assert anchor in anchors(page), anchor
