# SPDX-License-Identifier: MIT
"""Measure the missing rows of the tables, then draw the figures and write the page."""

from __future__ import annotations

import sys

from common.command import study_main

from .classify import measure_digits, measure_moons
from .draw import draw_accuracy, draw_colours, draw_moons
from .report import write_report
from .study import FULL, QUICK, Study
from .transfer import measure_colours

STEPS = {"moons": measure_moons, "digits": measure_digits, "colours": measure_colours}


def draw(study: Study) -> None:
    """Draw all figures and write the page."""
    draw_accuracy(study)
    draw_moons(study)
    draw_colours(study)
    write_report(study)


if __name__ == "__main__":
    sys.exit(study_main("adaptation", __doc__, STEPS, draw, (FULL, QUICK)))
