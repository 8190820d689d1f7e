# SPDX-License-Identifier: MIT
"""The declaration of a parameter: its default, its bounds, its text and its name in the core.

Options of the core bring their own default, bounds and words (`described` of its options).

The parameters of an estimator are the fields of a dataclass, so `__init__`, its signature and its
types are generated. Dataclasses of one topic each are combined by inheritance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from numbers import Integral, Real
from operator import attrgetter
from typing import Any

from .. import _core

__all__ = [
    "COUNT",
    "FRACTION",
    "LARGEST_COUNT",
    "Bounds",
    "HasMethod",
    "OneOf",
    "Option",
    "at_least",
    "changed",
    "constraint_of",
    "constraints_of",
    "declared",
    "one_of",
    "option",
    "options_of",
    "words_for",
]


@dataclass(frozen=True)
class Bounds:
    """Numbers from `low` to `high`, both included; None is no upper bound."""

    kind: type
    low: float
    high: float | None = None


@dataclass(frozen=True)
class OneOf:
    """Some strings."""

    choices: tuple[str, ...]


@dataclass(frozen=True)
class HasMethod:
    """Objects that have a method."""

    name: str


def at_least(low: float) -> Bounds:
    """Allow integers if `low` is an integer and real numbers otherwise, from `low` on."""
    return Bounds(type(low), low)


def one_of(*choices: str) -> OneOf:
    """Allow some strings."""
    return OneOf(choices)


LARGEST_COUNT = 2**31 - 1  # what the core counts components, steps and threads up to

COUNT = Bounds(int, 1, LARGEST_COUNT)
FRACTION = Bounds(float, 0.0, 1.0)


@dataclass(frozen=True)
class Option:
    """All that is known of a parameter besides its name and default.

    Attributes
    ----------
    allowed : tuple
        Allowed values: `Bounds`, `OneOf`, `HasMethod`, and anything that scikit-learn takes in
        `_parameter_constraints`. If empty, every value is allowed.
    help : str
        The description in docstrings.
    type : str
        The type in docstrings.
    core : str
        The attribute of the core's `TransportOptions` that holds the value. If empty, the core
        does not know the parameter.
    to_core, from_core : callable
        Conversions between the value in Python and in the core.
    kept : {"model", "notes", ""}
        Whether a model file holds the value in the core's part, among the notes of Python, or not.
    """

    allowed: tuple[Any, ...]
    help: str
    type: str
    core: str
    to_core: Callable[[Any], Any]
    from_core: Callable[[Any], Any]
    kept: str


_DESCRIBED: dict[str, dict[str, Any]] = {
    **{f"mixture.{own['name']}": own for own in _core.MixtureOptions.described()},
    **{own["name"]: own for own in _core.TransportOptions.described()},
}


def _allowed_by_core(core: str) -> tuple[Any, ...]:
    """Return the values that the core allows for one of its options."""
    known = _DESCRIBED[core]
    if known["type"] == "boolean":
        return ("boolean",)
    if known["type"] == "choice":
        return (one_of(*known["words"]),)
    if known["type"] == "integer":
        most = known["most"]
        high = int(most) if most is not None and most <= LARGEST_COUNT else None
        return (Bounds(int, int(known["least"]), high), *([None] if known["words"] else []))
    words = [one_of(*known["words"])] if known["words"] else []
    return (Bounds(float, known["least"], known["most"]), *words)


def declared(
    allowed: Any = MISSING, *, type: str = "", core: str = "", **about: Any
) -> dict[str, Option]:
    """Return the metadata of a field without a default; see `Option`.

    The values that the core allows, conversions that follow from them, and that a model file holds
    what the core knows, are assumed unless something else is given.
    """
    if allowed is MISSING:
        allowed = _allowed_by_core(core)
        about.setdefault("help", f"{_DESCRIBED.get(core, {}).get('help', '')}.")
    if not isinstance(allowed, tuple):
        allowed = (allowed,)
    to_core, from_core = _conversions(allowed)
    usual = {"to_core": to_core, "from_core": from_core, "kept": "model" if core else ""}
    return {"option": Option(allowed, type=type or _type_of(allowed), core=core, **usual | about)}


def option(allowed: Any = MISSING, *, default: Any = MISSING, **about: Any) -> Any:
    """Declare a parameter as a field of a dataclass; without a default, with that of the core."""
    metadata = declared(allowed, **about)
    if default is MISSING:
        known = metadata["option"]
        default = known.from_core(attrgetter(known.core)(_core.TransportOptions()))
    return field(default=default, metadata=metadata)


def changed(
    parameters: type, name: str, default: Any = MISSING, *, note: str = "", **changes: Any
) -> Any:
    """Declare a parameter again, with another default, text or bounds, or a note on the text."""
    known: Field[Any] = parameters.__dataclass_fields__[name]  # type: ignore[attr-defined]
    if note:
        changes["help"] = f"{known.metadata['option'].help} {note}"
    if "allowed" in changes:
        changes.setdefault("type", _type_of(changes["allowed"]))
    declaration = replace(known.metadata["option"], **changes)
    value = known.default if default is MISSING else default
    return field(default=value, metadata={"option": declaration})


def options_of(parameters: Any) -> dict[str, Option]:
    """Return the declarations of all parameters of a dataclass, or of an instance of it."""
    return {own.name: own.metadata["option"] for own in fields(parameters)}


def constraints_of(parameters: type) -> dict[str, Any]:
    """Return the `_parameter_constraints` that scikit-learn validates parameters by."""
    return {
        name: [constraint_of(allowed) for allowed in own.allowed] or "no_validation"
        for name, own in options_of(parameters).items()
    }


def _conversions(allowed: tuple[Any, ...]) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return the usual conversions to the core and from it."""
    first = allowed[0] if allowed else None
    if first == FRACTION and len(allowed) > 1:  # the core holds a number or "auto" as a text
        return str, lambda text: text if text == "auto" else float(text)
    if isinstance(first, Bounds) and first.kind is int:
        return (lambda value: None if value is None else int(value)), _same
    return bool if first == "boolean" else _same, _same


def _same(value: Any) -> Any:
    return value


def constraint_of(allowed: Any) -> Any:
    """Return scikit-learn's constraint for one kind of allowed values."""
    from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

    if isinstance(allowed, Bounds):
        closed = "left" if allowed.high is None else "both"
        kind = Integral if allowed.kind is int else Real
        return Interval(kind, allowed.low, allowed.high, closed=closed)
    if isinstance(allowed, OneOf):
        return StrOptions(set(allowed.choices))
    return HasMethods(allowed.name) if isinstance(allowed, HasMethod) else allowed


_TYPES = {
    None: "None",
    Integral: "int",
    Iterable: "iterable",
    dict: "dict",
    str: "str",
    "boolean": "bool",
    "random_state": "int, RandomState instance or None",
    "verbose": "int",
}


def _type_of(allowed: tuple[Any, ...]) -> str:
    """Describe allowed values as numpydoc does: 'int or None'."""
    words = [words_for(value) for value in allowed]
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1] if words else "object"]))


def words_for(allowed: Any) -> str:
    """Describe one kind of allowed values."""
    if isinstance(allowed, Bounds):
        return allowed.kind.__name__
    if isinstance(allowed, OneOf):
        quoted = ", ".join(f'"{choice}"' for choice in allowed.choices)
        return quoted if len(allowed.choices) == 1 else f"{{{quoted}}}"
    return _TYPES.get(allowed, str(allowed))
