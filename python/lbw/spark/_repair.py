# SPDX-License-Identifier: MIT
"""GroupRepair on Spark."""

from __future__ import annotations

from copy import copy
from typing import Any

from pyspark.ml import Estimator, Model
from pyspark.sql import DataFrame

from .._options.presented import public
from .._options.repair import GroupRepairParameters
from .._repair.group_repair import GroupRepair as PythonRepair
from .._transport.params import weights_over
from ._declared import LATER, RepairSparkParameters
from ._fit import fit_groups
from ._model_io import Stored
from ._moving import MovingModel
from ._params import SparkParams, python_values, spark_params

__all__ = ["GroupRepair", "GroupRepairModel"]

_WITHOUT = ("sensitive_columns", "key_column")  # Spark has groupCol and keyCol


@spark_params(RepairSparkParameters, without=_WITHOUT)
class GroupRepair(SparkParams, Estimator, Stored):  # type: ignore[type-arg]
    """Transport every group to the common barycenter, so that a model cannot tell groups apart.

    It is `lbw.GroupRepair` with the interface of `pyspark.ml`, for use before a classifier in a
    `Pipeline`. It removes what the features say about the group, in the sense of demographic
    parity, and moves the data as little as possible.
    """

    def _fit(self, dataset: DataFrame) -> GroupRepairModel:
        fitted = fit_groups(self, PythonRepair, GroupRepairParameters, dataset)
        return self._copyValues(GroupRepairModel._of(fitted))  # type: ignore[no-any-return]


@spark_params(RepairSparkParameters, without=_WITHOUT, set_later=LATER)
class GroupRepairModel(MovingModel, Model):
    """A fitted `GroupRepair`; `transform` adds the repaired rows to a DataFrame."""

    _kind = PythonRepair

    @property
    def _transport(self) -> Any:
        return self.estimator.transport_

    @property
    def check(self) -> Any:
        """The result of the check of the repair, or None; see `lbw.GroupRepair.check_`."""
        return self.estimator.check_

    def _target(self) -> Any:
        weights = self._value("weights")
        weights_over(self.estimator.groups_, weights, self._transport._model)
        return weights

    def _synchronized(self) -> Any:
        names = ("amount", "weights", "handle_unknown")
        values = python_values(self, GroupRepairParameters)
        own = copy(self.estimator)  # copies of a model share the estimator
        return own.set_params(**{name: values[name] for name in names})


public(globals(), "lbw.spark")
