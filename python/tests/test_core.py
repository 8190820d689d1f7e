# SPDX-License-Identifier: MIT
"""The bindings themselves: what the package does not go through."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from conftest import blobs

from lbw import InvalidArgument, _core

pytestmark = pytest.mark.wheel


def model(coupling: str = "plan") -> _core.TransportModel:
    options = _core.TransportOptions()
    options.coupling = coupling
    mixture = _core.MixtureOptions()
    mixture.n_components = 3
    options.mixture = mixture
    options.feature_names = ["x", "y", "z"]
    return _core.fit_transport(["a", "b"], [blobs(200, 0), blobs(200, 1, shift=2.0)], options)


def test_options_read_back_what_was_set():
    options = _core.MixtureOptions()
    for name, value in {
        "n_components": 4,
        "covariance_type": "tied",
        "covariance_floor": 0.5,
        "relative_covariance_floor": 0.25,
        "shrinkage": "auto",
        "tolerance": 0.25,
        "max_iterations": 7,
        "n_init": 3,
        "start": "kmeans++",
        "start_samples": 50,
        "precision": "f32",
        "seed": 2**63,
        "n_threads": 2,
    }.items():
        setattr(options, name, value)
        assert getattr(options, name) == value
    options.start_samples = None
    assert options.start_samples is None
    with pytest.raises(InvalidArgument, match="start is 'best', expected kmeans"):
        options.start = "best"
    transport = _core.TransportOptions()
    for name, value in {
        "coupling": "plan",
        "cost": "bures",
        "map": "soft",
        "dither": "0.5",
        "refine": 3,
        "refine_weights": [0.25, 0.75],
        "reference": "b",
        "feature_names": ["x"],
        "n_components_per_group": [2, 3],
    }.items():
        setattr(transport, name, value)
        assert getattr(transport, name) == value
    barycenter = _core.BarycenterOptions()
    barycenter.tolerance, barycenter.max_iterations = 0.5, 3
    assert (barycenter.tolerance, barycenter.max_iterations) == (0.5, 3)


def test_models_describe_themselves():
    fitted = model()
    assert fitted.group_names == ["a", "b"]
    assert fitted.feature_names == ["x", "y", "z"]
    assert (fitted.coupling, fitted.cost, fitted.map) == ("plan", "means", "random")
    assert fitted.mixture_options.n_components == 3
    assert fitted.reports[0].n_samples == 200
    assert fitted.reports[0].replaced_components == 0
    assert fitted.mixtures[0].n_parameters == 2 + 9 + 18
    fitted.notes = {"a": "b"}
    assert fitted.notes == {"a": "b"}
    again = _core.model_from_bytes(_core.model_to_bytes(fitted))
    assert _core.model_to_bytes(again) == _core.model_to_bytes(fitted)


def test_misplaced_mass_is_half_the_difference_of_weights():
    fitted = model("matching")
    left, right = (mixture.weights for mixture in fitted.mixtures)
    tuples = fitted.tuples
    expected = 0.5 * np.abs(left[tuples[:, 0]] - right[tuples[:, 1]]).sum()
    assert _core.misplaced_mass(fitted, "a", "b") == pytest.approx(expected, abs=1e-15)


def test_arrays_that_do_not_fit_are_refused():
    fitted = model()
    along = _core.map_between(fitted, "a", "b")
    X = blobs(10, 2)
    with pytest.raises(InvalidArgument, match="out must have the shape and type of the samples"):
        _core.transport_into(along, X, np.empty((10, 2)))
    with pytest.raises(InvalidArgument, match="out must have the shape and type"):
        _core.transport_into(along, X, np.empty((10, 3), dtype=np.float32))
    with pytest.raises(InvalidArgument, match="samples: expected float64 or float32"):
        _core.log_density(fitted.mixtures[0], X.astype(int))
    with pytest.raises(InvalidArgument, match="the features of a row are not adjacent"):
        _core.log_density(fitted.mixtures[0], np.asfortranarray(X))
    with pytest.raises(InvalidArgument, match=r"covariances: shape \(1, 2\), expected \(1, 2, 2\)"):
        _core.Mixture("full", np.ones(1), np.zeros((1, 2)), np.ones((1, 2)))
    with pytest.raises(
        InvalidArgument, match="names, samples, sample_weights and keys have different lengths"
    ):
        _core.fit_transport(["a"], [X, X], _core.TransportOptions())
    cube = np.ones((1, 3, 3))
    with pytest.raises(InvalidArgument, match=r"sources: means are \(1, 2\), covariances \(1, 3"):
        _core.squared_distances(np.zeros((1, 2)), cube, np.zeros((1, 2)), cube)


def test_points_are_carried_in_place():
    along = _core.map_between(model(), "a", "b")
    X = blobs(10, 2)
    out = np.empty_like(X)
    _core.transport_into(along, X, out)
    _core.transport_into(along, X, X)
    np.testing.assert_array_equal(X, out)


def test_quantile_maps_lead_to_the_mean_of_the_quantiles():
    rng = np.random.default_rng(0)
    low, high = rng.normal(size=1000), 3 + 2 * rng.normal(size=1500)
    maps = _core.fit_quantile_maps([low, high], barycentric_weights=[0.25, 0.75], n_levels=101)
    levels = np.linspace(0, 1, 101)
    for along, values in zip(maps, (low, high), strict=True):
        expected = np.quantile(values, levels, method="hazen")
        np.testing.assert_allclose(along.source, expected, atol=1e-12)
    np.testing.assert_array_equal(maps[0].target, maps[1].target)
    mean = 0.25 * maps[0].source + 0.75 * maps[1].source
    np.testing.assert_allclose(maps[0].target, mean, atol=1e-12)
    carried = _core.apply_quantile_map(maps[0], maps[0].source)
    np.testing.assert_allclose(carried, maps[0].target, atol=1e-12)
    half = _core.QuantileMap(maps[0].source, maps[0].target, amount=0.5)
    np.testing.assert_allclose(
        _core.apply_quantile_map(half, low),
        (low + _core.apply_quantile_map(maps[0], low)) / 2,
        atol=1e-12,
    )


def test_quantile_maps_weigh_samples():
    values = np.arange(5.0)
    counts = np.array([1.0, 2.0, 1.0, 3.0, 1.0])
    weighted = _core.fit_quantile_maps([values], [counts])[0]
    assert not np.allclose(weighted.source, _core.fit_quantile_maps([values])[0].source)
    copies = np.repeat(values, counts.astype(int))  # a weight counts copies
    expected = _core.fit_quantile_maps([copies])[0].source
    np.testing.assert_array_equal(weighted.source, expected)


def test_quantile_maps_are_pickled_and_copied():
    along = _core.fit_quantile_maps([np.arange(9.0), np.arange(5.0)], amount=0.75, n_levels=5)[0]
    for again in (pickle.loads(pickle.dumps(along)), copy.deepcopy(along)):
        np.testing.assert_array_equal(again.source, along.source)
        np.testing.assert_array_equal(again.target, along.target)
        assert again.amount == 0.75


def test_quantile_maps_refuse_what_makes_no_sense():
    values = np.arange(3.0)
    with pytest.raises(InvalidArgument, match="values and sample_weights have different lengths"):
        _core.fit_quantile_maps([values, values], [None])
    with pytest.raises(InvalidArgument, match="n_levels"):
        _core.fit_quantile_maps([values], n_levels=1)
    backwards = _core.QuantileMap(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    with pytest.raises(InvalidArgument, match="apply_quantile_map: map"):
        _core.apply_quantile_map(backwards, values)


def test_every_group_chooses_its_own_number_of_components():
    groups = {"one": np.random.default_rng(0).normal(size=(300, 3)), "three": blobs(600, 2)}
    told = []
    results = _core.select_components_per_group(
        list(groups),
        list(groups.values()),
        [1, 2, 3, 4],
        "bic",
        _core.MixtureOptions(),
        lambda name, point: told.append((name, point.n_components)),
    )
    assert [result.n_components for result in results] == [1, 3]
    assert told == [(name, k) for name in groups for k in (1, 2, 3, 4)]
    alone = _core.select_components(groups["three"], [1, 2, 3, 4], "bic", _core.MixtureOptions())
    assert [point.bic for point in results[1].curve] == [point.bic for point in alone.curve]
    with pytest.raises(
        InvalidArgument, match="select_components_per_group: names, samples, sample_weights and"
    ):
        _core.select_components_per_group(["a"], [], [1], "bic", _core.MixtureOptions())
    with pytest.raises(InvalidArgument, match="group 'one': select_components: n_components is em"):
        _core.select_components_per_group(
            ["one"], [groups["one"]], [], "bic", _core.MixtureOptions()
        )


def test_options_refuse_none_unless_it_is_automatic():
    options = _core.TransportOptions()
    for name in ("map", "coupling", "dither"):
        with pytest.raises(ValueError, match=name):
            setattr(options, name, None)
    options.mixture.start_samples = None
    assert options.mixture.start_samples is None
