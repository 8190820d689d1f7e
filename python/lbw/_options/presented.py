# SPDX-License-Identifier: MIT
"""Docstrings and bounds from declared parameters, and the public names of objects."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

from .option import constraints_of, options_of

__all__ = ["documented", "parametrized", "public"]

Item = TypeVar("Item")

_PLACEHOLDER = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)


def public(namespace: dict[str, Any], module: str) -> None:
    """Let the objects of `__all__` show the module that users import them from, and pickle it."""
    for name in namespace["__all__"]:
        namespace[name].__module__ = module


def parametrized(estimator: type[Item]) -> type[Item]:
    """Give an estimator the bounds and the descriptions of the parameters that it inherits."""
    estimator._parameter_constraints = constraints_of(estimator)  # type: ignore[attr-defined]
    estimator._validate_params = _validate_changed  # type: ignore[attr-defined]
    constructor: Any = estimator.__init__
    constructor.__qualname__ = f"{estimator.__name__}.__init__"  # in messages about its arguments
    return documented(estimator)(estimator)


def _validate_changed(estimator: Any) -> None:
    """Validate the parameters that differ from their defaults, as scikit-learn validates all.

    scikit-learn reads the signature of the constructor at every call, which takes as long as a
    small fit.
    """
    from sklearn.utils._param_validation import validate_parameter_constraints

    declared = estimator.__dataclass_fields__
    constraints, values = {}, {}
    for name, allowed in estimator._parameter_constraints.items():
        value = getattr(estimator, name)
        if name not in declared or value is not declared[name].default:
            constraints[name], values[name] = allowed, value
    validate_parameter_constraints(constraints, values, caller_name=type(estimator).__name__)


def documented(parameters: type) -> Callable[[Item], Item]:
    """Fill the placeholders of a docstring with descriptions of declared parameters.

    A line `{name}` becomes the description of one parameter, and `{parameters}` that of all in the
    order of the signature.
    """
    entries = _entries_of(parameters)
    entries["parameters"] = "\n".join(entries.values())

    def filled(item: Item) -> Item:
        if item.__doc__:
            item.__doc__ = _PLACEHOLDER.sub(
                lambda found: textwrap.indent(entries[found[2]], found[1]), item.__doc__
            )
        return item

    return filled


def _entries_of(parameters: type) -> dict[str, str]:
    options = options_of(parameters)
    entries = {}
    for name, parameter in inspect.signature(parameters).parameters.items():
        first = f"{name} : {options[name].type}{_default_text(parameter.default)}"
        text = textwrap.wrap(options[name].help, width=92)
        entries[name] = "\n".join([first, *(f"    {line}" for line in text)])
    return entries


def _default_text(default: Any) -> str:
    if default is inspect.Parameter.empty:
        return ""
    return f', default="{default}"' if isinstance(default, str) else f", default={default!r}"
