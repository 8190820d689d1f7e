# SPDX-License-Identifier: MIT
"""Sources of rows, and rounds that join the passes of several fits."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from lbw import GaussianMixture, GroupRepair, LocalTransport, _core
from lbw._batches.held_out import held_out_rows
from lbw._batches.rounds import Rounds
from lbw._batches.sources import ArraySource


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    centers = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])
    return centers[rng.integers(3, size=100000)] + rng.normal(size=(100000, 2))


def options(n_components=3):
    own = _core.MixtureOptions()
    own.n_components = n_components
    return own


def answering(sources, log):
    def answer(requests):
        log.append(sorted(requests))
        assert threading.current_thread() is threading.main_thread()
        return {
            group: sources[group].moment_sums(own.mixture, own.precision, own.part, own.seed)
            for group, own in requests.items()
        }

    return Rounds(sources, answer)


def test_a_source_gives_the_fit_of_its_array(X):
    fit = _core.fit_mixture_source(ArraySource(X), options())
    expected = _core.fit_mixture(X, options())
    assert fit.start_iterations == expected.start_iterations > 0
    np.testing.assert_allclose(fit.mixture.means, expected.mixture.means, rtol=1e-9)


def test_groups_share_their_passes(X):
    sources = {"a": ArraySource(X), "b": ArraySource(X * 2.0 + 1.0)}
    log = []
    transport = LocalTransport(3, relative_covariance_floor=0.01)
    transport._fit_sources(np.array(["a", "b"]), answering(sources, log))
    steps = max(mixture.n_iter_ for mixture in transport.mixtures_)
    assert len(log) == steps + 3  # variances of all groups, spread, first likelihood
    assert log[0] == ["a", "b"]
    expected = LocalTransport(3, relative_covariance_floor=0.01)
    expected.fit(np.concatenate([X, X * 2.0 + 1.0]), np.repeat(["a", "b"], len(X)))
    for own, other in zip(transport.mixtures_, expected.mixtures_, strict=True):
        np.testing.assert_allclose(own.means_, other.means_, rtol=1e-9)


def test_a_repair_of_sources_is_checked(X):
    sources = {0: ArraySource(X), 1: ArraySource(X * 2.0 + 1.0)}
    repair = GroupRepair(3, refine=0, check_samples=400)
    repair._fit_sources(np.array([0, 1]), answering(sources, []))
    assert repair.check_ is not None
    assert repair.n_features_in_ == 2
    assert repair.transform(X[:5], sensitive_features=0).shape == (5, 2)


def test_each_group_may_have_a_fit_of_its_own(X):
    sources = {"a": ArraySource(X), "b": ArraySource(X[:50000])}
    log = []
    rounds = answering(sources, log)
    results = rounds.run_each(
        {
            group: lambda own: _core.select_components_source(own, [1, 3], "heldout", options())
            for group in sources
        }
    )
    assert {group: result.n_components for group, result in results.items()} == {"a": 3, "b": 3}
    assert ["a", "b"] in log


def test_errors_of_an_answer_reach_the_caller_unchanged(X):
    sources = {"a": ArraySource(X), "b": ArraySource(X + 1.0)}

    for error in (KeyError("boom"), KeyboardInterrupt()):

        def answer(requests, error=error):
            raise error

        with pytest.raises(type(error)) as raised:
            LocalTransport(3)._fit_sources(np.array(["a", "b"]), Rounds(sources, answer))
        assert raised.value is error
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("lbw fit")]


def test_errors_of_a_source_reach_the_caller_unchanged(X):
    class Broken(ArraySource):
        def rows(self, indices):
            raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        _core.fit_mixture_source(Broken(X), options())
    broken = {"a": ArraySource(X), "b": Broken(X)}
    with pytest.raises(OSError, match="the disk is gone"):
        LocalTransport(3)._fit_sources(np.array(["a", "b"]), answering(broken, []))


@pytest.mark.parametrize(
    ("method", "answer", "message"),
    [
        ("summary", [], "summary of the source returned <class 'list'>, expected a dict"),
        ("summary", {}, "the summary of the source has no entry 'n_samples'"),
        ("rows", None, "rows of the source returned <class 'NoneType'>, expected a tuple"),
        ("moment_sums", 3, "moment_sums of the source returned <class 'int'>, expected bytes"),
    ],
)
def test_strange_answers_are_refused(X, method, answer, message):
    source = ArraySource(X)
    setattr(source, method, lambda *_: answer)
    with pytest.raises(_core.InvalidArgument, match=message):
        _core.fit_mixture_source(source, options())


def test_blocks_know_their_held_out_rows(X):
    flags = held_out_rows(0, 1000, 5)
    assert flags.sum() == 200
    np.testing.assert_array_equal(held_out_rows(123, 100, 5), flags[123:223])
    received = []

    class Recording(ArraySource):
        def moment_sums(self, mixture, precision, part, seed):
            received.append(mixture)
            return super().moment_sums(mixture, precision, part, seed)

    _core.fit_mixture_source(Recording(X), options())
    mixture = received[-1]
    parts = [
        _core.moment_sums(mixture, X[first:last], part="held_out", seed=5, first_row=first)
        for first, last in ((0, 123), (123, 1000))
    ]
    merged = _core.MomentSums.from_bytes(_core.merge_moment_sums(parts))
    assert merged.n_samples == 200
    with pytest.raises(_core.InvalidArgument, match="first_row is None"):
        _core.moment_sums(mixture, X[:10], part="fitted")
    with pytest.raises(_core.InvalidArgument, match="parts is empty"):
        _core.merge_moment_sums([])
    with pytest.raises(_core.IoError, match="are not bytes of that kind"):
        _core.moment_sums(b"nonsense", X[:10])


def test_mixtures_of_sources_have_all_parameters(X):
    rounds = answering({"a": ArraySource(X, np.full(len(X), 2.0))}, [])
    mixture = GaussianMixture(3, covariance_type="tied", n_init=2)._fit_sources(rounds)
    expected = GaussianMixture(3, covariance_type="tied", n_init=2)
    expected.fit(X, sample_weight=np.full(len(X), 2.0))
    np.testing.assert_allclose(mixture.covariances_, expected.covariances_, rtol=1e-9)
