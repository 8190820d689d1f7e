# SPDX-License-Identifier: MIT
import re

from fairness.report import PAGE

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
