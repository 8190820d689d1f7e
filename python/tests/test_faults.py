# SPDX-License-Identifier: MIT
"""Processes, threads and the end of the interpreter."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from lbw import GroupRepair, LocalTransport


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Two groups of correlated numbers."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 3)) @ rng.normal(size=(3, 3))
    return X, np.repeat(["a", "b"], 2000)


def transported(seed: int) -> np.ndarray:
    """Fit and transport in whatever process or thread this runs."""
    X, groups = samples()
    return LocalTransport(3, random_state=seed).fit(X, groups).transform(X, groups, to="b")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes_give_the_same_bits_after_use_in_the_parent(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    expected = [transported(seed) for seed in range(2)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map_async(transported, range(2)).get(timeout=600)
    for result, own in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, own)


def test_one_estimator_transforms_in_many_threads_at_once():
    X, groups = samples()
    repair = GroupRepair(2, check_samples=0).fit(X, sensitive_features=groups)
    expected = repair.transform(X, sensitive_features=groups)
    results: list[np.ndarray | None] = [None] * 16

    def work(place: int) -> None:
        results[place] = repair.transform(X, sensitive_features=groups)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(len(results))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_array_equal(result, expected)


def test_fits_in_many_threads_do_not_disturb_each_other():
    expected = [transported(seed) for seed in range(4)]
    results: dict[int, np.ndarray] = {}

    def work(seed: int) -> None:
        results[seed] = transported(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, own in enumerate(expected):
        np.testing.assert_array_equal(results[seed], own)


def test_more_threads_than_cores_give_the_same_bits():
    X, groups = samples()
    one = LocalTransport(3, n_jobs=1).fit(X, groups).transform(X, groups, to="b")
    many = LocalTransport(3, n_jobs=64).fit(X, groups).transform(X, groups, to="b")
    np.testing.assert_array_equal(many, one)


ENDINGS = {
    "a fitted estimator lives until the end": "kept = transport",
    "a thread still transports": (
        "import threading\n"
        "def work():\n"
        "    while True:\n"
        "        transport.transform(X, groups, to='b')\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "import time; time.sleep(0.3)"
    ),
    "an object calls it when it is deleted": (
        "class Last:\n"
        "    def __del__(self):\n"
        "        transport.transform(X, groups, to='b')\n"
        "last = Last()"
    ),
    "atexit calls it": (
        "import atexit\natexit.register(lambda: transport.transform(X, groups, to='b'))"
    ),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_interpreter_ends_in_peace(ending):
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_faults import samples\n"
        "from lbw import LocalTransport\n"
        "X, groups = samples()\n"
        "transport = LocalTransport(3).fit(X, groups)\n"
        f"{ENDINGS[ending]}\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    if "deleted" not in ending:  # modules may be gone by then, which Python reports as an exception
        assert done.stderr == ""
