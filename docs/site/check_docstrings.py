# SPDX-License-Identifier: MIT
"""Check the docstrings of the public API against the conventions of numpydoc.

    python docs/site/check_docstrings.py

The classes and functions of all public modules and their methods are checked, if lbw defines them.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator

from numpydoc.validate import validate
from python_reference import MODULES, exports_by_kind

# The checks that are left out, with the reason.
NOT_CHECKED = {
    "GL01": "the summary may start in the line of the quotes, as in scikit-learn",
    "GL08": "autodoc shows only what has a docstring; ruff requires them",
    "ES01": "a summary may be enough",
    "SA01": "a section See Also is optional",
    "SA04": "entries of See Also need no description",
    "EX01": "the gallery and the user guide have examples",
    "RT02": "the name of a returned value is optional, but useful",
    "PR01": "short methods refer to those whose parameters they pass on",
    "RT01": "short methods say in their summary what they return",
    "PR02": "constructors take their parameters from declarations",
    "YD01": "generators return iterators, which their section Returns describes",
}


def public_names() -> Iterator[tuple[str, object]]:
    """Yield the classes, functions and methods of the public modules with their full names."""
    for name in MODULES:
        if importlib.util.find_spec(name) is None:
            continue
        module = importlib.import_module(name)
        kinds = exports_by_kind(module)
        for export in (*kinds["Classes"], *kinds["Functions"]):
            value = getattr(module, export)
            yield f"{name}.{export}", value
            if inspect.isclass(value):
                for member in methods_of(value):
                    yield f"{name}.{export}.{member}", getattr(value, member)


def methods_of(value: type) -> Iterator[str]:
    """Yield the names of the public methods of a class that lbw defines."""
    for name, member in inspect.getmembers(value, callable):
        compiled = type(member).__name__.startswith("nb_")  # nanobind adds a signature in front
        own = str(getattr(member, "__module__", "")).startswith("lbw")
        if own and not compiled and not name.startswith("_"):
            yield name


def findings() -> Iterator[str]:
    """Yield a line for every docstring that breaks a convention."""
    for name, _ in public_names():
        for code, text in validate(name)["errors"]:
            if code not in NOT_CHECKED:
                yield f"{name}: {code} {text}"


if __name__ == "__main__":
    found = sorted(set(findings()))
    print("\n".join(found) or f"{sum(1 for _ in public_names())} docstrings keep the conventions")
    sys.exit(1 if found else 0)
