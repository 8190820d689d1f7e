# SPDX-License-Identifier: MIT
"""Measure the missing rows of the tables, then draw the figures and write the pages."""

from __future__ import annotations

import sys

from common.command import study_main

from .aic import measure_aic
from .compare import compare
from .discrete import measure_discrete
from .draw import draw_all
from .floors import measure_floors
from .places import QUICK, Scale
from .portray import portray
from .protocol import N_SPLITS
from .report import write_report
from .sensitivity import measure_sensitivity
from .time_to_solution import measure_time
from .timing import measure_timing
from .tune import tune

STEPS = {
    "compare": compare,
    "timing": measure_timing,
    "time_to_solution": measure_time,
    "tune": tune,
    "aic": measure_aic,
    "floors": measure_floors,
    "sensitivity": measure_sensitivity,
    "discrete": measure_discrete,
    "portray": portray,
}


NUMBERS = {
    "splits": f"number of splits (default: {N_SPLITS}, or 1 with --quick)",
    "workers": "number of processes (default: 2)",
}


def draw(scale: Scale) -> None:
    """Draw all figures and write the pages."""
    draw_all(scale)
    write_report(scale)


if __name__ == "__main__":
    sys.exit(study_main("fairness", __doc__, STEPS, draw, (Scale(), QUICK), NUMBERS))
