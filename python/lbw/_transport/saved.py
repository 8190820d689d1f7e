# SPDX-License-Identifier: MIT
"""Model files of a LocalTransport."""

from __future__ import annotations

import os
from typing import Any, TypeVar

from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._input.embedded import Embedded
from .model_notes import notes_of, read_estimator

__all__ = ["SavedTransport"]

Estimator = TypeVar("Estimator", bound="SavedTransport")


class SavedTransport(Embedded):
    """Adds `save` and `load`."""

    _model: Any

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fit to a safetensors file, which the program `lbw` reads too.

        The write is atomic: the path holds the old file or the new one.
        """
        self._save(path, {})

    @classmethod
    def load(cls: type[Estimator], path: str | os.PathLike[str]) -> Estimator:
        """Read a file written by `save` or by `lbw fit`; its content is checked, never executed.

        A file of C++ or of an older program does not hold `group_shrinkage`, nor all
        values of `dither` and `small_groups`. The transport does not depend on them. A new `fit`
        warns of the values that it uses instead, and of a start other than its own. `save` leaves
        them out again.
        """
        estimator: Estimator = read_estimator(cls, path)
        return estimator

    def _save(self, path: str | os.PathLike[str], notes: dict[str, str]) -> None:
        check_is_fitted(self)
        model = self._model
        model.notes = notes_of(self) | notes
        _core.save_model(os.fspath(path), model)
