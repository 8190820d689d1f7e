# SPDX-License-Identifier: MIT
"""The machine, the versions and the peaks of a run."""

from __future__ import annotations

import datetime
import statistics
import subprocess
from typing import Any

from common.machine import hardware, load
from common.places import ROOT

from .workers import Crew


def commit() -> str:
    """Return the current commit, followed by a plus if files differ from it."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty=+", "--abbrev=10"]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip() or "unknown"


def about(crew: Crew, command: str) -> dict[str, Any]:
    """Return the conditions of the measurement, except the load after the run."""
    ours = crew.ours.ask({"job": "about"})
    peers = crew.peers.ask({"job": "about"})
    versions = {"lbw": ours["version"], **peers.get("versions", {})}
    if crew.armadillo:
        versions["Armadillo"] = crew.armadillo.ask({"job": "about"})["version"]
    kernels = sorted({str(p["architecture"]) for p in peers.get("pools", []) if p["architecture"]})
    settings = [f"OpenBLAS kernel {', '.join(kernels)}", "freed memory is kept (tuned)"]
    if crew.kernel:
        settings.append(f"OPENBLAS_CORETYPE={crew.kernel}")
    return {
        "command": command,
        "date": datetime.date.today().isoformat(),
        "commit": commit(),
        "machine": {
            **hardware(),
            "compiler": f"GCC {ours['compiler']}",
            "instruction_set": f"Highway {ours['instruction_set']}",
        },
        "versions": versions,
        "peer_settings": ", ".join(settings),
        "load_before": load(),
        **peaks(crew),
    }


def peaks(crew: Crew) -> dict[str, Any]:
    """Measure the peak rates of the machine: multiply-adds in both precisions, and a copy."""
    flops, texts = {}, {}
    for kind in ("f64", "f32"):
        for threads in (1, 2):
            request = {"job": "fma_peak", "type": kind, "threads": threads}
            rates = [crew.ours.ask(request)["checks"]["flops_per_second"] for _ in range(5)]
            flops[f"{kind}_{threads}"] = statistics.median(rates)
        rates_text = ", ".join(f"{flops[f'{kind}_{t}'] / 1e9:.0f}" for t in (1, 2))
        texts[f"FMA peak {kind}, 1 and 2 threads"] = f"{rates_text} GFLOP/s"
    request = {"job": "copy", "bytes": 80_000_000, "threads": 2}
    seconds = statistics.median(crew.ours.ask(request)["seconds"] for _ in range(5))
    texts["copy of 80 MB, 2 threads"] = f"{0.08 / seconds:.1f} GB/s"
    return {"peak_flops": flops, "peak": texts, "copy_bytes_per_second": 80e6 / seconds}
