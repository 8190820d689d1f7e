# SPDX-License-Identifier: MIT
"""Tables of results that grow row by row and continue after an interruption."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .files import replacing

Row = Mapping[str, Any]


class Rows:
    """A CSV file of results that continues where an earlier run was stopped.

    Every `add` is an atomic write.

    Parameters
    ----------
    path : Path
        The CSV file, which is read if it exists.
    keys : sequence of str
        The columns that identify a step. `done` returns whether the table has rows of a step.
    columns : sequence of str
        The other columns.
    part : str, optional
        A column by whose values a large table is divided. ``name.csv`` then becomes a folder
        ``name`` with one file per value.
    """

    def __init__(
        self, path: Path, keys: Sequence[str], columns: Sequence[str], part: str = ""
    ) -> None:
        self.path = path
        self.keys = list(keys)
        self.columns = [*keys, *columns]
        self.part = part
        files = table_files(path.parent, path.stem)
        self._rows = [row for file in files for row in self._read(file)]
        self._done = {tuple(row[key] for key in self.keys) for row in self._rows}

    def _read(self, path: Path) -> list[dict[str, str]]:
        with path.open(newline="") as file:
            reader = csv.DictReader(file)
            if reader.fieldnames != self.columns:
                raise ValueError(
                    f"{path} has the columns {reader.fieldnames}, expected {self.columns}. "
                    "Move the file away to measure again."
                )
            return list(reader)

    def done(self, **key: Any) -> bool:
        """Return whether the table has rows of this step. All keys must be given."""
        return tuple(text_of(key[name]) for name in self.keys) in self._done

    def add(self, rows: Row | Iterable[Row]) -> None:
        """Add one row or all rows of a step, and write the files that they belong to."""
        changed = set() if self.part else {""}
        for row in [rows] if isinstance(rows, Mapping) else rows:
            if set(row) != set(self.columns):
                raise ValueError(f"row has {sorted(row)}, expected {sorted(self.columns)}")
            texts = {name: text_of(row[name]) for name in self.columns}
            self._rows.append(texts)
            self._done.add(tuple(texts[key] for key in self.keys))
            changed.add(texts.get(self.part, ""))
        for value in changed:
            path = self.path.with_suffix("") / f"{value}.csv" if self.part else self.path
            own = [row for row in self._rows if row.get(self.part, "") == value]
            write_rows(path, self.columns, own)


def table_files(results: Path, name: str) -> list[Path]:
    """Return the files of a table, in order; none if it has not been measured yet."""
    path = results / f"{name}.csv"
    if path.is_file():
        return [path]
    return sorted((results / name).glob("*.csv"), key=lambda file: (len(file.name), file.name))


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Write a CSV file."""
    with replacing(path) as part, part.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def text_of(value: Any) -> str:
    """Return a value as text of a table, floats with six significant digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
