# SPDX-License-Identifier: MIT
"""Measure the times of all repairs with lbw and with scikit-learn + NumPy (timing.csv).

Both run in turns on the same split, in one process with one thread. A step fits a repair to the
training part and transports both parts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from threadpoolctl import threadpool_limits

from common.clock import Stopwatch
from common.files import write_json
from common.machine import about, load
from common.progress import progress
from common.rows import Rows

from .methods import PARAMS, by_group_repair
from .places import Scale
from .plain import PlainRepair
from .protocol import Split, reduced
from .workers import cached_split, steps_of

N_THREADS = 1
COLUMNS = ("seconds", "cpu_seconds", "load")
IN_PLAIN = {  # supported by PlainRepair
    name: {key: params[key] for key in ("n_components", "coupling", "map", "refine")}
    for name, params in PARAMS.items()
    if (params["coupling"], params["map"]) != ("plan", "hard")
}


def measure_timing(scale: Scale) -> None:
    """Measure the missing rows: lbw on all splits, scikit-learn + NumPy on the first ones."""
    table = Rows(scale.results / "timing.csv", ("task", "split", "method", "by"), COLUMNS)
    steps = [
        (task, split, method, by)
        for task, split, method, by in steps_of(scale, PARAMS, ("lbw", "scikit-learn + NumPy"))
        if (by == "lbw" or (split < scale.n_plain_splits and method in IN_PLAIN))
        and not table.done(task=task, split=split, method=method, by=by)
    ]
    if steps:
        write_json(scale.results / "machine.json", about("make experiments-fairness", N_THREADS))
    with threadpool_limits(N_THREADS):
        for task, split, method, by in progress(steps, "timing"):
            data = reduced(cached_split(task, split))
            work = _by_lbw(method, split) if by == "lbw" else _by_plain(method, split)
            key = {"task": task, "split": split, "method": method, "by": by}
            table.add({**key, **_timed(work, data)})


def _by_lbw(method: str, seed: int) -> Callable[[Split], Any]:
    repair = by_group_repair(**PARAMS[method], n_jobs=N_THREADS)
    return lambda split: repair(split, seed)


def _by_plain(method: str, seed: int) -> Callable[[Split], Any]:
    def work(split: Split) -> Any:
        repair = PlainRepair(**IN_PLAIN[method], random_state=seed)
        repair.fit(split.train.features, split.train.group)
        return [repair.transform(part.features, part.group) for part in (split.train, split.test)]

    return work


def _timed(work: Callable[[Split], Any], split: Split) -> dict[str, float]:
    with Stopwatch() as wall, Stopwatch(time.process_time) as core:
        work(split)
    return {"seconds": wall.seconds, "cpu_seconds": core.seconds, "load": load()}
