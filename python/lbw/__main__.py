# SPDX-License-Identifier: MIT
"""`python -m lbw` runs the program `lbw` that is installed with the package.

It also reads and writes Parquet and Arrow files, if pyarrow is installed.
"""

from __future__ import annotations

import os
import sys
from importlib import metadata
from pathlib import Path

from ._program.arguments import needs_pyarrow

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
    if needs_pyarrow(sys.argv[1:]):
        from ._program.convert import run

        try:
            raise SystemExit(run(path, sys.argv[1:]))
        except ImportError as error:
            raise SystemExit(f"python -m lbw: {error}") from None
    os.execv(path, [str(path), *sys.argv[1:]])
