# SPDX-License-Identifier: MIT
"""Use the package and the program at random for a long time, and watch memory and results.

usage: tests/soak/run.py PROGRAM [--minutes 120] [--seed 0]

Each round draws a table and an action from its own seed: fits, transports, saves, loads and
interrupts. A round fails if a result is not finite, if a loaded model gives other results, if a
file is damaged or left over, or if an error is not one of lbw. Resident memory must not grow.
`make soak` runs this under the address and undefined-behaviour sanitizers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
from actions import ACTIONS, Round

# The second quarter of a run is compared with the last one. Memory that allocators keep varies.
MOST_GROWTH = 1.1
SLACK_BYTES = 16 * 2**20


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise OSError("/proc/self/status has no VmRSS")


def has_grown(resident: list[int]) -> bool:
    """Return whether memory has grown between the second and the last quarter."""
    quarter = len(resident) // 4
    if quarter == 0:
        return False
    early = statistics.median(resident[quarter : 2 * quarter])
    late = statistics.median(resident[-quarter:])
    print(f"resident memory: {early / 2**20:.0f} MiB, then {late / 2**20:.0f} MiB")
    return late > MOST_GROWTH * early + SLACK_BYTES


def main() -> int:
    """Run rounds until the time is over, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program", type=Path, help="the program lbw")
    parser.add_argument("--minutes", type=float, default=120.0, help="how long (120)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first round (0)")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # most tables deserve one
    end = time.monotonic() + 60.0 * arguments.minutes
    counts: Counter[str] = Counter()
    resident: list[int] = []
    failures = 0
    seed = arguments.seed
    while time.monotonic() < end:
        rng = np.random.default_rng(seed)
        action = ACTIONS[rng.integers(len(ACTIONS))]
        with tempfile.TemporaryDirectory(prefix="lbw-soak-") as folder:
            try:
                action(Round(rng, Path(folder), arguments.program.resolve()))
                counts[action.__name__] += 1
            except Exception:
                failures += 1
                print(f"FAILED: {action.__name__}, --seed {seed}\n{traceback.format_exc()}")
        resident.append(resident_bytes())
        seed += 1
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    grown = has_grown(resident)
    print(f"{sum(counts.values())} passed, {failures} failed")
    return 1 if failures or grown else 0


if __name__ == "__main__":
    sys.exit(main())
