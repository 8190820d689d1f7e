# SPDX-License-Identifier: MIT
"""Atomic writes: a file is either written completely or not changed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary file beside `path`, which replaces `path` when the block ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    yield part
    os.replace(part, path)


def write_text(path: Path, text: str) -> None:
    """Write a text file."""
    with replacing(path) as part:
        part.write_text(text)


def write_json(path: Path, content: Any, indent: int = 2) -> None:
    """Write a JSON file."""
    write_text(path, json.dumps(content, indent=indent) + "\n")
