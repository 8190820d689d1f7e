# SPDX-License-Identifier: MIT
"""Errors of a fit in scikit-learn's words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .. import _core

__all__ = ["singular_errors"]

_SINGULAR = (
    "Fitting the mixture model failed because some components have ill-defined empirical "
    "covariance (for instance caused by singleton or collapsed samples). Try to decrease the "
    "number of components, increase reg_covar, or scale the input data."
)


@contextmanager
def singular_errors() -> Iterator[None]:
    """Prepend scikit-learn's message to the core's if samples do not span their features."""
    try:
        yield
    except _core.NumericalError as error:
        raise _core.NumericalError(f"{_SINGULAR} {error}") from None
