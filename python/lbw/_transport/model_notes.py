# SPDX-License-Identifier: MIT
"""What a model file says about the parameters of a fit: in the core's part, and in its notes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._input.labels import LabelArray, labels_from_text, labels_to_text
from .._input.notes import note_errors, noted_entry
from .._input.validation import validate_parameters
from .._mixture.selection import numbers_to_try
from .._options.core import params_in_model, params_to_note
from .._options.names import seed_of
from .._options.option import options_of
from .._options.transport import LocalTransportParameters
from .params import place_in, weights_over

__all__ = ["assumed_text", "note_errors", "noted_in", "notes_of", "read_estimator"]


def noted_in(
    model: _core.TransportModel, path: str | os.PathLike[str], entry: str, known: Iterable[str]
) -> dict[str, Any]:
    """Return an entry of the notes, which holds an object; empty if there is none."""
    return noted_entry(model.notes, path, entry, known)


def read_estimator(kind: Any, path: str | os.PathLike[str]) -> Any:
    """Return the LocalTransport of a file."""
    model = _core.load_model(os.fspath(path))
    with note_errors(path, "labels"):
        groups = labels_from_text(model.notes.get("labels"), model.group_names)
    noted = noted_in(model, path, "parameters", options_of(LocalTransportParameters))
    with note_errors(path, "parameters"):
        estimator = kind(**_params_of(model, groups, noted))
        # a file of the program may hold a seed that scikit-learn does not allow
        seed_of(estimator.random_state)
        validate_parameters(estimator, *(name for name in noted if name != "random_state"))
    estimator._take(model, groups)
    estimator._assumed = _assumed_params(estimator, noted)
    if model.mixture_options.start != _core.MixtureOptions().start:
        estimator._start_of_file = model.mixture_options.start
    return estimator


def _params_of(
    model: _core.TransportModel, groups: LabelArray, noted: dict[str, Any]
) -> dict[str, Any]:
    """Return the parameters that a model was fitted with, as far as its file keeps them."""
    numbers_to_try(noted.get("n_components_range"))
    if noted.get("reference") is not None:
        place_in(groups, noted["reference"], "reference")
    if noted.get("refine_weights") is not None:
        weights_over(groups, noted["refine_weights"])
    params = _found_in(model, groups) | noted
    if groups.tolist() != sorted(groups.tolist()):  # a new fit will sort them
        for name in ("n_components", "refine_weights"):
            if isinstance(params[name], list):
                params[name] = dict(zip(groups.tolist(), params[name], strict=True))
    return params


def _found_in(model: _core.TransportModel, groups: LabelArray) -> dict[str, Any]:
    """Return the parameters that the core keeps, and those that follow from the model."""
    labels = groups.tolist()
    fitted = [g for g, name in enumerate(model.group_names) if name not in model.kept_groups]
    numbers = [len(mixture.weights) for mixture in model.mixtures]
    own = {numbers[g] for g in fitted}
    params: dict[str, Any] = {
        "n_components": own.pop() if len(own) == 1 else numbers,
        "random_state": model.mixture_options.seed,
        "refine_weights": None,
        **params_in_model(LocalTransportParameters, model),
    }
    weights = np.array(model.refine_weights)
    if model.refine and np.ptp(weights[fitted]) > 1e-12:  # None stands for equal weights
        params["refine_weights"] = weights.tolist()
    if model.coupling != "multimarginal" and labels[model.reference] != min(labels):
        params["reference"] = labels[model.reference]
    if any(len(cells) for cells in model.dither_cells):
        params["dither"] = "auto"
    elif np.any(model.dither):
        params["dither"] = 1.0  # the fraction of a step is not kept
    if model.kept_groups:
        params["small_groups"] = "keep"
    return params


def _assumed_params(estimator: Any, noted: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters whose values in a file are not known, with the values used instead."""
    model = estimator._model
    unknown = {"dither", "group_shrinkage", "small_groups"} - set(noted)
    if any(len(cells) for cells in model.dither_cells):
        unknown.discard("dither")
    if model.kept_groups:
        unknown.discard("small_groups")
    return {name: getattr(estimator, name) for name in sorted(unknown)}


def _still_assumed(estimator: Any) -> dict[str, Any]:
    assumed = estimator._assumed.items()
    return {name: value for name, value in assumed if getattr(estimator, name) == value}


def assumed_text(estimator: Any) -> str | None:
    """Return a warning if a new fit uses values that the file of the last one did not hold."""
    texts = []
    assumed = _still_assumed(estimator)
    if assumed:
        values = ", ".join(f"{name}={value!r}" for name, value in assumed.items())
        texts.append(
            f"The model was read from a file that does not hold {', '.join(assumed)}. The new fit "
            f"uses {values}. Call set_params before fit to choose other values."
        )
    if estimator._start_of_file is not None:
        texts.append(
            f"The mixtures of the file were fitted from the start {estimator._start_of_file!r}, "
            f"which {type(estimator).__name__} does not have. The new fit uses "
            f"{_core.MixtureOptions().start!r}. Fit with the program to keep the start."
        )
    return " ".join(texts) or None


def notes_of(estimator: Any) -> dict[str, str]:
    """Return what a model file keeps for Python: the labels, and parameters the core has not.

    Parameters that were not known when the model was read are left out again.
    """
    params = params_to_note(estimator)
    for name in _still_assumed(estimator):
        del params[name]
    if isinstance(estimator.n_components, str):
        params["n_components"] = estimator.n_components
        if estimator.n_components_range is not None:
            params["n_components_range"] = numbers_to_try(estimator.n_components_range)
    if estimator.refine_weights is not None:
        weights = weights_over(estimator.groups_, estimator.refine_weights)
        params["refine_weights"] = weights.tolist()
    return {"labels": labels_to_text(estimator.groups_), "parameters": json.dumps(params)}
