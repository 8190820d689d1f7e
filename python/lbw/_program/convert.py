# SPDX-License-Identifier: MIT
"""The program `lbw` with Parquet and Arrow files, which pyarrow converts from and to CSV."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..io._atomic_file import AtomicFile
from ..io._parquet import _pyarrow
from .arguments import file_of, magic_of, output_place
from .scratch import scratch_folder

__all__ = ["run"]

_NOTATION_OPTIONS = ("--delimiter", "--decimal", "--header", "--no-header")


def _batches(path: str, magic: bytes) -> tuple[Any, Iterator[Any]]:
    """Return the schema and the batches of a file."""
    if magic == b"PAR1":
        file = _pyarrow("pyarrow.parquet").ParquetFile(path)
        return file.schema_arrow, file.iter_batches()
    if magic == b"FEA1":
        table = _pyarrow("pyarrow.feather").read_table(path)
        return table.schema, iter(table.to_batches())
    ipc = _pyarrow("pyarrow.ipc")
    if magic == b"ARROW1":
        reader = ipc.open_file(path)
        return reader.schema, (reader.get_batch(i) for i in range(reader.num_record_batches))
    stream = ipc.open_stream(path)
    return stream.schema, iter(stream)


def _plain_type(field: Any) -> Any:
    """Return the type of a column in CSV. Numbers keep all of their digits."""
    types = _pyarrow("pyarrow.types")
    kind = field.type.value_type if types.is_dictionary(field.type) else field.type
    return _pyarrow("pyarrow").float64() if types.is_floating(kind) else kind


def _write_csv(path: str, magic: bytes, target: Path) -> Any:
    """Convert a file to CSV and return its schema."""
    pa, csv = _pyarrow("pyarrow"), _pyarrow("pyarrow.csv")
    try:
        schema, batches = _batches(path, magic)
    except (pa.ArrowException, OSError) as error:
        raise SystemExit(
            f"python -m lbw: cannot read '{path}', it is truncated or damaged ({error})"
        ) from None
    if not any(c.isalpha() for name in schema.names for c in name):
        raise SystemExit(
            f"python -m lbw: {path}: column names need letters, received {schema.names}"
        )
    plain = pa.schema([pa.field(f.name, _plain_type(f)) for f in schema])
    try:
        with csv.CSVWriter(target, plain) as writer:
            for batch in batches:
                writer.write_table(pa.Table.from_batches([batch]).cast(plain))
    except pa.ArrowException as error:
        raise SystemExit(
            f"python -m lbw: {path}: a column cannot be written as CSV ({error}). Remove columns "
            "that are neither numbers nor text."
        ) from None
    return plain


def _column_types(schemas: Sequence[Any]) -> dict[str, Any]:
    """Return types of columns in CSV. Whole numbers may have become fractions, so they are text."""
    pa, types = _pyarrow("pyarrow"), _pyarrow("pyarrow.types")
    return {
        field.name: pa.string() if types.is_integer(field.type) else field.type
        for schema in schemas
        for field in schema
        if not types.is_boolean(field.type)
    }


def _with_whole_numbers(table: Any, schemas: Sequence[Any]) -> Any:
    """Return the table with columns of whole numbers as they were, or as double if they changed."""
    pa, types = _pyarrow("pyarrow"), _pyarrow("pyarrow.types")
    for field in (field for schema in schemas for field in schema):
        place = table.schema.get_field_index(field.name)
        if place < 0 or not types.is_integer(field.type):
            continue
        if not types.is_string(table.column(place).type):
            continue  # converted already
        try:
            column = table.column(place).cast(field.type)
        except pa.ArrowInvalid:
            column = table.column(place).cast(pa.float64())
        table = table.set_column(place, field.name, column)
    return table


def _write_output(source: Path, target: Path, schemas: Sequence[Any], decimal: str) -> None:
    """Convert the CSV file of the program. The path holds the old file or the new one."""
    csv = _pyarrow("pyarrow.csv")
    table = csv.read_csv(
        source,
        parse_options=csv.ParseOptions(delimiter="\t", newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            column_types=_column_types(schemas),
            null_values=[""],
            strings_can_be_null=True,
            decimal_point=decimal,
        ),
    )
    table = _with_whole_numbers(table, schemas)
    with AtomicFile(target) as file:
        if target.suffix.lower() == ".parquet":
            _pyarrow("pyarrow.parquet").write_table(table, file)
        else:
            _pyarrow("pyarrow.feather").write_feather(table, file, compression="uncompressed")


def _decimal(arguments: Sequence[str]) -> str:
    text = " ".join(arguments).replace("=", " ")
    return "," if "--decimal ," in text or "--decimal comma" in text else "."


def _check_output(target: Path) -> None:
    if target.is_dir():
        raise SystemExit(f"python -m lbw: {target}: is a directory, expected a file name")
    if not target.parent.is_dir():
        raise SystemExit(f"python -m lbw: {target}: the directory '{target.parent}' does not exist")


def _run_program(command: Sequence[str], names: dict[str, str]) -> int:
    """Run the program, with the original file names in its messages."""
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, encoding="utf-8", errors="replace"
    ) as child:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program receives it too and ends
        assert child.stderr is not None
        for line in child.stderr:
            for temporary, name in names.items():
                line = line.replace(temporary, name)
            sys.stderr.write(line)
    return child.returncode


def _refuse_notation(arguments: Sequence[str], path: str) -> None:
    """Raise an error if options describe a CSV file."""
    if any(argument.partition("=")[0] in _NOTATION_OPTIONS for argument in arguments):
        raise SystemExit(
            f"python -m lbw: {', '.join(_NOTATION_OPTIONS)} need CSV, {path} is a Parquet or Arrow "
            "file"
        )


def run(program: Path, arguments: Sequence[str]) -> int:
    """Run the program with CSV files in place of Parquet and Arrow files, and return its exit code.

    Parameters
    ----------
    program : Path
        The program `lbw`.
    arguments : sequence of str
        Its arguments, in which files may be Parquet, Arrow or Feather.
    """
    _pyarrow("pyarrow")
    place = output_place(arguments)
    output = None
    if place is not None:
        output = arguments[place].removeprefix("--output=")
    if output is not None:
        _check_output(Path(output))
    with scratch_folder() as folder:
        result = Path(folder, "output.tsv")
        command, names, schemas = [str(program)], {str(result): str(output)}, []
        for number, argument in enumerate(arguments):
            path = output if output and number == place else file_of(argument)
            target = Path(folder, str(number), Path(path).stem + ".csv")
            if number == place:
                target = result
            elif (magic := magic_of(path)) is not None:
                _refuse_notation(arguments, path)
                target.parent.mkdir()
                schemas.append(_write_csv(path, magic, target))
                names[str(target)] = path
            else:
                command.append(argument)
                continue
            command.append(argument[: len(argument) - len(path)] + str(target))
        code = _run_program(command, names)
        if result.exists():
            _write_output(result, Path(output or ""), schemas, _decimal(arguments))
    return code
