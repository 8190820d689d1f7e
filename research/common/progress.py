# SPDX-License-Identifier: MIT
"""Show the progress of a study."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from tqdm import tqdm

Item = TypeVar("Item")


def progress(items: Iterable[Item], label: str) -> Iterator[Item]:
    """Yield items and show a progress bar on standard error, less often if it is no terminal."""
    total = len(items) if isinstance(items, Sized) else None
    often = {"mininterval": 0.5} if sys.stderr.isatty() else {"mininterval": 30.0, "ncols": 78}
    return iter(tqdm(items, label, total, file=sys.stderr, **often))
