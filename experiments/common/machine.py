# SPDX-License-Identifier: MIT
"""What a reader needs to judge a time: machine, versions, threads, load."""

from __future__ import annotations

import datetime
import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("lbw", "numpy", "scipy", "scikit-learn", "POT")


def processor() -> str:
    """Return the name of the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    fields = dict(line.split("\t: ", 1) for line in lines if "\t: " in line)
    fields = {key.strip(): value for key, value in fields.items()}
    family, model = fields.get("cpu family", "?"), fields.get("model", "?")
    return f"{fields.get('model name', platform.machine())} (family {family}, model {model})"


def about(command: str, n_threads: int) -> dict[str, Any]:
    """Return the machine and the versions that a command ran with."""
    return {
        "command": command,
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "threads": n_threads,
        "memory_gib": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "versions": {name: version(name) for name in PACKAGES},
        "load_of_last_minute": round(os.getloadavg()[0], 2),
    }


def write_json(path: Path, content: Any) -> None:
    """Write a file of JSON aside and rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".json.part")
    aside.write_text(json.dumps(content, indent=2) + "\n")
    os.replace(aside, path)
