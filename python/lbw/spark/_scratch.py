# SPDX-License-Identifier: MIT
"""Scratch folders of a fit on the local disks of an executor. Runs on executors.

They lie in the folders that Spark gives an executor for its own blocks, so Spark removes them if
the executor ends before the fit does.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

__all__ = ["commit", "drop_copies", "is_complete", "is_own", "local_folders", "new_folder", "sweep"]


def local_folders() -> list[Path]:
    """Return the folders for local files of this executor."""
    given = [name for name in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if name]
    return [Path(name) for name in given] or [Path(tempfile.gettempdir())]


def new_folder(fit: str, partition: int) -> Path:
    """Make an empty folder that a partition is written to before `commit`."""
    folders = local_folders()
    whole = folders[partition % len(folders)] / f"lbw-{fit}"
    own = whole / f"{partition}-{uuid.uuid4().hex}.part"
    own.mkdir(parents=True)
    return own


def is_complete(folder: Path, sizes: Mapping[str, int]) -> bool:
    """Return whether a folder has all its files in their full size."""
    try:
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except OSError:
        return False


def commit(folder: Path, partition: int) -> Path:
    """Give a folder that is complete its final name.

    If another attempt of the task was faster, its folder is kept, as both hold the same rows. If
    that folder has lost a file since, it is replaced.
    """
    final = folder.parent / str(partition)
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    if _renamed(folder, final):
        return final
    if not is_complete(final, sizes):
        damaged = folder.with_name(f"{folder.name}-damaged")
        with contextlib.suppress(OSError):  # another attempt has done it
            os.rename(final, damaged)
        shutil.rmtree(damaged, ignore_errors=True)
        if _renamed(folder, final):
            return final
    shutil.rmtree(folder, ignore_errors=True)
    return final


def _renamed(folder: Path, name: Path) -> bool:
    """Rename a folder unless another one has the name; return whether this was done."""
    try:
        os.rename(folder, name)
    except OSError:
        if not name.is_dir():
            raise
        return False
    return True


def is_own(folder: str) -> bool:
    """Return whether a folder belongs to this executor."""
    return Path(folder).parent.parent in local_folders()


def sweep(fit: str, others: Iterable[str] = ()) -> list[str]:
    """Remove all that a fit has written on this executor; return the executor's folders.

    `others` are folders of other executors. If they are on this machine, what the fit has written
    there is removed as well: those executors may have been killed.
    """
    for folder in (*local_folders(), *map(Path, others)):
        shutil.rmtree(folder / f"lbw-{fit}", ignore_errors=True)
    return [str(folder) for folder in local_folders()]


def drop_copies(fit: str, kept: Container[str]) -> list[str]:
    """Remove complete partitions of this executor that are not kept; return its folders."""
    for folder in local_folders():
        for own in (folder / f"lbw-{fit}").glob("[0-9]*"):
            if own.name.isdigit() and str(own) not in kept:
                shutil.rmtree(own, ignore_errors=True)
    return [str(folder) for folder in local_folders()]
