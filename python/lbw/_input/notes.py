# SPDX-License-Identifier: MIT
"""Notes of model files: JSON that Python stores beside what the core knows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .. import _core

__all__ = ["note_errors", "noted_entry"]

_BAD_NOTES = (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError)


@contextmanager
def note_errors(path: str | os.PathLike[str], entry: str) -> Iterator[None]:
    """Raise the error of bad model files if an entry of the notes cannot be used."""
    try:
        yield
    except (*_BAD_NOTES, RecursionError) as error:
        raise _core.IoError(
            f"cannot read '{os.fspath(path)}': the entry '{entry}' of its notes is damaged or was "
            f"written by a newer version of lbw ({type(error).__name__}: {error}). Save the fit "
            "again, or update lbw."
        ) from None


def noted_entry(
    notes: Mapping[str, str], path: str | os.PathLike[str], entry: str, known: Iterable[str]
) -> dict[str, Any]:
    """Return an entry of the notes, which holds an object; empty if there is none."""
    with note_errors(path, entry):
        found = json.loads(notes.get(entry, "{}"))
        if not isinstance(found, dict):
            raise TypeError(f"it holds {type(found).__name__}, expected a JSON object")
    strange = sorted(set(found) - set(known))
    if strange:
        raise _core.IoError(
            f"cannot read '{os.fspath(path)}': the entry '{entry}' of its notes has {strange}, "
            f"which lbw {_core.version} does not know. The file was written by a newer version of "
            "lbw. Update lbw."
        )
    return found
