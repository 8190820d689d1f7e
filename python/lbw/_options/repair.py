# SPDX-License-Identifier: MIT
"""Parameters of the repairs of features and of scores."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from numbers import Integral
from typing import Any

from .. import _core
from .mixture import EmParameters, RunParameters
from .option import FRACTION, HasMethod, at_least, changed, declared, one_of, option
from .transport import LocalTransportParameters, TransportParameters

__all__ = ["GroupRepairParameters", "RepairParameters", "ScoreRepairParameters"]


@dataclass(kw_only=True, eq=False, repr=False)
class RepairParameters:
    """Parameters that both repairs have."""

    amount: Any = option(
        (FRACTION, dict),
        default=1.0,
        help="The interpolation parameter, for all groups or by label: 0 leaves the data as it is, "
        "1 repairs it fully. Labels that are left out have 1.",
    )
    sensitive_columns: Any = option(
        (Integral, str, "array-like", None),
        default=None,
        type="int, str, list of them or None",
        help="The columns of X that hold the groups, by name (tables) or position. In a table "
        "whose names are integers, an integer is a name. Several columns give a group for every "
        "combination of their values.",
    )
    key_column: int | str | None = option(
        (Integral, str, None),
        default=None,
        help="The column of X that identifies every row, such as a customer's number, by name "
        "(tables) or position. It is used as `key` and dropped.",
    )
    weights: Any = option(
        ("array-like", dict, None),
        default=None,
        type="array-like of shape (n_groups,), dict or None",
        help="The weights of the barycenter, in the order of `groups_` or by label, 0 for labels "
        "that are left out. If None, equal weights.",
    )


@dataclass(eq=False, repr=False)
class GroupRepairParameters(RunParameters, EmParameters, TransportParameters, RepairParameters):
    """Parameters of GroupRepair."""

    n_components: Any = changed(LocalTransportParameters, "n_components", 1)
    _: KW_ONLY
    covariance_floor: float = changed(
        TransportParameters,
        "covariance_floor",
        0.0,
        note="By default only the relative floor is used, so units do not matter.",
    )
    relative_covariance_floor: float = changed(
        TransportParameters,
        "relative_covariance_floor",
        0.1,
        note="Without it, new samples of a group are displaced far along features that hardly vary "
        "in that group. The default costs hardly any parity.",
    )
    map: str = changed(TransportParameters, "map", "random")
    dither: float | str = changed(TransportParameters, "dither", "auto")
    refine: int = changed(
        TransportParameters,
        "refine",
        50,
        note="They matter most for models made of trees.",
    )
    scale_features: bool = changed(TransportParameters, "scale_features", True)
    group_shrinkage: float | str = changed(TransportParameters, "group_shrinkage", "auto")
    check_samples: int = option(
        at_least(0),
        default=8000,
        help="The number of rows that `fit` checks the repair with; 0 disables the check. Half of "
        "them, or half of all rows, are held out of a second fit to up to three times as many "
        "others and repaired by it, and a boosted tree tries to tell their groups apart. If its "
        "AUC is above .6 and beyond chance and the noise of such a fit, `fit` warns. Of more than "
        "20 groups, the 20 largest are checked. `fit` also warns of groups of fewer than 200 rows, "
        "which are not checked, and of columns in which the groups differ only after the repair. "
        "The check takes a fraction of a second for a few groups and columns.",
    )


@dataclass(eq=False, repr=False)
class ScoreRepairParameters(RunParameters, RepairParameters):
    """Parameters of ScoreRepair."""

    classifier: Any = field(
        metadata=declared(
            HasMethod("fit"),
            type="estimator with `predict_proba`",
            help='A classifier. It is cloned and fitted, unless `cv` is "prefit".',
        )
    )
    _: KW_ONLY
    amount: float = changed(
        RepairParameters,
        "amount",
        allowed=(FRACTION,),
        help="The interpolation parameter: 0 leaves scores as they are, 1 repairs them fully. It "
        "is read at every prediction, so that one fit serves all amounts.",
    )
    cv: Any = option(
        ("cv_object", one_of("prefit")),
        default=5,
        type='int, splitter, iterable of splits or "prefit"',
        help="The number of folds, in each of which every group and class is represented in "
        "proportion, or a splitter. A number keeps copies of a row in one fold. Rows that are "
        "nearly equal, such as several records of one person, need a splitter that keeps them "
        'together, such as `GroupKFold`. "prefit" uses the classifier as it is and its scores of '
        "the given rows, which should not be those that it was fitted to.",
    )
    ensemble: bool | str = option(
        ("boolean", one_of("mean")),
        default=True,
        help="Which classifiers predict. True uses those of all folds, and each row is scored by "
        'one of them, so the scores of all groups have one distribution. "mean" averages their '
        "repaired scores, which raises the AUC of classifiers that vary from fit to fit. Parity "
        "then holds for smooth scores, as those of linear models, forests and boosting, and not "
        "for small trees. False fits a single classifier. The first half of the folds, two of "
        "five, is held out for the distributions, and the classifier is fitted to the other rows. "
        "This gives one model to ship, whose repair keeps the order of scores within a group, at "
        "the price of fewer rows for both.",
    )
    ties: str = option(
        one_of("spread", "keep"),
        default="spread",
        help="How rows of equal score are treated, which are common with nearest neighbors or "
        'small trees. "spread" distributes them over all ranks that they share in their group, by '
        'a random number that belongs to the row. "keep" sends all of them to the middle of these '
        "ranks, which leaves the groups distinguishable. Scores that differ by no more than "
        "rounding count as equal: a relative 1e-12 in float64 and 4e-6 in float32, and near 0 the "
        "same fraction of the next higher score, so that 0 and 1e-17 are one score beside 0.01.",
    )
    key_column: int | str | None = changed(
        RepairParameters,
        "key_column",
        help="The column of X with a key for every row, by name (tables) or position. It is used "
        "and then dropped. Integers count modulo 2^64, and so do strings that are an integer in "
        'plain decimal digits, such as "7". Other strings count by their 64-bit FNV-1a hash. Keys '
        "distinguish equal rows, see Notes.",
    )
    handle_unknown: str = changed(
        TransportParameters,
        "handle_unknown",
        help='How rows of a group that was not seen in `fit` are scored. "error" raises an error, '
        '"ignore" leaves the classifier\'s score as it is, and "barycenter" ranks the row among '
        "the scores of all groups together, each with its weight, and gives it the score of that "
        "rank. It is read at every prediction.",
    )
    small_groups: str = changed(
        TransportParameters,
        "small_groups",
        help="How `fit` treats a group that a classifier has no held-out row of, such as a group "
        'of fewer rows than folds. "error" raises an error. "keep" leaves its scores as they are, '
        "with a warning, and repairs the others as if it were absent.",
    )
    n_levels: int = option(
        at_least(2),
        default=_core.default_quantile_levels,
        help="The number of quantiles kept of every group, which resolve fractions to "
        "1 / (n_levels - 1). It is used for two classes only.",
    )
    random_state: Any = changed(
        RunParameters,
        "random_state",
        help="The seed of the folds and of the random numbers of rows. If None, a fixed default "
        "seed is used, so results are reproducible.",
    )
    n_jobs: int | None = changed(
        RunParameters,
        "n_jobs",
        help="The number of folds that joblib fits in parallel. It never changes a result.",
    )
