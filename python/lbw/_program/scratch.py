# SPDX-License-Identifier: MIT
"""A temporary folder that the next run removes if this one is killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["scratch_folder"]

_PREFIX = "lbw-program-"


@contextmanager
def scratch_folder() -> Iterator[str]:
    """Yield a new temporary folder, and remove it and those of killed processes.

    The process holds a lock on its folder, which ends with the process.
    """
    _remove_left_folders()
    folder, descriptor = _locked_folder()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def _locked_folder() -> tuple[str, int]:
    while True:
        folder = tempfile.mkdtemp(prefix=_PREFIX)
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # another process has taken it for one that was left
            continue
        with suppress(OSError):  # without locks, the folder is not removed by others either
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.path.isdir(folder):
            return folder, descriptor
        os.close(descriptor)


def _remove_left_folders() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):  # of another user, or in use
            descriptor = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)
