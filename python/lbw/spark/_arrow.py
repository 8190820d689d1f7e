# SPDX-License-Identifier: MIT
"""`mapInArrow` for columns of any name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame

__all__ = ["map_in_arrow"]

Batches = Iterable[pa.RecordBatch]
Function = Callable[[Batches], Iterator[pa.RecordBatch]]


@dataclass(frozen=True)
class Named:
    """Gives the columns of batches their names before a function sees them."""

    function: Function
    names: list[str]

    def __call__(self, batches: Batches) -> Iterator[pa.RecordBatch]:
        """Call the function."""
        return self.function(batch.rename_columns(self.names) for batch in batches)


def map_in_arrow(dataset: DataFrame, function: Function, schema: Any) -> DataFrame:
    """Return `dataset.mapInArrow(function, schema)`, also where names of columns contain dots.

    Spark reads a dot as access to a field, so such columns get other names on their way.
    """
    names = dataset.columns
    if not any("." in name or "`" in name for name in names):
        return dataset.mapInArrow(function, schema)
    plain = dataset.toDF(*(f"column_{place}" for place in range(len(names))))
    return plain.mapInArrow(Named(function, names), schema)
