# SPDX-License-Identifier: MIT
"""Measure the missing rows of the tables, then write the page."""

from __future__ import annotations

import sys

from common.command import study_main

from .executors import executors
from .files import files
from .growth import growth
from .mixture import mixture
from .passes import passes
from .report import write_report
from .study import FULL, QUICK
from .transform import transform

STEPS = {
    "mixture": mixture,
    "passes": passes,
    "transform": transform,
    "growth": growth,
    "executors": executors,
    "files": files,
}

if __name__ == "__main__":
    sys.exit(study_main("scale", __doc__, STEPS, write_report, (FULL, QUICK)))
