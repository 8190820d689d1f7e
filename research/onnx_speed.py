# SPDX-License-Identifier: MIT
"""Time exported models in onnxruntime against the Python package: 1e6 x 10 rows, 20 components.

    python research/onnx_speed.py [--cpu] [mixture] [maps] [repair] [scores]

Both use two threads and take turns. The table shows the median of five runs in milliseconds, and
the ratio to Python in brackets. "batches" are calls with 2000 rows, or 8000 of refined maps, by two
threads of the caller, each with one thread of onnxruntime. "whole" is one call with all rows and
two threads of it. --cpu shows the CPU time of all threads in place of elapsed time, for a machine
that others use.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import onnxruntime
from sklearn.linear_model import LogisticRegression

from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair
from lbw.onnx import to_onnx

N_ROWS, N_FEATURES, N_COMPONENTS, REPEATS = 1_000_000, 10, 20, 5
BATCH, REFINED_BATCH = 2000, 8000
COVARIANCES = ("full", "tied", "diag", "spherical")
clock = time.process_time if "--cpu" in sys.argv else time.perf_counter
rng = np.random.default_rng(0)
centres = rng.normal(0, 4, (N_COMPONENTS, N_FEATURES))
mixing = np.eye(N_FEATURES) + 0.3 * rng.normal(size=(N_FEATURES, N_FEATURES))


def draw(n: int, shift: float = 0.0) -> Any:
    """Return samples around the centres."""
    near = rng.normal(size=(n, N_FEATURES)) @ mixing
    return centres[rng.integers(N_COMPONENTS, size=n)] * (1 + shift) + near


def session_of(model: Any, n_threads: int) -> onnxruntime.InferenceSession:
    """Return a session of onnxruntime."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    providers = ["CPUExecutionProvider"]
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=providers)


def in_batches(model: Any, inputs: dict[str, Any], batch: int) -> Callable[[], Any]:
    """Return a call that runs a model in batches, in two threads."""
    session, pool, n_rows = session_of(model, 1), ThreadPoolExecutor(2), len(inputs["X"])

    def part(first: int) -> None:
        for begin in range(first, first + n_rows // 2, batch):
            end = min(begin + batch, first + n_rows // 2)
            session.run(None, {name: value[begin:end] for name, value in inputs.items()})

    return lambda: list(pool.map(part, [0, n_rows // 2]))


def whole(model: Any, inputs: dict[str, Any]) -> Callable[[], Any]:
    """Return a call that runs a model on all rows at once."""
    session = session_of(model, 2)
    return lambda: session.run(None, inputs)


def compare(
    name: str,
    python: Callable[[], Any],
    export: Callable[[str], Any],
    inputs: Any,
    batch: int = BATCH,
) -> None:
    """Time all forms in turns and print a row of the table."""
    single = inputs | {"X": inputs["X"].astype(np.float32)}
    double = export("double")
    calls = {
        "Python": python,
        "double": in_batches(double, inputs, batch),
        "single": in_batches(export("single"), single, batch),
        "whole": whole(double, inputs),
    }
    times: dict[str, list[float]] = {key: [] for key in calls}
    for turn in range(REPEATS + 1):
        for key, call in calls.items():
            start = clock()
            call()
            if turn:  # the first one warms up
                times[key].append(1e3 * (clock() - start))
    middle = {key: statistics.median(own) for key, own in times.items()}
    base = middle["Python"]
    cells = [f"{base:.0f}", *(f"{middle[k]:.0f} ({middle[k] / base:.1f})" for k in list(calls)[1:])]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def mixture(X: Any) -> None:
    """Time every output of mixtures."""
    for kind in COVARIANCES:
        model = GaussianMixture(N_COMPONENTS, covariance_type=kind, max_iter=5, n_jobs=2)
        model.fit(draw(20_000))
        calls = {
            "label": model.predict,
            "probabilities": model.predict_proba,
            "log_density": model.score_samples,
        }
        for output, call in calls.items():
            compare(
                f"GaussianMixture, {kind}: {output}",
                lambda call=call: call(X),
                lambda precision, model=model, output=output: to_onnx(
                    model, outputs=[output], precision=precision
                ),
                {"X": X},
            )


def groups_of(n: int) -> Any:
    """Return samples of two groups and their labels."""
    return np.concatenate([draw(n), draw(n, 0.2)]), np.repeat([0, 1], n)


def maps(X: Any) -> None:
    """Time hard and soft maps of one group."""
    for kind in COVARIANCES:
        for how in ("hard", "soft"):
            model = LocalTransport(
                N_COMPONENTS, covariance_type=kind, map=how, max_iter=5, n_jobs=2
            ).fit(*groups_of(20_000))
            compare(
                f"LocalTransport, {kind}, {how}",
                lambda model=model: model.transform(X, 0, to=1),
                lambda precision, model=model: to_onnx(model, group=0, to=1, precision=precision),
                {"X": X},
            )


def repair(X: Any) -> None:
    """Time repairs of rows of two groups in random order."""
    groups = rng.integers(2, size=len(X))
    samples, labels = groups_of(20_000)
    for name, params in {
        "one component": {"refine": 0},
        "20 components, soft": {"refine": 0, "n_components": N_COMPONENTS, "map": "soft"},
        "one component, refine=50 (1e5 rows)": {},
    }.items():
        n = len(X) if "refine" in params else len(X) // 10
        model = GroupRepair(**params, check_samples=0, n_jobs=2, max_iter=5)
        model.fit(samples, sensitive_features=labels)
        compare(
            f"GroupRepair, {name}",
            lambda model=model, n=n: model.transform(X[:n], sensitive_features=groups[:n]),
            lambda precision, model=model: to_onnx(model, precision=precision),
            {"X": X[:n], "group": groups[:n]},
            BATCH if "refine" in params else REFINED_BATCH,
        )


def scores(X: Any) -> None:
    """Time the repair of the scores of a linear classifier."""
    groups = rng.integers(2, size=len(X))
    samples, labels = groups_of(20_000)
    y = samples[:, 0] + rng.normal(size=len(samples)) > 0
    model = ScoreRepair(LogisticRegression(), ensemble=False).fit(
        samples, y, sensitive_features=labels
    )
    compare(
        "ScoreRepair of LogisticRegression",
        lambda: model.predict_proba(X, sensitive_features=groups),
        lambda precision: to_onnx(model, precision=precision),
        {"X": X, "group": groups},
    )


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    parts = {"mixture": mixture, "maps": maps, "repair": repair, "scores": scores}
    rows = draw(N_ROWS)
    print("| model | Python, ms | double, batches | single, batches | double, whole |")
    print("| --- | --- | --- | --- | --- |")
    for chosen in [name for name in sys.argv[1:] if name in parts] or list(parts):
        parts[chosen](rows)
