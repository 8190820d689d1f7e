# SPDX-License-Identifier: MIT
"""Measure support recovery and time against the number of atoms (figures 2, 3, 8 and 9).

``rivals.csv`` has all methods in turns, in one process, on few points because Mapping Estimation is
slow, with one split per weight of the triangle. ``ours.csv`` has lbw on all points, splits and
weights. ``controls.csv`` has reference values without a method.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from common.progress import progress

from .measure import (
    MEASURES,
    Study,
    Weights,
    agreement,
    points_path,
    save_points,
    text_of_weights,
)
from .methods import (
    BEST,
    BEST_K,
    METHODS,
    N_THREADS,
    RIVALS,
    SETTINGS,
    fit_local,
    random_matching,
    run_method,
    transport_local,
)
from .silhouettes import points_in, split_of

KEYS = ["method", "n_train", "k", "split", "weights"]
SECONDS = ["train_seconds", "transport_seconds", "threads"]


def cells(study: Study) -> Iterator[tuple[Weights, int]]:
    """Yield every weight of the triangle with a split, which rotates over the weights."""
    for place, weights in enumerate(study.grid):
        yield weights, study.splits[place % len(study.splits)]


def measure_rivals(study: Study) -> None:
    """Run all methods in turns on the same small number of points."""
    rows = study.rows("rivals", KEYS, [*MEASURES, *SECONDS])
    truths = study.truths()
    work = [
        (weights, split, k, method)
        for k in study.rival_atoms
        for weights, split in cells(study)
        for method in METHODS
    ]
    for weights, seed, k, method in progress(work, "all methods on few points"):
        key = {
            "method": method,
            "n_train": study.rival_points,
            "k": k,
            "split": seed,
            "weights": text_of_weights(weights),
        }
        drawn = k in study.drawn_atoms and method in RIVALS
        kept = not drawn or points_path(study, method, k, weights).is_file()
        if rows.done(**key) and kept:
            continue
        split = split_of(seed).thinned(study.rival_points)
        moved = run_method(method, split, k, weights, seed)
        if drawn:
            save_points(study, method, k, weights, moved.points)
        if rows.done(**key):
            continue
        found = agreement(moved.points, truths[weights])
        rows.add({**key, **found, **moved.seconds, "threads": N_THREADS})


def measure_ours(study: Study) -> None:
    """Run lbw on all points, for all splits and weights."""
    rows = study.rows("ours", KEYS, MEASURES)
    truths = study.truths()
    runs = [(name, k, setting) for name, setting in SETTINGS.items() for k in study.atoms]
    runs.append(("L-BW, best", BEST_K, BEST))
    work = [(*run, seed) for run in runs for seed in study.splits]
    for method, k, setting, seed in progress(work, "lbw on all points"):
        split = split_of(seed)
        key = {"method": method, "n_train": len(split.train[0]), "k": k, "split": seed}
        drawn = seed == study.splits[0] and (k in study.drawn_atoms or k == BEST_K)
        kept = not drawn or points_path(study, method, k, study.grid[-1]).is_file()
        if rows.done(**key, weights=text_of_weights(study.grid[-1])) and kept:
            continue
        transport = fit_local(split.train, k, seed, **setting)
        added = []
        for weights in study.grid:
            points = transport_local(transport, split.held_out, weights)
            if drawn:
                save_points(study, method, k, weights, points)
            named = {**key, "weights": text_of_weights(weights)}
            if not rows.done(**named):
                added.append({**named, **agreement(points, truths[weights])})
        rows.add(added)


def measure_controls(study: Study) -> None:
    """Measure uniform points in the ground truth, no transport and poor transport."""
    rows = study.rows("controls", ["control", "split", "weights"], MEASURES)
    truths = study.truths()
    work = [(seed, weights) for seed in study.splits[:5] for weights in study.grid]
    for seed, weights in progress(work, "controls"):
        key = {"split": seed, "weights": text_of_weights(weights)}
        if rows.done(control="k = 1", **key):
            continue
        split = split_of(seed)
        random = np.random.default_rng([seed, 7])
        n_points = sum(map(len, split.held_out))
        points = {
            "uniform in the ground truth": points_in(truths[weights], n_points, random),
            "not transported": np.concatenate(split.held_out),
            "random matching, k = 20": random_matching(split, 20, weights, seed).points,
            "k = 1": transport_local(fit_local(split.train, 1, seed), split.held_out, weights),
        }
        rows.add(
            {"control": control, **key, **agreement(moved, truths[weights])}
            for control, moved in points.items()
        )
