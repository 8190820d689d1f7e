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
# Lines without behaviour, or whose change does not compile. Reserved sizes and released rows only
# alter speed and memory.
_SKIPPED = re.compile(
    r"^\s*(#|template|using |namespace |static_assert|\* )|\boperator|\[\[nodiscard\]\]|\.reserve\("
    r"|std::cerr|\bLBW_|\bHWY_|\.release\(|\bused_up_to\("
)
# Comments, and literals except the separators of digits.
_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|(?<!\d)'(?:[^'\\\n]|\\.)+'""", re.DOTALL
)
# What begins a message: an exception, words that are joined, or a check, whose condition is code.
_MESSAGE = re.compile(r"\bthrow |\bmessage\(|\brequire\(")


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


def _blanked(text: str) -> str:
    """Return spaces of the same number of lines and characters."""
    return re.sub(r"[^\n]", " ", text)


def _end_of_argument(code: str, begin: int, ends: str) -> int:
    """Return the place of the first of `ends` that is not in parentheses opened after `begin`."""
    depth = 0
    for place in range(begin, len(code)):
        if depth == 0 and code[place] in ends:
            return place
        depth += (code[place] in "([{") - (code[place] in ")]}")
    return len(code)


def _code_of(text: str) -> str:
    """Return a source with comments, literals and messages blanked.

    Tests compare few messages word by word.
    """
    code = _TEXT.sub(lambda match: _blanked(match[0]), text)
    for match in _MESSAGE.finditer(code):
        begin = match.end()
        if not code.startswith(match[0], match.start()):
            continue  # in a message that is blanked already
        if match[0] == "require(":
            begin = _end_of_argument(code, begin, ",") + 1
        end = _end_of_argument(code, begin, ";" if match[0] == "throw " else ")")
        code = code[:begin] + _blanked(code[begin:end]) + code[end:]
    return code


def _of_line(path: Path, number: int, line: str, code: str) -> list[Mutant]:
    found = []
    for pattern, replacement in () if _SKIPPED.search(code) else _CHANGES:
        for match in re.finditer(pattern, code):
            after = line[: match.start()] + replacement + line[match.end() :]
            found.append(Mutant(path, number, line, after))
    return found


def mutants_of(files: list[Path], count: int, seed: int) -> list[Mutant]:
    """Return `count` mutants of the files, drawn at random, ordered by place."""
    found = []
    for path in files:
        text = path.read_text()
        lines = zip(text.split("\n"), _code_of(text).split("\n"), strict=True)
        for number, (line, code) in enumerate(lines, start=1):
            found += _of_line(path, number, line, code)
    drawn = random.Random(seed).sample(found, min(count, len(found)))
    return sorted(drawn, key=lambda mutant: (mutant.path, mutant.line, mutant.after))
