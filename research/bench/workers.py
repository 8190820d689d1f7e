# SPDX-License-Identifier: MIT
"""Workers: long-running processes that answer one JSON request per line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from common.places import RESEARCH

# With these settings glibc keeps freed memory, which avoids page faults in later allocations.
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(2**40), "MALLOC_TRIM_THRESHOLD_": str(2**40)}
# Kernels of OpenBLAS for processors without AVX2.
POOR_KERNELS = {"PRESCOTT", "CORE2", "NEHALEM", "SANDYBRIDGE", "GENERIC", "BARCELONA"}


@dataclass
class Worker:
    """A process that starts at the first request."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)
    _process: subprocess.Popen[str] | None = None

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and return the answer, which has an ``error`` if the worker ended."""
        process = self._running()
        assert process.stdin
        assert process.stdout
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            code = process.wait()
            self._process = None
            return {"error": f"worker {self.name} ended with {code}"}
        return json.loads(line)

    def stop(self) -> None:
        """End the process, if it runs, by closing its standard input."""
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait()
        self._process = None

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**inherited_environment(), **self.environment},
                cwd=RESEARCH,
            )
        return self._process


def inherited_environment() -> dict[str, str]:
    """Return the environment without a kernel of OpenBLAS, so that OpenBLAS chooses its own."""
    return {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}


def python_worker(name: str, threads: int, tuned: bool, kernel: str = "") -> Worker:
    """Return the worker of the Python peers."""
    environment = {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    if kernel:
        environment["OPENBLAS_CORETYPE"] = kernel
    if tuned:
        environment.update(KEEP_MEMORY)
    return Worker(name, [sys.executable, "-m", "bench.peers"], environment)


def better_kernel(pools: Sequence[Mapping[str, Any]], processor_flags: str) -> str:
    """Return the kernel to request from OpenBLAS, or an empty string if its choice is good."""
    chosen = {str(pool.get("architecture")).upper() for pool in pools}
    if not chosen & POOR_KERNELS:
        return ""
    flags = set(processor_flags.split())
    return "SkylakeX" if "avx512vl" in flags else "Haswell" if "avx2" in flags else ""


@dataclass
class Crew:
    """All workers of a run."""

    ours: Worker
    peers: Worker  # the Python peers with tuned settings
    untuned: Worker  # the same with default settings
    armadillo: Worker | None
    kernel: str = ""  # the kernel requested from OpenBLAS

    def all(self) -> list[Worker]:
        """Return all workers that exist."""
        workers = [self.ours, self.peers, self.untuned, self.armadillo]
        return [worker for worker in workers if worker]

    def forget(self) -> None:
        """Make all running workers drop their inputs."""
        for worker in self.all():
            if worker._process:
                worker.ask({"job": "forget"})

    def stop(self) -> None:
        """End all workers."""
        for worker in self.all():
            worker.stop()


def hire(build: Path, threads: int, processor_flags: str) -> Crew:
    """Return the workers of a build folder and the Python workers with the best BLAS kernel."""
    probe = python_worker("probe", threads, tuned=False)
    kernel = better_kernel(probe.ask({"job": "about"}).get("pools", []), processor_flags)
    probe.stop()
    programs = build / "research" / "bench"
    armadillo = programs / "lbw_bench_armadillo"
    return Crew(
        ours=Worker("lbw", [str(programs / "lbw_bench_worker")]),
        peers=python_worker("peers", threads, tuned=True, kernel=kernel),
        untuned=python_worker("untuned", threads, tuned=False),
        armadillo=Worker("armadillo", [str(armadillo)]) if armadillo.exists() else None,
        kernel=kernel,
    )
