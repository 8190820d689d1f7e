# SPDX-License-Identifier: MIT
"""`python -m lbw` runs the program `lbw` that is installed with the package."""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path

__all__ = ["program"]


def program() -> Path:
    """Return the path of the program."""
    for path in metadata.files("lbw") or []:
        if path.name == "lbw" and path.parent.name == "bin":
            return Path(str(path.locate())).resolve()
    raise SystemExit(
        "python -m lbw: this installation of lbw has no program. Install a wheel of lbw, or use "
        "the program that CMake builds."
    )


if __name__ == "__main__":
    path = program()
    os.execv(path, [str(path), *sys.argv[1:]])
