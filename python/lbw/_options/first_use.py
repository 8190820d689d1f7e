# SPDX-License-Identifier: MIT
"""Names of a package whose modules are imported on first use."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["imported_on_first_use"]

# What to install for a module of another library.
_DISTRIBUTIONS = {"sklearn": "scikit-learn", "onnx": "onnx", "skl2onnx": "skl2onnx"}


def imported_on_first_use(
    namespace: dict[str, Any], homes: Mapping[str, str]
) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package.

    Parameters
    ----------
    namespace : dict
        The `globals()` of the package.
    homes : mapping of str to str
        The module of each name, relative to the package; "" if the name is a module itself.
    """
    package = namespace["__name__"]

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = _imported(f"{package}.{homes[name] or name}", f"{package}.{name}")
        if not homes[name]:
            return module
        namespace[name] = getattr(module, name)
        return namespace[name]

    return get


def _imported(module: str, wanted: str) -> Any:
    """Import a module, and say what to install if a library is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _DISTRIBUTIONS:
            raise
        name = _DISTRIBUTIONS[missing]
        raise ImportError(
            f"{wanted} needs {name}, which is not installed. Install it with `pip install {name}`.",
            name=missing,
        ) from error
