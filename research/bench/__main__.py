# SPDX-License-Identifier: MIT
"""Compare lbw with other libraries in one run."""

from __future__ import annotations

import argparse
import fnmatch
import sys
import time
from pathlib import Path

from common.files import write_text
from common.machine import load, processor_field
from common.page import with_block
from common.places import ROOT, SCRATCH, results_folder

from . import machine
from .builds import build_worker, builds_table, compare_builds
from .data import Store
from .jobs import Bench
from .plots import draw_sweeps
from .results import Comparison, Results, read_results, write_results
from .sizes import QUICK, Sizes
from .stream import stream_comparison
from .sweeps import run_sweeps
from .table import MARKS, generated_part
from .trials import run_trial
from .workers import hire

PICTURE = (
    "Seconds per EM iteration against samples, components and dimensions: scikit-learn, lbw and"
    " the lower bound",
    "images/em-sweeps.svg",
)


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="research/run bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="use small sizes and write to build/")
    parser.add_argument(
        "--build", type=Path, default=ROOT / "build/dev", help="build folder (default: build/dev)"
    )
    parser.add_argument(
        "--against", type=Path, help="compare with this other build folder instead of the peers"
    )
    parser.add_argument("--only", default="*", help="run only these comparisons, such as 'em_*'")
    parser.add_argument("--no-sweeps", action="store_true", help="skip the sweeps")
    parser.add_argument(
        "--from-results", action="store_true", help="write tables and pictures without measuring"
    )
    return parser.parse_args()


def compare(bench: Bench, only: str, program: Path) -> list[Comparison]:
    """Run the comparisons whose key matches `only`."""
    done = [run_trial(t) for t in bench.trials() if fnmatch.fnmatch(t.key, only)]
    if bench.sizes.stream and fnmatch.fnmatch("stream", only):
        done.append(stream_comparison(bench, program))
    return done


def measure(options: argparse.Namespace) -> Results:
    """Run the comparisons and sweeps and return their results."""
    crew = hire(options.build.resolve(), threads=2, processor_flags=processor_field("flags"))
    try:
        about = machine.about(crew, "make bench QUICK=1" if options.quick else "make bench")
        store = Store(SCRATCH / "bench-data")
        bench = Bench(crew, store, QUICK if options.quick else Sizes())
        comparisons = compare(bench, options.only, options.build / "cli/lbw")
        sweeps = [] if options.no_sweeps else run_sweeps(bench)
    finally:
        crew.stop()
    about["load_after"] = load()
    return Results(about, comparisons, sweeps)


def against(options: argparse.Namespace) -> None:
    """Run the jobs of the benchmark with two builds in turns and print their times."""
    crew = hire(options.build.resolve(), threads=2, processor_flags=processor_field("flags"))
    try:
        bench = Bench(crew, Store(SCRATCH / "bench-data"), QUICK if options.quick else Sizes())
        done = compare_builds(bench, build_worker(options.against), options.only)
    finally:
        crew.stop()
    print(builds_table(done))


def main() -> None:
    """Measure, then write results, tables and pictures."""
    options = arguments()
    if options.against:
        return against(options)
    start = time.monotonic()
    whole = not options.quick and options.only == "*" and not options.no_sweeps
    folder = results_folder("bench") if whole else SCRATCH / "bench"
    if options.from_results:
        results = read_results(folder)
    else:
        results = measure(options)
        results.about["minutes"] = round((time.monotonic() - start) / 60, 1)
        write_results(folder, results)
    text = generated_part(results, [PICTURE] if results.sweeps else [])
    pages = ROOT / "docs" if whole else folder
    if results.sweeps:
        draw_sweeps(results, pages / PICTURE[1])
    if whole:
        page = pages / "performance.md"
        write_text(page, with_block(page.read_text(), MARKS, f"\n{text}\n"))
    else:
        write_text(pages / "performance.md", text + "\n")
        print(text)
    print(f"The results are in {folder.relative_to(ROOT)}.", file=sys.stderr)


if __name__ == "__main__":
    main()
