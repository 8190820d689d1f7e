# SPDX-License-Identifier: MIT
"""What works where scikit-learn and the other optional parts of an installation are missing."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.wheel

# Each of these would otherwise be found in the environment of the tests.
BLOCK = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"sklearn", "scipy", "joblib", "threadpoolctl", "narwhals"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
import numpy as np
import lbw

X = np.random.default_rng(0).normal(size=(60, 2))
"""


def without_scikit_learn(code: str) -> str:
    """Run code in a new interpreter and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCK + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_block_is_effective():
    assert without_scikit_learn("""
        try:
            import sklearn
        except ModuleNotFoundError as error:
            print(error)
    """) == ("No module named 'sklearn'")


def test_transport_is_the_same():
    # a shift of a sample onto itself: every component moves by 1
    out = without_scikit_learn("print(np.abs(lbw.transport(X, X + 1, 2) - X - 1).max() < 1e-6)")
    assert out == "True"


def test_functions_with_the_names_of_pot_and_scipy():
    out = without_scikit_learn("""
        eye = np.eye(2)
        m, C, w = np.zeros((1, 2)), eye[None], np.ones(1)
        print(lbw.bures_wasserstein_distance(m[0], m[0] + 3, eye, eye) ** 2)
        print(lbw.bures_wasserstein_mapping(m[0], m[0] + 3, eye, eye)[1].tolist())
        print(lbw.empirical_bures_wasserstein_distance(X, X + 3) ** 2)
        print(lbw.gmm_ot_loss(m, m + 3, C, C, w, w))
        print(lbw.gmm_ot_plan(m, m + 3, C, C, w, w).tolist())
        print(lbw.linear_sum_assignment(np.array([[1.0, 0.0], [0.0, 1.0]]))[1].tolist())
    """).splitlines()
    assert [float(out[i]) for i in (0, 2, 3)] == pytest.approx([18.0, 18.0, 18.0])
    assert [out[i] for i in (4, 5)] == ["[[1.0]]", "[1, 0]"]
    assert "3" in out[1]


@pytest.mark.parametrize(
    "name",
    [
        "GaussianMixture",
        "GroupRepair",
        "LocalTransport",
        "ScoreRepair",
        "metrics",
        "plot",
    ],
)
def test_an_estimator_says_what_to_install(name):
    out = without_scikit_learn(f"""
        try:
            lbw.{name}
        except ImportError as error:
            print(error, error.name)
    """)
    assert out == (
        f"lbw.{name} needs scikit-learn, which is not installed. Install it with "
        "`pip install scikit-learn`. sklearn"
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            "0",
            "The 'n_components' parameter of transport must be int of at least 1 and at most "
            "2.14748e+09. Got 0 instead.",
        ),
        (
            "2, map='shuffled'",
            'The \'map\' parameter of transport must be {"hard", "soft", "random"}. '
            "Got 'shuffled' instead.",
        ),
        (
            "2, random_state='x'",
            "The 'random_state' parameter of transport must be int, RandomState instance or None. "
            "Got 'x' instead.",
        ),
    ],
)
def test_invalid_arguments_are_named(arguments, expected):
    out = without_scikit_learn(f"""
        try:
            lbw.transport(X, X, {arguments})
        except ValueError as error:
            print(error)
    """)
    assert out == expected


def test_the_program_runs():
    out = without_scikit_learn("""
        import runpy
        sys.argv = ["lbw", "--version"]
        sys.stdout.flush()
        runpy.run_module("lbw", run_name="__main__")
    """)
    assert "lbw" in out


def test_other_missing_modules_are_reported_as_they_are():
    out = without_scikit_learn("""
        import importlib
        def missing(name):
            raise ModuleNotFoundError("No module named 'numba'", name="numba")
        importlib.import_module = missing
        try:
            lbw.LocalTransport
        except ModuleNotFoundError as error:
            print(error)
    """)
    assert out == "No module named 'numba'"
