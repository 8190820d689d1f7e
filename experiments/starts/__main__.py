# SPDX-License-Identifier: MIT
"""The whole study: measure what is not in the table yet, then report from it."""

from __future__ import annotations

import argparse
import sys

from common.command import run_study

from .measure import FULL, QUICK, measure
from .report import write_report
from .samples import DATA_SETS


def main() -> int:
    """Run the study as the command line says."""
    parser = argparse.ArgumentParser(prog="experiments/starts/run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="take a short look that is not kept")
    parser.add_argument(
        "--only", nargs="*", choices=DATA_SETS, metavar="DATA", help=", ".join(DATA_SETS)
    )
    parser.add_argument("--draw", action="store_true", help="report from the table that is there")
    options = parser.parse_args()
    study = QUICK if options.quick else FULL

    def work() -> None:
        if not options.draw:
            measure(study, options.only or DATA_SETS)
        write_report(study)

    return run_study("starts", work, study.results)


if __name__ == "__main__":
    sys.exit(main())
