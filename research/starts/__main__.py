# SPDX-License-Identifier: MIT
"""Measure what is missing from the table, then report from it."""

from __future__ import annotations

import sys

from common.command import run_study, study_parser

from .measure import FULL, QUICK, measure
from .report import write_report
from .samples import DATA_SETS


def main() -> int:
    """Run the study as the command line says."""
    options = study_parser("starts", __doc__, DATA_SETS).parse_args()
    study = QUICK if options.quick else FULL

    def work() -> None:
        if not options.draw:
            measure(study, options.only or DATA_SETS)
        write_report(study)

    return run_study("starts", work, study.results)


if __name__ == "__main__":
    sys.exit(main())
