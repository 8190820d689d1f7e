# SPDX-License-Identifier: MIT
"""Scores of rows by the classifiers of a repair, transported to the barycenter of the groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._input.arrays import FloatArray, PlaceArray
from .._input.keys import KeyArray, copies_before
from .._input.labels import LabelArray
from .._input.row_draws import bits_of_rows, draws_of_rows
from .._input.sensitive import groups_place
from .._input.unknown_groups import split_by_group
from .._transport.params import weights_over
from .class_groups import row_keys
from .crossfit import scores_of_rows
from .routing import routed_predict
from .score_tables import ScoreTables
from .simplex_maps import SimplexMaps

__all__ = ["repaired_scores"]

# of one classifier: transports the scores of some rows
Carrier = Callable[[FloatArray, PlaceArray], FloatArray]


def repaired_scores(
    repair: Any, method: str, X: Any, sensitive: Any, key: Any, params: dict[str, Any]
) -> FloatArray:
    """Score every row by one classifier, and transport the score by the map of its group.

    Returns the score of the second of two classes, or the scores of all of more classes.
    """
    features, groups, keys = repair._split(X, sensitive, key, reset=False)
    routed = routed_predict(repair, method, sensitive, key, params)
    n_classes = len(repair.classes_)
    carriers_of = _binary_carriers if n_classes == 2 else _class_carriers
    chosen, carriers = carriers_of(repair, features, groups, keys)
    averaged = repair._is_mean()
    repaired = np.zeros(len(groups) if n_classes == 2 else (len(groups), n_classes))
    for place, classifier in enumerate(repair.classifiers_):
        rows = np.flatnonzero(averaged | (chosen == place))
        if len(rows):
            scores = scores_of_rows(classifier, features, rows, routed, n_classes)
            repaired[rows] += carriers[place](scores, rows)
    return repaired / len(carriers) if averaged else repaired


def _binary_carriers(
    repair: Any, features: Any, groups: LabelArray, keys: KeyArray | None
) -> tuple[PlaceArray, list[Carrier]]:
    """Return the classifier of every row, and the carriers of scores of the second class."""
    masks, unknown = split_by_group(
        groups, repair.groups_, groups_place(repair), repair.handle_unknown
    )
    all_tables = list(map(ScoreTables, repair.quantiles_, repair.common_quantiles_))
    if repair.handle_unknown == "barycenter":
        weights = weights_over(repair.groups_, repair.weights)
        weights[np.isin(repair.groups_, repair.kept_groups_)] = 0.0
        all_tables = [tables.with_pool(weights) for tables in all_tables]
        masks.append(unknown)
    chosen, draws = _draws(repair, features, groups, keys, all_tables)

    def carrier_of(tables: ScoreTables) -> Carrier:
        def carried(scores: FloatArray, rows: PlaceArray) -> FloatArray:
            own_masks = [own[rows] for own in masks]
            own_draws = None if draws is None else draws[rows]
            return tables.carried(scores, own_masks, float(repair.amount), own_draws)

        return carried

    return chosen, list(map(carrier_of, all_tables))


def _draws(
    repair: Any,
    features: Any,
    groups: LabelArray,
    keys: KeyArray | None,
    all_tables: list[ScoreTables],
) -> tuple[PlaceArray, FloatArray | None]:
    """Return the classifier of every row, and its draw among equal scores if needed."""
    n_classifiers = len(all_tables)
    spread = repair.ties == "spread" and any(tables.has_ties() for tables in all_tables)
    if (n_classifiers == 1 or repair._is_mean()) and not spread:
        return np.zeros(len(groups), dtype=np.intp), None
    bits = bits_of_rows(features, repair._seed)
    if keys is None:
        keys = copies_before(bits, groups)
    chosen = (n_classifiers * draws_of_rows(bits, keys, repair._seed, 1)).astype(np.intp)
    return chosen, draws_of_rows(bits, keys, repair._seed) if spread else None


def _class_carriers(
    repair: Any, features: Any, groups: LabelArray, keys: KeyArray | None
) -> tuple[PlaceArray, list[Carrier]]:
    """Return the classifier of every row, and the carriers of scores of all classes."""
    _, unknown = split_by_group(groups, repair.groups_, groups_place(repair), repair.handle_unknown)
    moved = ~np.isin(groups, repair.kept_groups_)
    if repair.handle_unknown != "barycenter":
        moved &= ~unknown
    keyed = row_keys(features, groups, keys, repair._seed)
    n_classifiers = len(repair.classifiers_)
    draws = draws_of_rows(keyed, np.zeros_like(keyed), repair._seed, 1)
    chosen = (n_classifiers * draws).astype(np.intp)
    if repair.ties == "keep":
        keyed = np.zeros_like(keyed)  # rows of equal scores have equal draws

    def carrier_of(maps: SimplexMaps) -> Carrier:
        def carried(scores: FloatArray, rows: PlaceArray) -> FloatArray:
            return maps.carried(
                scores,
                groups[rows],
                moved[rows],
                float(repair.amount),
                keyed[rows],
                repair.handle_unknown,
            )

        return carried

    return chosen, list(map(carrier_of, map(SimplexMaps, repair.transports_)))
