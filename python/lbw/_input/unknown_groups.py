# SPDX-License-Identifier: MIT
"""Rows of groups that the fit has not seen, and columns that are no groups."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .arrays import PlaceArray, SampleArray
from .labels import LabelArray, LabelledRows, Rows
from .user_level import user_level

__all__ = [
    "known_rows",
    "mean_over_groups",
    "refuse_many_groups",
    "split_by_group",
]

_MOST_NAMED = 20  # groups that a message lists


def refuse_many_groups(values: LabelArray, n_rows: int, where: str) -> None:
    """Raise if labels have too many distinct values to be groups."""
    kind = _kind_of(values)
    limit = _core.max_groups(kind, n_rows)
    if len(values) <= limit:
        return
    advice = "" if kind == "text" else "; if these numbers are categories, convert them to text"
    raise ValueError(
        f"{where} has {len(values)} distinct values in {n_rows} rows, too many to be groups "
        f"(at most {limit}). Give a column of categories or bin the values first{advice}"
    )


def _kind_of(values: LabelArray) -> str:
    if values.dtype.kind not in "fiu":
        return "text"
    if values.dtype.kind == "f" and (values != np.floor(values)).any():
        return "fractions"
    return "whole numbers"


def split_by_group(
    labels: LabelArray, groups: LabelArray, where: str, handle_unknown: str | None = None
) -> tuple[list[NDArray[np.bool_]], NDArray[np.bool_]]:
    """Return which rows are of each group, and which of none; see `known_rows`."""
    parts, unknown = known_rows(labels, groups, where, handle_unknown)
    masks = np.zeros((len(groups) + 1, len(labels)), dtype=bool)
    for mask, rows in zip(masks, [*parts, unknown], strict=True):
        mask[rows] = True
    return list(masks[:-1]), masks[-1]


def known_rows(
    labels: LabelArray, groups: LabelArray, where: str, handle_unknown: str | None = None
) -> tuple[list[Rows], PlaceArray]:
    """Return the rows of each group, and those of none.

    A row of none is an error that names its place and its label, unless `handle_unknown` allows it.
    Labels of another type than those of the fit are an error always: no row would be found.
    """
    labelled = LabelledRows(labels)
    parts = [labelled.of(group) for group in groups.tolist()]
    unknown = labelled.of_others(parts)
    if len(unknown) == 0:
        return parts, unknown
    row = int(unknown[0])
    label, known = labels[row].item(), groups[0].item()
    seen = f"group {label!r} at row {row} (counted from 0) was not seen in fit"
    if isinstance(label, str) != isinstance(known, str):
        raise ValueError(
            f"{where}: {seen}: it is of type {type(label).__name__}, the groups of the fit are of "
            f"type {type(known).__name__}, as {known!r}. Give labels of that type"
        )
    if handle_unknown is None:  # nothing else is possible
        raise ValueError(f"{where}: {seen}, expected one of {_listed(groups)}")
    if handle_unknown == "error":
        raise ValueError(
            f"{where}: {seen}, expected one of {_listed(groups)}. handle_unknown='ignore' leaves "
            "such rows as they are, 'barycenter' treats them by the groups that they resemble"
        )
    if handle_unknown == "ignore" and len(unknown) == len(labels) > 1:
        warnings.warn(
            f"{where}: no row is of a group of the fit, so all {len(labels)} rows are left as they "
            f"are. The first group is {label!r}, expected one of {_listed(groups)}.",
            UserWarning,
            stacklevel=user_level(),
        )
    return parts, unknown


def _listed(groups: LabelArray) -> str:
    labels = groups.tolist()
    if len(labels) <= _MOST_NAMED:
        return str(labels)
    return f"{str(labels[:_MOST_NAMED])[:-1]}, ...] ({len(labels)} in all)"


def mean_over_groups(
    model: _core.TransportModel,
    X: SampleArray,
    transported_from: Callable[[int], SampleArray],
    n_threads: int,
) -> SampleArray:
    """Return the mean of where the maps of all groups send rows, weighted by probability."""
    probabilities = _core.group_probabilities(model, X, n_threads=n_threads)
    mean = np.zeros(X.shape)
    for place in range(probabilities.shape[1]):
        mean += probabilities[:, place, np.newaxis] * transported_from(place)
    return mean.astype(X.dtype, copy=False)
