# SPDX-License-Identifier: MIT
"""What all models share: the fitted estimator of the Python package."""

from __future__ import annotations

from typing import Any

from ._model_io import Stored
from ._params import SparkParams

__all__ = ["FittedModel"]


class FittedModel(SparkParams, Stored):
    """A model that holds a fitted estimator of the Python package."""

    _estimator: Any = None

    @classmethod
    def _of(cls, estimator: Any) -> Any:
        model = cls()
        model._estimator = estimator
        return model

    @property
    def estimator(self) -> Any:
        """The fitted estimator of the Python package, with all its attributes and methods."""
        if self._estimator is None:
            raise ValueError(f"{type(self).__name__} is not fitted. Get a model from fit or load.")
        return self._estimator
