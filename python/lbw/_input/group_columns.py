# SPDX-License-Identifier: MIT
"""The columns of groups: every combination of their values, compared with those of the fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .labels import LabelArray, labels_from_text, labels_of_rows, labels_to_text, rows_with
from .unknown_groups import refuse_many_groups

__all__ = ["GivenColumns", "GroupColumns", "joined_labels"]


class GivenColumns(NamedTuple):
    """Columns of groups as they are given, their names in labels and their names in messages."""

    columns: list[Any]
    names: list[str]
    places: list[str]

    def labels(self, n_samples: int) -> list[LabelArray]:
        """Check every column: one label per row, none missing."""
        return [
            labels_of_rows(column, n_samples, place)
            for column, place in zip(self.columns, self.places, strict=True)
        ]


class GroupColumns(NamedTuple):
    """The columns of groups of a fit: names, distinct values, and whether a table named them."""

    names: list[str]
    values: list[LabelArray]
    named: bool

    @classmethod
    def fitted(
        cls, given: GivenColumns, n_samples: int, *, named: bool
    ) -> tuple[GroupColumns, LabelArray]:
        """Take the columns of a fit; refuse those that have too many values to be groups."""
        labels = given.labels(n_samples)
        columns = cls(given.names, [np.unique(own) for own in labels], named)
        for values, place in zip(columns.values, given.places, strict=True):
            refuse_many_groups(values, n_samples, place)
        joined = joined_labels(labels, given.names)
        if len(labels) > 1:
            columns.refuse_ambiguous(given.places)
            together = f"the combination of columns {', '.join(map(repr, given.names))}"
            refuse_many_groups(np.unique(joined), n_samples, together)
        return columns, joined

    @classmethod
    def from_notes(cls, notes: dict[str, Any] | None) -> GroupColumns | None:
        """Read the columns from the notes of a model file."""
        if notes is None:
            return None
        values = [labels_from_text(text, None) for text in notes["values"]]
        return cls(notes["names"], values, notes["named"])

    def to_notes(self) -> dict[str, Any]:
        """Write the columns for the notes of a model file."""
        values = [labels_to_text(own) for own in self.values]
        return {"names": self.names, "values": values, "named": self.named}

    def labels_of(self, given: GivenColumns, n_samples: int) -> LabelArray:
        """Return labels by the values of the fit: 1.0 is 1 if the fit had 1, "1" is an error."""
        labels = given.labels(n_samples)
        if len(labels) == len(self.names) == 1:
            return labels[0]  # compared with the groups of the fit
        if len(labels) == 1:
            self._refuse_single_values(labels[0], given.places[0])
            return labels[0]
        if len(labels) != len(self.names):
            raise ValueError(
                f"sensitive_features has {len(labels)} columns, the fit had "
                f"{self._listed()}. Give the same columns."
            )
        same = map(_as_in_fit, labels, self.values, given.places)
        return joined_labels(list(same), self.names)

    def order_of(self, names: Sequence[str]) -> list[int]:
        """Return the positions of the columns of the fit in a table of these names."""
        if not self.named:
            return list(range(len(names)))
        if sorted(names) != sorted(self.names):
            raise ValueError(
                f"sensitive_features has the columns {list(names)}, the fit had "
                f"{self._listed()}. Rename the columns, or give the same ones."
            )
        return [list(names).index(name) for name in self.names]

    def refuse_ambiguous(self, places: list[str]) -> None:
        """Raise if a value looks like the next column in a label, so that groups could be joined.

        If no value of the fit does, no other combination of values has the label of a group.
        """
        marks = [f", {name}=" for name in self.names[1:]]
        for values, place in zip(self.values, places, strict=True):
            for value in map(str, values.tolist()):
                mark = next((mark for mark in marks if mark in value), None)
                if mark is not None:
                    raise ValueError(
                        f"{place} has the value {value!r}, which contains {mark!r} and would make "
                        "labels of groups ambiguous. Rename the column or the value."
                    )

    def _refuse_single_values(self, labels: LabelArray, place: str) -> None:
        """Raise unless labels are combinations, as `groups_` has them."""
        for row, label in enumerate(labels.tolist()):
            if not isinstance(label, str) or any(f"{n}=" not in label for n in self.names):
                raise ValueError(
                    f"{place} has a single value, {label!r}, at row {row} (counted from 0), the "
                    f"fit had {self._listed()}. Give a value of every column."
                )

    def _listed(self) -> str:
        plural = "s" if len(self.names) > 1 else ""
        return f"{len(self.names)} column{plural}, {', '.join(map(repr, self.names))}"


def _as_in_fit(labels: LabelArray, values: LabelArray, place: str) -> LabelArray:
    """Return labels, where those that equal a value of the fit are replaced by that value."""
    if (labels.dtype.kind in "US") != (values.dtype.kind in "US"):
        label, known = labels[0].item(), values[0].item()
        raise ValueError(
            f"{place}: value {label!r} at row 0 (counted from 0) was not seen in fit: it is of "
            f"type {type(label).__name__}, the values of the fit are of type "
            f"{type(known).__name__}, as {known!r}. Give values of that type"
        )
    same = labels.astype(object)
    for value in values.tolist():
        same[rows_with(labels, value)] = value
    return same


def joined_labels(columns: list[LabelArray], names: list[str]) -> LabelArray:
    """Return the labels of one column, or 'name=value, name=value' of several."""
    if len(columns) == 1:
        return columns[0]
    parts = [
        [f"{name}={value}" for value in column.tolist()]
        for column, name in zip(columns, names, strict=True)
    ]
    return np.array([", ".join(row) for row in zip(*parts, strict=True)])
