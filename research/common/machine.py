# SPDX-License-Identifier: MIT
"""The conditions of a measurement: machine, versions, threads, load."""

from __future__ import annotations

import datetime
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("lbw", "numpy", "scipy", "scikit-learn", "POT")


def processor_field(name: str) -> str:
    """Return a field of the first processor in ``/proc/cpuinfo``, or an empty string."""
    return _fields(Path("/proc/cpuinfo")).get(name, "")


def status_bytes(field: str, process: int | str = "self") -> float:
    """Return a field of ``/proc/PID/status``, such as VmRSS, in bytes; 0 if it does not exist."""
    words = _fields(Path(f"/proc/{process}/status")).get(field, "0").split()
    return 1024.0 * float(words[0])


def _fields(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return {}
    pairs = (line.partition(":") for line in reversed(lines))  # keep the first field with each name
    return {key.strip(): value.strip() for key, _, value in pairs}


def processor() -> str:
    """Return the name of the processor with its family and model."""
    name = processor_field("model name") or platform.processor() or platform.machine()
    family, model = processor_field("cpu family"), processor_field("model")
    return f"{name} (family {family}, model {model})" if family else name


def load() -> float:
    """Return the load average of the last minute."""
    return round(os.getloadavg()[0], 2)


def hardware() -> dict[str, Any]:
    """Return the processor, its cores, the memory and the system."""
    return {
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30),
        "system": f"{platform.system()} {platform.release()}",
    }


def about(command: str, n_threads: int) -> dict[str, Any]:
    """Return the machine and the versions of the libraries that a command uses."""
    return {
        "command": command,
        "date": datetime.date.today().isoformat(),
        **hardware(),
        "threads": n_threads,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
        "load_of_last_minute": load(),
    }
