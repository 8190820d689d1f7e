# SPDX-License-Identifier: MIT
"""Samples of groups for the tests of exports, and onnxruntime on a model."""

import numpy as np
import onnxruntime

COVARIANCES = ["full", "tied", "diag", "spherical"]
DTYPES = {"double": np.float64, "single": np.float32}


def run(model, **inputs):
    """Return all outputs of a model."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    providers = ["CPUExecutionProvider"]
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=providers)
    return session.run(None, inputs)


def clusters(n, d, *, seed=0, n_clusters=4, spread=4.0):
    """Return samples around some centres."""
    rng = np.random.default_rng(seed)
    centres = spread * rng.normal(size=(n_clusters, d))
    return centres[rng.integers(n_clusters, size=n)] + rng.normal(size=(n, d))


def grouped(n, d, labels=("a", "b", "c"), *, seed=0):
    """Return samples of groups that differ in place and spread, and their labels."""
    rng = np.random.default_rng(seed + 1)
    numbers = rng.integers(len(labels), size=n)
    X = clusters(n, d, seed=seed) * (1 + 0.3 * numbers[:, None]) + numbers[:, None]
    return X, np.asarray(labels)[numbers]


def close(found, expected, scale, precision):
    """Check that numbers agree within the tolerance of the precision."""
    assert found.shape == expected.shape
    assert np.isfinite(found).all()
    error = np.abs(found.astype(np.float64) - expected).max()
    assert error <= scale * (1e-9 if precision == "double" else 1e-4), error / scale
