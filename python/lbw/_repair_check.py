# SPDX-License-Identifier: MIT
"""Whether groups can still be told apart after a repair, on rows that it has not seen."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import SampleArray
from ._carry import carry
from ._keys import KeyArray
from ._labels import LabelArray, rows_with
from ._local_transport import LocalTransport

__all__ = ["RepairCheck", "check_repair", "warning_text"]

_LEAST_ROWS = 200  # of a group: half are fitted, a quarter tests each tree
_FEW = 4  # samples to a value, where a column takes few
_MARGIN = 0.2  # of AUC: up to .15 of it is the noise of a fit on half of 500 to 1500 rows
_STANDARD_ERRORS = 2.6  # 1 % of clean repairs are beyond


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
    noise : float
        The standard error of `auc` where groups cannot be told apart.
    n_samples : int
        Number of held-out rows.
    """

    auc: float
    auc_before: float
    noise: float
    n_samples: int

    @property
    def separable(self) -> bool:
        """Whether the groups are told apart beyond what chance and the noise of a fit explain."""
        return self.auc - _STANDARD_ERRORS * self.noise > 0.5 + _MARGIN


def check_repair(
    transport: LocalTransport,
    X: SampleArray,
    labels: LabelArray,
    keys: KeyArray | None,
    weights: Any,
    max_samples: int,
) -> RepairCheck | None:
    """Fit a repair like this one to some rows, and measure it on others.

    Groups of fewer than 200 rows are left out. None where fewer than two are left, or where the
    half of the rows is too few for the fit.
    """
    rng = np.random.default_rng(0)
    places = _some_rows(labels, max_samples, rng)
    if len(places) < 2:
        return None
    fitted = np.sort(np.concatenate([own[::2] for own in places]))
    held_out = np.sort(np.concatenate([own[1::2] for own in places]))
    params = transport.get_params()
    kept = [transport._place_of(labels[own[0]].item(), "groups") for own in places]
    shares = transport._weights_of(weights)[kept]
    params["n_components"] = transport.n_components_[kept].tolist()
    params["refine_weights"] = shares / shares.sum() if params["refine"] else None
    params["verbose"] = 0
    if shares.sum() == 0.0 or transport.reference_ not in labels[fitted]:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = LocalTransport(**params)._fit_checked(
                X[fitted], labels[fitted], None, None if keys is None else keys[fitted]
            )
    except ValueError:  # too few rows for so many components
        return None
    repaired = again._by_group(
        X[held_out],
        labels[held_out],
        shares / shares.sum(),
        1.0,
        carry,
        None if keys is None else keys[held_out],
    )
    after, noise = _group_auc(repaired, labels[held_out])
    before, _ = _group_auc(X[held_out], labels[held_out])
    return RepairCheck(after, before, noise, len(held_out))


def warning_text(check: RepairCheck, transport: LocalTransport, X: SampleArray) -> str:
    """Say how well groups are still told apart, and what to try next."""
    return (
        f"a boosted tree still tells the repaired groups apart: AUC {check.auc:.2f} on "
        f"{check.n_samples} held-out rows (0.5 is chance, with a standard error of "
        f"{check.noise:.2f}; {check.auc_before:.2f} before the repair). {_advice(transport, X)} "
        "check_samples=0 switches this check off."
    )


def _advice(transport: LocalTransport, X: SampleArray) -> str:
    score = "or repair the scores of one classifier with ScoreRepair."
    if transport.dither == 0 and any(
        1 < len(np.unique(column)) * _FEW <= len(column) for column in X.T
    ):
        return f'Columns of X take few values: set dither="auto", {score}'
    if transport.refine == 0:
        return f"Set refine=10, {score}"
    return f"Raise refine, for instance to {3 * transport.refine}, {score}"


def _some_rows(
    labels: LabelArray, max_samples: int, rng: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Give rows of every group that is large enough, in random order, in their proportions."""
    places = []
    for group in np.unique(labels).tolist():
        own = np.flatnonzero(rows_with(labels, group))
        if len(own) < _LEAST_ROWS:
            continue
        share = max(_LEAST_ROWS, round(max_samples * len(own) / len(labels)))
        places.append(rng.permutation(own)[:share])
    return places


def _group_auc(X: SampleArray, labels: LabelArray) -> tuple[float, float]:
    """Give the largest AUC of a group against the others, of trees that have not seen the rows.

    The second number is its standard error at chance, that of the group it is found for.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold

    groups = np.unique(labels)
    folds = StratifiedKFold(2, shuffle=True, random_state=0)
    aucs = np.zeros(len(groups))
    for train, test in folds.split(X, labels):
        tree = HistGradientBoostingClassifier(
            max_iter=50, max_leaf_nodes=15, early_stopping=False, random_state=0
        )
        scores = tree.fit(X[train], labels[train]).predict_proba(X[test])
        for i, group in enumerate(groups.tolist()):
            aucs[i] += roc_auc_score(rows_with(labels[test], group), scores[:, i]) / 2.0
    best = int(np.argmax(aucs))
    own = int(rows_with(labels, groups[best].item()).sum())
    others = len(labels) - own
    return float(aucs[best]), float(np.sqrt((own + others + 1) / (12.0 * own * others)))
