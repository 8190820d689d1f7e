# SPDX-License-Identifier: MIT
"""The bindings themselves: what the package does not go through."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import blobs

from lbw import InvalidArgument, _core


def model() -> _core.TransportModel:
    options = _core.TransportOptions()
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
    with pytest.raises(InvalidArgument, match="start: 'best' is unknown"):
        options.start = "best"
    transport = _core.TransportOptions()
    for name, value in {
        "coupling": "plan",
        "cost": "bures",
        "map": "soft",
        "dither": 0.5,
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
    assert (fitted.coupling, fitted.cost, fitted.map) == ("matching", "means", "hard")
    assert fitted.mixture_options.n_components == 3
    assert fitted.reports[0].n_samples == 200
    assert fitted.reports[0].replaced_components == 0
    assert fitted.mixtures[0].n_parameters == 2 + 9 + 18
    fitted.notes = {"a": "b"}
    assert fitted.notes == {"a": "b"}
    again = _core.model_from_bytes(_core.model_to_bytes(fitted))
    assert _core.model_to_bytes(again) == _core.model_to_bytes(fitted)


def test_misplaced_mass_is_half_the_difference_of_weights():
    fitted = model()
    left, right = (mixture.weights for mixture in fitted.mixtures)
    tuples = fitted.tuples
    expected = 0.5 * np.abs(left[tuples[:, 0]] - right[tuples[:, 1]]).sum()
    assert _core.misplaced_mass(fitted, "a", "b") == pytest.approx(expected, abs=1e-15)


def test_arrays_that_do_not_fit_are_refused():
    fitted = model()
    along = _core.map_between(fitted, "a", "b")
    X = blobs(10, 2)
    with pytest.raises(InvalidArgument, match="out is not of the shape and type of the samples"):
        _core.transport_into(along, X, np.empty((10, 2)))
    with pytest.raises(InvalidArgument, match="out is not of the shape and type"):
        _core.transport_into(along, X, np.empty((10, 3), dtype=np.float32))
    with pytest.raises(InvalidArgument, match="samples: expected float64 or float32"):
        _core.log_density(fitted.mixtures[0], X.astype(int))
    with pytest.raises(InvalidArgument, match="the features of a row are not side by side"):
        _core.log_density(fitted.mixtures[0], np.asfortranarray(X))
    with pytest.raises(InvalidArgument, match=r"covariances: shape \(1, 2\), expected \(1, 2, 2\)"):
        _core.Mixture("full", np.ones(1), np.zeros((1, 2)), np.ones((1, 2)))
    with pytest.raises(InvalidArgument, match="names, samples and sample_weights differ in number"):
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
