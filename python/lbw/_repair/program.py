# SPDX-License-Identifier: MIT
"""Options that the program `lbw transport` needs to repair as GroupRepair does."""

from __future__ import annotations

from typing import Any

from .._input.labels import names_of
from .._transport.local_transport import LocalTransport
from .._transport.params import amounts_over

__all__ = ["program_text"]


def program_text(transport: LocalTransport, amount: Any) -> str:
    """Name the options that the program must be given; "" if it repairs alike without any."""
    amounts = amounts_over(transport.groups_, amount)
    groups = names_of(transport.groups_)
    parts = []
    if len(set(amounts)) > 1:
        words = ", ".join(
            f"--from {group!r} --amount {own:g}" for group, own in zip(groups, amounts, strict=True)
        )
        parts.append(f"transport every group by itself ({words})")
    elif amounts[0] != 1.0:
        parts.append(f"pass --amount {amounts[0]:g}")
    if not parts:
        return ""
    return (
        "GroupRepair.load and `lbw repair --model` read the amount from the file, but "
        f"`lbw transport` does not. To repair alike with `lbw transport`, {' and '.join(parts)}."
    )
