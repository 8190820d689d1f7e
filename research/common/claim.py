# SPDX-License-Identifier: MIT
"""A claim beside what was measured: a row of the table that every study ends in."""

from __future__ import annotations

from typing import NamedTuple


class Claim(NamedTuple):
    """What is claimed, what was measured, and whether it holds."""

    claim: str
    measured: str
    verdict: str
