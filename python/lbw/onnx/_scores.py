# SPDX-License-Identifier: MIT
"""The repair of a classifier's scores: monotone maps by group, with equal scores joined."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto

from .._input.score_ties import ScoreTolerance
from .._repair.score_tables import ScoreTables
from .._transport.params import weights_over
from ._graph import Graph
from ._groups import is_missing
from ._knots import KnotTable, Lookup, layouts
from ._lookup import LookupTensors, along_piece, nearest_knots

__all__ = ["add_classes", "add_repaired", "check_scores", "tables_of"]


def tables_of(estimator: Any) -> list[ScoreTables]:
    """Return the tables of every classifier, with one for unknown groups if they have one."""
    tables = list(map(ScoreTables, estimator.quantiles_, estimator.common_quantiles_))
    if estimator.handle_unknown != "barycenter":
        return tables
    weights = weights_over(estimator.groups_, estimator.weights)
    weights[np.isin(estimator.groups_, estimator.kept_groups_)] = 0.0
    return [own.with_pool(weights) for own in tables]


def check_scores(estimator: Any) -> None:
    """Raise if a score depends on random numbers of the row, or has more than two classes."""
    if len(estimator.classes_) > 2:
        raise ValueError(
            f"ScoreRepair has {len(estimator.classes_)} classes, but only repairs of two classes "
            "can be exported to ONNX. Repair one class against the rest, or use predict_proba of "
            "the Python package."
        )
    if len(estimator.classifiers_) > 1 and estimator.ensemble is True:
        raise ValueError(
            f"ScoreRepair has {len(estimator.classifiers_)} classifiers, one of which is drawn for "
            "every row (ensemble=True), which cannot be exported to ONNX. Fit with ensemble=False "
            "for a single classifier, or set ensemble='mean' to average the repaired scores."
        )
    if estimator.ties == "spread" and any(own.has_ties() for own in tables_of(estimator)):
        raise ValueError(
            "ScoreRepair has groups with equal scores, and ties='spread' distributes them by "
            "random numbers of the rows, which cannot be exported to ONNX. Set ties='keep', which "
            "leaves equal scores equal. With a classifier of continuous scores it changes nothing "
            "but the lowest and the highest score of small groups."
        )


def add_repaired(
    graph: Graph, scores: str, group: str | int, tables: ScoreTables, estimator: Any, dtype: Any
) -> str:
    """Add the repaired scores (n, 1) of scores (n, 1), all in double precision.

    `dtype` is the type that the classifier computed them in, which decides what counts as equal.
    """
    amount = float(estimator.amount)
    (layout,) = layouts([[KnotTable.of(q, tables.common, amount) for q in tables.quantiles]], True)
    tolerance = ScoreTolerance.of(dtype, tables.quantiles)
    moved = _moved(graph, scores, layout, tolerance, 1.0 - amount)  # (n, n_tables)
    if isinstance(group, int):
        chosen = graph.op("Gather", moved, graph.integers(group), axis=1)
    else:
        chosen = _chosen(graph, moved, scores, group, estimator)
    return graph.op("Clip", chosen, *(graph.constant(np.float64(end)) for end in (0.0, 1.0)))


def _chosen(graph: Graph, moved: str, scores: str, group: str, estimator: Any) -> str:
    """Add the score by the table of the group; a last column is for unknown groups.

    It is NaN where the label of the group is.
    """
    if estimator.handle_unknown != "barycenter":
        extra = scores
        if estimator.handle_unknown == "error":
            extra = graph.op("Mul", scores, graph.constant(np.float64(np.nan)))
        moved = graph.op("Concat", moved, extra, axis=1)
    unknown = graph.op("Less", group, graph.constant(np.int64(0)))
    last = graph.constant(np.int64(len(estimator.groups_)))
    column = graph.op("Unsqueeze", graph.op("Where", unknown, last, group), graph.integers(1))
    chosen = graph.op("GatherElements", moved, column, axis=1)
    missing = graph.op("Unsqueeze", is_missing(graph, group), graph.integers(1))
    return graph.op("Where", missing, _double(graph, np.nan), chosen)


def _moved(
    graph: Graph, scores: str, layout: Lookup, tolerance: ScoreTolerance, stay: float
) -> str:
    """Add the images of scores under all tables; scores that are nearly a known one count as it."""
    arrays = layout.arrays()
    tensors = LookupTensors.of(
        ["" if array is layout.near else graph.constant(array) for array in arrays]
    )
    found = nearest_knots(graph, scores, tensors, layout)
    allowed = graph.op("Mul", graph.op("Abs", found.nearest), _double(graph, tolerance.relative))
    allowed = graph.op("Max", allowed, _double(graph, tolerance.absolute))
    near = graph.op("LessOrEqual", graph.op("Abs", found.gap), allowed)
    known = found.at_nearest
    if stay:
        known = graph.op("Add", known, graph.op("Mul", found.gap, _double(graph, stay)))
    along = along_piece(graph, found.away, found.piece, tensors)
    return graph.op("Where", near, known, along)


def _double(graph: Graph, value: float) -> str:
    return graph.constant(np.float64(value))


def add_classes(graph: Graph, scores: str, classes: Any) -> tuple[str, int]:
    """Add the class of every score (n, 1), and one that is no class where a score is NaN.

    It is "" among strings, the lowest integer among integers and booleans, NaN among numbers.
    """
    if classes.dtype.kind in "iub":
        table = np.array([*classes.astype(np.int64), np.iinfo(np.int64).min])
    elif classes.dtype.kind == "f":
        table = np.array([*classes.astype(np.float64), np.nan])
    else:
        table = np.array([*classes.astype(str), ""])
    flat = graph.op("Squeeze", scores, graph.integers(1))
    above = graph.cast(graph.op("Greater", flat, _double(graph, 0.5)), TensorProto.INT64)
    place = graph.op("Where", graph.op("IsNaN", flat), graph.constant(np.int64(2)), above)
    kinds = {"i": TensorProto.INT64, "f": TensorProto.DOUBLE, "U": TensorProto.STRING}
    return graph.op("Gather", graph.constant(table), place, axis=0), kinds[table.dtype.kind]
