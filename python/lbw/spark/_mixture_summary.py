# SPDX-License-Identifier: MIT
"""The summary of the fit of a mixture, with the names of Spark ML."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame

__all__ = ["GaussianMixtureSummary"]


class GaussianMixtureSummary:
    """The summary of the fit of a `GaussianMixture`.

    Parameters
    ----------
    model : GaussianMixtureModel
        The model.
    dataset : DataFrame
        The rows of the fit.
    weight : float
        The sum of their weights.
    """

    def __init__(self, model: Any, dataset: DataFrame, weight: float) -> None:
        self._model, self._dataset, self._weight = model, dataset, weight

    @property
    def logLikelihood(self) -> float:
        """The log-likelihood of all rows of the fit under the fitted mixture."""
        return float(self._model.estimator.mean_log_likelihood_ * self._weight)

    @property
    def k(self) -> int:
        """The number of components."""
        return len(self._model.weights)

    @property
    def numIter(self) -> int:
        """The number of EM iterations over all rows."""
        return int(self._model.estimator.n_iter_)

    @property
    def featuresCol(self) -> str:
        """The name of the column of features."""
        return str(self._model._value("featuresCol"))

    @property
    def predictionCol(self) -> str:
        """The name of the column of components."""
        return str(self._model._value("predictionCol"))

    @property
    def probabilityCol(self) -> str:
        """The name of the column of probabilities."""
        return str(self._model._value("probabilityCol"))

    @property
    def predictions(self) -> DataFrame:
        """The rows of the fit with their components and probabilities."""
        rows = self._dataset
        weight = self._model._value("weightCol")
        if weight and self._model._value("handleInvalid") != "error":  # the fit left rows out
            column = rows[f"`{weight}`"].cast("double")
            rows = rows.filter(column.isNotNull() & (column >= 0.0) & (column < float("inf")))
        return self._model.transform(rows)  # type: ignore[no-any-return]

    @property
    def cluster(self) -> DataFrame:
        """The components of the rows of the fit."""
        return self._selected("predictionCol")

    @property
    def probability(self) -> DataFrame:
        """The probabilities of the components for the rows of the fit."""
        return self._selected("probabilityCol")

    def _selected(self, param: str) -> DataFrame:
        name = self._model._value(param)
        if not name:
            raise ValueError(f"{param} is empty, so the model does not compute it. Set {param}.")
        return self.predictions.select(f"`{name}`")

    @property
    def clusterSizes(self) -> list[int]:
        """The number of rows whose most probable component is each of them; this runs a job."""
        counts = {
            row[0]: row[1] for row in self.cluster.groupBy(self.predictionCol).count().collect()
        }
        return [int(counts.get(place, 0)) for place in range(self.k)]
