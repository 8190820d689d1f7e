# SPDX-License-Identifier: MIT
"""The whole study: measure what is not in the tables yet, then draw and report from them."""

from __future__ import annotations

import argparse
import sys

from common.command import run_study

from .classify import measure_digits, measure_moons
from .draw import draw_accuracy, draw_colours, draw_moons
from .report import write_report
from .study import FULL, QUICK
from .transfer import measure_colours

STEPS = {"moons": measure_moons, "digits": measure_digits, "colours": measure_colours}


def main() -> int:
    """Run the study as the command line says."""
    parser = argparse.ArgumentParser(prog="experiments/adaptation/run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="take a short look that is not kept")
    parser.add_argument("--only", nargs="*", choices=STEPS, metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--draw", action="store_true", help="draw from the tables that are there")
    options = parser.parse_args()
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
