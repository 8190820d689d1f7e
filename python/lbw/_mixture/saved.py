# SPDX-License-Identifier: MIT
"""Model files of a GaussianMixture."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._input.embedded import Embedded
from .._input.notes import note_errors, noted_entry
from .._input.texts import core_feature_names
from .._input.user_level import user_level
from .._input.validation import validate_parameters
from .._options.mixture import MixtureParameters
from .._options.names import COVARIANCE_TYPES, sklearn_name
from .._options.option import options_of

__all__ = ["SavedMixture"]

Estimator = TypeVar("Estimator", bound="SavedMixture")

_ARRAYS = ("weights_init", "means_init", "precisions_init")
_RESULTS = ("lower_bound", "lower_bounds", "selection")  # attributes without their underscore
_SET = ("precisions_cholesky", "precisions")  # attributes that a user may set
_TYPES = {"float32": np.float32, "float64": np.float64}


class SavedMixture(Embedded):
    """Adds `save` and `load`."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the mixture to a safetensors file, which `lbw inspect` and C++ read too.

        The write is atomic: the path holds the old file or the new one.
        """
        check_is_fitted(self)
        names = core_feature_names(self)
        notes = {"parameters": json.dumps(_noted_params(self)), "fit": json.dumps(_fit_notes(self))}
        model = _core.MixtureModel(_stored_mixture(self), names, _statistics_of(self), notes)
        _core.save_mixture(os.fspath(path), model)

    @classmethod
    def load(cls: type[Estimator], path: str | os.PathLike[str]) -> Estimator:
        """Read a file written by `save`; its content is checked, never executed.

        All parameters and fitted attributes are restored, and predictions, scores and samples are
        bitwise identical to those before `save`.
        """
        model = _core.load_mixture(os.fspath(path))
        params = noted_entry(model.notes, path, "parameters", options_of(MixtureParameters))
        fit = noted_entry(model.notes, path, "fit", ("dtype", *_RESULTS, *_SET))
        with note_errors(path, "parameters"):
            for name in _ARRAYS:
                if params.get(name) is not None:
                    params[name] = np.array(params[name], dtype=np.float64)
            params.setdefault("n_components", len(model.mixture.weights))
            params["covariance_type"] = sklearn_name(model.mixture.covariance_type)
            estimator = cls(**params)
            validate_parameters(estimator, *params)  # type: ignore[arg-type]
        with note_errors(path, "fit"):
            _take_file(estimator, model, fit)
        return estimator


def _stored_mixture(estimator: Any) -> _core.Mixture:
    """Return the parameters as they are, in double precision; `_core_mixture` rounds weights."""
    parameters = estimator._exact()
    if parameters is None:
        weights = np.asarray(estimator.weights_, dtype=np.float64)
        if abs(weights.sum() - 1.0) > 1e-9:  # set by the user, or float32
            weights = weights / weights.sum()
        parameters = (weights, estimator.means_, estimator.covariances_)
    arrays = (np.ascontiguousarray(value, dtype=np.float64) for value in parameters)
    return _core.Mixture(COVARIANCE_TYPES[estimator.covariance_type], *arrays)


def _statistics_of(estimator: Any) -> _core.MixtureStatistics | None:
    """Return the statistics of the fit; None for a mixture that was not fitted, as a barycenter."""
    names = ("mean_log_likelihood_", "n_iter_", "converged_")
    if not all(hasattr(estimator, name) for name in names):
        return None
    value, n_iter, converged = (getattr(estimator, name) for name in names)
    return _core.MixtureStatistics(float(value), int(n_iter), bool(converged))


def _noted_params(estimator: Any) -> dict[str, Any]:
    params = {name: _plain(getattr(estimator, name)) for name in options_of(MixtureParameters)}
    if isinstance(params["random_state"], np.random.RandomState):
        warnings.warn(
            "random_state is a RandomState instance, which a file cannot hold: the loaded mixture "
            "has random_state=None. Set random_state to an int to draw the same samples again.",
            UserWarning,
            stacklevel=user_level(),
        )
        params["random_state"] = None
    return params


def _fit_notes(estimator: Any) -> dict[str, Any]:
    notes: dict[str, Any] = {"dtype": str(estimator.means_.dtype)}
    for name in _RESULTS:
        if hasattr(estimator, f"{name}_"):
            notes[name] = _plain(getattr(estimator, f"{name}_"))
    for name, value in zip(_SET, (estimator._set_factors, estimator._set_precisions), strict=True):
        if value is not None:
            notes[name] = _plain(value)
    return notes


def _plain(value: Any) -> Any:
    """Return what JSON can hold."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, dict):
        return {name: _plain(own) for name, own in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_plain(own) for own in value]
    return value


def _take_file(estimator: Any, model: _core.MixtureModel, fit: dict[str, Any]) -> None:
    """Set the fitted attributes."""
    dtype = _TYPES[fit.get("dtype", "float64")]
    estimator._take_mixture(model.mixture, dtype)
    estimator.n_features_in_ = model.mixture.means.shape[1]
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    if model.statistics is not None:
        estimator.converged_ = model.statistics.converged
        estimator.n_iter_ = model.statistics.iterations
        estimator.mean_log_likelihood_ = model.statistics.mean_log_likelihood
    if "lower_bound" in fit:
        estimator.lower_bound_ = float(fit["lower_bound"])
        estimator.lower_bounds_ = [float(value) for value in fit["lower_bounds"]]
    if "selection" in fit:
        estimator.selection_ = {name: np.array(own) for name, own in fit["selection"].items()}
    for name in _SET:
        if name in fit:
            value = np.array(fit[name], dtype=dtype)
            if value.shape != estimator.covariances_.shape:
                raise ValueError(f"{name} has the shape {value.shape}")
            setattr(estimator, f"{name}_", value)
