# SPDX-License-Identifier: MIT
"""Generated tables of integers, booleans and categories, some with continuous columns.

Every row has latent normal variables, one per column, whose mean, scale and correlations differ
between two groups. A column is a rounded or thresholded function of its variable, and the label
depends on all of them. The number of a table is its seed. Tables from ten on have the columns of
the first ten with other distributions and rows.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .protocol import Part, Split

TABLES: tuple[tuple[str, ...], ...] = (
    ("age", "hours"),
    ("age", "education", "home"),
    ("age", "hours", "education", "children"),
    ("age", "hours", "education", "children", "home"),
    ("home", "car", "married"),
    ("age", "region"),
    ("job", "education", "home"),
    ("age", "hours", "income", "home"),
    ("rate", "size", "children", "region"),
    ("age", "hours", "education", "children", "home", "car", "gain", "income"),
)
Column = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def _boolean(latent: np.ndarray, _: np.random.Generator) -> np.ndarray:
    return (latent > 0.3).astype(float)


def _hours(latent: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return whole hours, of which nearly half are 40."""
    usual = rng.random(len(latent)) < 0.45
    return np.where(usual, 40.0, np.clip(np.rint(40 + 10 * latent), 1, 99))


COLUMNS: dict[str, Column] = {
    "age": lambda latent, _: np.clip(np.rint(38 + 11 * latent), 17, 90),
    "hours": _hours,
    "education": lambda latent, _: np.clip(np.rint(10 + 2.5 * latent), 1, 16),
    "children": lambda latent, _: np.clip(np.floor(np.exp(0.4 + 0.6 * latent)) - 1, 0, 6),
    "home": _boolean,
    "car": _boolean,
    "married": _boolean,
    "region": lambda latent, _: np.eye(3)[np.digitize(latent, [-0.5, 0.6])],
    "job": lambda latent, _: np.eye(5)[np.digitize(latent, [-0.9, -0.3, 0.3, 0.9])],
    "gain": lambda latent, _: np.where(latent > 1.2, np.rint(np.exp(7 + latent)), 0.0),
    "income": lambda latent, _: np.exp(10 + 0.6 * latent),
    "rate": lambda latent, _: latent,
    "size": lambda latent, _: latent + 0.3 * latent**2,
}


def columns_of(table: int) -> tuple[str, ...]:
    """Return the kinds of the columns of a table."""
    return TABLES[table % len(TABLES)]


def discrete_split(table: int, n_rows: int) -> Split:
    """Return a table as two parts with equal numbers of rows, standardised by the first."""
    train, test = (_part(table, n_rows, part) for part in (0, 1))
    mean, spread = train.features.mean(axis=0), train.features.std(axis=0)
    return Split(train, test).mapped(lambda part: (part.features - mean) / spread)


def _part(table: int, n_rows: int, part: int) -> Part:
    kinds = columns_of(table)
    means, factors, direction = _law(table, len(kinds))
    rng = np.random.default_rng([table, 1, part])
    group = (rng.random(n_rows) < 0.4).astype(int)
    noise = rng.normal(size=(n_rows, len(kinds)))
    latent = np.empty_like(noise)
    for own in (0, 1):
        rows = group == own
        latent[rows] = noise[rows] @ factors[own].T + means[own]
    label = rng.random(n_rows) < 1.0 / (1.0 + np.exp(-1.5 * (latent @ direction)))
    columns = [COLUMNS[kind](latent[:, i], rng) for i, kind in enumerate(kinds)]
    return Part(np.column_stack(columns), label, np.array(["a", "b"])[group])


def _law(
    table: int, n_kinds: int
) -> tuple[tuple[np.ndarray, np.ndarray], list[np.ndarray], np.ndarray]:
    """Return the means and factors of both groups, and the coefficients of the label."""
    rng = np.random.default_rng([table, 0])
    shift = rng.normal(0.0, 0.45, n_kinds)
    turns = [np.linalg.qr(rng.normal(size=(n_kinds, n_kinds)))[0] for _ in range(2)]
    scales = [np.exp(rng.normal(0.0, 0.2, n_kinds)) for _ in range(2)]
    direction = rng.normal(size=n_kinds)
    factors = [
        (0.8 * np.eye(n_kinds) + 0.5 * turn) * scale
        for turn, scale in zip(turns, scales, strict=True)
    ]
    return (-shift, shift), factors, direction / np.linalg.norm(direction)
