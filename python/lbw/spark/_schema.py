# SPDX-License-Identifier: MIT
"""Columns of a DataFrame: checks of their names and types, before any job runs."""

from __future__ import annotations

from typing import Any

from pyspark.ml.linalg import VectorUDT
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    ByteType,
    DataType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NumericType,
    ShortType,
    StringType,
    StructField,
    StructType,
)

from ._rows import RowReader

__all__ = ["appended", "reader_for", "vector_field"]

_WHOLE = (ByteType, ShortType, IntegerType, LongType)


def reader_for(
    params: Any, schema: StructType, *, for_fit: bool, n_features: int | None
) -> RowReader:
    """Return the reader of the columns that an estimator or a model names."""
    columns = params._value("inputCols")
    if columns is not None:
        kind = "columns"
        for name in columns:
            _require(schema, "inputCols", name, (NumericType, BooleanType), "numbers")
        if n_features is not None and len(columns) != n_features:
            raise ValueError(
                f"inputCols names {len(columns)} columns, but the model has {n_features} features"
            )
    else:
        columns = [params._value("featuresCol")]
        kind = _kind_of_features(schema, columns[0])
    group = weight = key = None
    if params.hasParam("groupCol"):
        group = params._value("groupCol")
        allowed = (StringType, *_WHOLE, FloatType, DoubleType, BooleanType)
        _require(schema, "groupCol", group, allowed, "strings, numbers or booleans")
        key = None if for_fit else params._value("keyCol")
        if key is not None:
            _require(schema, "keyCol", key, (StringType, *_WHOLE), "whole numbers or strings")
    if for_fit and params._value("weightCol"):
        weight = params._value("weightCol")
        _require(schema, "weightCol", weight, (NumericType,), "numbers")
    return RowReader(kind, list(columns), group, weight, key, n_features)


def _kind_of_features(schema: StructType, name: str) -> str:
    own = _type_of(schema, "featuresCol", name)
    if isinstance(own, VectorUDT):
        return "vector"
    inner = own.elementType if isinstance(own, ArrayType) else None
    if isinstance(inner, NumericType) and not isinstance(inner, DecimalType):
        return "array"
    raise TypeError(
        f"featuresCol={name!r} is of type {own.simpleString()}, expected a vector or an array of "
        "numbers. Use VectorAssembler, or name numeric columns in inputCols."
    )


def _require(
    schema: StructType, param: str, name: str, allowed: tuple[type, ...], words: str
) -> None:
    own = _type_of(schema, param, name)
    if not isinstance(own, allowed):
        raise TypeError(f"{param}={name!r} is of type {own.simpleString()}, expected {words}")


def _type_of(schema: StructType, param: str, name: str) -> DataType:
    if name not in schema.names:
        raise ValueError(
            f"{param}={name!r} is not a column of the DataFrame, which has "
            f"{', '.join(schema.names)}. Set {param}."
        )
    return schema[name].dataType


def vector_field(name: str) -> StructField:
    """Return the field of a column of vectors."""
    return StructField(name, VectorUDT(), nullable=True)


def appended(schema: StructType, added: list[StructField]) -> StructType:
    """Return a schema with more columns; raise if one of them exists already."""
    for own in added:
        if own.name in schema.names:
            raise ValueError(
                f"output column {own.name!r} already exists in the DataFrame. Give another name, "
                "or drop the column."
            )
    return StructType([*schema.fields, *added])
