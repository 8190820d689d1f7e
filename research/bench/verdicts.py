# SPDX-License-Identifier: MIT
"""Ratios, and whether targets are met."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .results import Comparison, Side


def feature_count(n_features: int) -> int:
    """Count the quadratic features of a sample: x_a x_b with b <= a, x_a and 1."""
    return (n_features + 1) * (n_features + 2) // 2


def em_flops(n: int, d: int, k: int) -> float:
    """Count the operations of one EM iteration: two products of features and components."""
    return 4.0 * feature_count(d) * k * n


@dataclass(frozen=True)
class Verdict:
    """A target, the measured value, and whether the target is met (None if not measured)."""

    wanted: str
    seen: str
    met: bool | None

    @property
    def word(self) -> str:
        """Return 'met', 'missed' or 'not measured'."""
        return {True: "met", False: "missed", None: "not measured"}[self.met]


def speedup(ours: Side, peer: Side) -> float:
    """Return how many times faster lbw is, by medians."""
    return peer.median / ours.median


def judge(comparison: Comparison, target: dict[str, Any]) -> Verdict:
    """Compare a target with the measured value."""
    wanted, seen, met = JUDGES[target["kind"]](comparison, target)
    return Verdict(wanted, seen, met)


Judged = tuple[str, str, bool | None]
UNSEEN = ("–", None)


def _has_times(*sides: Side) -> bool:
    return all(side.seconds for side in sides)


def _judge_speedup(comparison: Comparison, target: dict[str, Any]) -> Judged:
    wanted = f"≥ {target['at_least']:g} × {target['against']}"
    peer = comparison.side(target["against"])
    if not _has_times(comparison.ours, peer):
        return wanted, *UNSEEN
    ratio = speedup(comparison.ours, peer)
    return wanted, ratio_text(ratio), ratio >= target["at_least"]


def _judge_slowdown(comparison: Comparison, target: dict[str, Any]) -> Judged:
    wanted = f"≤ {target['at_most']:g} × {target['against']}"
    other = comparison.side(target["against"])
    if not _has_times(comparison.ours, other):
        return wanted, *UNSEEN
    ratio = comparison.ours.median / other.median
    return wanted, ratio_text(ratio), ratio <= target["at_most"]


def _judge_time_limit(comparison: Comparison, target: dict[str, Any]) -> Judged:
    limit = target["at_most_seconds"]
    wanted = f"≤ {1e3 * limit:g} ms"
    if not _has_times(comparison.ours):
        return wanted, *UNSEEN
    return wanted, f"{1e3 * comparison.ours.median:.3g} ms", comparison.ours.median <= limit


def _judge_peak_share(comparison: Comparison, target: dict[str, Any]) -> Judged:
    wanted = f"≥ {100 * target['at_least']:g} % of {target['against']}"
    peak = comparison.side(target["against"])
    if not _has_times(comparison.ours, peak):
        return wanted, *UNSEEN
    reached = target["flops"] / comparison.ours.median
    share = reached / peak.checks["flops_per_second"]
    return wanted, f"{100 * share:.0f} %", share >= target["at_least"]


def _checks(comparison: Comparison, target: dict[str, Any]) -> tuple[float, float] | None:
    name = target["check"]
    peer = comparison.side(target["against"])
    if name not in comparison.ours.checks or name not in peer.checks:
        return None
    return comparison.ours.checks[name], peer.checks[name]


def _check_name(target: dict[str, Any]) -> str:
    return target["check"].replace("heldout_", "held-out ").replace("_", "-")


def _judge_check_close(comparison: Comparison, target: dict[str, Any]) -> Judged:
    wanted = f"{_check_name(target)} within {target['within']:g} of {target['against']}"
    values = _checks(comparison, target)
    if values is None:
        return wanted, *UNSEEN
    ours, peer = values
    difference = abs(ours - peer) / abs(peer)
    return wanted, f"{difference:.1e}", difference <= target["within"]


def _judge_check_not_below(comparison: Comparison, target: dict[str, Any]) -> Judged:
    slack = target.get("slack", 0.0)
    wanted = f"{_check_name(target)} not below {target['against']}" + (
        f" by {slack:g}" if slack else ""
    )
    values = _checks(comparison, target)
    if values is None:
        return wanted, *UNSEEN
    ours, peer = values
    return wanted, f"{ours - peer:+.1e}", ours >= peer - slack


def _judge_check_ratio(comparison: Comparison, target: dict[str, Any]) -> Judged:
    wanted = f"{_check_name(target)} ≤ {target['at_most']:g} × {target['against']}"
    values = _checks(comparison, target)
    if values is None:
        return wanted, *UNSEEN
    ratio = values[0] / values[1]
    return wanted, f"{ratio:.4f} ×", ratio <= target["at_most"]


def _judge_memory_share(comparison: Comparison, target: dict[str, Any]) -> Judged:
    wanted = f"memory ≤ {target['at_most']:g} × the input"
    checks = comparison.ours.checks
    if "extra_bytes" not in checks:
        return wanted, *UNSEEN
    ratio = checks["extra_bytes"] / checks["input_bytes"]
    return wanted, f"{ratio:.2f} ×", ratio <= target["at_most"]


def _judge_memory_limit(comparison: Comparison, target: dict[str, Any]) -> Judged:
    limit = target["at_most_bytes"]
    wanted = f"memory ≤ {limit / 2**20:g} MiB"
    checks = comparison.ours.checks
    if "peak_bytes" not in checks:
        return wanted, *UNSEEN
    return wanted, bytes_text(checks["peak_bytes"]), checks["peak_bytes"] <= limit


JUDGES = {
    "speedup": _judge_speedup,
    "slowdown": _judge_slowdown,
    "time_limit": _judge_time_limit,
    "peak_share": _judge_peak_share,
    "check_close": _judge_check_close,
    "check_not_below": _judge_check_not_below,
    "check_ratio": _judge_check_ratio,
    "memory_share": _judge_memory_share,
    "memory_limit": _judge_memory_limit,
}


def ratio_text(ratio: float) -> str:
    """Format a ratio with about three digits."""
    digits = 0 if ratio >= 100 else 1 if ratio >= 10 else 2
    return f"{ratio:,.{digits}f} ×"


def bytes_text(count: float) -> str:
    """Format a number of bytes in MiB."""
    return f"{count / 2**20:,.0f} MiB"


def growth_exponent(sweep: Sequence[Comparison], axis: str, threads: int) -> float:
    """Return the slope of log time against log size, over the upper three decades of a sweep.

    The times are those of lbw on so many threads, and the slope is fitted by least squares.
    """
    largest = max(comparison.sizes[axis] for comparison in sweep)
    upper = [entry for entry in sweep if entry.sizes[axis] * 1000 >= largest]
    sizes = [math.log(entry.sizes[axis]) for entry in upper]
    times = [math.log(entry.ours_on(threads).median) for entry in upper]
    return statistics.linear_regression(sizes, times).slope
