# SPDX-License-Identifier: MIT
"""Rules that the Python sources keep: which sub-package imports which, and how long files are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "lbw"
MOST_LINES = 400
FOLDERS = ("cmake/", "demo/", "docs/", "examples/", "python/", "research/", "tests/")


def allowed_imports() -> dict[str, set[str]]:
    """Read the table of sub-packages in docs/architecture.md."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `python/lbw/(\w+)/` \|[^|]*\| ([\w, ]*)\|$", text, re.MULTILINE)
    return {package: {name.strip() for name in names.split(",")} - {""} for package, names in rows}


def imported_packages(path: Path) -> set[str]:
    """Return the sub-packages of lbw that a module imports, its own excluded."""
    own = path.relative_to(PACKAGE).parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            found |= {name[1] for name in names if name[0] == "lbw" and len(name) > 1}
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".") if node.module else []
            if node.level:
                module = ["lbw", *own[: len(own) - node.level], *module]
            if module[:1] == ["lbw"]:
                found |= {module[1]} if len(module) > 1 else {alias.name for alias in node.names}
    return {name for name in found if (PACKAGE / name).is_dir()} - {own[0]}


def test_the_table_names_every_sub_package():
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(allowed_imports()) == folders


def test_imports_follow_the_table():
    allowed = allowed_imports()
    for path in PACKAGE.glob("*/*.py"):
        package = path.parent.name
        assert imported_packages(path) <= allowed[package], path.relative_to(ROOT)


def test_imports_go_one_way():
    allowed = allowed_imports()
    done: set[str] = set()
    while len(done) < len(allowed):
        ready = {package for package, uses in allowed.items() if uses <= done} - done
        assert ready, f"{sorted(set(allowed) - done)} import each other"
        done |= ready


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("from .._input.arrays import as_samples", {"_input"}),
        ("from .. import _core, metrics", {"metrics"}),
        ("from . import check\nfrom .advice import advice", set()),
        ("import lbw.plot\nfrom lbw._input import keys", {"plot", "_input"}),
        ("def f():\n    from ..metrics import group_auc", {"metrics"}),
        ("import numpy\nfrom numpy import linalg", set()),
    ],
)
def test_imports_are_found(monkeypatch, tmp_path, code, found):
    for name in ("_repair", "_input", "metrics", "plot"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(f"{__name__}.PACKAGE", tmp_path)
    path = tmp_path / "_repair" / "module.py"
    path.write_text(code)
    assert imported_packages(path) == found


def python_files() -> list[Path]:
    """Return the Python files of the repository."""
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def test_files_are_short():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files()}
    long = {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n >= MOST_LINES}
    assert long == {}
