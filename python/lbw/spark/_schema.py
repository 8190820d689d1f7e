# SPDX-License-Identifier: MIT
"""Columns of a DataFrame: checks of their names and types, before any job runs."""

from __future__ import annotations

from collections.abc import Sequence
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

__all__ = ["appended", "reader_for", "require_type_of_groups", "vector_field"]

_WHOLE = (ByteType, ShortType, IntegerType, LongType)


def reader_for(
    params: Any,
    schema: StructType,
    *,
    for_fit: bool,
    n_features: int | None,
    names: Sequence[str] | None = None,
) -> RowReader:
    """Return the reader of the columns that an estimator or a model names.

    Parameters
    ----------
    params : SparkParams
        The estimator or the model.
    schema : StructType
        The columns of the DataFrame.
    for_fit : bool
        Whether the rows are fitted, or transformed.
    n_features : int or None
        The number of features of the model, if there is one.
    names : sequence of str or None
        The names of its features, if they are known.
    """
    columns = params._value("inputCols")
    if columns is not None:
        kind = "columns"
        for name in columns:
            _require(schema, "inputCols", name, (NumericType, BooleanType), "numbers")
        _refuse_twice("inputCols", columns)
        if n_features is not None and len(columns) != n_features:
            raise ValueError(
                f"inputCols names {len(columns)} columns, but the model has {n_features} features"
            )
        if names is not None and list(columns) != list(names):
            raise ValueError(
                f"inputCols={list(columns)} are not the features of the fit, {list(names)}. Give "
                "the same columns in the same order."
            )
    else:
        columns = [params._value("featuresCol")]
        kind = _kind_of_features(schema, columns[0])
    group = weight = key = None
    if params.hasParam("groupCol"):
        group = params._value("groupCol")
        allowed = (StringType, *_WHOLE, FloatType, DoubleType, BooleanType)
        _require(schema, "groupCol", group, allowed, "strings, numbers or booleans")
        key = params._value("keyCol")
        if key is not None:
            _require(schema, "keyCol", key, (StringType, *_WHOLE), "whole numbers or strings")
        key = None if for_fit else key  # the key of a row in a fit is its position
    if for_fit and params._value("weightCol"):
        weight = params._value("weightCol")
        _require(schema, "weightCol", weight, (NumericType,), "numbers")
    is_limited = for_fit or group is not None  # mixtures give very far rows a component too
    return RowReader(kind, list(columns), group, weight, key, n_features, is_limited)


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


def _refuse_twice(param: str, names: Sequence[str]) -> None:
    for name in names:
        if sum(name.lower() == other.lower() for other in names) > 1:
            raise ValueError(f"{param}={list(names)} has {name!r} twice, expected distinct columns")


def require_type_of_groups(params: Any, schema: StructType, groups: Sequence[Any]) -> None:
    """Raise an error if labels are of another type than those of the fit: no row would match."""
    name = params._value("groupCol")
    own = _type_of(schema, "groupCol", name)
    if isinstance(own, StringType) != isinstance(groups[0], str):
        raise TypeError(
            f"groupCol={name!r} is of type {own.simpleString()}, but the groups of the fit are "
            f"{type(groups[0]).__name__}, such as {groups[0]!r}. Give labels of that type."
        )


def vector_field(name: str) -> StructField:
    """Return the field of a column of vectors."""
    return StructField(name, VectorUDT(), nullable=True)


def appended(schema: StructType, added: list[StructField]) -> StructType:
    """Return a schema with more columns; raise if one of them exists already.

    Spark does not distinguish upper and lower case in names.
    """
    _refuse_twice("the names of the output columns", [own.name for own in added])
    known = {name.lower(): name for name in schema.names}
    for own in added:
        if own.name.lower() in known:
            raise ValueError(
                f"output column {own.name!r} already exists in the DataFrame, as "
                f"{known[own.name.lower()]!r}. Give another name, or drop the column."
            )
    return StructType([*schema.fields, *added])
