# SPDX-License-Identifier: MIT
"""The progress of a long fit: a bar if tqdm is installed, lines of text otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from .._batches.progress import ProgressBar
from .._core import FitProgress, SelectionPoint

__all__ = ["FitReporter"]


class FitReporter(ProgressBar):
    """Shows the steps of a fit: called after each of them, closed by `with`.

    Parameters
    ----------
    title : str
        What is being fitted.
    verbose : int
        0 shows nothing; 1 a bar, or a line every `interval` steps; 2 lines with the likelihood.
    interval : int
        Steps between two lines.
    """

    def __init__(self, title: str, verbose: int, interval: int = 10) -> None:
        super().__init__(verbose == 1, title, "steps")
        self.title = title
        self.verbose = int(verbose)
        self.interval = interval
        self._begin = time.perf_counter()

    @property
    def callback(self) -> FitReporter | None:
        """The reporter, or None if nothing is shown."""
        return self if self.verbose else None

    def __call__(self, *event: Any) -> None:
        """Take a step: (progress) of one mixture, or (group, progress) of several."""
        progress: FitProgress = event[-1]
        where = f" group {event[0]}" if len(event) > 1 else ""
        if self.bar is not None:
            text = f"{where.strip()} {_likelihood_of(progress)}".strip()
            self.bar.set_postfix_str(text, refresh=False)
            self.bar.update()
        elif self.verbose > 1 or progress.iteration % self.interval == 0:
            self._print(f"{self.title}{where}: {_step_of(progress)}", progress)

    @property
    def on_point(self) -> Callable[..., None] | None:
        """The function that shows a compared number of components, or None.

        It takes (point) of one mixture, or (group, point) of several.
        """
        return self._show_point if self.verbose else None

    def _show_point(self, *event: Any) -> None:
        point: SelectionPoint = event[-1]
        where = f"group {event[0]}: " if len(event) > 1 else ""
        text = f"{where}{point.n_components} components: AIC {point.aic:.6g}, BIC {point.bic:.6g}"
        if point.heldout_log_likelihood is not None:
            text += f", held-out log-likelihood {point.heldout_log_likelihood:.6g}"
        if self.bar is not None:
            self.bar.set_postfix_str(text, refresh=False)
            self.bar.update()
        else:
            print(f"{self.title}: {text}", file=sys.stderr, flush=True)

    def _print(self, text: str, progress: FitProgress) -> None:
        if self.verbose > 1:
            seconds = time.perf_counter() - self._begin
            text += f"  {_likelihood_of(progress)}  {seconds:.2f} s"
        print(text.rstrip(), file=sys.stderr, flush=True)


def _step_of(progress: FitProgress) -> str:
    kind = "k-means" if progress.starting else "EM"
    where = " on a subsample" if progress.subsample else ""
    return f"start {progress.restart}, {kind} step {progress.iteration}{where}"


def _likelihood_of(progress: FitProgress) -> str:
    return "" if progress.starting else f"log-likelihood {progress.mean_log_likelihood:.6g}"
