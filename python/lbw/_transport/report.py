# SPDX-License-Identifier: MIT
"""The evaluation of a fitted transport: tables, and a verdict in words."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._input.arrays import FloatArray, SampleArray
from .._input.fit_rows import FitRows, rows_of_fit
from .._input.labels import rows_with
from .._options.checked import whole_number
from .._options.names import n_threads_of

__all__ = [
    "TransportReport",
    "displacement_warning",
    "far_values_warning",
    "report_on",
    "weighted_rows",
]

# The type of every column, by the names of its table and of the column.
_COLUMNS = _core.report_columns()

# The dtypes of columns by type; other types hold labels or lists.
_DTYPES: dict[str, Any] = {"boolean": bool, "integer": np.int64, "number": float}

# of a group at most; the core looks at no more
_MOST_WARNED_OF = 4096

_FEWEST_SAMPLES = 10  # that a comparison needs


class TransportReport:
    """A description of a fitted transport and its evaluation on held-out samples.

    `LocalTransport.report` and `GroupRepair.report` return it. Printing it shows the tables and
    the verdict.

    A table is a pandas DataFrame if pandas is installed and a structured array otherwise. Values
    that do not apply are NaN, or None for labels.

    Attributes
    ----------
    components : table
        Per group and component: `mass`, `n_samples` behind it (mass times the samples of the
        group), `condition` of its covariance (largest over smallest eigenvalue).
    pairs : table
        One row per two groups. `mixture_distance` is MW2. `coupling_cost` is the cost of the
        model's coupling, and `plan_cost` is the least possible cost. The other columns describe
        the matching of the model or, under a plan, the best matching: `matching_cost` (moving
        all mass along it), `misplaced_mass`, `remaining_distance` (between a transported group
        and its target), `matching_total` (the sum over its pairs), `runner_up_gap` (the
        additional cost of the second-best matching), `is_coupling` (whether the model uses it)
        and `matching` (the matched component of the second group, for each of the first).
    carried : table
        Per pair of groups, and per group and the barycenter if `to` is None, for held-out samples
        that are transported from one to the other: how far they moved, and the `reach` of any map
        onto the target; their mean `log_likelihood` under the target, and that of its own samples;
        their sliced Wasserstein distance from the target's samples, before and after, with its
        null distribution under random permutations and `sliced_after_limit`, the largest distance
        that sampling noise explains.
    separations : table
        Per two groups, for held-out samples before and after the transport to the barycenter: the
        AUC of a nearest-neighbour classifier that separates them, with the default
        `n_neighbors` of `lbw.metrics.group_auc` or, where only that finds a difference beyond
        noise, with 5, and their sliced Wasserstein distance, each with its null distribution under
        random permutations and a limit.
    verdict : str
        A few sentences, one a line, warnings first, or "No problems found.".
    warnings : list of str
        The sentences of the verdict that are warnings.

    Notes
    -----
    The limits are the largest values that sampling noise explains. They include the noise of the
    fit, which has seen finitely many samples, and are corrected for the number of comparisons: on
    data that the model describes, the whole verdict warns in at most 5 % of reports.
    """

    def __init__(self, report: _core.Report, labels: dict[str, Any]) -> None:
        self._report = report
        self._rows = {
            name: _labelled(rows, _COLUMNS[name], labels) for name, rows in report.tables.items()
        }

    @property
    def components(self) -> Any:
        """Components of every group."""
        return self._table("components")

    @property
    def pairs(self) -> Any:
        """Every two groups and their coupling."""
        return self._table("pairs")

    @property
    def carried(self) -> Any:
        """Transported held-out samples; no rows without them."""
        return self._table("carried")

    @property
    def separations(self) -> Any:
        """Every two groups, before and at the barycenter; no rows without held-out samples."""
        return self._table("separations")

    @property
    def verdict(self) -> str:
        """The sentences of the verdict, one a line."""
        return "\n".join(_spoken(finding["text"]) for finding in self._rows["verdict"])

    @property
    def warnings(self) -> list[str]:
        """The sentences that warn."""
        return [_spoken(row["text"]) for row in self._rows["verdict"] if row["warning"]]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as dictionaries, lists, numbers, strings and None."""
        plain: dict[str, Any] = {
            name: [dict(row) for row in rows] for name, rows in self._rows.items()
        }
        weights = self._report.barycentric_weights
        plain["barycentric_weights"] = list(weights) if weights else None
        plain["verdict"] = [
            {"warning": row["warning"], "text": _spoken(row["text"])}
            for row in self._rows["verdict"]
        ]
        return plain

    def __repr__(self) -> str:
        return _spoken(self._report.text(most_rows=10).rstrip("\n"))

    def _table(self, name: str) -> Any:
        columns = {
            column: _column([row[column] for row in self._rows[name]], kind)
            for column, kind in _COLUMNS[name].items()
        }
        try:
            import pandas
        except ImportError:
            return _structured(columns)
        # left alone, pandas makes texts of labels, and NaN of None
        series = {key: pandas.Series(column, dtype=column.dtype) for key, column in columns.items()}
        return pandas.DataFrame(series)


def report_on(
    model: _core.TransportModel,
    groups: Any,
    samples: FitRows | None,
    *,
    weights: list[float],
    n_permutations: int,
    max_samples: int,
    n_jobs: int | None,
) -> TransportReport:
    """Report on a model and, if samples are given, on their transport."""
    options = _core.ReportOptions()
    options.barycentric_weights = weights
    options.n_permutations = whole_number(n_permutations, "report: n_permutations")
    options.most_samples = whole_number(max_samples, "report: max_samples", least=_FEWEST_SAMPLES)
    options.seed = model.mixture_options.seed
    options.n_threads = n_threads_of(n_jobs)
    parts = _parts_of(model, groups, samples)
    report = _core.report(model, parts.names, parts.samples, options, parts.weights)
    return TransportReport(report, dict(zip(model.group_names, groups.tolist(), strict=True)))


def displacement_warning(
    model: _core.TransportModel,
    rows: FitRows,
    groups: Any,
    weights: list[float],
    n_jobs: int | None,
) -> str | None:
    """Return a warning if the model moves samples like those of the fit too far."""
    parts = _parts_of(model, groups, rows, most=_MOST_WARNED_OF)
    text = _core.displacement_warning(
        model, parts.names, parts.samples, weights, n_threads_of(n_jobs), parts.weights
    )
    return None if text is None else _spoken(text)


def far_values_warning(model: _core.TransportModel, rows: FitRows, groups: Any) -> str | None:
    """Return a warning if a few values of a column are very far from all others of their group."""
    parts = _parts_of(model, groups, rows)
    text = _core.far_values_warning(model, parts.names, parts.samples, parts.weights)
    return None if text is None else _spoken(text)


def weighted_rows(samples: FitRows | None, sample_weight: Any) -> FitRows | None:
    """Return the samples of a report with their weights, without those of weight 0."""
    if samples is not None:
        return rows_of_fit(samples.X, samples.labels, sample_weight, None)
    if sample_weight is not None:
        raise ValueError("report: sample_weight is given without X. Give both or neither.")
    return None


class _Parts(NamedTuple):
    """The rows of the groups that have some, without weights if there are none."""

    names: list[str]
    samples: list[SampleArray]
    weights: list[FloatArray]


def _parts_of(
    model: _core.TransportModel, groups: Any, rows: FitRows | None, most: int | None = None
) -> _Parts:
    """Divide rows by group, with at most `most` of each."""
    parts = _Parts([], [], [])
    for name, group in zip(model.group_names, groups.tolist(), strict=True):
        if rows is None:
            continue
        own = np.flatnonzero(rows_with(rows.labels, group))
        if most is not None and len(own) > most:
            own = own[np.linspace(0, len(own) - 1, most).astype(int)]
        weights = rows.weights_of(own)
        if len(own) == 0 or not (weights is None or weights.any()):
            continue
        parts.names.append(name)
        parts.samples.append(rows.X[own])
        if weights is not None:
            parts.weights.append(weights)
    return parts


def _labelled(
    rows: list[dict[str, Any]], columns: dict[str, str], labels: dict[str, Any]
) -> list[dict[str, Any]]:
    """Replace the core's names of groups by labels."""
    return [
        {
            key: labels[value] if columns[key] == "group" and value is not None else value
            for key, value in row.items()
        }
        for row in rows
    ]


def _column(values: list[Any], kind: str) -> Any:
    dtype = _DTYPES.get(kind)
    if dtype is None:
        column = np.empty(len(values), dtype=object)
        for i, value in enumerate(values):  # one by one, because a value may be a list
            column[i] = value
        return column
    if dtype is float:
        values = [np.nan if value is None else value for value in values]
    return np.array(values, dtype=dtype)


def _structured(columns: dict[str, Any]) -> Any:
    kinds = [(name, column.dtype) for name, column in columns.items()]
    table = np.empty(len(next(iter(columns.values()))), dtype=kinds)
    for name, column in columns.items():
        table[name] = column
    return table


def _spoken(text: str) -> str:
    """Replace the core's names of parameters by those of Python."""
    return text.replace("max_iterations (", "max_iter (").replace("tolerance (", "tol (")
