# SPDX-License-Identifier: MIT
"""A claim with the measured value: a row of the table of claims."""

from __future__ import annotations

from typing import NamedTuple


class Claim(NamedTuple):
    """A claim, the measured value, and the verdict."""

    claim: str
    measured: str
    verdict: str
