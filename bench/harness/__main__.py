# SPDX-License-Identifier: MIT
"""``bench/run``: lbw against its peers, in one run."""

from __future__ import annotations

import argparse
import fnmatch
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from . import document, machine
from .data import Store
from .jobs import QUICK, Bench, Sizes
from .plots import draw_sweeps
from .results import Comparison, Results, read_results, write_results
from .stream import stream_comparison
from .sweeps import run_sweeps
from .trials import run_trial
from .workers import Crew, hire

ROOT = Path(__file__).resolve().parents[2]
PICTURE = (
    "Seconds of one EM iteration over samples, components and dimensions: scikit-learn, lbw and"
    " the floor",
    "images/em-sweeps.svg",
)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bench/run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, into build/ alone")
    parser.add_argument("--build", type=Path, default=ROOT / "build/dev", help="build folder")
    parser.add_argument("--only", default="*", help="comparisons to run, such as 'em_*'")
    parser.add_argument("--no-sweeps", action="store_true", help="leave the sweeps out")
    parser.add_argument(
        "--from-results", action="store_true", help="measure nothing, write tables and pictures"
    )
    return parser.parse_args()


def measure_peaks(crew: Crew, about: dict[str, Any]) -> None:
    """Measure what the machine can do: multiply-adds of both types, and a copy."""
    about["peak_flops"], about["peak"] = {}, {}
    for kind in ("f64", "f32"):
        for threads in (1, 2):
            request = {"job": "fma_peak", "type": kind, "threads": threads}
            rates = [crew.ours.ask(request)["checks"]["flops_per_second"] for _ in range(5)]
            about["peak_flops"][f"{kind}_{threads}"] = statistics.median(rates)
        rates_text = [f"{about['peak_flops'][f'{kind}_{t}'] / 1e9:.0f}" for t in (1, 2)]
        about["peak"][f"FMA peak {kind}, 1 and 2 threads"] = f"{', '.join(rates_text)} GFLOP/s"
    request = {"job": "copy", "bytes": 80_000_000, "threads": 2}
    seconds = statistics.median(crew.ours.ask(request)["seconds"] for _ in range(5))
    about["copy_bytes_per_second"] = 80e6 / seconds
    about["peak"]["copy of 80 MB, 2 threads"] = f"{0.08 / seconds:.1f} GB/s"


def compare(bench: Bench, only: str, program: Path) -> list[Comparison]:
    """Run the comparisons whose key fits."""
    done = [run_trial(t) for t in bench.trials() if fnmatch.fnmatch(t.key, only)]
    if bench.sizes.stream and fnmatch.fnmatch("stream", only):
        done.append(stream_comparison(bench, program))
    return done


def measure(options: argparse.Namespace) -> Results:
    """Run everything."""
    store = Store(ROOT / "build/bench-data")
    store.folder.mkdir(parents=True, exist_ok=True)
    crew = hire(
        options.build.resolve(), threads=2, processor_flags=machine.processor_field("flags")
    )
    try:
        command = " ".join(["make bench", "QUICK=1"][: 1 + options.quick])
        about = machine.about(crew, ROOT, command)
        measure_peaks(crew, about)
        bench = Bench(crew, store, QUICK if options.quick else Sizes())
        comparisons = compare(bench, options.only, options.build / "cli/lbw")
        sweeps = [] if options.no_sweeps else run_sweeps(bench)
    finally:
        crew.stop()
    about["load_after"] = machine.load()
    return Results(about, comparisons, sweeps)


def main() -> None:
    """Measure, then write results, tables and pictures."""
    options = arguments()
    start = time.monotonic()
    whole = not options.quick and options.only == "*" and not options.no_sweeps
    partial = ROOT / "build/bench-results"
    folder = ROOT / "bench/results" if whole else partial
    if options.from_results:
        results = read_results(folder)
    else:
        results = measure(options)
        results.about["minutes"] = round((time.monotonic() - start) / 60, 1)
        write_results(folder, results)
    picture = (ROOT / "docs" if whole else partial) / PICTURE[1]
    if results.sweeps:
        draw_sweeps(results, picture)
    if whole:
        document.update(ROOT / "docs/performance.md", results, [PICTURE])
    else:
        text = document.generated_part(results, [PICTURE] if results.sweeps else [])
        (partial / "performance.md").write_text(text + "\n")
        print(text)
    print(f"Results are in {folder.relative_to(ROOT)}", file=sys.stderr)


if __name__ == "__main__":
    main()
