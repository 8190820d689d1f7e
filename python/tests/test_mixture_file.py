# SPDX-License-Identifier: MIT
"""Files of GaussianMixture."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors import safe_open

from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair

PROGRAM = Path(sys.executable).parent / "lbw"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(PROGRAM), *map(str, arguments)], capture_output=True, text=True, check=False
    )


@pytest.fixture
def X() -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(size=(150, 3)), rng.normal(4, 2, size=(100, 3))])


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "mixture.safetensors"


def assert_same(loaded: GaussianMixture, mixture: GaussianMixture, X: np.ndarray) -> None:
    for method in ("predict", "predict_proba", "score_samples"):
        own, other = getattr(loaded, method)(X), getattr(mixture, method)(X)
        assert own.dtype == other.dtype
        assert own.tobytes() == other.tobytes()
    assert loaded.score(X) == mixture.score(X)
    assert loaded.bic(X) == mixture.bic(X)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag", "spherical"])
def test_a_round_trip_changes_no_bit(X, path, covariance_type, dtype):
    X = X.astype(dtype)
    mixture = GaussianMixture(3, covariance_type=covariance_type, random_state=5, max_iter=7, tol=0)
    with pytest.warns(match="did not converge"):
        mixture.fit(X)
    mixture.save(path)
    loaded = GaussianMixture.load(path)
    assert_same(loaded, mixture, X)
    for own, other in zip(loaded.sample(20), mixture.sample(20), strict=True):
        assert own.tobytes() == other.tobytes()
    assert loaded.get_params() == mixture.get_params()
    assert loaded.n_iter_ == 7
    assert not loaded.converged_
    for name in ("lower_bound_", "lower_bounds_", "mean_log_likelihood_", "n_components_"):
        assert getattr(loaded, name) == getattr(mixture, name)
    first = path.read_bytes()
    loaded.save(path)
    assert path.read_bytes() == first


def test_names_selection_and_arrays_are_restored(X, path):
    table = pd.DataFrame(X, columns=["größe", "b", "c"])
    mixture = GaussianMixture("bic", n_components_range=range(1, 4)).fit(table)
    mixture.save(path)
    loaded = GaussianMixture.load(path)
    assert loaded.feature_names_in_.tolist() == ["größe", "b", "c"]
    assert loaded.n_components == "bic"
    assert list(loaded.n_components_range) == [1, 2, 3]
    for name, values in mixture.selection_.items():
        assert loaded.selection_[name].dtype == values.dtype
        np.testing.assert_array_equal(loaded.selection_[name], values)
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(table[["b", "c", "größe"]])
    given = GaussianMixture(2, means_init=X[:2], weights_init=[0.5, 0.5], warm_start=True).fit(X)
    given.save(path)
    loaded = GaussianMixture.load(path)
    np.testing.assert_array_equal(loaded.means_init, X[:2])
    assert_same(loaded.fit(X), given.fit(X), X)


def test_parameters_that_were_set_are_kept(X, path):
    mixture = GaussianMixture(2).fit(X)
    mixture.weights_ = np.array([0.25, 0.75])
    mixture.precisions_cholesky_ = 2 * mixture.precisions_cholesky_
    mixture.save(path)
    loaded = GaussianMixture.load(path)
    assert_same(loaded, mixture, X)
    np.testing.assert_array_equal(loaded.precisions_cholesky_, mixture.precisions_cholesky_)


def test_barycenters_and_mixtures_of_a_transport_are_saved_too(X, path):
    transport = LocalTransport(2).fit(X, np.arange(250) % 2)
    for mixture in (transport.barycenter(), transport.mixtures_[0]):
        mixture.save(path)
        assert_same(GaussianMixture.load(path), mixture, X)


def test_a_random_generator_is_not_saved_silently(X, path):
    mixture = GaussianMixture(2, random_state=np.random.RandomState(0)).fit(X)
    with pytest.warns(UserWarning, match="RandomState instance, which a file cannot hold"):
        mixture.save(path)
    assert GaussianMixture.load(path).random_state is None


def test_the_program_shows_a_mixture_and_refuses_to_transport_by_it(X, path):
    GaussianMixture(2).fit(pd.DataFrame(X, columns=["x", "y", "z"])).save(path)
    shown = run("inspect", path)
    assert shown.returncode == 0, shown.stderr
    assert "mixture     2 components, covariance full\nfeatures    3: x, y, z" in shown.stdout
    assert "converged" in shown.stdout
    known = json.loads(run("inspect", path, "--json").stdout)
    np.testing.assert_array_equal(known["means"], GaussianMixture.load(path).means_)
    piped = subprocess.run(
        [str(PROGRAM), "inspect", "-"], input=path.read_bytes(), capture_output=True, check=False
    )
    assert piped.stdout.decode() == shown.stdout
    for command in (
        ("transport", path, "x.csv", "--from", "a", "--to", "b"),
        ("barycenter", path, "--sample", 5),
    ):
        refused = run(*command)
        assert refused.returncode == 1
        assert f"{path} holds a Gaussian mixture, expected a transport model" in refused.stderr
    refused = run("inspect", path, "--data", "x.csv")
    assert "--data evaluates transport models, but" in refused.stderr


def test_a_file_of_another_class_says_which_class_reads_it(X, path):
    GaussianMixture(2).fit(X).save(path)
    for other in (LocalTransport, GroupRepair, ScoreRepair):
        with pytest.raises(OSError, match=r"holds a Gaussian mixture.*GaussianMixture\.load"):
            other.load(path)
    LocalTransport(1).fit(X, np.arange(250) % 2).save(path)
    for other in (GaussianMixture, ScoreRepair):
        with pytest.raises(OSError, match=r"holds a transport model.*LocalTransport\.load"):
            other.load(path)


def test_bad_files_are_named(X, path, tmp_path):
    GaussianMixture(2).fit(X).save(path)
    whole = path.read_bytes()
    bad = tmp_path / "bad.safetensors"
    for data in (
        b"",
        whole[:6],
        whole[:100],
        whole[:-8],
        whole + b"x",
        b"a,b\n1,2\n",
        b"PK\x03\x04abcdefgh",
    ):
        bad.write_bytes(data)
        with pytest.raises(OSError, match=r"bad\.safetensors"):
            GaussianMixture.load(bad)
    (length,) = struct.unpack("<Q", whole[:8])
    header = json.loads(whole[8 : 8 + length])
    header["__metadata__"]["notes"] = json.dumps({"parameters": '{"n_components": -1}'})
    text = json.dumps(header).encode()
    bad.write_bytes(struct.pack("<Q", len(text)) + text + whole[8 + length :])
    with pytest.raises(OSError, match=r"bad\.safetensors.*'parameters' of its notes is damaged"):
        GaussianMixture.load(bad)
    with pytest.raises(OSError, match="missing"):
        GaussianMixture.load(tmp_path / "missing.safetensors")


def test_a_failed_save_keeps_the_old_file(X, path):
    mixture = GaussianMixture(2).fit(X)
    mixture.save(path)
    before = path.read_bytes()
    mixture.covariances_ = np.zeros((2, 3, 3))
    with pytest.raises(ValueError, match="positive definite"):
        mixture.save(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_the_safetensors_package_reads_the_file(X, path):
    mixture = GaussianMixture(2).fit(X)
    mixture.save(path)
    with safe_open(path, framework="numpy") as file:
        assert file.metadata()["kind"] == "mixture"
        np.testing.assert_array_equal(file.get_tensor("means"), mixture.means_)
