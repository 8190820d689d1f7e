# SPDX-License-Identifier: MIT
"""The samples of all groups of a fit: arrays, or the rows of sources."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .. import _core
from .._batches.rounds import Rounds
from .._input.arrays import FloatArray, SampleArray
from .._input.fit_rows import samples_counted
from .._input.keys import KeyArray
from .._input.labels import LabelArray
from .._mixture.selection import copies_warning, copies_warning_of_sources, refuse_weights

__all__ = ["ArrayGroups", "GroupSamples", "Selection", "SourceGroups"]

Callback = Callable[..., None] | None


@dataclass(frozen=True)
class Selection:
    """How to select the number of components.

    Attributes
    ----------
    numbers : list of int
        The numbers of components to compare.
    criterion : str
        The criterion.
    options : MixtureOptions
        The options of every fit.
    on_point : callable or None
        Called with the name of the group and the fit of each number.
    """

    numbers: list[int]
    criterion: str
    options: _core.MixtureOptions
    on_point: Callback


class GroupSamples(ABC):
    """The samples of all groups."""

    sizes: list[int]
    counts: list[float]  # of samples that the rows stand for: a weight of 2 counts as two

    @abstractmethod
    def fit(
        self, names: list[str], options: _core.TransportOptions, on_iteration: Callback
    ) -> _core.TransportModel:
        """Fit all groups and couple their components."""

    @abstractmethod
    def select(self, names: list[str], how: Selection) -> list[_core.SelectionResult]:
        """Select the number of components of every group."""

    @abstractmethod
    def copies_warning(self, criterion: str) -> str | None:
        """Return a warning if held-out samples are copies of samples of the fit."""


class ArrayGroups(GroupSamples):
    """Groups in memory."""

    def __init__(
        self, parts: list[SampleArray], weights: list[FloatArray], keys: list[KeyArray]
    ) -> None:
        self._parts = parts
        self._weights = weights
        self._keys = keys
        self.sizes = [len(part) for part in parts]
        self.counts = [samples_counted(own) for own in weights] or list(map(float, self.sizes))

    def fit(
        self, names: list[str], options: _core.TransportOptions, on_iteration: Callback
    ) -> _core.TransportModel:
        """Fit all groups and couple their components."""
        return _core.fit_transport(
            names, self._parts, options, self._weights, on_iteration, self._keys
        )

    def select(self, names: list[str], how: Selection) -> list[_core.SelectionResult]:
        """Select the number of components of every group."""
        return _core.select_components_per_group(
            names,
            self._parts,
            how.numbers,
            how.criterion,
            how.options,
            how.on_point,
            self._weights,
        )

    def copies_warning(self, criterion: str) -> str | None:
        """Return a warning if held-out samples are copies of samples of the fit."""
        return copies_warning(criterion, self._parts)


class SourceGroups(GroupSamples):
    """Groups whose rows come from sources; `rounds` answers their passes."""

    def __init__(self, rounds: Rounds[Any], labels: LabelArray) -> None:
        self._rounds = rounds
        self._labels = labels.tolist()
        summaries = [rounds.sources[label].summary() for label in self._labels]
        self.sizes: list[int] = [own["n_samples"] for own in summaries]
        self._weighted = any(own["has_weights"] for own in summaries)
        self.counts = [float(own["weight"]) for own in summaries]

    def fit(
        self, names: list[str], options: _core.TransportOptions, on_iteration: Callback
    ) -> _core.TransportModel:
        """Fit all groups and couple their components."""
        sources = [self._rounds.sources[label] for label in self._labels]
        return self._rounds.run(
            lambda: _core.fit_transport_sources(names, sources, options, on_iteration)
        )

    def select(self, names: list[str], how: Selection) -> list[_core.SelectionResult]:
        """Select the number of components of every group, all groups at the same time."""
        refuse_weights(how.criterion, self._weighted)

        def fit_of(name: str) -> Callable[[Any], _core.SelectionResult]:
            def report(point: Any) -> None:
                if how.on_point is not None:
                    how.on_point(name, point)

            return lambda source: _core.select_components_source(
                source, how.numbers, how.criterion, how.options, report
            )

        fits = {label: fit_of(name) for label, name in zip(self._labels, names, strict=True)}
        results = self._rounds.run_each(fits)
        return [results[label] for label in self._labels]

    def copies_warning(self, criterion: str) -> str | None:
        """Return a warning if held-out samples are copies of samples of the fit."""
        sources = [self._rounds.sources[label] for label in self._labels]
        return copies_warning_of_sources(criterion, sources)
