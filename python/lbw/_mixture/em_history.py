# SPDX-License-Identifier: MIT
"""The steps of a fit, counted as scikit-learn counts them."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core

__all__ = ["EmHistory"]


@dataclass(frozen=True)
class EmHistory:
    """Number of steps, the mean log-likelihood before each, and whether they converged."""

    n_iter: int
    lower_bounds: list[float]
    converged: bool

    @classmethod
    def of(
        cls, fit: _core.MixtureFit, *, max_iter: int, tol: float, previous: float | None = None
    ) -> EmHistory:
        """Count the steps of a fit by the core.

        The core knows the likelihood after every step and stops there. scikit-learn computes it
        at the beginning of a step, so it takes one step more to see that the last one changed
        little, and never compares the likelihood that `max_iter` steps lead to. A warm start is
        compared with the last likelihood of the fit before, `previous`.
        """
        likelihoods, steps = list(fit.history), fit.iterations
        if previous is not None and steps == 1 and abs(likelihoods[0] - previous) < tol:
            return cls(1, likelihoods[:1], True)
        if fit.converged and steps < max_iter:
            return cls(steps + 1, likelihoods, True)
        return cls(steps, likelihoods[:steps], False)

    @property
    def lower_bound(self) -> float:
        """The last of the likelihoods; -inf without steps."""
        return self.lower_bounds[-1] if self.lower_bounds else -float("inf")
