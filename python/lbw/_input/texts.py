# SPDX-License-Identifier: MIT
"""Texts that the core takes: UTF-8, which cannot represent a lone surrogate."""

from __future__ import annotations

from typing import Any

__all__ = ["core_feature_names", "refuse_surrogates"]


def refuse_surrogates(text: str, what: str) -> None:
    """Raise if a text has a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{what} {text!r} is not valid Unicode text: it has a lone surrogate, which UTF-8 "
            "cannot represent. Replace it, for instance with "
            "text.encode('utf-8', 'replace').decode(), or decode the original bytes with the "
            "right encoding."
        ) from None


def core_feature_names(estimator: Any) -> list[str]:
    """Return the names of the columns of a fit as valid texts; [] without names."""
    names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
    for name in names:
        refuse_surrogates(name, "X: the column name")
    return names
