# SPDX-License-Identifier: MIT
"""Measure the missing rows of the tables, then draw the figures and write the page."""

from __future__ import annotations

import sys
from collections.abc import Callable

from common.command import study_main
from common.files import write_json
from common.machine import about

from .budget import measure_budget
from .checks import measure_checks
from .curves import draw_curves
from .information import measure_information
from .large import measure_large
from .measure import FULL, QUICK, Study
from .methods import N_THREADS
from .principle import draw_principle
from .recovery import measure_controls, measure_ours, measure_rivals
from .report import write_report
from .triangles import draw_inputs, draw_triangles

STEPS = {
    "checks": measure_checks,
    "controls": measure_controls,
    "ours": measure_ours,
    "information": measure_information,
    "budget": measure_budget,
    "rivals": measure_rivals,
    "large": measure_large,
}


def recorded(step: Callable[[Study], None]) -> Callable[[Study], None]:
    """Return a step that also records the machine if it adds rows to a table.

    The recorded machine is that of the last measurement.
    """

    def run(study: Study) -> None:
        machine, before = about("make experiments-shapes", N_THREADS), _written(study)
        try:
            step(study)
        finally:
            if _written(study) != before:
                write_json(study.results / "machine.json", machine)

    return run


def _written(study: Study) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in study.results.glob("*.csv")}


def draw(study: Study) -> None:
    """Draw all figures from the tables and the saved points."""
    draw_principle(study)
    draw_inputs(study)
    draw_curves(study)
    draw_triangles(study)
    write_report(study)


if __name__ == "__main__":
    steps = {name: recorded(step) for name, step in STEPS.items()}
    sys.exit(study_main("shapes", __doc__, steps, draw, (FULL, QUICK)))
