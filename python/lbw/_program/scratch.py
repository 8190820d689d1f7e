# SPDX-License-Identifier: MIT
"""A temporary folder that is removed when this process ends, also if it is killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["Scratch", "scratch_folder"]

_PREFIX = "lbw-program-"

# Waits until its input is closed, which also happens if this process is killed.
_WATCHER = """
trap '' INT TERM HUP
child=
while read -r line; do child=$line; done
[ -z "$child" ] || kill -KILL "$child"
rm -rf -- "$1"
"""


class Scratch:
    """A temporary folder that a second process removes when this one ends.

    Parameters
    ----------
    folder : str
        The path of the folder.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._watcher: subprocess.Popen[str] | None = None
        with suppress(OSError):  # without a shell, the next run removes what is left
            self._watcher = subprocess.Popen(
                ["sh", "-c", _WATCHER, "sh", folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                text=True,
            )

    def kill_at_end(self, child: int | None) -> None:
        """Kill this child process if this process ends before it. None stands for no child."""
        if self._watcher is not None and self._watcher.stdin is not None:
            with suppress(OSError):
                self._watcher.stdin.write(f"{child or ''}\n")
                self._watcher.stdin.flush()

    def remove(self) -> None:
        """Remove the folder."""
        if self._watcher is not None:
            self._watcher.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def scratch_folder() -> Iterator[Scratch]:
    """Yield a new temporary folder, and remove it at the end.

    If this process is killed, a second one removes the folder. If both are killed, the next run
    does: the process holds a lock on its folder, which ends with the process.
    """
    _remove_left_folders()
    folder, descriptor = _locked_folder()
    scratch = Scratch(folder)
    try:
        yield scratch
    finally:
        scratch.remove()
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
