# SPDX-License-Identifier: MIT
"""Labels of groups: any integers, floats, booleans or texts, one per row or one for all."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .arrays import PlaceArray, refuse_masked
from .mapped_files import copy_of_mapped
from .tables import to_array
from .texts import refuse_surrogates

__all__ = [
    "LabelArray",
    "LabelledRows",
    "Rows",
    "label_array",
    "labels_from_text",
    "labels_of_rows",
    "labels_to_text",
    "names_of",
    "rows_from",
    "rows_with",
]

LabelArray = NDArray[Any]
Rows = slice | PlaceArray  # of an array: those that follow one another, or their numbers


def label_array(labels: Any) -> LabelArray:
    """Convert labels to an array in which a missing label or a number does not become a text.

    NumPy converts a list of texts and NaN to texts, one of which is "nan", and truncates the texts
    of an Enum.
    """
    array = np.asarray(copy_of_mapped(to_array(labels)))
    if array.dtype.kind == "T":  # texts of variable length
        return array.astype(object)
    if array.dtype.kind in "US" and not isinstance(labels, np.ndarray):
        objects = np.array(labels, dtype=object)
        if set(map(type, objects.ravel())) not in ({str}, {bytes}):
            return objects
    return array


def labels_of_rows(groups: Any, n_samples: int, name: str) -> LabelArray:
    """Check that groups are labels, one per row, none missing."""
    refuse_masked(groups, name)
    labels = label_array(groups)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        advice = ". Join the columns to one label per row" if labels.ndim == 2 else ""
        raise ValueError(
            f"{name}: expected one label per row, got an array of shape {labels.shape}{advice}"
        )
    if labels.dtype.kind == "V":
        raise ValueError(f"{name} has labels of type {labels.dtype}, expected strings or numbers")
    if len(labels) != n_samples:
        raise ValueError(f"{name} has {len(labels)} labels for {n_samples} rows of X")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        row = int(np.argmin(np.isfinite(labels)))
        raise ValueError(f"{name} has NaN or infinity for a label at row {row} (counted from 0)")
    if labels.dtype.kind in "mM" and np.isnat(labels).any():
        row = int(np.argmax(np.isnat(labels)))
        raise ValueError(f"{name} has no label at row {row} (counted from 0)")
    return _plain(labels, name) if labels.dtype == object else labels


def _is_gap(label: Any) -> bool:
    """Return whether a label is missing: None, NaN, NaT or pandas' NA."""
    return label is None or type(label).__name__ in ("NAType", "NaTType") or label != label


def _plain_label(label: Any) -> Any:
    """Convert numbers of NumPy, and subclasses of str and bytes, such as those of Enum."""
    if isinstance(label, str):
        return str.__str__(label)
    if isinstance(label, (np.number, np.bool_)):
        return label.item()
    return bytes(label) if isinstance(label, bytes) else label


def _plain(labels: LabelArray, name: str) -> LabelArray:
    """Convert objects to their common type: strings or numbers."""
    values = labels.tolist()
    kinds = set(map(type, values))
    bases = (str, bytes, np.generic) if len(kinds) > 1 else (str, bytes)
    if any(issubclass(kind, bases) for kind in kinds - {str, bytes}):
        values = [_plain_label(label) for label in values]
        kinds = set(map(type, values))
    if kinds != {str}:  # a text is never missing
        gaps = [row for row, label in enumerate(values) if _is_gap(label)]
        if gaps:
            raise ValueError(f"{name} has no label at row {gaps[0]} (counted from 0)")
    if len(kinds) > 1:
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise ValueError(
            f"{name} has labels of different types ({names}). Convert them to one type."
        )
    plain = np.array(values)
    if plain.ndim != 1 or plain.dtype == object:
        kind = type(labels[0]).__name__
        raise ValueError(f"{name} has labels of type {kind}, expected strings or numbers")
    return plain


class LabelledRows:
    """Rows by their labels; labels that are strings are read once."""

    def __init__(self, labels: LabelArray) -> None:
        self.labels = labels
        self._texts: dict[Any, int] | None = None
        if labels.dtype.kind in "US" and labels.dtype.itemsize > 0:
            letters = np.ascontiguousarray(labels).view(np.uint8).reshape(len(labels), -1)
            self._numbers, first, *last_and_count = _core.text_rows(letters)
            self._first, (self._last, self._count) = first, last_and_count
            self._distinct = labels[first]
            self._texts = {text: i for i, text in enumerate(self._distinct.tolist())}

    def distinct(self) -> LabelArray:
        """Return the distinct labels in order, as np.unique does."""
        return np.unique(self.labels) if self._texts is None else np.sort(self._distinct)

    def of(self, label: Any) -> Rows:
        """Return the rows of a label: a slice if they are contiguous, else their numbers."""
        if self._texts is None:
            rows = np.flatnonzero(rows_with(self.labels, label))
            first, last, count = (rows[0], rows[-1], len(rows)) if len(rows) else (0, 0, 0)
            return slice(int(first), int(last) + 1) if last - first + 1 == count else rows
        if label not in self._texts:
            return np.zeros(0, dtype=np.intp)
        number = self._texts[label]
        first, last = int(self._first[number]), int(self._last[number])
        if last - first + 1 == self._count[number]:
            return slice(first, last + 1)
        return np.flatnonzero(self._numbers == number)

    def of_others(self, parts: list[Rows]) -> PlaceArray:
        """Return the numbers of the rows that are in none of the parts."""
        n_rows = sum(p.stop - p.start if isinstance(p, slice) else len(p) for p in parts)
        if n_rows == len(self.labels):
            return np.zeros(0, dtype=np.intp)
        others = np.ones(len(self.labels), dtype=bool)
        for rows in parts:
            others[rows] = False
        return np.flatnonzero(others)


def names_of(labels: LabelArray) -> list[str]:
    """Return the names that the core calls groups by: distinct, not empty, and valid Unicode."""
    names = [str(label) for label in labels.tolist()]
    for name in names:
        refuse_surrogates(name, "groups: the label")
    return names if all(names) else [repr(label) for label in labels.tolist()]


def rows_with(labels: LabelArray, label: Any) -> NDArray[np.bool_]:
    """Return which rows have a label; none where the types cannot be compared."""
    label = _plain_label(label)
    if (labels.dtype.kind in "US") != isinstance(label, (str, bytes)):
        return np.zeros(len(labels), dtype=bool)
    return np.asarray(labels == label)


def rows_from(values: Any, rows: Rows) -> Any:
    """Return some rows: a view if they are contiguous, a copy otherwise."""
    # twice as fast as brackets
    return values[rows] if isinstance(rows, slice) else values.take(rows, axis=0)


def labels_to_text(labels: LabelArray) -> str:
    """Write labels with their type, for the notes of a model file."""
    if labels.dtype.kind not in "iufbU":
        label = labels.tolist()[0]
        raise ValueError(
            f"groups_ has labels of type {type(label).__name__}, as {label!r}, but a model file "
            "holds strings and numbers. Convert the labels to strings before fit, for instance "
            "with astype(str)."
        )
    return json.dumps({"type": labels.dtype.kind, "labels": labels.tolist()})


def labels_from_text(text: str | None, names: list[str] | None) -> LabelArray:
    """Read labels back; without a text the core's names are the labels."""
    if text is None:
        return np.array(names)
    stored = json.loads(text)
    kinds: dict[str, Any] = {"i": np.int64, "u": np.uint64, "f": np.float64, "b": np.bool_}
    if stored["type"] not in (*kinds, "U"):
        raise ValueError(f"labels are of type {stored['type']!r}, expected one of i, u, f, b, U")
    labels = np.array(stored["labels"], dtype=kinds.get(stored["type"], np.str_))
    if names is not None and labels.shape != (len(names),):
        raise ValueError(f"the file has {labels.size} labels for {len(names)} groups")
    if names is not None and len(np.unique(labels)) < len(names):
        raise ValueError(f"the labels {labels.tolist()} are not distinct")
    return labels
