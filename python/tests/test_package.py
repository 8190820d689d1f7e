# SPDX-License-Identifier: MIT
"""The installed package: what it imports, exports and brings along."""

from __future__ import annotations

import doctest
import importlib
import pickle
import pkgutil
import subprocess
import sys
from importlib import metadata, resources
from pathlib import Path

import pytest

import lbw
import lbw.onnx


def imported_by(statement: str) -> set[str]:
    """Give the top-level modules that are loaded after a statement in a new interpreter."""
    code = f"import sys; {statement}; print(' '.join({{m.split('.')[0] for m in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


HEAVY = {"sklearn", "scipy", "matplotlib", "pandas", "narwhals", "polars", "tqdm", "ot"}


def test_import_loads_nothing_heavy():
    assert imported_by("import lbw") & HEAVY == set()
    assert (
        imported_by("import lbw; lbw.transport([[0.0], [1.0]], [[1.0], [2.0]], 1)") & HEAVY == set()
    )
    assert "sklearn" in imported_by("import lbw; lbw.LocalTransport")
    assert "matplotlib" not in imported_by("import lbw; lbw.LocalTransport; lbw.plot")


def test_every_exported_name_is_there():
    for name in lbw.__all__:
        assert getattr(lbw, name) is not None
    assert set(lbw.__all__) <= set(dir(lbw))
    with pytest.raises(AttributeError, match="module 'lbw' has no attribute 'missing'"):
        _ = lbw.missing
    namespace: dict[str, object] = {}
    exec("from lbw import *", namespace)
    assert set(lbw.__all__) <= set(namespace)


def test_version_is_the_same_everywhere():
    assert lbw.__version__ == metadata.version("lbw")
    program = Path(sys.executable).parent / "lbw"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert lbw.__version__ in done.stdout


def test_types_come_with_the_package():
    files = {entry.name for entry in resources.files("lbw").iterdir()}
    assert {"py.typed", "_core.pyi"} <= files


def test_one_module_for_every_python():
    names = [entry.name for entry in resources.files("lbw").iterdir()]
    modules = [name for name in names if name.startswith("_core") and not name.endswith(".pyi")]
    assert all(".abi3." in name for name in modules)
    assert modules


MODULES = [
    "lbw",
    *(m.name for m in pkgutil.walk_packages(lbw.__path__, "lbw.") if m.name != "lbw._core"),
]


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name):
    module = importlib.import_module(name)
    for public in getattr(module, "__all__", []):
        getattr(module, public)  # names of lbw are imported on first use
    result = doctest.testmod(module)
    assert result.failed == 0


@pytest.mark.parametrize("module", [lbw, lbw.metrics, lbw.onnx, lbw.plot])
def test_public_objects_show_the_module_that_users_import_them_from(module):
    own = [getattr(module, name) for name in module.__all__]
    for value in own:
        if callable(value) and not (isinstance(value, type) and issubclass(value, Exception)):
            assert value.__module__ == module.__name__
            assert pickle.loads(pickle.dumps(value)) is value


def test_every_public_object_has_an_example():
    for name in lbw.__all__:
        value = getattr(lbw, name)
        if callable(value) and not (isinstance(value, type) and issubclass(value, Exception)):
            assert ">>>" in (value.__doc__ or ""), name


def test_python_m_lbw_is_the_program():
    def run(*words):
        return subprocess.run(words, capture_output=True, text=True, check=False)

    version = run(sys.executable, "-m", "lbw", "--version")
    assert version.returncode == 0
    assert metadata.version("lbw") in version.stdout
    refused = run(sys.executable, "-m", "lbw", "fly")
    assert refused.returncode == 2
    assert "fly" in refused.stderr


def test_the_citation_is_of_this_version():
    root, version = Path(__file__).parents[2], metadata.version("lbw")
    assert f"version: {version}\n" in (root / "CITATION.cff").read_text()
    assert f"version = {{{version}}}," in (root / "docs" / "cite.md").read_text()
