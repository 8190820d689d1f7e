# SPDX-License-Identifier: MIT
"""Measure what is missing from the tables, then draw and report from them."""

from __future__ import annotations

import sys

from common.command import run_study, study_parser
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


def measure(study: Study, steps: list[str], command: str) -> None:
    """Run the steps, which skip the rows that the tables have.

    The machine is recorded if a table has grown. It is that of the last measurement.
    """
    machine, before = about(command, N_THREADS), _written(study)
    try:
        for step in steps:
            STEPS[step](study)
    finally:
        if _written(study) != before:
            write_json(study.results / "machine.json", machine)


def _written(study: Study) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in study.results.glob("*.csv")}


def draw(study: Study) -> None:
    """Draw every figure from the tables and the points that were kept."""
    draw_principle(study)
    draw_inputs(study)
    draw_curves(study)
    draw_triangles(study)
    write_report(study)


def main() -> int:
    """Run the study as the command line says."""
    options = study_parser("shapes", __doc__, STEPS).parse_args()
    study = QUICK if options.quick else FULL
    steps = options.only or [s for s in STEPS if not (options.quick and s == "large")]

    def work() -> None:
        if not options.draw:
            measure(study, steps, " ".join(["research/run shapes", *sys.argv[1:]]))
        draw(study)

    return run_study("shapes", work, study.results)


if __name__ == "__main__":
    sys.exit(main())
