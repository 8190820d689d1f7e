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
from .arguments import file_of, magic_of, output_place

__all__ = ["as_text", "columns_as_text", "group_columns", "index_metadata", "is_mover"]

_GROUP_OPTIONS = ("--protected", "--group-column")
_COLUMN_OPTIONS = (*_GROUP_OPTIONS, "--columns", "--score", "--target", "--key", "--weight-column")
_OUTPUT_OPTIONS = ("-o", "--output", "--save-model")
_NUMBER_OPTIONS = ("-w", "--weights", "--refine-weights", "-k", "--components", "--n-components")
_READERS = ("fit", "score", "select", "inspect")  # commands that do not write their columns
_MOVERS = ("repair", "transport")  # commands that write their table
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


def _keys_of_model(metadata: Any) -> list[str]:
    with suppress(ValueError, KeyError, TypeError):
        key = json.loads(json.loads(metadata["notes"])["repair"])["key_column"]
        return [] if key is None else [str(key)]
    return []


def columns_as_text(schema: Any, arguments: Sequence[str]) -> set[str]:
    """Return the columns whose values are texts to the program.

    Booleans and floats that are groups have the names that a model of Python has. The index of
    pandas, unless an argument or a model names it, and durations are no features. Lists and structs
    that are not read have a text in their place.
    """
    types = _pyarrow("pyarrow.types")
    groups = _with_names(schema, group_columns(arguments))
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
    return found | _unread_nested(schema, arguments)


def _with_names(schema: Any, named: Sequence[str]) -> set[str]:
    """Add the names of columns that are given by their numbers."""
    places = [int(name) for name in set(named) - set(schema.names) if name.isdecimal()]
    return {*named, *(schema.names[place - 1] for place in places if 0 < place <= len(schema))}


def _unread_nested(schema: Any, arguments: Sequence[str]) -> set[str]:
    """Return the columns of lists and structs that no option or model names as a column to read."""
    if not _keeps_columns(arguments):
        return set()
    named = group_columns(arguments)
    for option, value in _options_of(arguments):
        if option in _COLUMN_OPTIONS:
            named += _names_in(value)
    for metadata in _models_of(arguments):
        named += [*_features_of_model(metadata), *_keys_of_model(metadata)]
    is_nested = _pyarrow("pyarrow.types").is_nested
    return {f.name for f in schema if is_nested(f.type)} - _with_names(schema, named)


def is_mover(arguments: Sequence[str]) -> bool:
    """Return whether the command writes its table with some columns moved."""
    return arguments[0] in _MOVERS


def _keeps_columns(arguments: Sequence[str]) -> bool:
    """Return whether columns that the program does not read need not be in the CSV file.

    Some commands do not write them, and others write a table to which they are added again.
    """
    place = output_place(arguments)
    others = [argument for number, argument in enumerate(arguments) if number != place]
    n_tables = sum(magic_of(file_of(argument)) is not None for argument in others)
    one_to_one = place is not None and n_tables == 1
    return arguments[0] in _READERS or (is_mover(arguments) and one_to_one)


def as_text(column: Any) -> Any:
    """Return a column of texts, as Python writes the values; of nested values the type only."""
    pa, types = _pyarrow("pyarrow"), _pyarrow("pyarrow.types")
    if types.is_nested(column.type):
        return pa.array([str(column.type)] * len(column), pa.string())
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
