# SPDX-License-Identifier: MIT
"""Breaks the sources of rooms one change at a time and reports which changes the tests miss.

usage: tests/mutation/run.py [--count 60] [--seed 0] [--jobs 2] [--output FILE] ROOM ...

Changed files are compiled in folders of their own, so the working tree stays as it is.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
from collections import Counter
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache
from pathlib import Path

from builds import FOLDER, ROOT, RoomBuild, build_tests, sources_of
from mutants import Mutant, mutants_of

Report = dict[str, object]
# Rooms whose tests see a room from outside, asked if its own tests miss a change.
WIDER = ("mixture", "transport", "report", "golden")
# Kills tests that need more processor time than $0 seconds or more memory than 4 GiB.
LIMITED = ("sh", "-c", 'ulimit -t "$0"; ulimit -v 4194304; exec "$@"')


def suites_of(files: list[Path]) -> frozenset[str]:
    """Return the names of the test suites of these files."""
    texts = [path.read_text() for path in files]
    found = re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+),", "\n".join(texts), re.MULTILINE)
    return frozenset(found)


def suites_of_rooms(*rooms: str) -> frozenset[str]:
    """Return the names of the test suites of rooms."""
    return suites_of([f for room in rooms for f in (ROOT / "tests" / room).glob("*.cpp")])


def suites_near(path: Path) -> frozenset[str]:
    """Return the test suites most likely to notice a change: those that name the file's header."""
    header = f'"{path.parent.name}/{path.stem}.hpp"'
    files = (ROOT / "tests" / path.parent.name).glob("*.cpp")
    return suites_of([f for f in files if f.stem.startswith(path.stem) or header in f.read_text()])


def passes(tests: Path, suites: frozenset[str], limit: int) -> bool:
    """Return whether all tests of these suites pass within a number of seconds of processor time.

    Tests that wait for each other forever need no processor time, so there is a long limit of
    elapsed time as well.
    """
    names = ":".join(p for s in sorted(suites) for p in (f"{s}.*", f"*/{s}.*", f"{s}/*"))
    command = [tests, f"--gtest_filter={names}", "--gtest_fail_fast", "--gtest_brief=1"]
    running = subprocess.Popen(
        [*LIMITED, str(limit), *command],
        cwd=FOLDER,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        return running.wait(timeout=30 * limit) == 0
    except subprocess.TimeoutExpired:
        running.kill()
        return False


@cache
def limit_of(program: Path, suites: frozenset[str]) -> int:
    """Return the limit of tests: three times the processor time they need without a change."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not passes(program, suites, 600):
        raise SystemExit(f"tests of {sorted(suites)} fail without a change")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    needed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return int(3.0 * needed) + 2


def stages_of(path: Path, program: Path) -> list[tuple[frozenset[str], int]]:
    """Return suites and their limits: those near a file, the rest of its room, other rooms."""
    near = suites_near(path)
    own = suites_of_rooms(path.parent.name)
    others = suites_of_rooms(*WIDER) - own
    stages = ((near, near), (own - near, own), (others, others))
    return [(suites, limit_of(program, measured)) for suites, measured in stages if suites]


def fate(mutant: Mutant, build: RoomBuild, stages: list[tuple[frozenset[str], int]]) -> str:
    """Return what became of a mutant: "killed", "survived", the "same" code or "invalid"."""
    with build.changed(mutant) as result:
        if isinstance(result, str):
            return result
        return "survived" if all(passes(result, *stage) for stage in stages) else "killed"


def examine(room: str, tested: frozenset[str], count: int, seed: int, pool: Executor) -> Report:
    """Break one room, and return its score and what became of every mutant."""
    build = RoomBuild(room, tested, pool)
    mutants = mutants_of(sources_of(room), count, seed)
    stages = {path: stages_of(path, build.program) for path in {mutant.path for mutant in mutants}}
    examined = []
    fates = pool.map(lambda mutant: fate(mutant, build, stages[mutant.path]), mutants)
    for mutant, found in zip(mutants, fates, strict=True):
        place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
        before, after = mutant.before.strip(), mutant.after.strip()
        examined.append({"fate": found, "place": place, "before": before, "after": after})
        print(found, place, *((f"\n  {before}\n  {after}",) if found == "survived" else ()))
        sys.stdout.flush()
    n = Counter(mutant["fate"] for mutant in examined)
    n_all = n["killed"] + n["survived"]
    print(
        f"{room}: {n['killed']} of {n_all} killed ({n['killed'] / max(n_all, 1):.0%})", flush=True
    )
    return {**n, "mutants": examined}


def main() -> None:
    """Break rooms and write a report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("rooms", nargs="+", metavar="ROOM", help="a folder of src/")
    parser.add_argument("--count", type=int, default=60, help="changes per room (60)")
    parser.add_argument("--seed", type=int, default=0, help="which changes are drawn (0)")
    parser.add_argument("--jobs", type=int, default=2, help="mutants examined at a time (2)")
    parser.add_argument("--output", type=Path, default=FOLDER / "report.json", help="the report")
    arguments = parser.parse_args()
    for room in arguments.rooms:
        if not (ROOT / "src" / room).is_dir():
            parser.error(f"{room} is no folder of src/")
    tested = frozenset({*arguments.rooms, *WIDER})
    build_tests(tested)
    report = {}
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for room in arguments.rooms:
            report[room] = examine(room, tested, arguments.count, arguments.seed, pool)
            arguments.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
