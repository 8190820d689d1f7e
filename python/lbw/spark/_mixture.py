# SPDX-License-Identifier: MIT
"""GaussianMixture on Spark."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from pyspark.ml import Estimator, Model
from pyspark.ml.linalg import DenseMatrix, Vector, Vectors
from pyspark.ml.stat import MultivariateGaussian
from pyspark.sql import DataFrame
from pyspark.sql.types import IntegerType, StructField

from .. import _core
from .._mixture.gaussian_mixture import GaussianMixture as PythonMixture
from .._options.mixture import MixtureParameters
from .._options.names import COVARIANCE_TYPES
from .._options.presented import public
from ._arrow import map_in_arrow
from ._declared import LATER, MixtureSparkParameters
from ._fit import fit_rows
from ._fitted import FittedModel
from ._mappers import MixtureMapper
from ._mixture_summary import GaussianMixtureSummary
from ._model_io import Stored
from ._params import SparkParams, spark_params
from ._schema import appended, reader_for, vector_field
from ._transform import OutputColumn, batches_of

__all__ = ["GaussianMixture", "GaussianMixtureModel", "GaussianMixtureSummary"]

_WITHOUT = ("warm_start", "verbose_interval")
_SCHEMA = (
    "covarianceType string, weights array<double>, means array<double>, "
    "covariances array<double>, about string"
)
_ABOUT = ("n_iter_", "converged_", "lower_bound_", "mean_log_likelihood_")


@spark_params(MixtureSparkParameters, without=_WITHOUT)
class GaussianMixture(SparkParams, Estimator, Stored):  # type: ignore[type-arg]
    """Gaussian mixture, fitted on Spark by expectation maximization in C++.

    It is `lbw.GaussianMixture` with the interface of `pyspark.ml`. The rows are packed on the
    executors once. Each pass of EM then sends the mixture to the executors and returns sums.
    """

    def _fit(self, dataset: DataFrame) -> GaussianMixtureModel:
        fitted, weight = fit_rows(self, PythonMixture, MixtureParameters, dataset)
        model: GaussianMixtureModel = self._copyValues(GaussianMixtureModel.fromEstimator(fitted))
        model._summary = GaussianMixtureSummary(model, dataset, weight)
        return model


@spark_params(MixtureSparkParameters, without=_WITHOUT, set_later=LATER)
class GaussianMixtureModel(FittedModel, Model):
    """A fitted `GaussianMixture`; `transform` adds the component of every row to a DataFrame."""

    _summary: GaussianMixtureSummary | None = None

    @classmethod
    def fromEstimator(cls, estimator: PythonMixture) -> GaussianMixtureModel:
        """Return the model of a fitted `lbw.GaussianMixture`."""
        return cls._of(estimator)  # type: ignore[no-any-return]

    @property
    def weights(self) -> list[float]:
        """The weights of the components."""
        return self.estimator.weights_.tolist()  # type: ignore[no-any-return]

    @property
    def means(self) -> np.ndarray:
        """The means of the components, an array of shape (n_components, n_features)."""
        return np.asarray(self.estimator.means_)

    @property
    def covariances(self) -> np.ndarray:
        """The covariance matrices, an array of shape (n_components, n_features, n_features)."""
        kind, own = self.estimator.covariance_type, np.asarray(self.estimator.covariances_)
        n_components, n_features = self.means.shape
        if kind == "full":
            return own
        if kind == "tied":
            return np.repeat(own[np.newaxis], n_components, axis=0)
        variances = np.broadcast_to(own.reshape(n_components, -1), (n_components, n_features))
        return np.stack([np.diag(row) for row in variances])

    @property
    def gaussians(self) -> list[MultivariateGaussian]:
        """The components as Spark's `MultivariateGaussian`, with `mean` and `cov`."""
        return [
            MultivariateGaussian(
                Vectors.dense(mean), DenseMatrix(len(mean), len(mean), cov.ravel(order="F"))
            )
            for mean, cov in zip(self.means, self.covariances, strict=True)
        ]

    @property
    def gaussiansDF(self) -> DataFrame:
        """The components as a DataFrame with the columns `mean` and `cov`."""
        from pyspark.sql import SparkSession

        rows = [(own.mean, own.cov) for own in self.gaussians]
        return SparkSession.active().createDataFrame(rows, schema=["mean", "cov"])

    @property
    def numFeatures(self) -> int:
        """The number of features."""
        return int(self.means.shape[1])

    @property
    def hasSummary(self) -> bool:
        """Whether the model has a summary of its fit; loaded models have none."""
        return self._summary is not None

    @property
    def summary(self) -> GaussianMixtureSummary:
        """The summary of the fit: `logLikelihood`, `numIter`, `clusterSizes` and so on."""
        if self._summary is None:
            raise RuntimeError("No training summary available for this GaussianMixtureModel")
        return self._summary

    def predict(self, value: Vector) -> int:
        """Return the most probable component of one vector."""
        return int(self.estimator.predict(value.toArray()[np.newaxis])[0])

    def predictProbability(self, value: Vector) -> Vector:
        """Return the probabilities of all components for one vector."""
        return Vectors.dense(self.estimator.predict_proba(value.toArray()[np.newaxis])[0])

    def _transform(self, dataset: DataFrame) -> DataFrame:
        reader = reader_for(
            self,
            dataset.schema,
            for_fit=False,
            n_features=self.numFeatures,
            names=getattr(self.estimator, "feature_names_in_", None),
        )
        prediction, probability = self._value("predictionCol"), self._value("probabilityCol")
        columns, fields = [], []
        if prediction:
            columns.append((prediction, OutputColumn("int", 0)))
            fields.append(StructField(prediction, IntegerType(), nullable=True))
        if probability:
            columns.append((probability, OutputColumn("vector", 1)))
            fields.append(vector_field(probability))
        schema = appended(dataset.schema, fields)
        mapper = MixtureMapper(self._shipped_estimator(), bool(prediction), bool(probability))
        function = batches_of(mapper, reader, columns, self._value("handleInvalid"))
        return map_in_arrow(dataset, function, schema)

    def _shipped_estimator(self) -> Any:
        """Return the estimator without names of columns, for the threads of a task."""
        own = self.estimator
        params = {"n_jobs": int(self._value("nJobs") or 1)}
        return PythonMixture._of_core(own._core_mixture(), **params)

    def _to_row(self) -> tuple[tuple[Any, ...], str]:
        own = self.estimator
        arrays = [
            np.asarray(a).ravel().tolist() for a in (own.weights_, own.means_, own.covariances_)
        ]
        about = {name: getattr(own, name) for name in _ABOUT if hasattr(own, name)}
        plain = {n: v.item() if isinstance(v, np.generic) else v for n, v in about.items()}
        return (own.covariance_type, *arrays, json.dumps(plain)), _SCHEMA

    @classmethod
    def _from_row(cls, row: Any) -> GaussianMixtureModel:
        n_components = len(row.weights)
        n_features = len(row.means) // n_components
        shape = {
            "full": (n_components, n_features, n_features),
            "tied": (n_features, n_features),
            "diag": (n_components, n_features),
            "spherical": (n_components,),
        }[row.covarianceType]
        mixture = _core.Mixture(
            COVARIANCE_TYPES[row.covarianceType],
            np.array(row.weights),
            np.array(row.means).reshape(n_components, n_features),
            np.array(row.covariances).reshape(shape),
        )
        estimator = PythonMixture._of_core(mixture)
        for name, value in json.loads(row.about).items():
            setattr(estimator, name, value)
        return cls.fromEstimator(estimator)


public(globals(), "lbw.spark")
