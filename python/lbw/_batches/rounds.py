# SPDX-License-Identifier: MIT
"""Passes that several fits share: their requests for sums are answered together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .sources import RowSource

__all__ = ["Request", "Rounds"]

Group = TypeVar("Group", bound=Hashable)
Result = TypeVar("Result")


@dataclass(frozen=True)
class Request:
    """A pass that a fit asks for: the arguments of `moment_sums` of a source."""

    mixture: bytes
    precision: str
    part: str
    seed: int


class Stopped(Exception):
    """Raised in fits that wait for sums after another fit or an answer has failed."""


class Rounds(Generic[Group]):
    """Joins the requests of the fits of several groups into one pass for all of them.

    A round begins once every fit that is not finished has asked for sums. `answer` is then called
    once, on the thread that called `run` or `run_each`, so that Ctrl-C ends it as usual.

    Parameters
    ----------
    sources : dict
        The source of every group. Its `summary` and `rows` are called directly.
    answer : callable
        Takes a dict of a request by group and returns the sums of every such group as bytes.
    """

    def __init__(
        self,
        sources: Mapping[Group, RowSource],
        answer: Callable[[dict[Group, Request]], Mapping[Group, bytes]],
    ) -> None:
        self._answer = answer
        self._changed = threading.Condition()
        self._active: set[Group] = set()
        self._requests: dict[Group, Request] = {}
        self._answers: dict[Group, bytes] = {}
        self._failure: BaseException | None = None
        self.sources = {group: _Joined(self, group, own) for group, own in sources.items()}

    def run(self, fit: Callable[[], Result]) -> Result:
        """Return the result of a fit of all groups, which uses `sources` and runs on a thread.

        The fit calls `begin` and `end` of the sources, as `_core.fit_transport_sources` does.
        """
        return self._run({None: fit})[None]

    def run_each(self, fits: Mapping[Group, Callable[[RowSource], Result]]) -> dict[Group, Result]:
        """Return the results of one fit per group, each of which runs on its own thread."""

        def started(group: Group, fit: Callable[[RowSource], Result]) -> Callable[[], Result]:
            def work() -> Result:
                try:
                    return fit(self.sources[group])
                finally:
                    self.end(group)

            return work

        for group in fits:
            self.begin(group)
        return self._run({group: started(group, fit) for group, fit in fits.items()})

    def _run(self, works: Mapping[Any, Callable[[], Result]]) -> dict[Any, Result]:
        """Run work on threads and answer requests until all of it is finished."""
        results: dict[Any, Result] = {}
        errors: dict[Any, BaseException] = {}
        left = len(works)

        def run(name: Any, work: Callable[[], Result]) -> None:
            nonlocal left
            try:
                results[name] = work()
            except BaseException as error:
                errors[name] = error
                self._fail(error)
            with self._changed:
                left -= 1
                self._changed.notify_all()

        threads = [
            threading.Thread(target=run, args=item, name=f"lbw fit {item[0]}", daemon=True)
            for item in works.items()
        ]
        for thread in threads:
            thread.start()
        try:
            self._answer_until(lambda: left == 0)
        except BaseException as error:
            self._fail(error)
            raise
        finally:
            for thread in threads:
                thread.join()
        own = [error for error in errors.values() if not isinstance(error, Stopped)]
        if errors:
            raise (own or list(errors.values()))[0]
        return results

    def _answer_until(self, is_done: Callable[[], bool]) -> None:
        """Answer one round after another."""
        while True:
            with self._changed:
                while not is_done() and not self._is_complete():
                    self._changed.wait(timeout=0.5)  # so that Ctrl-C is noticed on all systems
                if is_done():
                    return
                requests = dict(self._requests)
            answers = self._answer(requests)
            with self._changed:
                for group in requests:
                    self._answers[group] = answers[group]
                    del self._requests[group]
                self._changed.notify_all()

    def _is_complete(self) -> bool:
        return bool(self._requests) and self._active <= set(self._requests)

    def begin(self, group: Group) -> None:
        """Expect requests of a group from now on."""
        with self._changed:
            self._active.add(group)

    def end(self, group: Group) -> None:
        """Expect no more requests of a group."""
        with self._changed:
            self._active.discard(group)
            self._changed.notify_all()

    def request(self, group: Group, request: Request) -> bytes:
        """Return the sums of a request once its round is answered."""
        with self._changed:
            self._requests[group] = request
            self._changed.notify_all()
            while group not in self._answers:
                self.check()
                self._changed.wait()
            return self._answers.pop(group)

    def check(self) -> None:
        """Raise if another part has failed; the core calls it a few times per second."""
        if self._failure is not None:
            raise Stopped("another part of the fit failed") from self._failure

    def _fail(self, error: BaseException) -> None:
        with self._changed:
            self._failure = self._failure or error
            self._changed.notify_all()


class _Joined:
    """A source whose requests for sums are answered in rounds."""

    def __init__(self, rounds: Rounds[Any], group: Any, source: RowSource) -> None:
        self._rounds = rounds
        self._group = group
        self._source = source

    def summary(self) -> dict[str, Any]:
        return self._source.summary()

    def rows(self, indices: Any) -> tuple[Any, Any]:
        return self._source.rows(indices)

    def moment_sums(self, mixture: bytes, precision: str, part: str, seed: int) -> bytes:
        return self._rounds.request(self._group, Request(mixture, precision, part, seed))

    def check(self) -> None:
        self._rounds.check()

    def begin(self) -> None:
        self._rounds.begin(self._group)

    def end(self) -> None:
        self._rounds.end(self._group)
