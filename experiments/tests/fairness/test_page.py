# SPDX-License-Identifier: MIT
import re

import pytest

from fairness.report import MARKS, PAGE, with_figures

FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_runs_as_printed(capsys):
    namespace = {"__name__": "page"}
    shown = FENCE.findall(PAGE.read_text(encoding="utf-8"))
    assert len(shown) == 4
    for code in shown:
        exec(compile(code, str(PAGE), "exec"), namespace)
    gammas = [float(value) for value in re.findall(r": ([0-9.]+) \[", capsys.readouterr().out)]
    assert len(gammas) == 3
    assert max(gammas[1:]) < 0.3 * gammas[0]


def test_figures_stand_between_their_marks():
    page = f"before\n{MARKS[0]}\nold\n{MARKS[1]}\nafter"
    assert with_figures(page, "new") == f"before\n{MARKS[0]}\nnew\n{MARKS[1]}\nafter"
    assert with_figures(with_figures(page, "new"), "newer").count("new") == 1


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match=r"fairness\.md has not the lines"):
        with_figures("nothing", "new")
