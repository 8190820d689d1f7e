# SPDX-License-Identifier: MIT
"""Parameters of an estimator to and from the options of the core, and to the notes of a file."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np

from .. import _core
from .option import Option, options_of

__all__ = ["core_options", "params_in_model", "params_to_note"]

_NO_VALUE = object()


def core_options(parameters: Any) -> _core.TransportOptions:
    """Return the core's options for all parameters of an estimator that the core knows."""
    options = _core.TransportOptions()
    kind: Any = type(parameters)
    for name, (option, core_default) in _known_to_core(kind).items():
        value = getattr(parameters, name)
        if value is not core_default:
            *path, attribute = option.core.split(".")
            setattr(options.mixture if path else options, attribute, option.to_core(value))
    return options


@cache
def _known_to_core(parameters: Any) -> dict[str, tuple[Option, Any]]:
    """Return the declarations that the core knows, with the default where it is the core's own."""
    usual = _core.TransportOptions()
    known = {}
    for own in fields(parameters):
        option: Option = own.metadata["option"]
        if option.core:
            value = option.from_core(attrgetter(option.core)(usual))
            is_usual = type(own.default) is type(value) and own.default == value
            known[own.name] = option, own.default if is_usual else _NO_VALUE
    return known


def params_in_model(parameters: type, model: _core.TransportModel) -> dict[str, Any]:
    """Return the parameters that the core keeps in a model."""
    return {
        name: option.from_core(
            attrgetter(option.core.replace("mixture.", "mixture_options."))(model)
        )
        for name, option in options_of(parameters).items()
        if option.kept == "model"
    }


def params_to_note(parameters: Any) -> dict[str, Any]:
    """Return the parameters that the core has no place for in a file, as far as JSON can."""
    values = {
        name: getattr(parameters, name)
        for name, option in options_of(parameters).items()
        if option.kept == "notes"
    }
    plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in values.items()}
    simple = (bool, int, float, str, type(None))
    return {name: value for name, value in plain.items() if isinstance(value, simple)}
