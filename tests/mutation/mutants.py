# SPDX-License-Identifier: MIT
"""Small changes of C++ sources, each of which a test should notice."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Mutant", "mutants_of"]

# A regular expression of what is changed, and what takes its place. Binary operators have spaces
# around them (clang-format), which tells them from references, pointers and templates.
_CHANGES = (
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " / "),
    (r" / ", " * "),
    (r" \+= ", " -= "),
    (r" -= ", " += "),
    (r" \*= ", " /= "),
    (r" /= ", " *= "),
    (r"\+\+(?=\w)", "--"),
    (r"(?<=[(,] )1\.0\b|(?<=\()1\.0\b", "2.0"),
    (r"\b0\.0\b", "1.0"),
    (r"\b0\.5\b", "0.25"),
    (r"(?<=[ (\[])0(?=[;,)\]])", "1"),
    (r"(?<=[ (\[])1(?=[;,)\]])", "2"),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"(?<=[ (])!(?=[\w(])", ""),
    (r"\bstd::min\(", "std::max("),
    (r"\bstd::max\(", "std::min("),
    (r"\bcontinue;", ";"),
    (r"\bbreak;", ";"),
    (r"\breturn;", ";"),
)
# Lines without behaviour, or whose change does not compile or only alters a message.
_SKIPPED = re.compile(
    r"^\s*(//|#|template|using |namespace |static_assert|throw |\* )|message\(|constexpr const char"
    r"|\boperator|\[\[nodiscard\]\]|\.reserve\(|std::cerr|\bLBW_|\bHWY_"
)


@dataclass(frozen=True)
class Mutant:
    """One change in one line of a file."""

    path: Path
    line: int  # counted from 1
    before: str
    after: str

    def applied_to(self, text: str) -> str:
        """Return the text of the file with the change."""
        lines = text.split("\n")
        if lines[self.line - 1] != self.before:
            raise ValueError(f"{self.path}:{self.line} is not {self.before!r}")
        lines[self.line - 1] = self.after
        return "\n".join(lines)


def _of_line(path: Path, number: int, line: str) -> list[Mutant]:
    code = line.split("  //")[0]
    if _SKIPPED.search(code):
        return []
    found = []
    in_text = [match.span() for match in re.finditer(r'"(?:[^"\\]|\\.)*"', code)]
    for pattern, replacement in _CHANGES:
        for match in re.finditer(pattern, code):
            if any(begin <= match.start() < end for begin, end in in_text):
                continue
            after = line[: match.start()] + replacement + line[match.end() :]
            found.append(Mutant(path, number, line, after))
    return found


def mutants_of(files: list[Path], count: int, seed: int) -> list[Mutant]:
    """Return `count` mutants of the files, drawn at random, ordered by place."""
    found = []
    for path in files:
        in_comment = False
        for number, line in enumerate(path.read_text().split("\n"), start=1):
            in_comment = in_comment or line.lstrip().startswith("/*")
            if not in_comment:
                found += _of_line(path, number, line)
            in_comment = in_comment and "*/" not in line
    drawn = random.Random(seed).sample(found, min(count, len(found)))
    return sorted(drawn, key=lambda mutant: (mutant.path, mutant.line, mutant.after))
