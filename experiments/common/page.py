# SPDX-License-Identifier: MIT
"""The page of a study: a text whose @names@ are filled in, and its tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path


def write_page(template: Path, parts: Mapping[str, str], results: Path) -> None:
    """Write README.md into the folder of results, whole or not at all."""
    text = template.read_text()
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    path = results / "README.md"
    aside = path.with_suffix(".md.part")
    aside.write_text(text)
    os.replace(aside, path)


def markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
