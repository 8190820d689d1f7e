# SPDX-License-Identifier: MIT
"""Breaks the sources of rooms one change at a time and reports which changes the tests miss.

usage: tests/mutation/run.py [--count 60] [--seed 0] [--output FILE] ROOM ...

The sources are copied to build/mutation first, so the working tree stays as it is.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from mutants import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/mutation"
SOURCE, BUILD = FOLDER / "source", FOLDER / "build"
COPIED = (
    "CMakeLists.txt",
    "README.md",
    "cli",
    "cmake",
    "docs",
    "include",
    "research",
    "src",
    "tests",
)
# Rooms whose tests see a room from outside, asked if its own tests miss a change.
WIDER = ("mixture", "transport", "report", "golden")


def copy_sources() -> None:
    """Copy what the tests are built from, but not files that did not change, to build these once.

    A file that an interrupted run left broken gets a new time, so that it is built again.
    """
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *COPIED]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        source, copy = ROOT / name, SOURCE / name
        if not source.is_file() or (copy.is_file() and filecmp.cmp(source, copy, shallow=False)):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())
        copy.chmod(source.stat().st_mode)


def choose_tests(rooms: list[str]) -> None:
    """Build the tests of these rooms alone, and all files of a room together, as they stay."""
    path = SOURCE / "tests/CMakeLists.txt"
    chosen = " ".join(["support", *sorted({*rooms, *WIDER})])
    text = re.sub(r"foreach\(room [^)]*\)", f"foreach(room {chosen})", path.read_text())
    text = text.replace('add_subdirectory("${PROJECT_SOURCE_DIR}/research/tests" research)\n', "")
    path.write_text(text + "set_target_properties(lbw_tests PROPERTIES UNITY_BUILD ON)\n")


def build() -> bool:
    """Build the tests, and return whether the sources compile."""
    done = subprocess.run(
        ["cmake", "--build", BUILD, "--target", "lbw_tests"], capture_output=True, text=True
    )
    (FOLDER / "build.log").write_text(done.stdout + done.stderr)
    return done.returncode == 0


def configure() -> None:
    """Prepare a shared library without optimization, of which a change rebuilds one file."""
    settings = {
        "CMAKE_BUILD_TYPE": "Debug",
        "CMAKE_CXX_FLAGS_DEBUG": "-O1",
        "BUILD_SHARED_LIBS": "ON",
        "CMAKE_LINK_DEPENDS_NO_SHARED": "ON",  # the tests are linked once
        "CMAKE_UNITY_BUILD": "OFF",
        "LBW_BUILD_DEMO": "OFF",
    }
    command = ["cmake", "-G", "Ninja", "-S", SOURCE, "-B", BUILD]
    subprocess.run(
        command + [f"-D{name}={value}" for name, value in settings.items()],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    if not build():
        raise SystemExit(f"the sources do not compile without a change, see {FOLDER}/build.log")


def suites_of(room: str) -> list[str]:
    """Return the names of the test suites of a room."""
    texts = [path.read_text() for path in sorted((SOURCE / "tests" / room).glob("*.cpp"))]
    found = re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\((\w+),", "\n".join(texts), re.MULTILINE)
    return sorted(set(found))


def passes(rooms: list[str], limit: float | None) -> bool:
    """Run the tests of rooms, and return whether all pass within a time limit, if there is one."""
    suites = [suite for room in rooms for suite in suites_of(room)]
    filters = ":".join(pattern for s in suites for pattern in (f"{s}.*", f"*/{s}.*", f"{s}/*"))
    command = [BUILD / "tests/lbw_tests", f"--gtest_filter={filters}", "--gtest_fail_fast"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, cwd=BUILD / "tests")
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def timed(rooms: list[str]) -> float:
    """Return the time limit of tests: three times what they take without a change."""
    begin = time.monotonic()
    if not passes(rooms, None):
        raise SystemExit(f"tests of {rooms} fail without a change")
    return 3.0 * (time.monotonic() - begin) + 5.0


def fate(mutant: Mutant, stages: list[tuple[list[str], float]]) -> str:
    """Return what became of a mutant: "killed", "survived" or "invalid"."""
    path = SOURCE / mutant.path.relative_to(ROOT)
    original = path.read_text()
    path.write_text(mutant.applied_to(original))
    try:
        if not build():
            return "invalid"
        return "survived" if all(passes(*stage) for stage in stages) else "killed"
    finally:
        path.write_text(original)


def examine(room: str, count: int, seed: int) -> dict[str, object]:
    """Break one room, and return its score and the survivors."""
    build()  # without the last change of another room
    wider = [name for name in WIDER if name != room]
    stages = [(rooms, timed(rooms)) for rooms in ([room], wider)]
    files = sorted((ROOT / "src" / room).glob("*.cpp"))
    fates: dict[str, list[Mutant]] = {"killed": [], "survived": [], "invalid": []}
    for mutant in mutants_of(files, count, seed):
        found = fate(mutant, stages)
        fates[found].append(mutant)
        if found == "survived":
            place = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
            print(f"survived {place}\n  {mutant.before.strip()}\n  {mutant.after.strip()}")
            sys.stdout.flush()
    n_killed, n_survived = len(fates["killed"]), len(fates["survived"])
    share = n_killed / max(n_killed + n_survived, 1)
    print(f"{room}: {n_killed} of {n_killed + n_survived} killed ({share:.0%})")
    survivors = [
        {
            "place": f"{mutant.path.relative_to(ROOT)}:{mutant.line}",
            "before": mutant.before.strip(),
            "after": mutant.after.strip(),
        }
        for mutant in fates["survived"]
    ]
    return {"killed": n_killed, "survived": n_survived, "survivors": survivors}


def main() -> None:
    """Break rooms and write a report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("rooms", nargs="+", metavar="ROOM", help="a folder of src/")
    parser.add_argument("--count", type=int, default=60, help="changes per room (60)")
    parser.add_argument("--seed", type=int, default=0, help="which changes are drawn (0)")
    parser.add_argument("--output", type=Path, default=FOLDER / "report.json", help="the report")
    arguments = parser.parse_args()
    for room in arguments.rooms:
        if not (ROOT / "src" / room).is_dir():
            parser.error(f"{room} is no folder of src/")
    copy_sources()
    choose_tests(arguments.rooms)
    configure()
    report = {room: examine(room, arguments.count, arguments.seed) for room in arguments.rooms}
    arguments.output.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
