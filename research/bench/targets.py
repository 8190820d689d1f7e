# SPDX-License-Identifier: MIT
"""What is wanted of a comparison."""

from __future__ import annotations

from typing import Any


def faster(at_least: float, against: str) -> dict[str, Any]:
    """Return the target to be so many times faster."""
    return {"kind": "speedup", "against": against, "at_least": at_least}


def share(at_least: float, against: str, flops: float) -> dict[str, Any]:
    """Return the target to reach a share of the peak."""
    return {"kind": "peak_share", "against": against, "at_least": at_least, "flops": flops}


def check(kind: str, name: str, against: str, **bounds: float) -> dict[str, Any]:
    """Return a target on what was computed."""
    return {"kind": kind, "check": name, "against": against, **bounds}
