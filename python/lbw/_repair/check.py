# SPDX-License-Identifier: MIT
"""A check whether groups can still be told apart after a repair, on held-out rows."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._input.arrays import FloatArray, SampleArray
from .._input.keys import KeyArray
from .._input.labels import LabelArray, rows_with
from .._transport.local_transport import LocalTransport
from .._transport.maps import apply_map
from .._transport.params import place_in
from .advice import advice, known_cause

__all__ = ["RepairCheck", "check_repair", "few_rows_text", "warning_text"]

_LEAST_ROWS = 200  # of a group: half are fitted, a tenth tests each tree
_FEW_ROWS = 50  # of a group, fewer are warned of
_LARGE = 2000  # held-out rows from which on one half of them is enough for a tree
_TREE_ROWS = 16000  # dithered rows are repaired several times, up to so many in all
_MOST_COPIES = 8
_LEAST_AUC = 0.6
_MARGIN = 0.05  # of AUC
_STANDARD_ERRORS = 3.5


@dataclass(frozen=True)
class RepairCheck:
    """How well a boosted tree tells the groups of held-out rows apart.

    Attributes
    ----------
    auc : float
        After the repair: the probability that the tree ranks a row of a group above a row of the
        others, of the group that it finds best. 0.5 is chance.
    auc_before : float
        The same before the repair.
    auc_clean : float
        What the noise of a fit to so few rows gives: `auc` of a repair of as many random samples of
        the fitted mixtures. 0.5 where `auc` is within the noise of chance, or where columns of X
        are known to leak: heavy tails, or few values without dither.
    noise : float
        The standard error of `auc` where groups cannot be told apart.
    n_samples : int
        Number of held-out rows.
    """

    auc: float
    auc_before: float
    auc_clean: float
    noise: float
    n_samples: int

    @property
    def separable(self) -> bool:
        """Whether the groups are told apart beyond what chance and the noise of a fit explain."""
        return _is_suspicious(self.auc, self.auc_clean, self.noise)


def check_repair(
    transport: LocalTransport,
    X: SampleArray,
    labels: LabelArray,
    keys: KeyArray | None,
    weights: Any,
    max_samples: int,
) -> RepairCheck | None:
    """Fit repairs like this one to some rows, and measure them on others.

    Groups of fewer than 200 rows are left out. None where fewer than two are left, or where the
    rows are too few for the fit.
    """
    groups = [g for g in transport.groups_.tolist() if rows_with(labels, g).sum() >= _LEAST_ROWS]
    shares = transport._weights_of(weights)[
        [place_in(transport.groups_, g, "groups") for g in groups]
    ]
    if len(groups) < 2 or shares.sum() == 0.0 or transport.reference_ not in groups:
        return None
    splits = _splits(labels, groups, max_samples)
    shares /= shares.sum()
    trial = _Trial(_params_of(transport, groups, shares), shares, labels, splits)
    try:
        auc, noise = trial.auc(X, keys)
        clean = 0.5
        if _is_suspicious(auc, clean, noise) and not known_cause(transport, X, range(X.shape[1])):
            clean = max(clean, trial.auc(_clean_samples(transport, X, labels), None)[0])
    except ValueError:  # too few rows for so many components
        return None
    held_out = splits[0][1]
    before, _ = _group_auc([X[held_out]], labels[held_out])
    return RepairCheck(auc, before, clean, noise, sum(len(own) for _, own in splits))


def few_rows_text(transport: LocalTransport, labels: LabelArray) -> str:
    """Name groups of so few rows that a repair is mostly left undone; "" if there are none."""
    sizes = {group: int(rows_with(labels, group).sum()) for group in transport.groups_.tolist()}
    kept = transport.kept_groups_.tolist()
    few = [
        f"{group!r} ({size} rows)"
        for group, size in sizes.items()
        if size < _FEW_ROWS and group not in kept
    ]
    if not few:
        return ""
    return (
        f"Few rows of groups {', '.join(few)}: differences that sampling noise explains are not "
        "repaired, so that new rows of these groups can stay far from the others. Give more rows, "
        "or join groups."
    )


def warning_text(
    check: RepairCheck, transport: LocalTransport, X: SampleArray, names: Sequence[Any]
) -> str:
    """Return how well groups are still told apart, and what to try next."""
    return (
        f"a boosted tree still tells the repaired groups apart: AUC {check.auc:.2f} on "
        f"{check.n_samples} held-out rows (0.5 is chance, {check.auc_clean:.2f} the noise of such "
        f"a fit, with a standard error of {check.noise:.2f}; {check.auc_before:.2f} before the "
        f"repair). {advice(transport, X, names)} check_samples=0 switches this check off."
    )


def _is_suspicious(auc: float, clean: float, noise: float) -> bool:
    return auc > max(_LEAST_AUC, clean + _MARGIN + _STANDARD_ERRORS * noise)


Split = tuple[NDArray[np.int64], NDArray[np.int64]]  # rows to fit, rows held out


def _splits(labels: LabelArray, groups: list[Any], max_samples: int) -> list[Split]:
    """Return rows to fit and rows held out, in the groups' proportions.

    Half of the rows or half of `max_samples` are held out, and up to three times as many fitted.
    Small tables are split a second time, the other way round.
    """
    rng = np.random.default_rng(0)
    places = [rng.permutation(np.flatnonzero(rows_with(labels, group))) for group in groups]
    fraction = min(0.5, 0.5 * max_samples / len(labels))
    sizes = [max(_LEAST_ROWS // 2, round(fraction * len(own))) for own in places]
    splits = [_split(places, sizes)]
    if sum(sizes) < _LARGE:
        splits.append(_split([own[::-1] for own in places], sizes))
    return splits


def _split(places: list[NDArray[np.int64]], sizes: list[int]) -> Split:
    fitted = [own[size : 4 * size] for own, size in zip(places, sizes, strict=True)]
    held_out = [own[:size] for own, size in zip(places, sizes, strict=True)]
    return np.sort(np.concatenate(fitted)), np.sort(np.concatenate(held_out))


def _params_of(transport: LocalTransport, groups: list[Any], weights: FloatArray) -> dict[str, Any]:
    """Return the parameters of a fit like this one to some of its groups."""
    params: dict[str, Any] = transport.get_params()
    kept = [place_in(transport.groups_, group, "groups") for group in groups]
    params["n_components"] = transport.n_components_[kept].tolist()
    params["refine_weights"] = weights if params["refine"] else None
    params["verbose"] = 0
    return params


def _clean_samples(transport: LocalTransport, X: SampleArray, labels: LabelArray) -> SampleArray:
    """Replace every row by a random sample of its group's mixture."""
    samples: SampleArray = X.copy()
    for place, group in enumerate(transport.groups_.tolist()):
        own = rows_with(labels, group)
        mixture = copy.copy(transport.mixtures_[place])
        mixture.random_state = place
        drawn = mixture.sample(int(own.sum()))[0]
        samples[own] = np.random.default_rng(place).permutation(drawn)  # not by component
    return samples


@dataclass(frozen=True)
class _Trial:
    """Repairs that are fitted to some rows and tried on others."""

    params: dict[str, Any]
    weights: FloatArray
    labels: LabelArray
    splits: list[Split]

    def auc(self, X: SampleArray, keys: KeyArray | None) -> tuple[float, float]:
        """Return the AUC after the repair, on average over the splits, and its standard error."""
        results = [self._auc_of(X, keys, split) for split in self.splits]
        aucs, noises = zip(*results, strict=True)
        return float(np.mean(aucs)), float(np.mean(noises) / np.sqrt(len(results)))

    def _auc_of(self, X: SampleArray, keys: KeyArray | None, split: Split) -> tuple[float, float]:
        fitted, held_out = split
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            repair = LocalTransport(**self.params)._fit_checked(
                X[fitted], self.labels[fitted], None, None if keys is None else keys[fitted]
            )
        copies = [
            repair._by_group(
                X[held_out],
                self.labels[held_out],
                self.weights,
                1.0,
                apply_map,
                np.arange(len(held_out), dtype=np.uint64) + np.uint64(number * len(X)),
            )
            for number in range(_copies_of(repair, len(held_out)))
        ]
        return _group_auc(copies, self.labels[held_out])


def _copies_of(repair: LocalTransport, n_samples: int) -> int:
    """Return how often rows are repaired: a tree learns from every draw of the dither."""
    if not repair.dither_.any():
        return 1
    return min(_MOST_COPIES, -(-_TREE_ROWS // n_samples))


def _group_auc(copies: list[SampleArray], labels: LabelArray) -> tuple[float, float]:
    """Return the largest AUC of a group against the others, of trees that have not seen the rows.

    Every row has several copies. The second number is the standard error of the AUC at chance, of
    the group it is found for.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold
    from threadpoolctl import threadpool_limits

    groups = np.unique(labels)
    n_folds = 2 if len(labels) >= _LARGE else 5
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    aucs = np.zeros(len(groups))
    for train, test in folds.split(copies[0], labels):
        tree = HistGradientBoostingClassifier(
            max_iter=25, learning_rate=0.2, max_leaf_nodes=15, early_stopping=False, random_state=0
        )
        with threadpool_limits(1, "openmp"):  # more wait for each other on so few rows
            tree.fit(np.vstack([own[train] for own in copies]), np.tile(labels[train], len(copies)))
        scores = tree.predict_proba(np.vstack([own[test] for own in copies]))
        truth = np.tile(labels[test], len(copies))
        for i, group in enumerate(groups.tolist()):
            aucs[i] += roc_auc_score(rows_with(truth, group), scores[:, i]) / n_folds
    best = int(np.argmax(aucs))
    own = int(rows_with(labels, groups[best].item()).sum())
    others = len(labels) - own
    return float(aucs[best]), float(np.sqrt((own + others + 1) / (12.0 * own * others)))
