# SPDX-License-Identifier: MIT
"""A check whether groups can still be told apart after a repair, on held-out rows."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._input.arrays import FloatArray, SampleArray
from .._input.fit_rows import FitRows, effective_size, samples_counted
from .._input.keys import KeyArray
from .._input.labels import LabelArray, rows_with
from .._transport.local_transport import LocalTransport
from .._transport.params import place_in
from .advice import advice, known_cause
from .check_looks import group_auc, repeating_columns
from .check_rows import (
    LEAST_ROWS,
    RowArray,
    Split,
    distinct_rows,
    group_sizes,
    largest_groups,
    rows_to_check,
    splits_of,
)

__all__ = ["RepairCheck", "check_repair", "small_groups_text", "warning_text"]

_FEW_ROWS = 50  # of a group, fewer are warned of
_MOST_UNEQUAL = 5.0  # rows to an effective row; repairs with 6 were fine, some with 12 were not
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
        The same before the repair. Where `auc` is within the noise of chance, it is measured on
        some of the rows for comparison only.
    auc_clean : float
        What the noise of a fit to so few rows gives: `auc` of a repair of as many random samples of
        the fitted mixtures. 0.5 where `auc` is within the noise of chance, or where columns of X
        are known to leak: heavy tails, or few values without dither.
    noise : float
        The standard error of `auc` where groups cannot be told apart.
    n_samples : int
        Number of held-out rows.
    unchecked_groups : tuple
        The labels of the groups that are not checked: those of fewer than 200 rows, those that
        are kept as they are, and all but the 20 largest.
    """

    auc: float
    auc_before: float
    auc_clean: float
    noise: float
    n_samples: int
    unchecked_groups: tuple[Any, ...] = ()

    @property
    def separable(self) -> bool:
        """Whether the groups are told apart beyond what chance and the noise of a fit explain."""
        return _is_suspicious(self.auc, self.auc_before, self.auc_clean, self.noise)


def check_repair(
    transport: LocalTransport, fitted: FitRows, weights: Any, max_samples: int
) -> RepairCheck | None:
    """Fit repairs like this one to some rows, and measure them on others.

    The largest groups are checked, of 200 rows or more. Returns None if these are fewer than two,
    or if the rows are too few for the fit.
    """
    shares = transport._weights_of(weights)
    groups = _groups_to_check(transport, fitted, shares)
    shares = shares[[place_in(transport.groups_, group, "groups") for group in groups]]
    if len(groups) < 2 or shares.sum() == 0.0:
        return None
    rows = fitted.at(rows_to_check(fitted.labels, groups, max_samples))
    numbers = distinct_rows(rows.X, rows.labels)
    splits = splits_of(rows.labels, numbers, groups, max_samples)
    shares /= shares.sum()
    params = _params_of(transport, groups, shares)
    trial = _Trial(params, shares, rows, numbers, splits, repeating_columns(rows.X, rows.labels))
    try:
        auc, noise = trial.auc(rows.X, rows.keys)
        before, clean = trial.auc_before(whole=_is_beyond(auc, 0.5, noise)), 0.5
        names = range(rows.X.shape[1])
        suspicious = _is_suspicious(auc, before, clean, noise)
        if suspicious and not known_cause(transport, fitted.X, names):
            samples = _clean_samples(transport, rows.X, rows.labels, numbers)
            clean = max(clean, trial.auc(samples, None)[0])
    except ValueError:  # too few rows for so many components
        return None
    n_samples = sum(len(own) for _, own in splits)
    unchecked = tuple(group for group in transport.groups_.tolist() if group not in groups)
    return RepairCheck(auc, before, clean, noise, n_samples, unchecked)


def _groups_to_check(transport: LocalTransport, rows: FitRows, shares: FloatArray) -> list[Any]:
    """Return the largest groups that are repaired, first those that the barycenter is made of."""
    kept, labels = transport.kept_groups_.tolist(), transport.groups_.tolist()
    sizes = group_sizes([group for group in labels if group not in kept], rows)
    without_share = [group for group, share in zip(labels, shares, strict=True) if share == 0.0]
    return largest_groups({g: n for g, n in sizes.items() if n >= LEAST_ROWS}, without_share)


def small_groups_text(
    transport: LocalTransport, rows: FitRows, check: RepairCheck | None, *, checked: bool
) -> str:
    """Name groups of few rows: those that stay as they are, and those that are not checked."""
    texts = [_few_rows_text(transport, rows), _unequal_weights_text(transport, rows)]
    if checked:
        kept = transport.kept_groups_.tolist()  # which have a warning of their own
        own = group_sizes([g for g in transport.groups_.tolist() if g not in kept], rows)
        small = {group: size for group, size in own.items() if size < LEAST_ROWS}
        texts.append(_unchecked_text(small, check))
    return " ".join(filter(None, texts))


def _unchecked_text(small: dict[Any, int], check: RepairCheck | None) -> str:
    if check is not None and not small:
        return ""
    silence = "Evaluate new rows of them; check_samples=0 disables the check and this warning."
    if small:
        named = ", ".join(f"{group!r} ({size} rows)" for group, size in small.items())
        others = "" if check is not None else ", so that no group is checked"
        return (
            f"fit does not check the repair of groups {named}, as a check needs {LEAST_ROWS} "
            f"rows{others}. {silence}"
        )
    return f"fit does not check the repair: half of the rows are too few for such a fit. {silence}"


def _few_rows_text(transport: LocalTransport, rows: FitRows) -> str:
    """Name groups of so few rows that a repair is mostly left undone; "" if there are none."""
    kept, labels = transport.kept_groups_.tolist(), transport.groups_.tolist()
    few = []
    for group, n_rows in group_sizes([g for g in labels if g not in kept], rows).items():
        n_samples: float = n_rows
        if rows.weights is not None:
            n_samples = samples_counted(rows.weights[rows.labelled.of(group)])
        if n_samples < _FEW_ROWS:
            few.append(f"{group!r} ({n_rows} rows)")
    if not few:
        return ""
    return (
        f"Few rows of groups {', '.join(few)}: differences that sampling noise explains are not "
        "repaired, so that new rows of these groups can stay far from the others. Give more rows, "
        "or join groups."
    )


def _unequal_weights_text(transport: LocalTransport, rows: FitRows) -> str:
    """Name groups whose weights leave the information of few rows; "" if there are none.

    Whole weights are numbers of copies. A repair with steps takes other large weights for copies
    too, and moves new rows to where these few rows are.
    """
    if rows.weights is None or not transport.refine or (rows.weights % 1.0 == 0.0).all():
        return ""
    kept, found = transport.kept_groups_.tolist(), []
    for group in transport.groups_.tolist():
        weights = rows.weights[rows.labelled.of(group)]
        if group in kept or not weights.any():
            continue
        size = effective_size(weights)
        if _MOST_UNEQUAL * size < len(weights):
            found.append(f"{group!r} ({len(weights)} rows with the information of {size:.0f})")
    if not found:
        return ""
    return (
        f"The sample weights of groups {', '.join(found)} are very unequal. The repair fits the "
        "noise of the rows with large weights, so that groups of new rows can differ more than "
        "before, and the check has little power. Limit the largest weights, for example to five "
        "times their median, or set refine=0."
    )


def warning_text(
    check: RepairCheck,
    transport: LocalTransport,
    X: SampleArray,
    labels: LabelArray,
    names: Sequence[Any],
) -> str:
    """Return how well groups are still told apart, and what to try next."""
    return (
        f"a boosted tree still tells the repaired groups apart: AUC {check.auc:.2f} on "
        f"{check.n_samples} held-out rows (0.5 is chance, {check.auc_clean:.2f} the noise of such "
        f"a fit, with a standard error of {check.noise:.2f}; {check.auc_before:.2f} before the "
        f"repair). {advice(transport, X, labels, names)} check_samples=0 switches this check off."
    )


def _is_suspicious(auc: float, before: float, clean: float, noise: float) -> bool:
    """Return whether the groups are far apart, or no nearer than before the repair.

    A repair that is not better than none is one even if its AUC is not far beyond the noise.
    """
    is_far = auc > max(_LEAST_AUC, clean + _MARGIN + _STANDARD_ERRORS * noise)
    return is_far or (auc >= before and _is_beyond(auc, clean, noise))


def _is_beyond(auc: float, clean: float, noise: float) -> bool:
    return auc > clean + _STANDARD_ERRORS * noise


def _params_of(transport: LocalTransport, groups: list[Any], weights: FloatArray) -> dict[str, Any]:
    """Return the parameters of a fit like this one to some of its groups."""
    params: dict[str, Any] = transport.get_params()
    kept = [place_in(transport.groups_, group, "groups") for group in groups]
    params["n_components"] = transport.n_components_[kept].tolist()
    params["refine_weights"] = weights if params["refine"] else None
    if params["reference"] is not None and transport.reference_ not in groups:
        params["reference"] = None
    params["verbose"] = 0
    return params


def _clean_samples(
    transport: LocalTransport, X: SampleArray, labels: LabelArray, numbers: RowArray
) -> SampleArray:
    """Replace every distinct row by a random sample of its group's mixture."""
    samples: SampleArray = X.copy()
    for place, group in enumerate(transport.groups_.tolist()):
        own = rows_with(labels, group)
        if not own.any():  # a group that is not checked
            continue
        mixture = copy.copy(transport.mixtures_[place])
        mixture.random_state = place
        distinct, copy_of = np.unique(numbers[own], return_inverse=True)
        drawn = mixture.sample(len(distinct))[0]
        drawn = np.random.default_rng(place).permutation(drawn)  # not by component
        samples[own] = drawn[copy_of]
    return samples


@dataclass(frozen=True)
class _Trial:
    """Repairs that are fitted to some rows and tried on others."""

    params: dict[str, Any]
    weights: FloatArray
    rows: FitRows
    numbers: RowArray  # of distinct rows
    splits: list[Split]
    columns: list[int]  # whose values repeat

    @property
    def n_jobs(self) -> int | None:
        """The number of jobs of the repair."""
        n_jobs: int | None = self.params["n_jobs"]
        return n_jobs

    def auc(self, X: SampleArray, keys: KeyArray | None) -> tuple[float, float]:
        """Return the AUC after the repair, on average over the splits, and its standard error."""
        results = [self._auc_of(X, keys, split) for split in self.splits]
        aucs, noises = zip(*results, strict=True)
        return float(np.mean(aucs)), float(np.mean(noises) / np.sqrt(len(results)))

    def auc_before(self, *, whole: bool) -> float:
        """Return the AUC without a repair, on the same rows or quickly on some of them."""
        splits, columns = (self.splits, self.columns) if whole else (self.splits[:1], [])
        aucs = []
        for _, held_out in splits:
            own = self.rows.at(held_out)
            labels, numbers = own.labels, self.numbers[held_out]
            folds = 5 if whole else 1
            aucs.append(
                group_auc([own.X], labels, numbers, columns, own.weights, folds, self.n_jobs)[0]
            )
        return float(np.mean(aucs))

    def _auc_of(self, X: SampleArray, keys: KeyArray | None, split: Split) -> tuple[float, float]:
        fitted, held_out = split
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            repair = LocalTransport(**self.params)._fit_rows(
                replace(self.rows, X=X, keys=keys).at(fitted)
            )
        labels = self.rows.labels[held_out]
        copies = [
            repair._by_group(
                X[held_out],
                labels,
                self.weights,
                1.0,
                "error",
                np.arange(len(held_out), dtype=np.uint64) + np.uint64(number * len(X)),
            )
            for number in range(_copies_of(repair, len(held_out)))
        ]
        weights = self.rows.weights_of(held_out)
        numbers = self.numbers[held_out]
        return group_auc(copies, labels, numbers, self.columns, weights, n_jobs=self.n_jobs)


def _copies_of(repair: LocalTransport, n_samples: int) -> int:
    """Return how often rows are repaired: a tree learns from every draw of the dither."""
    if not repair.dither_.any():
        return 1
    return min(_MOST_COPIES, -(-_TREE_ROWS // n_samples))
