# SPDX-License-Identifier: MIT
"""Peak memory of a program."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

from common.machine import status_bytes

INTERVAL = 0.02  # seconds between looks


@dataclass(frozen=True)
class ProgramRun:
    """How a program went."""

    seconds: float
    peak_bytes: float
    code: int
    words: str  # that it left on standard error


def run_program(command: Sequence[str], limit: float = 300.0) -> ProgramRun:
    """Run a program to its end and look at its peak on the way.

    The peak is read from the process while it runs: what ``wait4`` reports includes the memory of
    the process that forked it.
    """
    start = time.perf_counter()
    peak = 0.0
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            peak = max(peak, status_bytes("VmHWM", process.pid))
            time.sleep(INTERVAL)
            if time.perf_counter() - start > limit:
                process.kill()
        assert process.stderr
        words = process.stderr.read()
    return ProgramRun(time.perf_counter() - start, peak, process.returncode, words.strip())
