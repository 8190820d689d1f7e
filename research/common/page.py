# SPDX-License-Identifier: MIT
"""Pages in Markdown: tables, templates, and generated blocks in handwritten pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from .files import write_text


def markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def write_page(template: Path, parts: Mapping[str, str], results: Path) -> None:
    """Write README.md to the folder of results from a template with @names@ to replace."""
    text = template.read_text()
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    write_text(results / "README.md", text)


def with_block(text: str, marks: tuple[str, str], block: str) -> str:
    """Return `text` with the lines between two marks replaced.

    Raises
    ------
    ValueError
        If a mark is missing or the marks are in the wrong order.
    """
    before, begin, rest = text.partition(marks[0])
    _, end, after = rest.partition(marks[1])
    if not begin or not end:
        raise ValueError(f"expected the marks {marks[0]!r} and {marks[1]!r}, in this order")
    return f"{before}{begin}\n{block}\n{end}{after}"
