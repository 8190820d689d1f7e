# SPDX-License-Identifier: MIT
"""What the models of transports and repairs share: transformed rows, files, properties."""

from __future__ import annotations

import os
import tempfile
from abc import abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DoubleType, StructField

from ._arrow import map_in_arrow
from ._fitted import FittedModel
from ._mappers import TransportMapper
from ._params import _plain, spark_name
from ._schema import appended, reader_for, require_type_of_groups, vector_field
from ._transform import OutputColumn, batches_of

__all__ = ["MovingModel"]


class MovingModel(FittedModel):
    """A fitted transport of rows between groups."""

    _kind: Any = None  # the Python estimator

    @property
    @abstractmethod
    def _transport(self) -> Any:
        """The LocalTransport that moves rows."""

    @abstractmethod
    def _target(self) -> Any:
        """Return the group or the weights that rows are transported to."""

    @property
    def groups(self) -> list[Any]:
        """The labels of the groups, in order."""
        return self.estimator.groups_.tolist()  # type: ignore[no-any-return]

    @property
    def numFeatures(self) -> int:
        """The number of features."""
        return int(self._transport.n_features_in_)

    @property
    def mixtures(self) -> list[Any]:
        """The mixture of every group, as fitted estimators of the Python package."""
        return list(self._transport.mixtures_)

    @property
    def ditheredFeatures(self) -> list[Any]:
        """The features that take few values and have noise, by name or position."""
        return list(self._transport.dithered_features_)

    @property
    def converged(self) -> bool:
        """Whether EM converged for every group."""
        return bool(self._transport.converged_)

    def barycenter(self, weights: Any = None) -> Any:
        """Return the barycenter of the groups as a fitted GaussianMixture of the Python package."""
        return self._transport.barycenter(weights)

    def exportModel(self, path: str | os.PathLike[str]) -> None:
        """Write a model.safetensors on the driver, which C++, Python and the program read."""
        self._synchronized().save(path)

    @classmethod
    def importModel(cls, path: str | os.PathLike[str]) -> Any:
        """Read a model.safetensors that C++, Python, the program or `exportModel` wrote."""
        estimator = cls._kind.load(path)
        model = cls._of(estimator)
        for name, value in estimator.get_params().items():
            if name in model._declared and value != model._defaults[spark_name(name)]:
                model._paramMap[model.getParam(spark_name(name))] = _plain(value)
        return model

    def _feature_names(self) -> list[str] | None:
        """Return the names of the features that are transported, if they are known."""
        for own in (self._transport, self.estimator):
            names = getattr(own, "feature_names_in_", ())
            if len(names) == self.numFeatures:
                return [str(name) for name in names]
        return None

    def _synchronized(self) -> Any:
        """Return the Python estimator with the parameters that were set on the model since."""
        return self.estimator

    def _to_row(self) -> tuple[tuple[Any, ...], str]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.safetensors"
            self.exportModel(path)
            return (bytearray(path.read_bytes()),), "model binary"

    @classmethod
    def _from_row(cls, row: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.safetensors"
            path.write_bytes(row.model)
            return cls._of(cls._kind.load(path))

    def _transform(self, dataset: DataFrame) -> DataFrame:
        reader = reader_for(
            self,
            dataset.schema,
            for_fit=False,
            n_features=self.numFeatures,
            names=self._feature_names(),
        )
        require_type_of_groups(self, dataset.schema, self.groups)
        names, columns, fields = self._outputs(reader.kind)
        schema = appended(dataset.schema, fields)
        transport = self._transport
        mapper = TransportMapper(
            transport._model,
            np.asarray(transport.groups_),
            self._target(),
            self._value("amount"),
            self._value("handleUnknown"),
            int(self._value("nJobs") or 1),
        )
        _ = mapper.maps  # an amount that cannot be used is an error before any job
        function = batches_of(
            mapper, reader, list(zip(names, columns, strict=True)), self._value("handleInvalid")
        )
        return map_in_arrow(dataset, function, schema)

    def _outputs(self, kind: str) -> tuple[list[str], list[OutputColumn], list[StructField]]:
        """Return the names, the contents and the fields of the output columns."""
        names = self._value("outputCols")
        if names is None:
            name = self._value("outputCol") or f"{self.uid}__output"
            if kind == "array":
                own = StructField(name, ArrayType(DoubleType(), containsNull=True), nullable=True)
                return [name], [OutputColumn("array")], [own]
            return [name], [OutputColumn("vector")], [vector_field(name)]
        if self._value("outputCol") is not None:
            raise ValueError("outputCol and outputCols are both set. Set one of them.")
        if len(names) != self.numFeatures:
            raise ValueError(
                f"outputCols names {len(names)} columns, expected one for each of the "
                f"{self.numFeatures} features"
            )
        columns = [OutputColumn("double", feature=place) for place in range(len(names))]
        return list(names), columns, [StructField(name, DoubleType(), True) for name in names]
