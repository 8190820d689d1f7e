# SPDX-License-Identifier: MIT
"""Draw the pictures from the tables of results that exist."""

from __future__ import annotations

from common.rows import table_files

from .draw_methods import draw_changes, draw_decisions, draw_floors, draw_tradeoffs
from .draw_paper import draw_aic, draw_components, draw_gamma, draw_time
from .places import Scale

PICTURES = (
    ("methods", draw_tradeoffs),
    ("methods", draw_decisions),
    ("tuned", draw_changes),
    ("floors", draw_floors),
    ("time_to_solution", draw_time),
    ("roc", draw_gamma),
    ("components", draw_components),
    ("aic", draw_aic),
)


def draw_all(scale: Scale) -> None:
    """Draw all pictures whose tables exist."""
    for table, draw in PICTURES:
        if table_files(scale.results, table):
            draw(scale.results)
