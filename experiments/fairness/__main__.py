# SPDX-License-Identifier: MIT
"""Run the study: tables first, then pictures and the table of claims from them.

`python -m fairness` in the folder experiments goes on where it was stopped.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from common.data import MissingDataError

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

STEPS = (
    compare,
    measure_timing,
    measure_time,
    tune,
    measure_aic,
    measure_floors,
    measure_sensitivity,
    measure_discrete,
    portray,
)


def main() -> None:
    """Compute what is missing, then draw."""
    parser = argparse.ArgumentParser(prog="python -m fairness", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three tasks and one split")
    parser.add_argument("--draw", action="store_true", help="only draw what the tables hold")
    parser.add_argument("--splits", type=int, help=f"default: {N_SPLITS}, or 1")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    arguments = parser.parse_args()
    scale = QUICK if arguments.quick else Scale()
    scale = replace(scale, n_workers=arguments.workers)
    if arguments.splits is not None:
        scale = replace(scale, n_splits=arguments.splits)
    try:
        for step in () if arguments.draw else STEPS:
            step(scale)
        draw_all(scale)
        write_report(scale)
    except MissingDataError as error:
        parser.exit(1, f"{error}\n")
    except KeyboardInterrupt:
        parser.exit(130, "\nstopped; the same command goes on from here\n")
    print(f"results are in {scale.results}")


if __name__ == "__main__":
    main()
