# SPDX-License-Identifier: MIT
"""The folder of data sets, which is not part of the repository."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEFAULT_FOLDER = ROOT.parent / "shared" / "data"


class MissingDataError(FileNotFoundError):
    """A data file is not where it is looked for."""


def data_folder() -> Path:
    """Return the folder of data sets: ``LBW_DATA``, or ``../shared/data`` beside the repository."""
    return Path(os.environ.get("LBW_DATA") or DEFAULT_FOLDER)


def data_file(*parts: str) -> Path:
    """Return the path of a data file, such as ``data_file("shapes", "cat.png")``.

    Raises
    ------
    MissingDataError
        With the path looked at and the way to the data.
    """
    path = data_folder().joinpath(*parts)
    if not path.is_file():
        raise MissingDataError(
            f"there is no {path}; set LBW_DATA to the folder that holds {'/'.join(parts)} "
            "(experiments/README.md says where each file comes from)"
        )
    return path
