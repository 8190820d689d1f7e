# SPDX-License-Identifier: MIT
"""Models in files: the same for Python and for the program `lbw`."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from safetensors import safe_open
from sklearn.base import clone

import lbw
from lbw import GaussianMixture, GroupRepair, LocalTransport

PROGRAM = Path(sys.executable).parent / "lbw"


def run_program(*arguments: object) -> None:
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def files(tmp_path, two_groups):
    X, groups = two_groups
    for group in "ab":
        np.save(tmp_path / f"{group}.npy", np.ascontiguousarray(X[groups == group]))
    return tmp_path


@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag", "spherical"])
def test_python_model_gives_the_same_bytes_in_the_program(files, two_groups, covariance_type):
    X, groups = two_groups
    transport = LocalTransport(4, covariance_type=covariance_type).fit(X, groups)
    transport.save(files / "model.safetensors")
    run_program(
        "transport", files / "model.safetensors", files / "a.npy",
        "--from", "a", "--to", "b", "--output", files / "program.npy",
    )  # fmt: skip
    np.save(files / "python.npy", transport.transform(X[groups == "a"], "a", to="b"))
    assert (files / "python.npy").read_bytes() == (files / "program.npy").read_bytes()


def test_program_model_gives_the_same_bytes_in_python(files, two_groups):
    X, groups = two_groups
    run_program(
        "fit", files / "a.npy", files / "b.npy",
        "--components", 4, "--seed", 5, "--output", files / "model.safetensors",
    )  # fmt: skip
    loaded = LocalTransport.load(files / "model.safetensors")
    assert loaded.groups_.tolist() == ["a", "b"]
    assert loaded.n_components == 4
    run_program(
        "transport", files / "model.safetensors", files / "b.npy",
        "--from", "b", "--to", "a", "--output", files / "program.npy",
    )  # fmt: skip
    np.save(files / "python.npy", loaded.transform(X[groups == "b"], "b", to="a"))
    assert (files / "python.npy").read_bytes() == (files / "program.npy").read_bytes()
    # and the fit itself is the same in both
    fitted = LocalTransport(4, random_state=5).fit(X, groups)
    np.testing.assert_array_equal(fitted.mixtures_[0].means_, loaded.mixtures_[0].means_)


@pytest.mark.parametrize("estimator", [LocalTransport, GroupRepair])
def test_python_picks_the_weights_of_a_refined_model_as_the_program_does(
    files, two_groups, estimator
):
    X, groups = two_groups
    run_program(
        "fit", files / "a.npy", files / "b.npy", "--components", 2, "--refine", 3,
        "--refine-weights", "a=1,b=3", "--output", files / "model.safetensors",
    )  # fmt: skip
    run_program(
        "transport", files / "model.safetensors", files / "a.npy",
        "--from", "a", "--to", "barycenter", "--output", files / "program.npy",
    )  # fmt: skip
    loaded = estimator.load(files / "model.safetensors")
    own = X[groups == "a"]
    if estimator is LocalTransport:
        moved = loaded.transform(own, "a")
    else:
        moved = loaded.transform(own, sensitive_features="a")
    np.save(files / "python.npy", moved)
    assert (files / "python.npy").read_bytes() == (files / "program.npy").read_bytes()


def test_any_safetensors_reader_reads_the_file(files, two_groups):
    transport = LocalTransport(3).fit(*two_groups)
    transport.save(files / "model.safetensors")
    with safe_open(files / "model.safetensors", framework="numpy") as file:
        np.testing.assert_array_equal(
            file.get_tensor("groups.0.means"), transport.mixtures_[0].means_
        )


def test_save_and_load_keep_everything(files, two_groups):
    X, groups = two_groups
    transport = LocalTransport(
        3, tol=1e-4, n_init=2, reference="b", covariance_floor=1e-5, random_state=7, n_jobs=2
    ).fit(X, groups)
    transport.save(files / "model.safetensors")
    loaded = LocalTransport.load(files / "model.safetensors")
    assert loaded.get_params() == transport.get_params()
    np.testing.assert_array_equal(loaded.transform(X, groups), transport.transform(X, groups))
    assert loaded.reference_ == "b"
    assert loaded.converged_ == transport.converged_
    loaded.save(files / "again.safetensors")
    assert (files / "again.safetensors").read_bytes() == (files / "model.safetensors").read_bytes()


@pytest.mark.parametrize(
    "copied",
    [
        lambda e, _: pickle.loads(pickle.dumps(e)),
        lambda e, _: copy.deepcopy(e),
        lambda e, folder: joblib.load(joblib.dump(e, folder / "e.joblib")[0]),
    ],
    ids=["pickle", "deepcopy", "joblib"],
)
def test_copies_carry_alike(copied, tmp_path, two_groups):
    X, groups = two_groups
    transport = LocalTransport(3).fit(X, groups)
    other = copied(transport, tmp_path)
    np.testing.assert_array_equal(other.transform(X, groups), transport.transform(X, groups))
    repair = GroupRepair(2).fit(X, sensitive_features=groups)
    other = copied(repair, tmp_path)
    np.testing.assert_array_equal(
        other.transform(X, sensitive_features=groups),
        repair.transform(X, sensitive_features=groups),
    )
    mixture = GaussianMixture(3).fit(X)
    np.testing.assert_array_equal(copied(mixture, tmp_path).predict(X), mixture.predict(X))


def test_clones_are_unfitted(two_groups):
    transport = LocalTransport(3, reference="b").fit(*two_groups)
    assert not hasattr(clone(transport), "groups_")
    assert clone(transport).get_params() == transport.get_params()


def test_bad_files_say_why_and_good_ones_stay(tmp_path, two_groups):
    path = tmp_path / "model.safetensors"
    with pytest.raises(lbw.IoError, match=r"cannot read .*: No such file or directory"):
        LocalTransport.load(path)
    path.write_bytes(b"not a model")
    with pytest.raises(OSError, match="safetensors"):
        LocalTransport.load(path)
    transport = LocalTransport(2).fit(*two_groups)
    transport.save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    with pytest.raises(lbw.IoError):
        LocalTransport.load(path)
    path.write_bytes(whole)
    with pytest.raises(lbw.IoError, match="missing"):
        transport.save(tmp_path / "missing" / "m.safetensors")
    assert path.read_bytes() == whole
    with pytest.raises(Exception, match="not fitted"):
        LocalTransport().save(path)
    assert path.read_bytes() == whole
