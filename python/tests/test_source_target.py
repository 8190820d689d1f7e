# SPDX-License-Identifier: MIT
"""LocalTransport with the arguments of POT's transports."""

from __future__ import annotations

import inspect

import numpy as np
import ot
import pandas as pd
import polars as pl
import pytest

from lbw import LocalTransport


@pytest.fixture
def samples() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    source = rng.normal(size=(400, 3)) @ rng.normal(size=(3, 3))
    target = rng.normal(size=(300, 3)) @ rng.normal(size=(3, 3)) + [4.0, 0.0, -2.0]
    return source, target


def test_one_component_is_the_linear_transport_of_pot(samples):
    source, target = samples
    pot = ot.da.LinearTransport(reg=1e-6).fit(Xs=source, Xt=target)
    own = LocalTransport(n_components=1, covariance_floor=1e-6).fit(Xs=source, Xt=target)
    assert own.groups_.tolist() == ["source", "target"]
    tolerance = {"rtol": 0, "atol": 1e-11}  # rounding of coordinates below 20
    np.testing.assert_allclose(own.transform(Xs=source), pot.transform(Xs=source), **tolerance)
    np.testing.assert_allclose(
        own.inverse_transform(Xt=target), pot.inverse_transform(Xt=target), **tolerance
    )


def test_the_results_are_those_of_the_ordinary_interface(samples):
    source, target = samples
    X, groups = np.concatenate(samples), np.repeat(["source", "target"], [400, 300])
    ordinary = LocalTransport(n_components=3).fit(X, groups)
    own = LocalTransport(n_components=3).fit(Xs=source, Xt=target)
    there = ordinary.transform(source, "source", "target")
    np.testing.assert_array_equal(own.transform(Xs=source), there)
    np.testing.assert_array_equal(ordinary.transform(Xs=source), there)
    np.testing.assert_array_equal(
        own.inverse_transform(Xt=target), ordinary.transform(target, "target", "source")
    )
    np.testing.assert_array_equal(
        LocalTransport(n_components=3).fit_transform(Xs=source, Xt=target), there
    )
    half = ordinary.transform(source, "source", "target", amount=0.5)
    np.testing.assert_array_equal(own.transform(Xs=source, amount=0.5), half)


@pytest.mark.parametrize("table", [pd.DataFrame, pl.DataFrame])
def test_tables_keep_names_and_columns_are_found_by_name(samples, table):
    names = ["a", "b", "c"]
    source, target = (table(dict(zip(names, own.T, strict=True))) for own in samples)
    own = LocalTransport(n_components=2).fit(Xs=source, Xt=target[["c", "a", "b"]])
    assert own.feature_names_in_.tolist() == names
    expected = LocalTransport(n_components=2).fit(Xs=samples[0], Xt=samples[1])
    np.testing.assert_array_equal(own.transform(Xs=source), expected.transform(Xs=samples[0]))
    own.set_output(transform="pandas")
    assert list(own.transform(Xs=source).columns) == names


def test_both_interfaces_at_once_are_an_error(samples):
    source, target = samples
    transport = LocalTransport(n_components=1)
    with pytest.raises(TypeError, match="fit: Xs and Xt cannot be given together with X"):
        transport.fit(source, Xs=source, Xt=target)
    with pytest.raises(TypeError, match="cannot be given together with sample_weight"):
        transport.fit(Xs=source, Xt=target, sample_weight=np.ones(700))
    with pytest.raises(TypeError, match="fit: Xs is given without Xt"):
        transport.fit(Xs=source)
    transport.fit(Xs=source, Xt=target)
    with pytest.raises(TypeError, match="transform: Xs cannot be given together with to"):
        transport.transform(Xs=source, to="target")
    with pytest.raises(TypeError, match="inverse_transform: Xt cannot be given together with X"):
        transport.inverse_transform(target, Xt=target)


def test_bad_input_is_named(samples):
    source, target = samples
    with pytest.raises(ValueError, match=r"Xs has the shape \(400, 3\) and Xt \(300, 2\)"):
        LocalTransport().fit(Xs=source, Xt=target[:, :2])
    tables = pd.DataFrame(source, columns=list("abc")), pd.DataFrame(target, columns=list("abd"))
    with pytest.raises(ValueError, match=r"Xt has the columns \['a', 'b', 'd'\], expected those"):
        LocalTransport().fit(Xs=tables[0], Xt=tables[1])
    other = LocalTransport(n_components=1).fit(source, np.repeat(["a", "b"], 200))
    with pytest.raises(ValueError, match=r"needs a model with the groups 'source' and 'target'"):
        other.transform(Xs=source)


def test_signatures_and_docstrings_name_the_arguments():
    for name, arguments in (
        ("fit", ["Xs", "Xt"]),
        ("transform", ["Xs"]),
        ("inverse_transform", ["Xt"]),
        ("fit_transform", ["Xs", "Xt"]),
    ):
        method = getattr(LocalTransport, name)
        assert set(arguments) <= set(inspect.signature(method).parameters)
        if name != "fit_transform":
            assert all(argument in method.__doc__ for argument in arguments)
