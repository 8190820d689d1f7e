# SPDX-License-Identifier: MIT
"""Run the steps of the study in processes with one thread each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from joblib import Parallel, delayed

from common.progress import progress
from common.rows import Rows

from .places import Scale
from .protocol import Split, split_of
from .tasks import LOADERS


def steps_of(
    scale: Scale, *choices: Iterable[Any], n_splits: int | None = None
) -> list[tuple[Any, ...]]:
    """Return (task, split, choice...) of all steps, split by split, of at most `n_splits`."""
    splits = range(min(scale.n_splits, scale.n_splits if n_splits is None else n_splits))
    return [
        (task, split, *chosen) for split, task, *chosen in product(splits, scale.tasks, *choices)
    ]


def fill(
    table: Rows,
    work: Callable[..., Any],
    steps: Iterable[tuple[Any, ...]],
    label: str,
    n_workers: int,
) -> None:
    """Add the rows of all missing steps of a table. Its keys are the arguments of `work`."""
    missing = [step for step in steps if not table.done(**dict(zip(table.keys, step, strict=True)))]
    for rows in _in_turn(work, missing, label, n_workers):
        table.add(rows)


def _in_turn(
    work: Callable[..., Any], arguments: Sequence[tuple[Any, ...]], label: str, n_workers: int
) -> Iterator[Any]:
    """Yield the results of `work` for every tuple of arguments, in order."""
    os.environ["OMP_NUM_THREADS"] = "1"  # read by the workers when they start
    parallel = Parallel(n_workers, return_as="generator", inner_max_num_threads=1)
    results = parallel(delayed(work)(*each) for each in arguments)
    for _, result in zip(progress(arguments, label), results, strict=True):
        yield result


@lru_cache(maxsize=1)
def cached_split(task: str, seed: int) -> Split:
    """Return an encoded split, which is kept until another one is requested."""
    return split_of(LOADERS[task](), seed)
