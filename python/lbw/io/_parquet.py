# SPDX-License-Identifier: MIT
"""Parquet files in batches; the only module that imports pyarrow.parquet."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .._batches.batches import Batches
from .._batches.progress import RowProgress
from .._options.presented import public
from ._atomic_file import AtomicFile

__all__ = ["read_parquet", "transform_parquet", "write_parquet"]

_ROWS_OF_A_GROUP = 1 << 18  # in the file that is written

PathLike = str | os.PathLike[str]


def _pyarrow(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(
            "Parquet files need pyarrow. Install it with: pip install lbw[arrow]"
        ) from None


def read_parquet(
    path: Any,
    *,
    features: Any = None,
    group: Any = None,
    weight: Any = None,
    key: Any = None,
    scratch_folder: str | None = None,
) -> Batches:
    """Return the rows of Parquet files as batches. Nothing is read yet.

    Parameters
    ----------
    path : str, path or list
        A file, a folder of files, or a list of files.
    features : list of str, default=None
        The columns of features. If None, all columns that have no other role.
    group : str or list of str, default=None
        The column of groups.
    weight : str, default=None
        The column of sample weights.
    key : str, default=None
        The column of keys for random draws.
    scratch_folder : str, default=None
        The folder of the scratch file of a fit; see `Batches`.

    Returns
    -------
    batches : Batches
        The rows, for `fit` and `transform_batches`.
    """
    dataset = _pyarrow("pyarrow.dataset")
    paths = [os.fspath(p) for p in path] if isinstance(path, (list, tuple)) else os.fspath(path)
    # folders such as year=2024, as Spark writes them, are columns
    source = dataset.dataset(paths, format="parquet", partitioning="hive")
    return Batches(source, features, group, weight, key, scratch_folder)


def write_parquet(
    batches: Iterable[Any],
    path: PathLike,
    *,
    verbose: int = 1,
    total: int | None = None,
    schema: Any = None,
) -> int:
    """Write record batches to one Parquet file, and return the number of rows.

    The write is atomic: the path holds the old file or the new one.

    Parameters
    ----------
    batches : iterable of RecordBatch or Table
        The batches, such as those of `transform_batches`. One is in memory at a time.
    path : str or path
        The file.
    verbose : int, default=1
        Whether to show a progress bar.
    total : int, default=None
        The number of rows, for the progress bar.
    schema : pyarrow.Schema, default=None
        The columns of the file if there are no batches, which is an error otherwise.
    """
    pa, parquet = _pyarrow("pyarrow"), _pyarrow("pyarrow.parquet")
    path = Path(path)
    writer, n_rows = None, 0
    with AtomicFile(path) as file:
        try:
            with RowProgress(f"writing {path.name}", verbose, total) as progress:
                for batch in batches:
                    table = batch if isinstance(batch, pa.Table) else pa.Table.from_batches([batch])
                    if writer is None:
                        writer = parquet.ParquetWriter(file, table.schema)
                    writer.write_table(table, row_group_size=_ROWS_OF_A_GROUP)
                    n_rows += len(table)
                    progress.add(len(table))
            if writer is None:
                if schema is None:
                    raise ValueError("there are no batches to write")
                writer = parquet.ParquetWriter(file, schema)
        finally:
            if writer is not None:
                writer.close()
    return n_rows


def transform_parquet(
    estimator: Any, source: Any, path: PathLike, *, verbose: int = 1, **arguments: Any
) -> int:
    """Transport the rows of Parquet files into another file, and return the number of rows.

    Parameters
    ----------
    estimator : LocalTransport or GroupRepair
        A fitted estimator.
    source : Batches, str or path
        The rows, or a path as in `read_parquet`.
    path : str or path
        The file that is written.
    verbose : int, default=1
        Whether to show a progress bar.
    **arguments : dict
        Arguments of `transform_batches`, such as `groups` and `to`.
    """
    batches = source if isinstance(source, Batches) else read_parquet(source)
    count_rows = getattr(batches.source, "count_rows", None)
    total = count_rows() if count_rows is not None else None
    moved = estimator.transform_batches(batches, **arguments)
    schema = getattr(batches.source, "schema", None)
    return write_parquet(moved, path, verbose=verbose, total=total, schema=schema)


public(globals(), "lbw.io")
