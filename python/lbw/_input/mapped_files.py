# SPDX-License-Identifier: MIT
"""Arrays in mapped files, which another program may truncate while they are read.

NumPy alone ends the process when it reads memory that the file has lost.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from .. import _core

__all__ = ["copy_of_mapped", "mapped_file", "mapped_memory"]


@contextmanager
def mapped_memory(samples: np.ndarray[Any, Any]) -> Iterator[None]:
    """Raise an OSError if the samples are a mapped file that was truncated meanwhile."""
    memory = _core.MappedMemory(samples)
    try:
        try:
            yield
        except OSError:
            raise
        except Exception:
            memory.check()  # zeros in place of the samples may be the cause
            raise
        memory.check()
    finally:
        del memory  # the traceback of an error would keep it, and lost memory would read as zeros


@contextmanager
def mapped_file(values: Any) -> Iterator[None]:
    """Raise an OSError if the file that an array is a view of was truncated meanwhile.

    The array may have any type and layout. Nothing is done for other values.
    """
    mapping = _mapping_of(values) if isinstance(values, np.ndarray) else None
    with nullcontext() if mapping is None else mapped_memory(_whole(mapping)):
        yield


def copy_of_mapped(values: Any) -> Any:
    """Copy an array of a mapped file, with its mask; give anything else back as it is."""
    if not isinstance(values, np.ndarray) or _mapping_of(values) is None:
        return values
    with mapped_file(values):
        return np.array(values, subok=isinstance(values, np.ma.MaskedArray))


def _mapping_of(array: np.ndarray[Any, Any]) -> mmap.mmap | None:
    """Return the mapped file that an array is a view of."""
    owner: Any = array
    while owner is not None and not isinstance(owner, mmap.mmap):
        owner = owner.obj if isinstance(owner, memoryview) else getattr(owner, "base", None)
    return owner


def _whole(mapping: mmap.mmap) -> np.ndarray[Any, Any]:
    """Return a mapped file as one row of numbers, without the last bytes that fill no number."""
    return np.frombuffer(mapping, np.float32, len(mapping) // 4).reshape(1, -1)
