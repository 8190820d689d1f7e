# SPDX-License-Identifier: MIT
"""Files of pyarrow that are written atomically."""

from __future__ import annotations

import io
import os
from types import TracebackType
from typing import Any

from .. import _core

__all__ = ["AtomicFile"]


class AtomicFile(io.RawIOBase):
    """A file for writing that appears at its path when the `with` block has ended without an error.

    Until then, the path holds the old file. A process that is killed leaves nothing else.

    Parameters
    ----------
    path : str or path
        The file.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__()
        self._writer: _core.FileWriter | None = _core.FileWriter(path)
        self._position = 0

    def writable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self._position

    def write(self, data: Any) -> int:
        """Append bytes."""
        if self._writer is None:
            raise ValueError("write to a closed file")
        block = bytes(data)
        self._writer.write(block)
        self._position += len(block)
        return len(block)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Put the file in place, or remove it after an error."""
        writer, self._writer = self._writer, None
        if kind is None and writer is not None:
            writer.commit()
        super().close()
