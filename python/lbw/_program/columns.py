# SPDX-License-Identifier: MIT
"""Columns of Parquet and Arrow files that the program reads as text: groups, indexes, durations."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ..io._parquet import _pyarrow

__all__ = ["as_text", "columns_as_text", "group_columns", "index_metadata"]

_GROUP_OPTIONS = ("--protected", "--group-column")
_OUTPUT_OPTIONS = ("-o", "--output", "--save-model")
_NUMBER_OPTIONS = ("-w", "--weights", "--refine-weights", "-k", "--components", "--n-components")
_LARGEST_HEADER = 1 << 26


def group_columns(arguments: Sequence[str]) -> list[str]:
    """Return the columns of groups that options or a model of GroupRepair name."""
    names: list[str] = []
    for option, value in _options_of(arguments):
        if option in _GROUP_OPTIONS:
            names += _names_in(value)
    for metadata in _models_of(arguments):
        names += _groups_of_model(metadata)
    return names


def _options_of(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the values among arguments, each with the option that may stand before it."""
    before = ""
    for argument in arguments:
        option, equals, value = argument.partition("=")
        if option.startswith("--") and equals:
            yield option, value
            before = ""
        else:
            yield before, argument
            before = argument if argument.startswith("-") else ""


def _names_in(value: str) -> list[str]:
    """Return a value as one name, and as the names of a list, which may have double quotes."""
    try:
        return [value, *next(csv.reader([value]), [])]
    except csv.Error:  # such as a line break
        return [value]


def _models_of(arguments: Sequence[str]) -> Iterator[Any]:
    """Yield the metadata of the model files that are read; the program reports other files."""
    for option, value in _options_of(arguments):
        readable = os.path.isfile(value) and os.access(value, os.R_OK)
        if readable and option not in _OUTPUT_OPTIONS:
            with open(value, "rb") as file:
                size = int.from_bytes(file.read(8), "little")
                header = file.read(size) if 0 < size <= _LARGEST_HEADER else b""
            with suppress(ValueError, KeyError, TypeError):
                yield json.loads(header)["__metadata__"]


def _groups_of_model(metadata: Any) -> list[str]:
    with suppress(ValueError, KeyError, TypeError):
        notes = json.loads(metadata["notes"])
        columns = json.loads(notes["repair"])["group_columns"]
        return [str(name) for name in columns["names"]]
    return []


def _features_of_model(metadata: Any) -> list[str]:
    with suppress(ValueError, KeyError, TypeError):
        return [str(name) for name in json.loads(metadata["feature_names"])]
    return []


def columns_as_text(schema: Any, arguments: Sequence[str]) -> set[str]:
    """Return the columns whose values are texts to the program.

    Booleans and floats that are groups have the names that a model of Python has. The index of
    pandas, unless an argument or a model names it, and durations are no features.
    """
    types = _pyarrow("pyarrow.types")
    groups = set(group_columns(arguments))
    places = [int(name) for name in groups - set(schema.names) if name.isdecimal()]
    groups |= {schema.names[place - 1] for place in places if 0 < place <= len(schema)}
    lists = [v for option, v in _options_of(arguments) if option not in _NUMBER_OPTIONS]
    named = {name for value in lists for name in _names_in(value)}
    for metadata in _models_of(arguments):
        named.update(_features_of_model(metadata))
    found = _index_columns(schema) - named
    for field in schema:
        kind = field.type.value_type if types.is_dictionary(field.type) else field.type
        is_label = types.is_boolean(kind) or types.is_floating(kind)
        if types.is_duration(kind) or (field.name in groups and is_label):
            found.add(field.name)
    return found


def as_text(column: Any) -> Any:
    """Return a column of texts, as Python writes the values."""
    pa, types = _pyarrow("pyarrow"), _pyarrow("pyarrow.types")
    if types.is_boolean(column.type) or types.is_floating(column.type):
        values = [None if value is None else str(value) for value in column.to_pylist()]
        return pa.array(values, pa.string())
    return column.cast(pa.string())


def _index_columns(schema: Any) -> set[str]:
    known = schema.pandas_metadata or {}
    return {name for name in known.get("index_columns", []) if isinstance(name, str)}


def index_metadata(original: Any, table: Any) -> dict[bytes, bytes] | None:
    """Return the metadata by which pandas finds its index; None if there is none or it changed."""
    known = original.pandas_metadata
    same = {
        name
        for name in set(original.names) & set(table.column_names)
        if original.field(name).type == table.schema.field(name).type
    }
    if not known or not _index_columns(original) <= same:
        return None
    kept = [column for column in known["columns"] if column.get("field_name") in same]
    return {b"pandas": json.dumps(known | {"columns": kept}).encode()}
