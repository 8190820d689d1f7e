# SPDX-License-Identifier: MIT
"""What the pages of docs/ show runs as printed: every Python block, in order, in one namespace."""

import re
from pathlib import Path

import matplotlib
import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page=PAGE):
    """Give the code of each block with the line of the page it starts at."""
    text = page.read_text(encoding="utf-8")
    return [(text[: match.start(1)].count("\n"), match.group(1)) for match in FENCE.finditer(text)]


def test_the_readme_runs_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    readme = PAGE.parents[1] / "README.md"
    shown = FENCE.findall(readme.read_text(encoding="utf-8"))
    assert len(shown) == 1
    namespace = {"__name__": "readme"}
    exec(compile(shown[0], str(readme), "exec"), namespace)
    carried = namespace["transport"].transform([[1, 0], [0, 1], [-1, 0]], "ring", to="oval")
    radius = np.hypot((carried[:, 0] - 9) / 3, carried[:, 1])  # 1 on the oval
    assert abs(radius - 1).max() < 0.4


def test_every_fence_that_says_python_is_found():
    assert len(blocks()) == PAGE.read_text(encoding="utf-8").count("```python")
    assert len(blocks()) > 10


def run(page):
    """Run all blocks of a page and give the names that they define."""
    matplotlib.use("Agg")
    from matplotlib import pyplot

    namespace = {"__name__": "page"}
    try:
        for line, code in blocks(page):
            # empty lines in front, so that a traceback names the line of the page
            exec(compile("\n" * line + code, str(page), "exec"), namespace)
    finally:
        pyplot.close("all")
    return namespace


def test_the_page_runs_as_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = run(PAGE)
    written = {"model.safetensors", "mixture.png", "people.parquet", "moved.parquet"}
    assert {path.name for path in tmp_path.iterdir()} == written
    assert names["chosen"].n_components_.tolist() == [1, 2]
    assert names["together"].n_components_.tolist() == [2, 2]


def test_the_page_on_fairness_runs_as_printed():
    names = run(PAGE.with_name("fairness.md"))
    assert 0.0 <= names["one_score"] <= 1.0


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#:]+)\)", PAGE.read_text(encoding="utf-8")))
def test_links_lead_somewhere(link):
    assert (PAGE.parent / link).exists()
