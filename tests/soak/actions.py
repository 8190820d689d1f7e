# SPDX-License-Identifier: MIT
"""The actions of a soak test. Each draws its table and options from the round's seed."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

import lbw

COVARIANCES = ("full", "tied", "diag", "spherical")
# exit codes of the program
REFUSED = 1
NOT_CONVERGED = 3
SANITIZER_WORDS = ("Sanitizer", "runtime error:")


@dataclass
class Round:
    """What an action needs."""

    rng: np.random.Generator
    folder: Path
    program: Path

    def choose(self, *values: Any) -> Any:
        """Return one of the values."""
        return values[self.rng.integers(len(values))]


def table(around: Round, most_rows: int = 2000) -> tuple[np.ndarray, np.ndarray]:
    """Return awkward features and groups: offsets, whole numbers, booleans, copies, constants."""
    rng = around.rng
    n, d = int(rng.integers(6, most_rows)), int(rng.integers(1, 7))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-6, 7, d) + 10.0 ** rng.integers(-3, 7, d)
    for feature in range(d):
        kind = rng.integers(8)
        if kind == 0:
            X[:, feature] = rng.integers(0, 5, n)
        elif kind == 1:
            X[:, feature] = rng.random(n) < 0.3
        elif kind == 2:
            X[:, feature] = 7.0
        elif kind == 3:
            X[:, feature] = X[:, 0]
    if rng.integers(4) == 0:
        X = X[rng.integers(0, max(n // 4, 1), n)]  # repeated rows
    groups = rng.choice(["a", "b", "c"][: rng.integers(2, 4)], n)
    groups[:4] = ["a", "b", "a", "b"]
    X[groups == "b"] *= 1.5
    return X, groups


def fitted_or_refused(fit: Callable[[], Any]) -> Any:
    """Return the result of a fit, or None if lbw refuses the table in words."""
    try:
        return fit()
    except ValueError as error:  # InvalidArgument and NumericalError
        if len(str(error)) < 20:  # no sentence
            raise
        return None


def same(first: np.ndarray, second: np.ndarray) -> None:
    """Check that results are finite and equal bit by bit."""
    assert np.isfinite(first).all(), "a result is not finite"
    assert np.array_equal(first, second), "results differ"


def mixtures(around: Round) -> None:
    """Fit, save and load a mixture."""
    X, _ = table(around)
    kind = around.choose(*COVARIANCES)
    k = int(around.rng.integers(1, 8))
    mixture = fitted_or_refused(
        lambda: lbw.GaussianMixture(k, covariance_type=kind, random_state=0).fit(X)
    )
    if mixture is None:
        return
    mixture.save(around.folder / "mixture.safetensors")
    loaded = lbw.GaussianMixture.load(around.folder / "mixture.safetensors")
    same(mixture.predict_proba(X), loaded.predict_proba(X))
    assert np.isfinite(mixture.sample(50)[0]).all()


def transports(around: Round) -> None:
    """Fit, save and load a transport, and compare the program with the package."""
    X, groups = table(around)
    transport = fitted_or_refused(
        lambda: lbw.LocalTransport(
            int(around.rng.integers(1, 6)),
            covariance_type=around.choose(*COVARIANCES),
            coupling=around.choose("plan", "matching"),
            map=around.choose("hard", "soft", "random"),
            random_state=0,
        ).fit(X, groups)
    )
    if transport is None:
        return
    model, rows, moved = (around.folder / name for name in ("m.safetensors", "x.npy", "y.npy"))
    transport.save(model)
    expected = transport.transform(X, "a", to="b")
    same(expected, lbw.LocalTransport.load(model).transform(X, "a", to="b"))
    np.save(rows, X)
    run(around, "transport", model, rows, "--from", "a", "--to", "b", "-o", moved)
    same(np.load(moved), expected)
    transport.report()


def repairs(around: Round) -> None:
    """Repair a table and the scores of a classifier."""
    X, groups = table(around, 600)
    repair = fitted_or_refused(
        lambda: lbw.GroupRepair(
            int(around.rng.integers(1, 4)), check_samples=0, random_state=0
        ).fit(X, sensitive_features=groups)
    )
    if repair is not None:
        repair.save(around.folder / "repair.safetensors")
        loaded = lbw.GroupRepair.load(around.folder / "repair.safetensors")
        same(
            repair.transform(X, sensitive_features=groups),
            loaded.transform(X, sensitive_features=groups),
        )
    y = np.arange(len(X)) % 2
    scaled = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-300)
    scores = fitted_or_refused(
        lambda: lbw.ScoreRepair(LogisticRegression(), random_state=0).fit(
            scaled, y, sensitive_features=groups
        )
    )
    if scores is not None:
        assert np.isfinite(scores.predict_proba(scaled, sensitive_features=groups)).all()


def interrupted_fits(around: Round) -> None:
    """Interrupt a fit of the package by a signal, and fit again."""
    X = around.rng.normal(size=(20_000, 5))
    groups = np.repeat(["a", "b"], 10_000)

    def fit(iterations: int) -> None:
        estimator = lbw.LocalTransport(8, max_iter=iterations, tol=0.0, random_state=0)
        estimator.fit(X, groups)

    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, around.rng.uniform(0.01, 0.5))
    try:
        fit(100_000)
    except KeyboardInterrupt:
        pass
    else:
        raise AssertionError("the signal did not end the fit")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, previous)
    fit(2)


def killed_programs(around: Round) -> None:
    """End the program by a signal at a random time, and check its output."""
    rows = around.rng.normal(size=(4000, 4))
    for name in ("a", "b"):
        np.save(around.folder / f"{name}.npy", rows if name == "a" else 2.0 * rows + 1.0)
    model, output = around.folder / "m.safetensors", around.folder / "y.npy"
    run(around, "fit", around.folder / "a.npy", around.folder / "b.npy", "-k", "4", "-o", model)
    known = {path.name for path in around.folder.iterdir()}
    command = [around.program, "transport", model, around.folder / "a.npy"]
    command += ["--from", "a", "--to", "b", "-o", output]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        try:
            process.communicate(timeout=around.rng.uniform(0.001, 0.3))
        except subprocess.TimeoutExpired:
            process.send_signal(around.choose(signal.SIGINT, signal.SIGTERM, signal.SIGKILL))
        check_words(process.communicate()[1])
    if output.exists():
        assert np.isfinite(np.load(output)).all(), "the output is damaged"
    left = {path.name for path in around.folder.iterdir()} - known - {output.name}
    assert not left, f"left over: {left}"


def tables_of_the_program(around: Round) -> None:
    """Repair a table and measure its scores with the program."""
    X, groups = table(around, 300)
    path = around.folder / "t.csv"
    names = [f"x{i}" for i in range(X.shape[1])]
    lines = [",".join(["sex", *names])]
    for group, row in zip(groups, X, strict=True):
        lines.append(",".join([group, *map(repr, row.tolist())]))
    path.write_text("\n".join(lines) + "\n")
    codes = (0, REFUSED, NOT_CONVERGED)
    out = around.folder / "r.csv"
    code = run(around, "repair", path, "--protected", "sex", "-o", out, codes=codes)
    if code in (0, NOT_CONVERGED):
        repaired = np.genfromtxt(out, delimiter=",", skip_header=1)[:, 1:]
        assert repaired.shape == X.shape
        assert np.isfinite(repaired).all()
    run(around, "score", path, "--protected", "sex", "--score", names[0], codes=codes)


def run(around: Round, *arguments: object, codes: tuple[int, ...] = (0, NOT_CONVERGED)) -> int:
    """Run the program, check its words and its exit code, and return the code."""
    done = subprocess.run(
        [around.program, *map(str, arguments)], capture_output=True, cwd=around.folder
    )
    check_words(done.stderr)
    assert done.returncode in codes, f"exit code {done.returncode}: {done.stderr.decode()}"
    return done.returncode


def check_words(words: bytes) -> None:
    """Check that no sanitizer reports anything."""
    text = words.decode(errors="replace")
    assert not any(word in text for word in SANITIZER_WORDS), text


ACTIONS = (mixtures, transports, repairs, interrupted_fits, killed_programs, tables_of_the_program)
