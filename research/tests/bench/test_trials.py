# SPDX-License-Identifier: MIT
"""Test the turns of contestants and the runs that count."""

from __future__ import annotations

import contextlib
import io
import unittest
from typing import Any

from bench.results import Comparison
from bench.trials import Contestant, Trial, run_trial


class FakeWorker:
    """A worker that answers with times from a list and records its requests."""

    def __init__(self, name: str, log: list[str], seconds: list[float]) -> None:
        self.name = name
        self.log = log
        self.seconds = seconds
        self.requests: list[dict[str, Any]] = []
        self.stops = 0

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the next time, or an error if the list is exhausted."""
        self.log.append(self.name)
        self.requests.append(request)
        if not self.seconds:
            return {"error": "out of times"}
        seconds = self.seconds.pop(0)
        return {"seconds": seconds, "checks": {"cost": seconds}}

    def stop(self) -> None:
        """Count the stops."""
        self.stops += 1


def run(*contestants: Contestant, **settings: Any) -> Comparison:
    """Run a trial without printing."""
    with contextlib.redirect_stderr(io.StringIO()):
        return run_trial(Trial("key", "title", {}, list(contestants), **settings))


class TrialTest(unittest.TestCase):
    """Test turns, repetitions and warm-up."""

    def setUp(self) -> None:
        self.log: list[str] = []

    def worker(self, name: str, seconds: list[float]) -> FakeWorker:
        """Return a worker that logs its turns."""
        return FakeWorker(name, self.log, seconds)

    def test_contestants_take_turns_after_a_warm_up(self) -> None:
        ours = Contestant("ours", self.worker("a", [9.0, 1.0, 3.0]), {"threads": 2})
        peer = Contestant("peer", self.worker("b", [9.0, 5.0, 7.0]), {"threads": 1})
        comparison = run(ours, peer, repetitions=2)
        self.assertEqual(self.log, list("ababab"))
        self.assertEqual([side.seconds for side in comparison.sides], [[1.0, 3.0], [5.0, 7.0]])
        self.assertEqual([side.checks["cost"] for side in comparison.sides], [2.0, 6.0])
        self.assertEqual([side.threads for side in comparison.sides], [2, 1])

    def test_a_long_first_run_counts(self) -> None:
        slow = Contestant("slow", self.worker("a", [20.0, 21.0]), {})
        self.assertEqual(run(slow, repetitions=2).ours.seconds, [20.0, 21.0])

    def test_a_slow_contestant_is_not_run_again(self) -> None:
        slow = Contestant("slow", self.worker("a", [70.0, 71.0, 72.0]), {})
        self.assertEqual(run(slow, repetitions=5).ours.seconds, [70.0, 71.0])
        slow = Contestant("slow", self.worker("a", [70.0, 71.0, 72.0, 73.0]), {})
        self.assertEqual(run(slow, repetitions=5, patience=220.0).ours.seconds, [70.0, 71.0, 72.0])

    def test_a_failure_is_kept_and_not_repeated(self) -> None:
        broken = Contestant("broken", self.worker("a", [1.0, 2.0]), {})
        side = run(broken, repetitions=5).ours
        self.assertEqual((side.seconds, side.error), ([2.0], "out of times"))
        self.assertEqual(len(self.log), 3)

    def test_a_missing_worker_is_an_error(self) -> None:
        side = run(Contestant("gone", None, {}), repetitions=5).ours
        self.assertEqual((side.seconds, side.error), ([], "not built"))

    def test_the_best_number_of_threads_is_kept(self) -> None:
        worker = self.worker("a", [1.0, 2.0, 3.0])
        side = run(Contestant("p", worker, {}, best_of_threads=(1, 2)), repetitions=1).ours
        self.assertEqual([request["threads"] for request in worker.requests], [1, 2, 1])
        self.assertEqual((side.threads, side.seconds), (1, [3.0]))

    def test_each_repetition_has_its_own_seed(self) -> None:
        workers = [self.worker(name, [1.0] * 3) for name in "ab"]
        run(*(Contestant(w.name, w, {}) for w in workers), repetitions=2, seeded=True)
        for worker in workers:
            self.assertEqual([r.get("seed") for r in worker.requests], [None, 0, 1])

    def test_a_fresh_contestant_gets_a_new_process_for_each_run(self) -> None:
        worker = self.worker("a", [1.0, 2.0])
        comparison = run(Contestant("f", worker, {}, fresh=True), repetitions=2)
        self.assertEqual(worker.stops, 2 * 2)
        self.assertEqual(comparison.ours.seconds, [1.0, 2.0])


if __name__ == "__main__":
    unittest.main()
