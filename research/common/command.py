# SPDX-License-Identifier: MIT
"""The command line that all studies share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from .places import MissingDataError


def study_parser(
    name: str, description: str | None, steps: Iterable[str]
) -> argparse.ArgumentParser:
    """Return the options of a study: ``--quick``, ``--only`` and ``--draw``."""
    parser = argparse.ArgumentParser(prog=f"research/run {name}", description=description)
    parser.add_argument("--quick", action="store_true", help="run a short version into build/")
    names = ", ".join(steps)
    parser.add_argument("--only", nargs="*", choices=steps, metavar="STEP", help=names)
    parser.add_argument("--draw", action="store_true", help="draw from the existing tables")
    return parser


def run_study(name: str, work: Callable[[], None], results: Path) -> int:
    """Do the work, print where the results are, and return the exit status."""
    try:
        work()
    except MissingDataError as error:
        print(f"research/run {name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command continues from here.", file=sys.stderr)
        return 130
    print(f"The results are in {results}.", file=sys.stderr)
    return 0
