# SPDX-License-Identifier: MIT
"""Measure the missing rows of the table, then write the page."""

from __future__ import annotations

import sys
from functools import partial

from common.command import study_main

from .measure import FULL, QUICK, measure
from .report import write_report
from .samples import DATA_SETS

STEPS = {name: partial(measure, name=name) for name in DATA_SETS}

if __name__ == "__main__":
    sys.exit(study_main("starts", __doc__, STEPS, write_report, (FULL, QUICK)))
