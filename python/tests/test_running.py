# SPDX-License-Identifier: MIT
"""Long work: memory, Ctrl-C, progress, threads, processes, forks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import threading
import time

import joblib
import numpy as np
import pytest
from conftest import blobs

from lbw import GaussianMixture, GroupRepair, LocalTransport, _core


def run_script(text: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, **variables},
    )


PEAK = """
    def peak():
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) * 1024

    def grown(work):
        # writing 5 sets the high-water mark back to what is resident now
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        before = peak()
        result = work()
        return peak() - before, result
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="needs Linux's /proc")
def test_c_ordered_samples_are_not_copied():
    done = run_script(
        PEAK
        + """
    import numpy as np
    from lbw import GaussianMixture, LocalTransport
    X = np.random.default_rng(0).normal(size=(1_000_000, 10))
    groups = np.repeat([0, 1], 500_000)
    small, small_groups = X[::1000].copy(), groups[::1000]
    GaussianMixture(2).fit(small).score_samples(small)
    transport = LocalTransport(2).fit(small, small_groups)
    transport.transform(small, 0, to=1)
    fit, _ = grown(lambda: GaussianMixture(2, max_iter=2, tol=1e9).fit(X))
    fit_groups, _ = grown(lambda: LocalTransport(2, max_iter=2, tol=1e9).fit(X, groups))
    carry, carried = grown(lambda: transport.transform(X, 0, to=1))
    print(fit / X.nbytes, fit_groups / X.nbytes, carry / X.nbytes)
    """
    )
    assert done.returncode == 0, done.stderr
    fit, fit_groups, carry = map(float, done.stdout.split())
    assert fit < 0.5  # a copy would be 1
    assert fit_groups < 0.5  # groups follow one another here, so that slices do
    assert carry < 1.2  # the result alone is 1


INTERRUPTED = """
    import os, signal, threading, time
    import numpy as np
    from lbw import GaussianMixture
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores SIGINT
    X = np.random.default_rng(0).normal(size=(400_000, 20))
    mixture = GaussianMixture(40, tol=0, max_iter=100_000, verbose={verbose})
    threading.Timer(1.0, lambda: (times.append(time.perf_counter()),
                                  os.kill(os.getpid(), signal.SIGINT))).start()
    times = []
    try:
        mixture.fit(X)
    except KeyboardInterrupt:
        print(time.perf_counter() - times[0], [n for n in vars(mixture) if n.endswith("_")])
"""


@pytest.mark.parametrize("verbose", [0, 1])
def test_ctrl_c_stops_a_fit_and_leaves_it_unfitted(verbose):
    done = run_script(INTERRUPTED.format(verbose=verbose))
    assert done.returncode == 0, done.stderr
    seconds, _, attributes = done.stdout.strip().partition(" ")
    assert attributes == "[]"
    # it would run for hours; how soon it stops is bounded loosely, machines are shared
    assert float(seconds) < 30


def test_a_raising_callback_ends_the_fit():
    options = _core.MixtureOptions()
    options.n_components = 3
    options.tolerance = 0.0
    options.max_iterations = 1000
    seen = []

    def stop(progress):
        seen.append(progress.iteration)
        if len(seen) == 5:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        _core.fit_mixture(blobs(5000, 0), options, None, stop)
    assert len(seen) == 5


def test_progress_is_called_on_the_thread_that_fits():
    options = _core.MixtureOptions()
    options.n_components = 3
    threads = set()
    fit = _core.fit_mixture(
        blobs(5000, 0), options, None, lambda _: threads.add(threading.get_ident())
    )
    assert threads == {threading.get_ident()}
    assert fit.iterations > 0


@pytest.mark.parametrize("verbose", [1, 2])
@pytest.mark.parametrize("tqdm", [True, False])
def test_verbose_shows_steps(verbose, tqdm, capsys, monkeypatch):
    if not tqdm:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    X = np.concatenate([blobs(300, 0), blobs(300, 1)])
    GaussianMixture(3, verbose=verbose, verbose_interval=1).fit(X)
    shown = capsys.readouterr().err
    assert "GaussianMixture" in shown
    if verbose == 2 or tqdm:
        assert "log-likelihood" in shown
    else:
        assert "EM step 1" in shown
    LocalTransport(3, verbose=verbose).fit(X, np.repeat(["left", "right"], 300))
    shown = capsys.readouterr().err
    assert "LocalTransport" in shown
    if verbose == 2:
        assert "LocalTransport group left: start 0, EM step 1" in shown
    GaussianMixture("bic", n_components_range=[1, 2], verbose=verbose).fit(X)
    assert "2 components: AIC" in capsys.readouterr().err
    LocalTransport("heldout", n_components_range=[1, 2], verbose=verbose).fit(
        X, np.repeat(["left", "right"], 300)
    )
    shown = capsys.readouterr().err
    for group in ("right",) if verbose == 1 and tqdm else ("left", "right"):  # a bar shows the last
        assert re.search(rf"group {group}: 2 components: AIC .*, held-out log-likelihood -", shown)


def fitted_means(seed: int) -> np.ndarray:
    return GaussianMixture(4, random_state=seed).fit(blobs(3000, 0)).means_


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing"])
def test_joblib_gives_the_same_bits(backend):
    expected = [fitted_means(seed) for seed in range(4)]
    results = joblib.Parallel(n_jobs=2, backend=backend)(
        joblib.delayed(fitted_means)(seed) for seed in range(4)
    )
    for result, means in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, means)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_can_fit():
    expected = fitted_means(0)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(fitted_means(0), expected) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_other_threads_run_while_a_fit_does():
    X = np.random.default_rng(0).normal(size=(200_000, 10))
    counted = 0
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    _core.fit_mixture(X, quick_options())
    done.set()
    counter.join()
    assert counted > 5  # none but the first would come if the lock were held


def quick_options() -> _core.MixtureOptions:
    options = _core.MixtureOptions()
    options.n_components = 10
    options.tolerance = 0.0
    options.max_iterations = 20
    return options


def test_openmp_limit_is_kept(monkeypatch):
    from lbw._options.names import n_threads_of

    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert n_threads_of(None) == 3
    assert n_threads_of(2) == 2
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert n_threads_of(None) == 0
    assert n_threads_of(-1) == os.cpu_count()
    assert n_threads_of(-10_000) == 1


def test_verbose_names_the_class_that_is_fitted(capsys):
    X = np.random.default_rng(0).normal(size=(600, 2))
    groups = np.repeat(["left", "right"], 300)
    GroupRepair(2, verbose=2, refine=0, check_samples=0).fit(X, sensitive_features=groups)
    shown = capsys.readouterr().err
    assert "GroupRepair" in shown
    assert "LocalTransport" not in shown
