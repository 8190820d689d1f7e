# SPDX-License-Identifier: MIT
"""Parameters that only the Spark estimators have: columns, rows that cannot be used, targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .._options.mixture import MixtureParameters, RunParameters
from .._options.option import FRACTION, changed, one_of, option
from .._options.repair import GroupRepairParameters
from .._options.transport import LocalTransportParameters, TransportParameters

__all__ = [
    "LATER",
    "MixtureSparkParameters",
    "RepairSparkParameters",
    "TransportSparkParameters",
]

# Parameters that `transform` reads, so that models have setters for them.
LATER = (
    "features_col",
    "input_cols",
    "output_col",
    "output_cols",
    "group_col",
    "key_col",
    "prediction_col",
    "probability_col",
    "handle_invalid",
    "handle_unknown",
    "to",
    "weights",
    "amount",
    "n_jobs",
)


def _handle_unknown() -> Any:
    text = 'With "error", `handle_invalid` decides whether they are an error, left out or kept.'
    return changed(TransportParameters, "handle_unknown", note=text)


def _n_jobs() -> Any:
    text = (
        "The number of threads of every task. If None, spark.task.cpus. It never changes a result."
    )
    return changed(RunParameters, "n_jobs", help=text)


def _verbose() -> Any:
    text = (
        "The verbosity. 1 prints a line per pass with the rows per second; 2 also prints the "
        "log-likelihood."
    )
    return changed(MixtureParameters, "verbose", help=text)


@dataclass(kw_only=True, eq=False, repr=False)
class Columns:
    """Columns that every estimator reads, and the rows that it cannot use."""

    features_col: str = option(
        str,
        default="features",
        help="The column of features, a vector or an array of numbers. It is not used if "
        "`input_cols` is set.",
    )
    input_cols: list[str] | None = option(
        ("array-like", None),
        default=None,
        type="list of str or None",
        help="The numeric columns of the features. If None, `features_col` is used.",
    )
    weight_col: str | None = option(
        (str, None),
        default=None,
        help="The column of sample weights. A row of weight 2 counts twice. If None, all rows "
        "have the weight 1.",
    )
    handle_invalid: str = option(
        one_of("error", "skip", "keep"),
        default="error",
        help="How rows are treated that have a null or NaN among their features, weight, group or "
        'key, or a group that was not seen in the fit. "error" raises an error that names the '
        'column and one of the rows. "skip" leaves these rows out. "keep" leaves them out of the '
        "fit, and keeps them in the transformed data with null in the output columns.",
    )


@dataclass(kw_only=True, eq=False, repr=False)
class MovedColumns(Columns):
    """Columns of estimators that move rows."""

    output_col: str | None = option(
        (str, None),
        default=None,
        help="The column of transported features. It is an array if `features_col` is one, and a "
        "vector otherwise. If None, its name is the uid of the model, followed by __output.",
    )
    output_cols: list[str] | None = option(
        ("array-like", None),
        default=None,
        type="list of str or None",
        help="The columns of transported features, one per feature, instead of `output_col`.",
    )
    group_col: str = option(
        str,
        default="group",
        help="The column of the group of every row, of strings, numbers or booleans.",
    )
    key_col: str | None = option(
        (str, None),
        default=None,
        help="The column that identifies every row, of whole numbers or strings. Random maps and "
        "dither draw by the seed, the values of a row and its key, so a row with a key is "
        "transported alike in any partition. If None, copies of a row are numbered within their "
        "partition.",
    )


@dataclass(kw_only=True, eq=False, repr=False)
class MixtureSparkParameters(MixtureParameters, Columns):
    """Parameters of GaussianMixture on Spark."""

    prediction_col: str = option(
        str,
        default="prediction",
        help="The column of the most probable component of every row; an empty name for none.",
    )
    probability_col: str = option(
        str,
        default="probability",
        help="The column of the probabilities of all components, a vector; an empty name for none.",
    )
    n_jobs: int | None = _n_jobs()
    verbose: int = _verbose()
    random_state: Any = changed(RunParameters, "random_state")


@dataclass(kw_only=True, eq=False, repr=False)
class TransportSparkParameters(LocalTransportParameters, MovedColumns):
    """Parameters of LocalTransport on Spark."""

    handle_unknown: str = _handle_unknown()
    to: Any = option(
        (),
        default=None,
        type="label or None",
        help="The group that rows are transported to. If None, they are transported to the "
        "barycenter of `weights`.",
    )
    weights: Any = option(
        ("array-like", dict, None),
        default=None,
        type="list, dict or None",
        help="The weights of the barycenter that rows are transported to if `to` is None, in the "
        "order of `groups_` or by label, 0 for labels that are left out. If None, the barycenter "
        "that the model was refined for, or the one of equal weights.",
    )
    amount: Any = option(
        (FRACTION, dict),
        default=1.0,
        help="The interpolation parameter, for all groups or by label: 0 leaves rows where they "
        "are, 1 transports them fully. Labels that are left out have 1.",
    )
    n_jobs: int | None = _n_jobs()
    verbose: int = _verbose()


@dataclass(kw_only=True, eq=False, repr=False)
class RepairSparkParameters(GroupRepairParameters, MovedColumns):
    """Parameters of GroupRepair on Spark."""

    handle_unknown: str = _handle_unknown()
    n_jobs: int | None = _n_jobs()
    verbose: int = _verbose()
