# SPDX-License-Identifier: MIT
"""The targets of a comparison."""

from __future__ import annotations

from typing import Any


def faster(at_least: float, against: str) -> dict[str, Any]:
    """Return the target to be at least this many times faster."""
    return {"kind": "speedup", "against": against, "at_least": at_least}


def share(at_least: float, against: str, flops: float) -> dict[str, Any]:
    """Return the target to reach a fraction of the peak rate."""
    return {"kind": "peak_share", "against": against, "at_least": at_least, "flops": flops}


def check(kind: str, name: str, against: str, **bounds: float) -> dict[str, Any]:
    """Return a target for a computed value."""
    return {"kind": kind, "check": name, "against": against, **bounds}
