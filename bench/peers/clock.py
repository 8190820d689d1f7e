# SPDX-License-Identifier: MIT
"""Wall time of a block."""

from __future__ import annotations

import time
from types import TracebackType


class Stopwatch:
    """``with Stopwatch() as watch: ...`` leaves the wall time in ``watch.seconds``."""

    seconds: float = 0.0

    def __enter__(self) -> Stopwatch:
        self._start = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.seconds = time.perf_counter() - self._start
