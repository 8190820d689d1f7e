# SPDX-License-Identifier: MIT
"""Spark's Params from the declared parameters of the Python estimators.

An option is declared once, in `lbw._options`. Its name, default, bounds and description become a
Param with a getter and a setter: `n_components` is `nComponents`, `getNComponents()` and
`setNComponents(value)`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from pyspark.ml.param import Param, Params

from .._options.checked import check_arguments
from .._options.mixture import MixtureParameters
from .._options.option import Bounds, OneOf, Option, options_of
from .._options.repair import GroupRepairParameters
from .._options.transport import LocalTransportParameters

__all__ = ["SparkParams", "error_in_spark_words", "python_values", "spark_name", "spark_params"]

Kind = TypeVar("Kind", bound=type)

_PYTHON_NAMES = {
    *options_of(MixtureParameters),
    *options_of(LocalTransportParameters),
    *options_of(GroupRepairParameters),
    "sample_weight",
}
_RENAMED = {"random_state": "seed", "sample_weight": "weightCol"}
_OTHER_NAMES = {"k": "nComponents"}  # of Spark ML
_WITH_UNDERSCORE = re.compile(
    rf"\b({'|'.join(sorted(name for name in _PYTHON_NAMES if '_' in name))})\b"
)
_QUOTED = re.compile(r"`(\w+)`")
_ANNOTATIONS = {int: "int", float: "float", str: "str"}


def spark_name(name: str) -> str:
    """Return the name that Spark has for a parameter: `max_iter` is `maxIter`."""
    first, *rest = _RENAMED.get(name, name).split("_")
    return first + "".join(word.capitalize() for word in rest)


class SparkParams(Params):
    """Params that `spark_params` adds to a class, set by keyword."""

    _declared: dict[str, Option] = {}  # by Python's names
    _defaults: dict[str, Any] = {}  # by Spark's names

    def __init__(self, **params: Any) -> None:
        super().__init__()
        self._setDefault(**self._defaults)
        self.setParams(**params)

    def setParams(self, **params: Any) -> Any:
        """Set Params by keyword; returns the instance itself."""
        strange = sorted(set(params) - set(self._defaults))
        if strange:
            hint = _OTHER_NAMES.get(strange[0])
            raise TypeError(
                f"{type(self).__name__} has no Param {strange[0]!r}, expected some of "
                f"{', '.join(sorted(self._defaults))}"
                + (f". Spark ML's {strange[0]} is {hint}." if hint in self._defaults else "")
            )
        return self._set(**params)

    if TYPE_CHECKING:  # getters and setters are made at run time

        def __getattr__(self, name: str) -> Any: ...

    def _value(self, name: str) -> Any:
        """Return the value of a Param by Spark's name."""
        return self.getOrDefault(name)


def python_values(params: SparkParams, parameters: type) -> dict[str, Any]:
    """Return the arguments of a Python estimator for those of its parameters that are Params."""
    return {
        name: params._value(spark_name(name))
        for name in options_of(parameters)
        if name in params._declared
    }


def spark_params(
    parameters: type, *, without: Iterable[str] = (), set_later: Iterable[str] | None = None
) -> Callable[[Kind], Kind]:
    """Give a class the Params of a dataclass of declared parameters.

    Parameters
    ----------
    parameters : type
        The dataclass.
    without : iterable of str
        Parameters that Spark does not have.
    set_later : iterable of str or None
        The parameters that have setters, by Python's names. If None, all of them.
    """
    left_out = set(without)
    declared = {name: own for name, own in options_of(parameters).items() if name not in left_out}
    settable = set(declared if set_later is None else set_later)
    defaults = {own.name: _plain(own.default) for own in fields(parameters)}

    def decorated(kind: Kind) -> Kind:
        own: Any = kind
        own._declared = declared
        own._defaults = {spark_name(name): defaults[name] for name in declared}
        for name, option in declared.items():
            _add_param(own, name, option, defaults[name], settable=name in settable)
        own.__signature__ = inspect.Signature(
            [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                for name, default in own._defaults.items()
            ]
        )
        return kind

    return decorated


def _add_param(kind: Any, name: str, option: Option, default: Any, *, settable: bool) -> None:
    """Add a Param with its getter and setter to a class."""
    if default is MISSING:
        raise TypeError(f"{name} has no default")
    param = spark_name(name)
    convert = _converter(kind.__name__, param, option)
    text = _in_spark_words(option.help)
    setattr(kind, param, Param(Params._dummy(), param, text, typeConverter=convert))  # type: ignore[no-untyped-call]
    title = param[0].upper() + param[1:]
    annotation = _annotation(option, default)

    def getter(self: SparkParams) -> Any:
        return self.getOrDefault(param)

    def setter(self: SparkParams, value: Any) -> Any:
        return self._set(**{param: value})

    _add_method(
        kind, f"get{title}", getter, f"Return the value of {param}.", {"return": annotation}
    )
    if settable:
        about = {"value": annotation, "return": kind.__name__}
        _add_method(kind, f"set{title}", setter, f"Set {param}. {text}", about)


def _add_method(kind: Any, name: str, method: Any, text: str, annotations: dict[str, str]) -> None:
    method.__name__ = name
    method.__qualname__ = f"{kind.__name__}.{name}"
    method.__module__ = kind.__module__
    method.__doc__ = text
    method.__annotations__ = annotations
    setattr(kind, name, method)


def _converter(caller: str, param: str, option: Option) -> Callable[[Any], Any]:
    """Return the function that checks a value and turns it into plain Python."""

    def convert(value: Any) -> Any:
        value = _plain(value)
        if option.allowed:
            check_arguments(caller, {param: option.allowed}, {param: value})
        wants_float = any(isinstance(own, Bounds) and own.kind is float for own in option.allowed)
        return float(value) if wants_float and type(value) is int else value

    return convert


def _plain(value: Any) -> Any:
    """Turn arrays, ranges and NumPy's numbers into lists and numbers, which metadata can hold."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {_plain(key): _plain(own) for key, own in value.items()}
    if isinstance(value, list | tuple | range | set):
        return [_plain(own) for own in value]
    return value


def _annotation(option: Option, default: Any) -> str:
    """Return the type of a value for readers: "int", "str | None"."""
    kinds = []
    for own in option.allowed:
        if isinstance(own, Bounds):
            kinds.append(_ANNOTATIONS[own.kind])
        elif isinstance(own, OneOf) or own is str:
            kinds.append("str")
        elif own == "boolean":
            kinds.append("bool")
        elif own is dict:
            kinds.append("dict")
        elif own in ("random_state", "verbose"):
            kinds.append("int")
        elif own == "array-like":
            kinds.append("list")
        elif own is not None:
            return "Any"
    if None in option.allowed or default is None:
        kinds.append("None")
    return " | ".join(dict.fromkeys(kinds)) if kinds and kinds != ["None"] else "Any"


def error_in_spark_words(error: ValueError) -> ValueError:
    """Return an error of the Python package with the names of Params."""
    text = _WITH_UNDERSCORE.sub(lambda found: spark_name(found[0]), str(error))
    return type(error)(text)


def _in_spark_words(text: str) -> str:
    """Name parameters and results as Spark does: `max_iter` is maxIter, `groups_` is groups."""
    return _QUOTED.sub(lambda found: spark_name(found[1].rstrip("_")), text)
