# SPDX-License-Identifier: MIT
"""Saving and loading of estimators and models through Spark's MLWriter and MLReader."""

from __future__ import annotations

from typing import Any

from pyspark.ml.util import (
    DefaultParamsReader,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)

__all__ = ["ModelReader", "ModelWriter", "ParamsReader", "ParamsWriter", "Stored"]

_PAIRS = "lbw.pairs"  # marks a dict whose keys are not strings


class Stored(MLWritable, MLReadable):  # type: ignore[type-arg]
    """Estimators and models that can be saved and loaded."""

    def write(self) -> Any:
        """Return a writer: `write().overwrite().save(path)`."""
        return ModelWriter(self) if hasattr(self, "_to_row") else ParamsWriter(self)

    def save(self, path: str) -> None:
        """Save to a new folder of any file system that Spark knows."""
        self.write().save(path)

    @classmethod
    def read(cls) -> Any:
        """Return a reader: `read().load(path)`."""
        return ModelReader(cls) if hasattr(cls, "_to_row") else ParamsReader(cls)

    @classmethod
    def load(cls, path: str) -> Any:
        """Load what `save` wrote."""
        return cls.read().load(path)


class ParamsWriter(MLWriter):
    """Writes the Params of an estimator or a model."""

    def __init__(self, instance: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.instance = instance

    def _handleOverwrite(self, path: str) -> None:
        """Remove what is at the path."""
        if "connect" not in type(self.sparkSession).__module__:
            super()._handleOverwrite(path)
            return
        # Spark Connect cannot remove folders, but a table without rows can take their place.
        nothing = self.sparkSession.range(0).selectExpr("string(id) AS value")
        nothing.write.mode("overwrite").text(path)

    def saveImpl(self, path: str) -> None:
        """Write the metadata."""
        params = {own.name: _to_json(value) for own, value in self.instance._paramMap.items()}
        DefaultParamsWriter.saveMetadata(self.instance, path, self.sparkSession, paramMap=params)


class ModelWriter(ParamsWriter):
    """Writes the Params and the content of a model."""

    def saveImpl(self, path: str) -> None:
        """Write the metadata, and the content as a Parquet file of one row."""
        super().saveImpl(path)
        row, schema = self.instance._to_row()
        data = self.sparkSession.createDataFrame([row], schema=schema)
        data.coalesce(1).write.parquet(f"{path}/data")


class ParamsReader(MLReader):  # type: ignore[type-arg]
    """Reads an estimator."""

    def __init__(self, kind: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kind = kind

    def load(self, path: str) -> Any:
        """Read the metadata."""
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        expected = f"{self.kind.__module__}.{self.kind.__name__}"
        if metadata["class"] != expected:
            raise ValueError(f"{path} holds {metadata['class']}, expected {expected}")
        instance = self._instance(path)
        instance._resetUid(metadata["uid"])
        for name, value in metadata["paramMap"].items():
            instance._paramMap[instance.getParam(name)] = _from_json(value)
        return instance

    def _instance(self, path: str) -> Any:
        return self.kind()


class ModelReader(ParamsReader):
    """Reads a model."""

    def _instance(self, path: str) -> Any:
        row = self.sparkSession.read.parquet(f"{path}/data").first()
        return self.kind._from_row(row)


def _to_json(value: Any) -> Any:
    """Write a dict by labels as pairs: JSON would turn labels into strings."""
    if isinstance(value, dict):
        return {_PAIRS: [[key, own] for key, own in value.items()]}
    return value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict) and set(value) == {_PAIRS}:
        return dict(value[_PAIRS])
    return value
