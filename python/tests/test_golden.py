# SPDX-License-Identifier: MIT
"""Answers known to the last digit, which the tests of C++ read too: tests/golden/vectors.json."""

import importlib.util
import json
import struct
from pathlib import Path

import numpy as np
import pytest

import lbw
from lbw import _core

pytestmark = pytest.mark.wheel

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "golden"
VECTORS = json.loads((FOLDER / "vectors.json").read_text())
EPSILON = np.finfo(float).eps

# Some ten roundings, each magnified by the condition of the covariances at most.
ROUNDINGS = 10 * EPSILON


def cases(name):
    return pytest.mark.parametrize(
        "case", VECTORS[name], ids=lambda case: case.get("name") or case["covariance_type"]
    )


def parts(gaussian):
    return np.array(gaussian["mean"]), np.array(gaussian["covariance"])


def assert_near(actual, expected, relative):
    """Compare in units of the largest entry expected."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    assert np.max(np.abs(actual - expected)) <= relative * np.max(np.abs(expected))


@cases("pairs")
def test_distance(case):
    (ms, Cs), (mt, Ct) = parts(case["source"]), parts(case["target"])
    # A difference of numbers as large as the traces; the root of a small eigenvalue moves by the
    # root of the condition.
    scale = np.trace(Cs) + np.trace(Ct) + case["squared_distance"]
    allowed = ROUNDINGS * np.sqrt(case["condition"]) * scale
    squared = _core.squared_distances(ms[None], Cs[None], mt[None], Ct[None])[0, 0]
    assert abs(squared - case["squared_distance"]) <= allowed
    distance = lbw.bures_wasserstein_distance(ms, mt, Cs, Ct)
    assert abs(distance**2 - case["squared_distance"]) <= allowed
    back = lbw.bures_wasserstein_distance(mt, ms, Ct, Cs)
    assert abs(back**2 - case["squared_distance"]) <= allowed


@cases("pairs")
def test_map(case):
    (ms, Cs), (mt, Ct) = parts(case["source"]), parts(case["target"])
    A, b = lbw.bures_wasserstein_mapping(ms, mt, Cs, Ct)
    assert_near(A, case["map_matrix"], ROUNDINGS * case["condition"])
    np.testing.assert_allclose(
        ms @ A + b, mt, rtol=0, atol=ROUNDINGS * case["condition"] * np.max(np.abs([ms, mt]))
    )


@cases("barycenters")
def test_barycenter(case):
    gaussians = [parts(gaussian) for gaussian in case["gaussians"]]
    means, covariances = map(np.array, zip(*gaussians, strict=True))
    mean, covariance = lbw.bures_wasserstein_barycenter(
        means, covariances, case["weights"], eps=1e-14
    )
    expected_mean, expected_covariance = parts(case["barycenter"])
    assert_near(mean, expected_mean, ROUNDINGS)
    # Three: a step removes about a half of the error, and the last leaves a residual of 1e-14.
    assert_near(covariance, expected_covariance, 1e-13)


@cases("matchings")
def test_matching(case):
    cost = np.array(case["costs"])
    rows, columns = lbw.linear_sum_assignment(cost)
    assert len(set(rows)) == len(set(columns)) == min(cost.shape)
    # ties leave the pairs free, never the cost
    total = np.abs(cost).sum()
    assert abs(cost[rows, columns].sum() - case["cost"]) <= EPSILON * total
    assert abs(_core.match(cost)[1] - case["cost"]) <= EPSILON * total


def covariances_of(mixture, covariance_type):
    full = np.array(mixture["covariances"])
    diagonal = np.diagonal(full, axis1=1, axis2=2)
    shaped = {"full": full, "tied": full[0], "diagonal": diagonal, "spherical": diagonal[:, 0]}
    return np.ascontiguousarray(shaped[covariance_type])


@cases("mixtures")
def test_densities_and_responsibilities(case):
    kind = case["covariance_type"]
    weights, means = np.array(case["weights"]), np.array(case["means"])
    mixture = _core.Mixture(kind, weights, means, covariances_of(case, kind))
    points = np.array(case["points"])
    expected = np.array(case["log_density"])
    condition = max(np.linalg.cond(covariance) for covariance in case["covariances"])
    # A log-density is a sum of terms of its own size; a share changes by as much as the
    # logarithms it is the difference of.
    allowed = ROUNDINGS * condition * (1 + np.abs(expected))
    assert np.all(np.abs(_core.log_density(mixture, points) - expected) <= allowed)
    shares = _core.responsibilities(mixture, points)
    assert np.all(np.abs(shares - case["responsibilities"]) <= allowed[:, None])
    estimator = lbw.GaussianMixture._of_core(mixture)
    assert np.array_equal(estimator.score_samples(points), _core.log_density(mixture, points))
    labels = np.argmax(case["responsibilities"], axis=1)
    assert np.array_equal(estimator.predict(points), labels)


def model_file(case):
    """Write the model of a case as docs/model-format.md says, with the standard library."""
    tensors = {}
    for g, group in enumerate("ab"):
        tensors[f"groups.{g}.weights"] = np.array(case[group]["weights"])
        tensors[f"groups.{g}.means"] = np.array(case[group]["means"])
        tensors[f"groups.{g}.covariances"] = np.array(case[group]["covariances"])
    tensors["coupling.tuples"] = np.array(case["tuples"])
    report = {"n_samples": 1, "mean_log_likelihood": 0.0, "iterations": 1, "converged": True}
    options = {"n_components": 3, "covariance_floor": 0.0, "tolerance": 0.001, "seed": "0"}
    options |= {"max_iterations": 1, "n_init": 1, "start": "kmeans", "precision": "f64"}
    header = {
        "__metadata__": {
            "format": "lbw",
            "format_version": "1",
            "lbw_version": "0",
            "kind": "transport",
            "group_names": '["a", "b"]',
            "feature_names": "[]",
            "covariance_type": "full",
            "reference": "a",
            "options": json.dumps(options),
            "reports": json.dumps([report | {"replaced_components": 0}] * 2),
        }
    }
    data = b""
    for name, tensor in tensors.items():
        kind = "I64" if tensor.dtype.kind == "i" else "F64"
        end = len(data) + tensor.nbytes
        header[name] = {"dtype": kind, "shape": tensor.shape, "data_offsets": [len(data), end]}
        data += tensor.tobytes()
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def test_local_map(tmp_path):
    case = VECTORS["local_map"]
    path = tmp_path / "model.safetensors"
    path.write_bytes(model_file(case))
    transport = lbw.LocalTransport.load(path)
    points, weights = np.array(case["points"]), case["weights"]
    allowed = ROUNDINGS * case["condition"]
    assert np.array_equal(transport.mixtures_[0].predict(points), case["labels"])
    cost = np.linalg.norm(
        transport.mixtures_[0].means_[:, None] - transport.mixtures_[1].means_[None], axis=2
    )
    assert np.array_equal(np.array(lbw.linear_sum_assignment(cost**2)).T, case["tuples"])
    assert_near(transport.transform(points, "a", to="b"), case["carried_to_b"], allowed)
    half = transport.transform(points, "a", to="b", amount=0.5)
    assert_near(half, case["carried_half_way_to_b"], allowed)
    middle = transport.transform(points, "a", to=weights)
    assert_near(middle, case["carried_to_barycenter"], allowed)
    barycenter, expected = transport.barycenter(weights), case["barycenter"]
    assert_near(barycenter.weights_, expected["weights"], ROUNDINGS)
    assert_near(barycenter.means_, expected["means"], ROUNDINGS)
    assert_near(barycenter.covariances_, expected["covariances"], allowed)


def test_the_file_is_what_the_script_writes():
    pytest.importorskip("mpmath")
    spec = importlib.util.spec_from_file_location("make_vectors", FOLDER / "make_vectors.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.text_of(script.vectors()) + "\n" == (FOLDER / "vectors.json").read_text()
