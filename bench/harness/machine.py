# SPDX-License-Identifier: MIT
"""Machine, versions and load of a run."""

from __future__ import annotations

import datetime
import os
import platform
import subprocess
from pathlib import Path
from typing import Any

from .workers import Crew


def processor_field(name: str) -> str:
    """Return a field of the first processor of ``/proc/cpuinfo``, or nothing."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def memory_text() -> str:
    """Return the memory of the machine in GiB."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"{pages / 2**30:.0f} GiB"


def load() -> float:
    """Return the load average of the last minute."""
    return os.getloadavg()[0]


def commit(root: Path) -> str:
    """Return the commit that is checked out, with a plus where files differ from it."""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty=+", "--abbrev=10"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"


def processor_text() -> str:
    """Return the processor's name with family and model, which the name may leave open."""
    family, model = processor_field("cpu family"), processor_field("model")
    name = processor_field("model name") or platform.processor()
    return f"{name} (family {family}, model {model})" if family else name


def about(crew: Crew, root: Path, command: str) -> dict[str, Any]:
    """Return all that a reader needs to judge a time, but the load after the run."""
    ours = crew.ours.ask({"job": "about"})
    peers = crew.peers.ask({"job": "about"})
    versions = {"lbw": ours["version"], **peers.get("versions", {})}
    if crew.armadillo:
        versions["Armadillo"] = crew.armadillo.ask({"job": "about"})["version"]
    kernels = sorted({str(p["architecture"]) for p in peers.get("pools", []) if p["architecture"]})
    settings = [f"OpenBLAS kernel {', '.join(kernels)}", "freed memory kept (tuned)"]
    if crew.kernel:
        settings.append(f"OPENBLAS_CORETYPE={crew.kernel}")
    return {
        "command": command,
        "date": datetime.date.today().isoformat(),
        "commit": commit(root),
        "machine": {
            "processor": processor_text(),
            "cores": len(os.sched_getaffinity(0)),
            "memory": memory_text(),
            "system": f"{platform.system()} {platform.release()}",
            "compiler": f"GCC {ours['compiler']}",
            "instruction_set": f"Highway {ours['instruction_set']}",
        },
        "versions": versions,
        "peer_settings": ", ".join(settings),
        "load_before": load(),
    }
