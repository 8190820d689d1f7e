# SPDX-License-Identifier: MIT
"""What Python finds in model files: those of the program, damaged ones and newer ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import lbw
from lbw import GroupRepair, LocalTransport, _core

PROGRAM = Path(sys.executable).parent / "lbw"


@pytest.fixture
def by_program(tmp_path):
    """Return a function that fits groups b and a by the program and gives the file."""
    rng = np.random.default_rng(0)
    for group in "ba":
        columns = [rng.normal(size=300), rng.integers(4, size=300)]
        np.save(tmp_path / f"{group}.npy", np.column_stack(columns).astype(float))
    np.save(tmp_path / "c.npy", np.zeros((1, 2)))

    def fit(*options: str, groups: str = "ba") -> Path:
        names = [str(tmp_path / f"{group}.npy") for group in groups]
        path = tmp_path / "model.safetensors"
        command = [PROGRAM, "fit", *names, "--components", "2", *options, "--output", path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return path

    return fit


def without_notes(path: Path) -> Path:
    """Remove the parameters from a file, as C++ writes it."""
    model = _core.load_model(str(path))
    model.notes = {}
    _core.save_model(str(path), model)
    return path


def noted_by(path: Path) -> dict[str, object]:
    return json.loads(_core.load_model(str(path)).notes["parameters"])


def test_parameters_follow_from_a_model_of_the_program(by_program):
    options = ("--dither", "auto", "--refine", "3", "--refine-weights", "a=1,b=3")
    loaded = LocalTransport.load(by_program(*options))
    assert loaded.groups_.tolist() == ["b", "a"]
    assert loaded.dither == "auto"
    assert loaded.refine_weights == {"b": 0.75, "a": 0.25}  # by label: fit sorts the groups
    assert loaded.reference == "b"
    assert GroupRepair.load(by_program(*options)).weights == {"b": 0.75, "a": 0.25}
    loaded = LocalTransport.load(by_program("--reference", "a", "--refine", "2"))
    assert (loaded.reference, loaded.refine_weights) == (None, None)  # the first in order, equal
    kept = LocalTransport.load(by_program("--small-groups", "keep", groups="bac"))
    assert (kept.small_groups, kept.n_components) == ("keep", 2)
    plan = LocalTransport.load(by_program("--coupling", "multimarginal"))
    assert plan.reference is None


@pytest.mark.parametrize("estimator", [LocalTransport, GroupRepair])
def test_the_program_notes_what_does_not_follow_from_the_model(by_program, estimator):
    loaded = estimator.load(by_program("--dither", "0.5", "--group-shrinkage", "auto"))
    shown = loaded.get_params()
    assert (shown["dither"], shown["group_shrinkage"], shown["small_groups"]) == (
        0.5,
        "auto",
        "error",
    )
    loaded = estimator.load(by_program("--small-groups", "keep", "--group-shrinkage", "0.25"))
    shown = loaded.get_params()
    assert (shown["dither"], shown["group_shrinkage"], shown["small_groups"]) == (0, 0.25, "keep")


@pytest.mark.parametrize("estimator", [LocalTransport, GroupRepair])
def test_a_start_that_python_does_not_have_is_reported_by_a_new_fit(by_program, estimator):
    rng = np.random.default_rng(1)
    X, groups = rng.normal(size=(400, 2)), np.repeat(["a", "b"], 200)
    name = "groups" if estimator is LocalTransport else "sensitive_features"
    loaded = estimator.load(by_program("--start", "random"))
    words = f"fitted from the start 'random', which {estimator.__name__} does not have. The new fit"
    with pytest.warns(UserWarning, match=words):
        loaded.fit(X, **{name: groups})
    for fitted in (loaded, estimator.load(by_program())):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            fitted.fit(X, **{name: groups})
        assert not [w for w in caught if "start" in str(w.message)]


@pytest.mark.parametrize("estimator", [LocalTransport, GroupRepair])
def test_parameters_that_a_file_does_not_hold_stay_unknown(by_program, tmp_path, estimator):
    loaded = estimator.load(without_notes(by_program("--dither", "0.5")))
    again = tmp_path / "again.safetensors"
    loaded.save(again)
    assert noted_by(again).keys().isdisjoint({"dither", "group_shrinkage", "small_groups"})
    loaded = estimator.load(again)
    rng = np.random.default_rng(1)
    X, groups = rng.normal(size=(400, 2)), np.repeat(["a", "b"], 200)
    arguments = (
        {"groups": groups} if estimator is LocalTransport else {"sensitive_features": groups}
    )
    words = "does not hold dither, group_shrinkage, small_groups. The new fit uses dither=1.0, grou"
    with pytest.warns(UserWarning, match=words):
        loaded.fit(X, **arguments)
    loaded.fit(X, **arguments)  # of its own now
    loaded.save(again)
    assert noted_by(again)["dither"] == 1.0
    loaded = estimator.load(without_notes(by_program())).set_params(dither=0.5)
    with pytest.warns(UserWarning, match="does not hold group_shrinkage, small_groups. The new"):
        loaded.fit(X, **arguments)


def with_note(path: Path, entry: str, text: str) -> Path:
    model = _core.load_model(str(path))
    model.notes = {**model.notes, entry: text}
    _core.save_model(str(path), model)
    return path


@pytest.fixture
def saved(tmp_path, two_groups):
    X, groups = two_groups
    path = tmp_path / "model.safetensors"
    GroupRepair(1, refine=0, check_samples=0).fit(X, sensitive_features=groups).save(path)
    return path


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("parameters", "{"),
        ("parameters", "[1]"),
        ("parameters", '{"dither": [1]}'),
        ("parameters", '{"reference": "z"}'),
        ("parameters", '{"refine_weights": [1, 2, 3]}'),
        ("parameters", '{"n_components": "bic", "n_components_range": [0]}'),
        ("parameters", '{"n_components": "bic", "n_components_range": 4}'),
        ("parameters", '{"random_state": "x"}'),
        ("labels", "{"),
        ("labels", "[]"),
        ("labels", '{"type": "U"}'),
        ("labels", '{"type": "M", "labels": ["a", "b"]}'),
        ("labels", '{"type": "i", "labels": ["a", "b"]}'),
        ("labels", '{"type": "U", "labels": ["a"]}'),
        ("labels", '{"type": "U", "labels": ["a", "a"]}'),
        ("labels", '{"type": "i", "labels": [1, 99999999999999999999]}'),
        ("repair", "{"),
        ("repair", "3"),
        ("repair", '{"amount": [1]}'),
        ("repair", '{"amount": 7}'),
        ("repair", '{"weights": [1, 2, 3]}'),
        ("repair", '{"handle_unknown": "drop"}'),
        ("repair", '{"group_columns": {"names": ["a"]}}'),
        ("repair", '{"n_features_in": "many"}'),
        ("repair", '{"sensitive_positions": 4}'),
    ],
)
def test_damaged_notes_are_errors_of_the_file(saved, entry, text):
    words = f"cannot read '{saved}': the entry '{entry}' of its notes is damaged or was written by"
    with pytest.raises(lbw.IoError, match=re.escape(words)):
        GroupRepair.load(with_note(saved, entry, text))


@pytest.mark.parametrize("entry", ["parameters", "repair"])
def test_notes_of_a_newer_version_say_so(saved, entry):
    words = (
        f"the entry '{entry}' of its notes has ['spin'], which lbw {lbw.__version__} does not "
        "know. The file was written by a newer version of lbw. Update lbw."
    )
    with pytest.raises(lbw.IoError, match=re.escape(words)):
        GroupRepair.load(with_note(saved, entry, '{"spin": 1}'))
