# SPDX-License-Identifier: MIT
"""Write the pages of the Python reference from what the modules export."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Iterator

MODULES = {
    "lbw": "Estimators and functions",
    "lbw.metrics": "Metrics",
    "lbw.plot": "Plots",
    "lbw.io": "Files",
    "lbw.onnx": "ONNX",
    "lbw.spark": "Apache Spark",
}


WITHOUT_MEMBERS = {"Batches"}  # methods of Batches serve the package itself


def python_pages() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of the pages; modules that lbw does not have are left out."""
    found = [name for name in MODULES if importlib.util.find_spec(name) is not None]
    for name in found:
        yield f"reference/{name}.rst", module_page(name)
    entries = "".join(f"   {name}\n" for name in found)
    yield (
        "reference/python.rst",
        (
            "Python reference\n================\n\n"
            "Everything that ``import lbw`` provides. Each name is imported on first use.\n\n"
            f".. toctree::\n   :maxdepth: 2\n\n{entries}"
        ),
    )


def module_page(name: str) -> str:
    """Return the page of a module: its docstring, and tables of what it exports."""
    module = importlib.import_module(name)
    title = f"{name}: {MODULES[name]}"
    text = f"{title}\n{'=' * len(title)}\n\n.. currentmodule:: {name}\n\n"
    text += f".. automodule:: {name}\n   :no-members:\n\n"
    for kind, names in exports_by_kind(module).items():
        if names:
            text += f"{kind}\n{'-' * len(kind)}\n\n"
            plain = [name for name in names if kind != "Classes" or name in WITHOUT_MEMBERS]
            text += table_of("class.rst", [name for name in names if name not in plain])
            text += table_of("autosummary/base.rst", plain)
    return text


def table_of(template: str, names: list[str]) -> str:
    """Return a table of exports with a page for each."""
    entries = "".join(f"   {name}\n" for name in names)
    options = f"   :toctree: generated\n   :nosignatures:\n   :template: {template}\n"
    return f".. autosummary::\n{options}\n{entries}\n" if names else ""


def exports_by_kind(module: object) -> dict[str, list[str]]:
    """Return the names of a module's classes, functions and exceptions."""
    kinds: dict[str, list[str]] = {"Classes": [], "Functions": [], "Exceptions": []}
    for export in sorted(module.__all__, key=str.lower):  # type: ignore[attr-defined]
        value = getattr(module, export)
        if inspect.isclass(value):
            kinds["Exceptions" if issubclass(value, Exception) else "Classes"].append(export)
        elif callable(value):
            kinds["Functions"].append(export)
    return kinds
