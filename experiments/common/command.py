# SPDX-License-Identifier: MIT
"""How the command of a study ends."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from .data import MissingDataError


def run_study(name: str, work: Callable[[], None], results: Path) -> int:
    """Do the work, say where the results are, and give the exit status."""
    try:
        work()
    except MissingDataError as error:
        print(f"experiments/{name}/run: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped; the same command goes on from here", file=sys.stderr)
        return 130
    print(f"results in {results}", file=sys.stderr)
    return 0
