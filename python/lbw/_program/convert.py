# SPDX-License-Identifier: MIT
"""The program `lbw` with Parquet and Arrow files, which pyarrow converts from and to CSV."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from csv import reader
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from ..io._atomic_file import AtomicFile
from ..io._parquet import _pyarrow
from .arguments import file_of, magic_of, output_place
from .columns import as_text, columns_as_text, index_metadata, is_mover
from .scratch import Scratch, scratch_folder

__all__ = ["run"]

_NOTATION_OPTIONS = ("--delimiter", "--decimal", "--header", "--no-header", "--quoted-text")
_CODE = r"^ *([+-]?0[0-9]+|0[xX][0-9a-fA-F]+) *$"  # 00123, 0x1F
# Codes if no cell of the column has decimals: +49301234, 12E3 (numbers are written as 12e+3), and
# whole numbers that double precision changes.
_CODE_OF_WHOLES = r"^ *([+][0-9]+|[0-9]+E[0-9]+) *$"
_MANY_DIGITS = r"^ *[+-]?[0-9]{16,} *$"


def _batches(path: str, magic: bytes) -> tuple[Any, Iterator[Any]]:
    """Return the schema and the batches of a file; an error ends the program and names the file."""
    with _errors_of(path):
        schema, batches = _opened(path, magic)
    return schema, _readable(batches, path)


def _readable(batches: Iterator[Any], path: str) -> Iterator[Any]:
    with _errors_of(path):  # batches are read one by one
        yield from batches


@contextmanager
def _errors_of(path: str) -> Iterator[None]:
    try:
        yield
    except (_pyarrow("pyarrow").ArrowException, OSError) as error:
        raise SystemExit(
            f"python -m lbw: cannot read '{path}', it is truncated or damaged ({error})"
        ) from None


def _opened(path: str, magic: bytes) -> tuple[Any, Iterator[Any]]:
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


def _write_csv(path: str, magic: bytes, target: Path, arguments: Sequence[str]) -> Any:
    """Convert a file to CSV and return its schema."""
    pa, csv = _pyarrow("pyarrow"), _pyarrow("pyarrow.csv")
    schema, batches = _batches(path, magic)
    plain = pa.schema([pa.field(f.name, _plain_type(f)) for f in schema])
    texts = [plain.get_field_index(name) for name in columns_as_text(schema, arguments)]
    written = plain
    for place in texts:
        written = written.set(place, pa.field(plain.names[place], pa.string()))
    batch = schema.empty_table()  # whose types may be refused before the first batch
    try:
        with csv.CSVWriter(target, written) as writer:
            for batch in batches:
                columns = map(_csv_column, batch.columns, plain, written)
                writer.write_table(pa.Table.from_arrays(list(columns), schema=written))
    except pa.ArrowException as error:
        named = ", ".join(_refused_columns(batch, plain, written)) or "a column"
        kept = " Lists and structs that are not read are kept if -o is a Parquet or Arrow file."
        raise SystemExit(
            f"python -m lbw: {path}: {named} cannot be written as CSV ({error}). Drop columns that "
            "are neither numbers nor text from the file, or convert them."
            + (kept if is_mover(arguments) else "")
        ) from None
    return written


def _csv_column(column: Any, plain: Any, written: Any) -> Any:
    """Convert a column to its plain type, and from there to text where it is written as text."""
    column = column.cast(plain.type)
    return column if written.type == plain.type else as_text(column)


def _refused_columns(batch: Any, plain: Any, written: Any) -> list[str]:
    """Name the columns of a batch that cannot be written, with their types."""
    columns = zip(batch.schema, batch.columns, plain, written, strict=True)
    return [
        f"column {given.name!r} of type {given.type}"
        for given, *column in columns
        if not _fits_csv(*column)
    ]


def _fits_csv(column: Any, plain: Any, written: Any) -> bool:
    pa = _pyarrow("pyarrow")
    try:
        table = pa.table({"x": _csv_column(column, plain, written)})
        _pyarrow("pyarrow.csv").write_csv(table, pa.BufferOutputStream())
    except pa.ArrowException:
        return False
    return True


@dataclass
class _Input:
    """A file that was converted to CSV."""

    path: str
    magic: bytes
    csv: Path
    schema: Any
    state: tuple[int, int]

    def table(self) -> Any:
        """Read the file again."""
        schema, batches = _batches(self.path, self.magic)
        table = _pyarrow("pyarrow").Table.from_batches(batches, schema)
        if _state_of(self.path) != self.state:
            raise SystemExit(
                f"python -m lbw: cannot read '{self.path}': the file changed while it was used. "
                "Repeat this when no other program writes to it."
            )
        return table


def _state_of(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def _read_csv(
    path: Path,
    delimiter: str,
    decimal: str,
    texts: Sequence[str] = (),
    *,
    missing_texts: bool = False,
    has_names: bool = True,
) -> Any:
    """Return a table with these columns of text, in which empty cells may be missing values.

    Columns without names are called f0, f1 and so on.
    """
    csv, string = _pyarrow("pyarrow.csv"), _pyarrow("pyarrow").string()
    return csv.read_csv(
        path,
        read_options=csv.ReadOptions(autogenerate_column_names=not has_names),
        parse_options=csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys(texts, string),
            null_values=[""],
            strings_can_be_null=missing_texts,
            decimal_point=decimal,
        ),
    )


def _read_types(path: Path, delimiter: str, decimal: str, *, has_names: bool) -> Any:
    """Return a table with the types that its cells look like. Codes such as 00123 are text."""
    types, compute = _pyarrow("pyarrow.types"), _pyarrow("pyarrow.compute")
    read = partial(_read_csv, path, delimiter, decimal, has_names=has_names)
    table = read(missing_texts=True)
    texts = read(table.column_names)
    codes = []
    for field, column in zip(table.schema, texts.columns, strict=True):
        is_whole = types.is_integer(field.type)
        pattern = _CODE
        if not compute.any(compute.match_substring(column, decimal)).as_py():
            pattern += f"|{_CODE_OF_WHOLES}" + ("" if is_whole else f"|{_MANY_DIGITS}")
        is_code = compute.any(compute.match_substring_regex(column, pattern)).as_py()
        if is_code and (is_whole or types.is_floating(field.type)):
            codes.append(field.name)
    return read(codes, missing_texts=True) if codes else table


def _has_names(path: Path, delimiter: str, decimal: str) -> bool:
    """Return whether the first line is a header: a word begins a column of numbers.

    A table without rows has a header if no cell of its line is a number.
    """
    with path.open(encoding="utf-8", newline="") as file:
        first, *rows = islice(reader(file, delimiter=delimiter), 1000)
    if not rows:
        return not any(_is_number(cell, decimal) for cell in first)
    return any(
        cell != "" and not _is_number(cell, decimal) and any(_is_number(c, decimal) for c in column)
        for cell, *column in zip(first, *rows, strict=False)
    )


def _is_number(cell: str, decimal: str) -> bool:
    with suppress(ValueError):
        float(cell.replace(decimal, "."))
        return True
    return False


def _numbers(texts: Any, kind: Any, decimal: str) -> Any:
    """Return numbers, of a whole type if they are whole, or the texts if they are no numbers."""
    pa, types = _pyarrow("pyarrow"), _pyarrow("pyarrow.types")
    compute = _pyarrow("pyarrow.compute")
    given = compute.if_else(compute.equal(texts, ""), pa.scalar(None, pa.string()), texts)
    given = compute.replace_substring(given, decimal, ".")
    for target in (kind, pa.float64()) if types.is_integer(kind) else (pa.float64(),):
        with suppress(pa.ArrowInvalid):
            return given.cast(target)
    return texts


def _output_table(result: Path, given: _Input, decimal: str) -> Any:
    """Return the result, with the columns of the input that the program did not change.

    CSV does not have the types of all columns, nor the difference between empty and missing texts.
    """
    texts = given.schema.names
    table, before = _read_csv(result, "\t", decimal, texts), _read_csv(given.csv, ",", ".", texts)
    if table.num_rows != before.num_rows:
        return _read_types(result, "\t", decimal, has_names=True)  # of other rows
    original = given.table()
    for place, name in enumerate(table.column_names):
        if given.schema.get_field_index(name) < 0:
            continue
        after, column = table.column(place), original.column(name)
        if not after.equals(before.column(name)):
            column = _numbers(after, column.type, decimal)
        table = table.set_column(place, name, column)
    return table.replace_schema_metadata(index_metadata(original.schema, table))


def _write_output(source: Path, target: Path, inputs: Sequence[_Input], decimal: str) -> None:
    """Convert the CSV file of the program. The path holds the old file or the new one."""
    if len(inputs) == 1:
        table = _output_table(source, inputs[0], decimal)
    else:
        named = bool(inputs) or _has_names(source, "\t", decimal)
        table = _read_types(source, "\t", decimal, has_names=named)
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


def _check_not_input(arguments: Sequence[str], place: int, target: Path) -> None:
    """Raise an error if the curve of `lbw select` would replace the table, as the program does."""
    if arguments[0] != "select" or not target.is_file():
        return
    others = (file_of(other) for number, other in enumerate(arguments) if number != place)
    for path in filter(os.path.isfile, others):
        if os.path.samefile(path, target):
            raise SystemExit(
                f"python -m lbw: --output is the input {path}, which the curve would replace; give "
                "another file"
            )


def _run_program(command: Sequence[str], names: dict[str, str], scratch: Scratch) -> int:
    """Run the program, with the original file names in its messages."""
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        close_fds=False,  # of <(command)
    ) as child:
        scratch.kill_at_end(child.pid)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program receives it too and ends
        assert child.stderr is not None
        for line in child.stderr:
            for temporary, name in names.items():
                line = line.replace(temporary, name)
            sys.stderr.write(line)
        child.wait()
        scratch.kill_at_end(None)
    return child.returncode


def _has_names_of_numbers(schema: Any) -> bool:
    """Return whether names such as 0 or 2019 may look like data."""
    return not all(any(c.isalpha() for c in name) for name in schema.names)


def _has_text(schema: Any) -> bool:
    """Return whether a column is of text, which may look like numbers."""
    types = _pyarrow("pyarrow.types")
    kinds = (types.is_string, types.is_large_string, types.is_string_view, types.is_binary)
    return any(is_kind(field.type) for field in schema for is_kind in kinds)


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
        _check_output(Path(output))
        _check_not_input(arguments, place, Path(output))
    with scratch_folder() as scratch:
        result = Path(scratch.folder, "output.tsv")
        command, names, inputs = [str(program)], {str(result): str(output)}, []
        for number, argument in enumerate(arguments):
            path = output if output and number == place else file_of(argument)
            target = Path(scratch.folder, str(number), Path(path).stem + ".csv")
            if number == place:
                target = result
            elif (magic := magic_of(path)) is not None:
                _refuse_notation(arguments, path)
                target.parent.mkdir()
                state = _state_of(path)
                schema = _write_csv(path, magic, target, arguments)
                inputs.append(_Input(path, magic, target, schema, state))
                names[str(target)] = path
            else:
                command.append(argument)
                continue
            command.append(argument[: len(argument) - len(path)] + str(target))
        if any(_has_names_of_numbers(given.schema) for given in inputs):
            command.insert(2, "--header")  # after the subcommand
        if any(_has_text(given.schema) for given in inputs):
            command.insert(2, "--quoted-text")  # pyarrow writes texts, and only these, in quotes
        code = _run_program(command, names, scratch)
        if result.exists():
            _write_output(result, Path(output or ""), inputs, _decimal(arguments))
    return code
