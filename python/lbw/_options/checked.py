# SPDX-License-Identifier: MIT
"""Arguments of functions, checked as scikit-learn checks the parameters of estimators."""

from __future__ import annotations

from math import inf
from numbers import Integral, Real
from typing import Any

import numpy as np

from .option import LARGEST_COUNT, Bounds, OneOf, constraint_of, words_for

__all__ = ["check_arguments", "surely_allowed", "whole_number"]


def check_arguments(caller: str, allowed: dict[str, tuple[Any, ...]], values: Any) -> None:
    """Raise scikit-learn's error for the first value that its declaration does not allow."""
    for name, choices in allowed.items():
        value = values[name]
        if surely_allowed(value, choices):
            continue  # without importing scikit-learn
        try:
            from sklearn.utils._param_validation import validate_parameter_constraints
        except ModuleNotFoundError:
            expected = " or ".join(map(_expected, choices))
            raise ValueError(
                f"The {name!r} parameter of {caller} must be {expected}. Got {value!r} instead."
            ) from None
        constraints = [constraint_of(choice) for choice in choices]
        validate_parameter_constraints({name: constraints}, {name: value}, caller_name=caller)


def whole_number(value: Any, name: str, *, least: int = 0, most: int = LARGEST_COUNT) -> int:
    """Return a whole number; raise if it is something else or out of its range."""
    if not isinstance(value, Integral) or not least <= int(value) <= most:
        raise ValueError(
            f"{name} is {value!r}, expected a whole number from {least} to {most}. Give an int in "
            "this range."
        )
    return int(value)


def surely_allowed(value: Any, choices: tuple[Any, ...]) -> bool:
    """Return whether scikit-learn would surely allow a value, without asking it."""
    return any(_is_allowed(value, choice) for choice in choices)


def _is_allowed(value: Any, choice: Any) -> bool:
    """Return whether a value is surely allowed."""
    if isinstance(choice, Bounds):
        kind = Integral if choice.kind is int else Real
        if not isinstance(value, kind):
            return False
        number: Any = value  # an int may be too large for a float
        below = number < inf if choice.high is None else number <= choice.high
        return bool(choice.low <= number and below)
    if isinstance(choice, OneOf):
        return isinstance(value, str) and value in choice.choices
    if choice == "random_state":
        is_seed = isinstance(value, Integral) and 0 <= int(value) < 2**32
        return value is None or is_seed or isinstance(value, np.random.RandomState)
    if choice is None:
        return value is None
    return isinstance(choice, type) and isinstance(value, choice)


def _expected(choice: Any) -> str:
    """Describe the values of a choice with their bounds."""
    if not isinstance(choice, Bounds):
        return words_for(choice)
    limit = "" if choice.high is None else f" and at most {choice.high:g}"
    return f"{choice.kind.__name__} of at least {choice.low:g}{limit}"
