# SPDX-License-Identifier: MIT
"""Docstrings and bounds from declared parameters, and the public names of objects."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any, TypeVar

from .checked import surely_allowed
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
    constraints = constraints_of(estimator)
    estimator._parameter_constraints = constraints  # type: ignore[attr-defined]
    estimator._validate_params = _validation(estimator, constraints)  # type: ignore[attr-defined]
    constructor: Any = estimator.__init__
    constructor.__qualname__ = f"{estimator.__name__}.__init__"  # in messages about its arguments
    return documented(estimator)(estimator)


def _validation(declared: type, known: dict[str, Any]) -> Callable[[Any], None]:
    """Return a method that validates the parameters as scikit-learn does.

    scikit-learn reads the signature of the constructor and makes all constraints anew at every
    call, which takes as long as a small fit. It is asked only about values that are neither the
    default nor surely allowed, and about constraints that a subclass has changed.
    """
    options, fields = options_of(declared), declared.__dataclass_fields__  # type: ignore[attr-defined]

    def validate(estimator: Any) -> None:
        constraints, values = {}, {}
        for name, allowed in estimator._parameter_constraints.items():
            value = getattr(estimator, name)
            if name in fields and value is fields[name].default:
                continue
            if allowed is not known.get(name) or not surely_allowed(value, options[name].allowed):
                constraints[name], values[name] = allowed, value
        if constraints:
            from sklearn.utils._param_validation import validate_parameter_constraints

            caller = type(estimator).__name__
            validate_parameter_constraints(constraints, values, caller_name=caller)

    return validate


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
