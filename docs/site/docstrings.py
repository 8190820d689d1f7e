# SPDX-License-Identifier: MIT
"""Changes to docstrings that other packages wrote, so that they are valid on this site."""

from __future__ import annotations

import re
from typing import Any

# references of scikit-learn and PySpark to pages of theirs, with or without a text of their own
ROLE = re.compile(r":(?:ref|term|doc|class|meth|func|py:\w+):`~?\.?([^`<]*?)(?:\s*<[^>]*>)?`")
SIGNATURE = re.compile(r"^(?:\w+)?\(.*\) -> .*$")  # that nanobind puts in front of a docstring


# The compiled exceptions have the docstrings of their base classes.
EXCEPTIONS = {
    "lbw.InvalidArgument": "An invalid argument, such as a wrong shape or a negative weight.",
    "lbw.IoError": "A file that cannot be read, is malformed, or cannot be written.",
    "lbw.NumericalError": "Valid input for which the computation fails, such as singular data.",
}


def tidy(lines: list[str], what: str) -> None:
    """Remove references to pages of other projects, and signatures of nanobind."""
    if what in ("property", "attribute", "method") and lines and SIGNATURE.match(lines[0]):
        del lines[0]
    for number, line in enumerate(lines):
        line = ROLE.sub(lambda match: match[1], line)
        lines[number] = line.replace("shape=(*", r"shape=(\*").replace(", *", r", \*")


def process(_app: Any, what: str, name: str, _value: Any, _options: Any, lines: list[str]) -> None:
    """Tidy the lines of a docstring in place, as an event of autodoc."""
    if name in EXCEPTIONS:
        lines[:] = [EXCEPTIONS[name]]
    tidy(lines, what)
