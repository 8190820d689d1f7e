# SPDX-License-Identifier: MIT
"""Test programs with one changed source file.

The library and the tests come from the preset default. The files of the examined room are compiled
one by one and linked before the library, so that they take the place of its own.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from mutants import Mutant

__all__ = ["FOLDER", "ROOT", "RoomBuild", "build_tests", "sources_of"]

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/mutation"
BUILD = ROOT / "build/default"
# Fast to compile, with the assertions of Eigen and of the standard library.
OPTIONS = ("-w", "-O1", "-UNDEBUG", "-D_GLIBCXX_ASSERTIONS")


def sources_of(room: str) -> list[Path]:
    """Return the source files of a room."""
    return sorted((ROOT / "src" / room).glob("*.cpp"))


@cache
def _compile_commands() -> dict[str, list[str]]:
    listed = json.loads((BUILD / "compile_commands.json").read_text())
    return {entry["file"]: shlex.split(entry["command"]) for entry in listed}


def _compile_command(path: Path) -> list[str]:
    """Return the command of a source file without input and output."""
    known = _compile_commands()
    together = BUILD / f"CMakeFiles/lbw.dir/Unity/unity_{path.parent.name}_cxx.cxx"
    command = known.get(str(path)) or known[str(together)]
    return [*command[: command.index("-o")], *OPTIONS]


def _compile(path: Path, text: str, folder: Path, target: Path) -> bool:
    """Compile a source with this text, and return whether it compiles.

    The folder comes first among those of includes, for files that include themselves for every set
    of vector instructions.
    """
    source = folder / path.relative_to(ROOT)
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text)
    compiler, *options = _compile_command(path)
    precompiled = FOLDER / path.parent.name / "precompiled.hpp"
    command = [compiler, f"-I{folder / 'src'}", *options, "-include", precompiled]
    done = subprocess.run([*command, "-o", target, "-c", source], cwd=BUILD, capture_output=True)
    return done.returncode == 0


def _precompile(room: str) -> None:
    """Parse the headers that most files include, which takes longer than all the rest."""
    names = ("lbw/lbw.hpp", "Eigen/Dense", "algorithm", "cmath", "numeric", "optional")
    header = FOLDER / room / "precompiled.hpp"
    header.write_text("".join(f"#include <{name}>\n" for name in names))
    command = [*_compile_command(sources_of(room)[0]), "-x", "c++-header", header]
    target = header.with_suffix(".hpp.gch")
    subprocess.run([*command, "-o", target], cwd=BUILD, check=True, capture_output=True)


@cache
def _link_command(rooms: frozenset[str]) -> list[str]:
    """Return the command that links the tests of these rooms."""
    command = ["ninja", "-C", BUILD, "-t", "commands", "-s", "tests/lbw_tests"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    linking = next(part for part in text.split(" && ") if " -o tests/lbw_tests " in part)
    names = "|".join({"support", *rooms})
    wanted = re.compile(rf"/lbw_tests\.dir/(Unity/unity_({names})_cxx|({names})/)")
    words = shlex.split(linking)
    return [word for word in words if not word.endswith(".o") or wanted.search(word)]


def build_tests(rooms: frozenset[str]) -> None:
    """Build the library and the tests of rooms without a change."""
    subprocess.run(["cmake", "--preset", "default"], cwd=ROOT, check=True, capture_output=True)
    parts = [word for word in _link_command(rooms) if word.endswith((".o", "liblbw.a"))]
    command = ["cmake", "--build", "--preset", "default", "--target", *parts]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


class RoomBuild:
    """Test programs with the files of a room."""

    def __init__(self, room: str, tested: frozenset[str], pool: Executor) -> None:
        """Build the test program of some rooms without a change."""
        self._tested = tested
        self._folder = FOLDER / room
        self._folder.mkdir(parents=True, exist_ok=True)
        _precompile(room)
        self._objects = {path: self._folder / f"{path.stem}.o" for path in sources_of(room)}
        compiled = pool.map(
            lambda path: _compile(path, path.read_text(), self._folder, self._objects[path]),
            self._objects,
        )
        if not all(compiled):
            raise SystemExit(f"src/{room} does not compile without a change")
        self.program = self._linked(self._objects.values(), self._folder / "lbw_tests")

    def _linked(self, objects: Iterable[Path], program: Path) -> Path:
        command: list[str | Path] = list(_link_command(self._tested))
        command[command.index("-o") + 1] = program
        command[1:1] = objects
        if shutil.which("ld.lld"):
            command.append("-fuse-ld=lld")  # several times faster
        subprocess.run(command, cwd=BUILD, check=True, capture_output=True)
        return program

    @contextmanager
    def changed(self, mutant: Mutant) -> Iterator[Path | str]:
        """Build the tests with a change, or tell that it is "invalid" or gives the "same" code."""
        with TemporaryDirectory(dir=self._folder) as name:
            folder = Path(name)
            target = folder / "changed.o"
            text = mutant.applied_to(mutant.path.read_text())
            if not _compile(mutant.path, text, folder, target):
                yield "invalid"
            elif target.read_bytes() == self._objects[mutant.path].read_bytes():
                yield "same"
            else:
                objects = {**self._objects, mutant.path: target}
                yield self._linked(objects.values(), folder / "lbw_tests")
