# SPDX-License-Identifier: MIT
"""Measure the peak memory of a program."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

from common.machine import status_bytes

INTERVAL = 0.02  # seconds between two readings


@dataclass(frozen=True)
class ProgramRun:
    """The result of running a program."""

    seconds: float
    peak_bytes: float
    code: int
    words: str  # the text on standard error


def run_program(command: Sequence[str], limit: float = 300.0) -> ProgramRun:
    """Run a program until it ends and record its peak memory.

    The peak is read from the running process, because the value that ``wait4`` reports includes the
    memory of the process that forked it.
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
