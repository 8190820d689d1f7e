# SPDX-License-Identifier: MIT
"""Declared parameters: signatures, docstrings, bounds and options of the core follow from them."""

from __future__ import annotations

import inspect
import re
from contextlib import nullcontext
from dataclasses import dataclass, fields

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.utils._param_validation import InvalidParameterError, validate_parameter_constraints

import lbw
from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair, _core
from lbw._options.core import core_options, params_to_note
from lbw._options.option import (
    FRACTION,
    at_least,
    changed,
    constraint_of,
    constraints_of,
    one_of,
    option,
    options_of,
)
from lbw._options.presented import documented, parametrized

ESTIMATORS = [GaussianMixture(), LocalTransport(), GroupRepair(), ScoreRepair(LogisticRegression())]


@dataclass(kw_only=True, eq=False, repr=False)
class Shared:
    tol: float = option(at_least(0.0), core="mixture.tolerance", help="The threshold.")
    dither: float | str = option(
        (FRACTION, one_of("auto")), default=0.0, core="dither", kept="notes", help="The noise."
    )
    n_init: int | None = option((at_least(1), None), core="mixture.n_init", help="Starts.")
    label: object = option((), default=None, type="label", kept="notes", help="Any value.")


@dataclass(eq=False, repr=False)
class Own(Shared):
    dither: float | str = changed(Shared, "dither", "auto", help="More noise.")
    n_init: int | None = changed(Shared, "n_init", note="Several.")
    tol: float = changed(Shared, "tol", allowed=(at_least(0.5),))


def test_defaults_come_from_the_core_unless_given():
    defaults = {field.name: field.default for field in fields(Own)}
    tolerance = _core.TransportOptions().mixture.tolerance
    assert defaults == {"tol": tolerance, "dither": "auto", "n_init": 1, "label": None}
    assert Shared().dither == 0.0


def test_bounds_are_those_of_scikit_learn():
    constraints = constraints_of(Own)
    assert constraints["label"] == "no_validation"
    assert [str(bound) for bound in constraints["dither"]] == [
        "a float in the range [0.0, 1.0]",
        "a str among {'auto'}",
    ]
    assert str(constraints["n_init"][0]) == "an int in the range [1, inf)"
    assert constraints["n_init"][1] is None
    assert str(constraints["tol"][0]) == "a float in the range [0.5, inf)"
    assert str(constraints_of(Shared)["tol"][0]) == "a float in the range [0.0, inf)"


def test_values_reach_the_core_in_its_types():
    options = core_options(Own(tol=2.0, dither=0.5, n_init=3))
    assert (options.mixture.tolerance, options.dither, options.mixture.n_init) == (2.0, "0.5", 3)
    assert core_options(Own()).dither == "auto"


@pytest.mark.parametrize("estimator", ESTIMATORS[:3])
def test_defaults_that_the_core_has_too_reach_it(estimator):
    options = core_options(estimator)
    for name, known in options_of(estimator).items():
        if known.core:
            expected = _core.TransportOptions()
            *path, attribute = known.core.split(".")
            own, other = (o.mixture if path else o for o in (options, expected))
            setattr(other, attribute, known.to_core(getattr(estimator, name)))
            assert getattr(own, attribute) == getattr(other, attribute), name


@parametrized
@dataclass(eq=False, repr=False)
class Bounded(Shared):
    pass


class Narrow(Bounded):
    _parameter_constraints = {
        **Bounded._parameter_constraints,
        "n_init": [constraint_of(at_least(5))],
    }


@pytest.mark.parametrize(
    ("values", "is_valid"),
    [
        ({"tol": 0.0}, True),
        ({"tol": np.float32(0.5)}, True),
        ({"tol": 3}, True),
        ({"tol": np.inf}, False),
        ({"tol": np.nan}, False),
        ({"tol": "0.5"}, False),
        ({"dither": 1}, True),
        ({"dither": "auto"}, True),
        ({"dither": "other"}, False),
        ({"n_init": 2}, True),
        ({"n_init": None}, True),
        ({"n_init": 10**400}, True),
        ({"n_init": 2.0}, False),
        ({"n_init": 0}, False),
        ({"label": object()}, True),
    ],
)
def test_values_are_validated_as_by_scikit_learn(values, is_valid):
    with nullcontext() if is_valid else pytest.raises(InvalidParameterError) as own:
        Bounded(**values)._validate_params()
    constraints = {name: Bounded._parameter_constraints[name] for name in values}
    with nullcontext() if is_valid else pytest.raises(InvalidParameterError) as other:
        validate_parameter_constraints(constraints, values, caller_name="Bounded")
    assert is_valid or str(own.value) == str(other.value)


def test_a_subclass_may_narrow_the_bounds_of_a_parameter():
    Narrow(n_init=5)._validate_params()
    with pytest.raises(InvalidParameterError, match=r"'n_init' .* in the range \[5, inf\)"):
        Narrow(n_init=4)._validate_params()


def test_notes_hold_what_json_can():
    assert params_to_note(Own(label="b")) == {"dither": "auto", "label": "b"}
    assert params_to_note(Own(label=object())) == {"dither": "auto"}


def test_placeholders_become_descriptions():
    @documented(Own)
    def function():
        """Do nothing.

        Parameters
        ----------
        {dither}
        {n_init}
        """

    assert inspect.getdoc(function) == (
        "Do nothing.\n\nParameters\n----------\n"
        'dither : float or "auto", default="auto"\n    More noise.\n'
        "n_init : int or None, default=1\n    Starts. Several."
    )


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda own: type(own).__name__)
def test_every_parameter_is_described_once_with_its_default(estimator):
    text = inspect.getdoc(type(estimator))
    section = text[text.index("Parameters\n") : text.index("Attributes\n")]
    described = dict(re.findall(r"^(\w+) : .*?(?:, default=(.*))?$", section, re.MULTILINE))
    parameters = inspect.signature(type(estimator)).parameters
    assert list(described) == list(parameters)
    for name, parameter in parameters.items():
        if parameter.default is not inspect.Parameter.empty:
            assert described[name].replace('"', "'") == repr(parameter.default)
    assert max(map(len, section.splitlines())) <= 100


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda own: type(own).__name__)
def test_parameters_are_keywords_that_clone(estimator):
    names = list(inspect.signature(type(estimator)).parameters)
    assert sorted(names) == sorted(estimator.get_params(deep=False))
    kinds = [own.kind for own in inspect.signature(type(estimator)).parameters.values()]
    assert kinds[0] is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert set(kinds[1:]) == {inspect.Parameter.KEYWORD_ONLY}
    changed_one = clone(estimator.set_params(random_state=7))
    assert changed_one.random_state == 7
    assert set(options_of(estimator)) == set(names) == set(estimator._parameter_constraints)
    words = rf"^{type(estimator).__name__}.__init__\(\) got an unexpected keyword argument 'n_job'"
    with pytest.raises(TypeError, match=words):
        type(estimator)(LogisticRegression(), n_job=1)


def test_one_line_function_has_the_defaults_of_the_estimator():
    theirs = inspect.signature(LocalTransport).parameters
    for name, parameter in inspect.signature(lbw.transport).parameters.items():
        if name in theirs:
            assert parameter.default == theirs[name].default, name
    assert "{" not in re.sub(r'\{"[^}]*\}', "", lbw.transport.__doc__)
