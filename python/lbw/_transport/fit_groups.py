# SPDX-License-Identifier: MIT
"""The fit of a LocalTransport: samples divided by group, numbers of components, warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .. import _core
from .._input.fit_rows import FitRows
from .._input.labels import LabelArray, names_of, rows_from
from .._input.unknown_groups import refuse_many_groups
from .._input.user_level import user_level
from .._mixture.progress import FitReporter
from .._mixture.selection import (
    common_number,
    numbers_to_try,
    refuse_more_components,
    selection_of_groups,
)
from .group_samples import ArrayGroups, GroupSamples, Selection
from .params import dither_widths, options_for, set_numbers

__all__ = ["fit_groups", "fit_samples", "warnings_of"]

GroupFit = tuple[_core.TransportModel, LabelArray, dict[str, Any] | None]


def fit_groups(estimator: Any, rows: FitRows) -> GroupFit:
    """Fit a model; return it with the labels of its groups and the curves of a selection."""
    groups = rows.labelled.distinct()
    refuse_many_groups(groups, len(rows.labels), "groups")
    places = [rows.labelled.of(group) for group in groups.tolist()]
    parts = ArrayGroups(
        *(
            [] if values is None else [rows_from(values, own) for own in places]
            for values in (rows.X, rows.weights, rows.keys)
        )
    )
    model, selection = fit_samples(estimator, groups, parts)
    return model, groups, selection


def fit_samples(
    estimator: Any, groups: LabelArray, samples: GroupSamples
) -> tuple[_core.TransportModel, dict[str, Any] | None]:
    """Fit a model to the samples of groups; return it with the curves of a selection."""
    if len(groups) < 2:
        raise ValueError(
            f"groups has a single label, {groups[0].item()!r}. A transport needs two or more."
        )
    options = options_for(estimator, groups)
    if estimator.small_groups == "error":
        _refuse_zero_weights(groups, samples)
    selection = None
    if isinstance(estimator.n_components, str):
        copies = samples.copies_warning(estimator.n_components)
        if copies is not None:
            warnings.warn(copies, UserWarning, stacklevel=user_level())
        selection = _select(estimator, samples, groups, options)
    title = _title_of(estimator)
    with FitReporter(title, estimator.verbose) as reporter:
        model = samples.fit(names_of(groups), options, reporter.callback)
    if estimator.dither and estimator.verbose:
        print(f"{title}: {_dither_text(model)}", file=sys.stderr)
    return model, selection


def _title_of(estimator: Any) -> str:
    """Return the name of the class that the user fits, which may fit this one."""
    return estimator._title or type(estimator).__name__


def _refuse_zero_weights(groups: LabelArray, samples: GroupSamples) -> None:
    """Raise if all rows of a group have the weight 0."""
    for group, size, count in zip(groups.tolist(), samples.sizes, samples.counts, strict=True):
        if count == 0.0:
            raise ValueError(
                f"sample_weight is 0 for all {size} rows of group {group!r}, expected 2 or "
                "more above 0. Give other weights, leave the group out, or set small_groups='keep'."
            )


def _select(
    estimator: Any, samples: GroupSamples, groups: LabelArray, options: _core.TransportOptions
) -> dict[str, Any]:
    """Set the number of components of every group by the criterion; return the curves."""
    criterion = estimator.n_components
    numbers = numbers_to_try(estimator.n_components_range)
    for group, size in zip(groups.tolist(), samples.sizes, strict=True):
        refuse_more_components(criterion, numbers, size, f"group {group!r}")
    with FitReporter(_title_of(estimator), estimator.verbose) as reporter:
        how = Selection(numbers, criterion, options.mixture, reporter.on_point)
        results = samples.select(names_of(groups), how)
    chosen = [result.n_components for result in results]
    if estimator.coupling == "matching":
        chosen = [common_number(results, criterion, samples.counts)] * len(chosen)
    set_numbers(options, chosen)
    return selection_of_groups(groups, results)


def _dither_text(model: _core.TransportModel) -> str:
    """Return which features take few values and have noise."""
    widths = dither_widths(model)
    moved = np.flatnonzero(widths)
    if len(moved) == 0:
        return "dither: no feature takes few values, nothing is moved"
    names, cells = model.feature_names or range(len(widths)), model.dither_cells
    words = [
        f"{names[f]} ({len(cells[f])} value{'s' if len(cells[f]) > 1 else ''})"
        if cells
        else f"{names[f]} by {widths[f]:g}"
        for f in moved
    ]
    return f"dither: {len(moved)} of {len(widths)} features: {', '.join(words)}"


def warnings_of(estimator: Any) -> Iterator[tuple[str, type[Warning]]]:
    """Return the warnings after a fit."""
    if len(estimator.kept_groups_):
        yield (
            f"Groups too small to fit (1 sample): {', '.join(map(str, estimator.kept_groups_))}. "
            "Their rows are left where they are; the other groups are fitted without them.",
            UserWarning,
        )
    for text in _core.fit_warnings(estimator._model):
        yield text, UserWarning
    if not estimator.converged_:
        slow = [
            str(group)
            for group, report in zip(estimator.groups_, estimator._model.reports, strict=True)
            if not report.converged
        ]
        yield (
            f"EM did not converge in {estimator.max_iter} steps for groups: {', '.join(slow)}. "
            "Raise max_iter or tol.",
            ConvergenceWarning,
        )
