# SPDX-License-Identifier: MIT
"""How far a study is."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def progress(items: Iterable[Item], label: str) -> Iterator[Item]:
    """Go through items under a bar on standard error, drawn rarely where that is no terminal."""
    total = len(items) if isinstance(items, Sized) else None
    often = {"mininterval": 0.5} if sys.stderr.isatty() else {"mininterval": 30.0, "ncols": 78}
    return iter(tqdm(items, label, total, file=sys.stderr, **often))
