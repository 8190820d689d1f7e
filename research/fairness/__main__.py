# SPDX-License-Identifier: MIT
"""Measure what is missing from the tables, then draw and report from them."""

from __future__ import annotations

import sys
from dataclasses import replace

from common.command import run_study, study_parser

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


def main() -> int:
    """Run the study as the command line says."""
    parser = study_parser("fairness", __doc__, STEPS)
    parser.add_argument("--splits", type=int, help=f"number of splits (default: {N_SPLITS}, or 1)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    options = parser.parse_args()
    scale = replace(QUICK if options.quick else Scale(), n_workers=options.workers)
    if options.splits is not None:
        scale = replace(scale, n_splits=options.splits)

    def work() -> None:
        if not options.draw:
            for step in options.only or STEPS:
                STEPS[step](scale)
        draw_all(scale)
        write_report(scale)

    return run_study("fairness", work, scale.results)


if __name__ == "__main__":
    sys.exit(main())
