# SPDX-License-Identifier: MIT
"""LocalTransport on Spark."""

from __future__ import annotations

from typing import Any

from pyspark.ml import Estimator, Model
from pyspark.sql import DataFrame

from .._options.presented import public
from .._options.transport import LocalTransportParameters
from .._transport.local_transport import LocalTransport as PythonTransport
from .._transport.params import place_in, weights_over
from ._declared import LATER, TransportSparkParameters
from ._fit import fit_groups
from ._model_io import Stored
from ._moving import MovingModel
from ._params import SparkParams, spark_params

__all__ = ["LocalTransport", "LocalTransportModel"]


@spark_params(TransportSparkParameters)
class LocalTransport(SparkParams, Estimator, Stored):  # type: ignore[type-arg]
    """Maps between groups of rows, and to their Wasserstein barycenter, fitted on Spark.

    It is `lbw.LocalTransport` with the interface of `pyspark.ml`. All groups are fitted in one job
    per pass of EM, over rows that were packed on the executors once. The model transports rows of
    any DataFrame, streaming ones included, and can be exchanged with the Python package, the C++
    library and the program as a file.

    Examples
    --------
    >>> from lbw.spark import LocalTransport
    >>> transport = LocalTransport(nComponents=3, groupCol="country", outputCol="moved")
    >>> model = transport.setTo("FR").fit(df)  # doctest: +SKIP
    >>> moved = model.transform(df)  # doctest: +SKIP
    """

    def _fit(self, dataset: DataFrame) -> LocalTransportModel:
        fitted = fit_groups(self, PythonTransport, LocalTransportParameters, dataset)
        return self._copyValues(LocalTransportModel._of(fitted))  # type: ignore[no-any-return]


@spark_params(TransportSparkParameters, set_later=LATER)
class LocalTransportModel(MovingModel, Model):
    """A fitted `LocalTransport`; `transform` adds the transported rows to a DataFrame."""

    _kind = PythonTransport

    @property
    def _transport(self) -> Any:
        return self.estimator

    def _target(self) -> Any:
        to, weights = self._value("to"), self._value("weights")
        groups = self.estimator.groups_
        if to is not None:
            if weights is not None:
                raise ValueError(
                    f"to={to!r} and weights={weights!r} are both set. Set one of them: a group or "
                    "the weights of a barycenter."
                )
            place_in(groups, to, "to")
            return to
        weights_over(groups, weights, self.estimator._model)
        return weights


public(globals(), "lbw.spark")
