# SPDX-License-Identifier: MIT
"""Arguments of the program that are Parquet or Arrow files. Imports nothing that takes time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

__all__ = ["file_of", "magic_of", "needs_pyarrow", "output_place"]

_MAGIC = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"FEA1")
_OUTPUTS = {".parquet", ".feather", ".arrow"}
_OUTPUT_OPTIONS = ("-o", "--output")


def magic_of(path: str) -> bytes | None:
    """Return the first bytes of a Parquet or Arrow file, and None for other files."""
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        return None  # the program says why
    with open(path, "rb") as file:
        begin = file.read(6)
    return next((magic for magic in _MAGIC if begin.startswith(magic)), None)


def file_of(argument: str) -> str:
    """Return the path in an argument, which may be `name=path` or `--option=path`."""
    name, equals, path = argument.partition("=")
    return path if equals and "/" not in name and not os.path.isfile(argument) else argument


def _is_output(argument: str) -> bool:
    return Path(argument).suffix.lower() in _OUTPUTS


def output_place(arguments: Sequence[str]) -> int | None:
    """Return the place of the argument with a Parquet or Arrow file that is to be written."""
    for place, argument in enumerate(arguments):
        follows = place > 0 and arguments[place - 1] in _OUTPUT_OPTIONS
        if (follows or argument.startswith("--output=")) and _is_output(argument):
            return place
    return None


def needs_pyarrow(arguments: Sequence[str]) -> bool:
    """Return whether an argument is a Parquet or Arrow file that is read or written."""
    return output_place(arguments) is not None or any(magic_of(file_of(a)) for a in arguments)
