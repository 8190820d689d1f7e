# SPDX-License-Identifier: MIT
"""The generated part of ``docs/performance.md``."""

from __future__ import annotations

from pathlib import Path

from .results import Results
from .table import about_table, comparison_table, verdict_count

BEGIN = "<!-- made by `make bench`: begin -->"
END = "<!-- made by `make bench`: end -->"


def replaced(text: str, generated: str) -> str:
    """Return `text` with what stands between the markers replaced.

    Raises
    ------
    ValueError
        When a marker is missing.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the markers '{BEGIN}' and '{END}' are not both there")
    return f"{before}{BEGIN}\n\n{generated.strip()}\n\n{END}{after}"


def generated_part(results: Results, pictures: list[tuple[str, str]]) -> str:
    """Return tables and pictures; a picture is its description and its path from ``docs/``."""
    parts = [
        "Times are the median of the repetitions, the shortest in brackets; the ratio is of"
        " medians, above 1 where lbw is faster.",
        comparison_table(results),
        verdict_count(results),
        about_table(results),
        *(f"![{words}]({path})" for words, path in pictures),
    ]
    return "\n\n".join(parts)


def update(path: Path, results: Results, pictures: list[tuple[str, str]]) -> None:
    """Write tables and pictures into the document."""
    path.write_text(replaced(path.read_text(), generated_part(results, pictures)))
