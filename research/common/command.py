# SPDX-License-Identifier: MIT
"""The command line that all studies share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from .places import MissingDataError


def study_main(
    name: str,
    description: str | None,
    steps: Mapping[str, Callable[[Any], None]],
    draw: Callable[[Any], None],
    studies: tuple[Any, Any],
    numbers: Mapping[str, str] | None = None,
) -> int:
    """Run the steps of a study that the command line selects, then draw from its tables.

    Parameters
    ----------
    name : str
        The name of the study.
    description : str
        The first line of its help.
    steps : mapping of str to callable
        The steps by name. Each step measures the rows that are missing from its tables.
    draw : callable
        A function that draws the figures and writes the page.
    studies : tuple
        The full study and the quick one, dataclasses with a folder ``results``. Every step and
        `draw` take one of them.
    numbers : mapping of str to str, optional
        Further options and their help. The option ``--splits`` sets the field ``n_splits``.

    Returns
    -------
    status : int
        The exit status.
    """
    parser = argparse.ArgumentParser(prog=f"research/run {name}", description=description)
    parser.add_argument("--quick", action="store_true", help="run a short version in build/")
    names = ", ".join(steps)
    parser.add_argument("--only", nargs="*", choices=steps, metavar="STEP", help=names)
    parser.add_argument("--draw", action="store_true", help="draw without measuring")
    fields = {f"n_{option}": text for option, text in (numbers or {}).items()}
    for field, text in fields.items():
        parser.add_argument(f"--{field[2:]}", dest=field, type=int, metavar="N", help=text)
    options = parser.parse_args()
    given = {field: n for field in fields if (n := getattr(options, field)) is not None}
    study = replace(studies[options.quick], **given)
    try:
        for step in () if options.draw else options.only or steps:
            steps[step](study)
        draw(study)
    except MissingDataError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "\nStopped. The same command continues from here.\n")
    print(f"The results are in {study.results}.", file=sys.stderr)
    return 0
