# SPDX-License-Identifier: MIT
"""Parameters of an estimator to and from the options of the core, and to the notes of a file."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from .. import _core
from .option import options_of

__all__ = ["core_options", "params_in_model", "params_to_note"]


def core_options(parameters: Any) -> _core.TransportOptions:
    """Return the core's options for all parameters of an estimator that the core knows."""
    options = _core.TransportOptions()
    for name, option in options_of(parameters).items():
        if option.core:
            *path, attribute = option.core.split(".")
            value = option.to_core(getattr(parameters, name))
            setattr(options.mixture if path else options, attribute, value)
    return options


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
