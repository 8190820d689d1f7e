# SPDX-License-Identifier: MIT
"""The folders of data and results."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESEARCH = ROOT / "research"
SCRATCH = ROOT / "build" / "research"
DEFAULT_DATA = ROOT.parent / "shared" / "data"


class MissingDataError(FileNotFoundError):
    """A data file is missing."""


def results_folder(name: str) -> Path:
    """Return the folder of the results of the benchmark or a study."""
    return RESEARCH / "results" / name


def data_folder() -> Path:
    """Return the folder of data sets: ``LBW_DATA``, or ``../shared/data`` beside the repository."""
    return Path(os.environ.get("LBW_DATA") or DEFAULT_DATA)


def data_file(*parts: str) -> Path:
    """Return the path of a data file, such as ``data_file("shapes", "cat.png")``.

    Raises
    ------
    MissingDataError
        If the file does not exist. The message says where to get it.
    """
    path = data_folder().joinpath(*parts)
    if not path.is_file():
        raise MissingDataError(
            f"{path} does not exist. Set LBW_DATA to the folder that contains {'/'.join(parts)} "
            "(research/README.md lists the source of each file)."
        )
    return path
