# SPDX-License-Identifier: MIT
"""Tables of results that grow row by row and remember what is done."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]


class Rows:
    """A CSV file of results; some columns say which step a row belongs to.

    Every `add` leaves a whole file behind: it is written aside and renamed, so that a run that is
    stopped at any time can go on where it was.

    Parameters
    ----------
    path : Path
        The CSV file, read if it is there.
    keys : sequence of str
        Columns that name a step. `done` tells whether rows with given values of them are there.
    columns : sequence of str
        The other columns.
    """

    def __init__(self, path: Path, keys: Sequence[str], columns: Sequence[str]) -> None:
        self.path = path
        self.keys = list(keys)
        self.columns = [*keys, *columns]
        self._rows: list[dict[str, str]] = []
        if path.is_file():
            self._rows = self._read()
        self._done = {tuple(row[key] for key in self.keys) for row in self._rows}

    def _read(self) -> list[dict[str, str]]:
        with self.path.open(newline="") as file:
            reader = csv.DictReader(file)
            if reader.fieldnames != self.columns:
                raise ValueError(
                    f"{self.path} has the columns {reader.fieldnames}, expected {self.columns}; "
                    "move it away to measure again"
                )
            return list(reader)

    def done(self, **key: Any) -> bool:
        """Tell whether there are rows of this step; all keys must be given."""
        return tuple(text_of(key[name]) for name in self.keys) in self._done

    def add(self, rows: Row | Iterable[Row]) -> None:
        """Add one row or all rows of a step, and write the file."""
        added = [rows] if isinstance(rows, Mapping) else list(rows)
        for row in added:
            if set(row) != set(self.columns):
                raise ValueError(f"row has {sorted(row)}, expected {sorted(self.columns)}")
            texts = {name: text_of(row[name]) for name in self.columns}
            self._rows.append(texts)
            self._done.add(tuple(texts[key] for key in self.keys))
        self._write()

    def _write(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        aside = self.path.with_suffix(".csv.part")
        with aside.open("w", newline="") as file:
            writer = csv.DictWriter(file, self.columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(self._rows)
        os.replace(aside, self.path)


def text_of(value: Any) -> str:
    """Return a value as it stands in a table: six digits of a float are enough."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
