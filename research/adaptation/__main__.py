# SPDX-License-Identifier: MIT
"""Measure what is missing from the tables, then draw and report from them."""

from __future__ import annotations

import sys

from common.command import run_study, study_parser

from .classify import measure_digits, measure_moons
from .draw import draw_accuracy, draw_colours, draw_moons
from .report import write_report
from .study import FULL, QUICK
from .transfer import measure_colours

STEPS = {"moons": measure_moons, "digits": measure_digits, "colours": measure_colours}


def main() -> int:
    """Run the study as the command line says."""
    options = study_parser("adaptation", __doc__, STEPS).parse_args()
    study = QUICK if options.quick else FULL

    def work() -> None:
        if not options.draw:
            for step in options.only or STEPS:
                STEPS[step](study)
        draw_accuracy(study)
        draw_moons(study)
        draw_colours(study)
        write_report(study)

    return run_study("adaptation", work, study.results)


if __name__ == "__main__":
    sys.exit(main())
