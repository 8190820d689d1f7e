# SPDX-License-Identifier: MIT
"""Model files of a ScoreRepair: distributions of scores, and classifiers in the format of skops."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._input.column_position import keep_column_parameters
from .._input.group_columns import GroupColumns
from .._input.labels import LabelArray, labels_from_text, labels_to_text
from .._input.notes import note_errors, noted_entry
from .._input.user_level import user_level
from .._input.validation import validate_parameters
from .._options.names import seed_of
from .._options.option import options_of
from .._options.repair import ScoreRepairParameters
from .._transport.params import weights_over
from .class_scores import check_classifier
from .score_tensors import score_tensors, take_scores
from .skops_bytes import classifiers_from_bytes, classifiers_to_bytes

__all__ = ["SavedScores"]

Estimator = TypeVar("Estimator", bound="SavedScores")

_DEFAULT_FOLDS = 5
_STATE = (
    "classes",
    "class_objects",
    "n_classifiers",
    "groups",
    "kept_groups",
    "seed",
    "n_features_in",
    "feature_names_in",
    "group_columns",
    "whole_names",
    "sensitive_positions",
    "key_positions",
)


class SavedScores:
    """Adds `save` and `load`."""

    def save(self, path: str | os.PathLike[str], *, with_classifiers: bool = True) -> None:
        """Write the fit to one safetensors file, with the classifiers in the format of skops.

        The write is atomic: the path holds the old file or the new one. The file holds no pickle.

        Parameters
        ----------
        path : str or path-like
            The file.
        with_classifiers : bool, default=True
            Whether to write the classifiers too, which needs skops (``pip install lbw[skops]``). If
            False, keep the fitted classifier yourself and pass it to `load`. This needs a single
            classifier, that is `cv="prefit"` or `ensemble=False`.
        """
        check_is_fitted(self)
        repair: Any = self
        n_classifiers = len(repair.classifiers_)
        if not with_classifiers and n_classifiers > 1:
            raise ValueError(
                f"with_classifiers is False, but the repair has {n_classifiers} classifiers. Only "
                "a single one can be passed to load: fit with cv='prefit' or ensemble=False."
            )
        tensors = score_tensors(repair)
        if with_classifiers:
            stored = {"classifiers": repair.classifiers_}
            if not repair._is_prefit():
                stored["classifier"] = repair.classifier
            data = classifiers_to_bytes(stored)
            tensors.append(("classifiers", "U8", [len(data)], data))
        notes = {"parameters": _params_of(repair), "fit": _state_of(repair)}
        metadata = [(name, json.dumps(value)) for name, value in notes.items()]
        _core.save_tensors(os.fspath(path), "scores", metadata, tensors)

    @classmethod
    def load(
        cls: type[Estimator],
        path: str | os.PathLike[str],
        *,
        trusted: Sequence[str | type] | None = None,
        classifier: Any = None,
    ) -> Estimator:
        """Read a file written by `save`.

        Parameters
        ----------
        path : str or path-like
            The file.
        trusted : list of str or type, default=None
            Types of objects in the classifiers that may be loaded besides those that skops trusts.
            An error names the types that are not trusted. Loading an object of a type runs code of
            its package, so list only types that you know.
        classifier : estimator, default=None
            The fitted classifier, in place of those of the file. The file must be that of a single
            classifier, and skops is not needed. The loaded repair has `cv="prefit"`.

        Returns
        -------
        repair : ScoreRepair
            The repair, whose predictions are bitwise identical to those before `save`.
        """
        name = os.fspath(path)
        entries, tensors = _core.tensors_from_bytes(Path(name).read_bytes(), "scores", name)
        found = {own[0]: own for own in tensors}
        notes = dict(entries)
        params = noted_entry(notes, path, "parameters", options_of(ScoreRepairParameters))
        state = noted_entry(notes, path, "fit", _STATE)
        data = found.pop("classifiers", None)
        with note_errors(path, "fit"):
            classes = _classes_of(state)
            n_classifiers = _whole(state, "n_classifiers")
            n_features = _features_left(state)
        if classifier is None:
            held = _held_classifiers(data, name, trusted)
        else:
            held = _given_classifier(classifier, name, n_classifiers, classes, n_features)
            params["cv"] = "prefit"
        with note_errors(path, "parameters"):
            estimator: Any = cls(held["classifier"], **params)  # type: ignore[call-arg]
            validate_parameters(estimator, *params)
        with note_errors(path, "fit"):
            _take_state(estimator, state, classes, held["classifiers"])
        take_scores(estimator, found, n_classifiers, name)
        return estimator  # type: ignore[no-any-return]


def _params_of(repair: Any) -> dict[str, Any]:
    """Return all parameters but the classifier, as JSON holds them."""
    params = {name: getattr(repair, name) for name in options_of(ScoreRepairParameters)}
    del params["classifier"]
    if isinstance(params["weights"], dict):  # keys of JSON are text
        params["weights"] = [params["weights"].get(g, 0.0) for g in repair.groups_.tolist()]
    elif params["weights"] is not None:
        params["weights"] = np.asarray(params["weights"], dtype=np.float64).tolist()
    if params["random_state"] is not None:
        params["random_state"] = repair._seed
    columns = params["sensitive_columns"]
    if columns is not None and not isinstance(columns, (str, Integral)):
        params["sensitive_columns"] = [_plain(column) for column in columns]
    if not isinstance(params["cv"], (str, Integral)):
        warnings.warn(
            f"cv is {type(params['cv']).__name__}, which a file does not hold: the loaded repair "
            f"has cv={_DEFAULT_FOLDS}. Its predictions do not depend on cv. Set it before fit.",
            UserWarning,
            stacklevel=user_level(),
        )
        params["cv"] = _DEFAULT_FOLDS
    return {name: _plain(value) for name, value in params.items()}


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _state_of(repair: Any) -> dict[str, Any]:
    columns = getattr(repair, "_group_columns", None)
    state = {
        "classes": labels_to_text(np.array(repair.classes_.tolist())),
        "class_objects": repair.classes_.dtype == object,
        "n_classifiers": len(repair.classifiers_),
        "groups": labels_to_text(repair.groups_),
        "kept_groups": np.flatnonzero(np.isin(repair.groups_, repair.kept_groups_)).tolist(),
        "seed": int(repair._seed),
        "group_columns": None if columns is None else columns.to_notes(),
        "whole_names": getattr(repair, "_whole_names", None),
        "sensitive_positions": list(map(int, repair._sensitive_positions)),
        "key_positions": list(map(int, repair._key_positions)),
    }
    if hasattr(repair, "n_features_in_"):
        state["n_features_in"] = int(repair.n_features_in_)
    if hasattr(repair, "feature_names_in_"):
        state["feature_names_in"] = repair.feature_names_in_.tolist()
    return state


def _classes_of(state: dict[str, Any]) -> LabelArray:
    classes = labels_from_text(state["classes"], None)
    if classes.ndim != 1 or len(np.unique(classes)) < max(2, len(classes)):
        raise ValueError(f"the classes {classes.tolist()} are not two or more distinct ones")
    return classes.astype(object) if state["class_objects"] else classes


def _wholes(state: dict[str, Any], name: str) -> list[int]:
    values = state[name]
    if not isinstance(values, list) or not all(type(v) is int and v >= 0 for v in values):
        raise ValueError(f"{name} is {values!r}, expected a list of whole numbers >= 0")
    return values


def _whole(state: dict[str, Any], name: str) -> int:
    if type(state[name]) is not int or state[name] < 0:
        raise ValueError(f"{name} is {state[name]!r}, expected a whole number >= 0")
    return state[name]  # type: ignore[no-any-return]


def _features_left(state: dict[str, Any]) -> int | None:
    """Return how many features the classifier has, without dropped columns; None if not noted."""
    places = _wholes(state, "sensitive_positions") + _wholes(state, "key_positions")
    width = _whole(state, "n_features_in") if "n_features_in" in state else 0
    if len(set(places)) < len(places) or any(place >= width for place in places):
        raise ValueError(
            f"sensitive_positions and key_positions are {places}, expected distinct numbers below "
            f"n_features_in, {width}"
        )
    return width - len(places) if "n_features_in" in state else None


def _kept_places(state: dict[str, Any], n_groups: int) -> list[int]:
    places = _wholes(state, "kept_groups")
    if places != sorted(set(places)) or any(place >= n_groups for place in places):
        raise ValueError(f"kept_groups is {places}, expected ascending places below {n_groups}")
    if n_groups - len(places) < 2:
        raise ValueError(f"kept_groups is {places}, which leaves fewer than two groups to repair")
    return places


def _held_classifiers(data: Any, name: str, trusted: Sequence[str | type] | None) -> dict[str, Any]:
    """Return the classifiers of a file."""
    if data is None:
        raise ValueError(
            f"'{name}' was saved without its classifier. Pass the fitted one: "
            "ScoreRepair.load(path, classifier=...)."
        )
    if data[1] != "U8":
        raise _core.IoError(f"{name}: tensor 'classifiers' is of type {data[1]}, expected U8")
    held = classifiers_from_bytes(data[3], name, trusted)
    if not isinstance(held, dict) or not isinstance(held.get("classifiers"), list):
        raise _core.IoError(f"{name}: tensor 'classifiers' does not hold a list of classifiers")
    return {"classifier": held["classifiers"][0], **held}


def _given_classifier(
    classifier: Any, name: str, n_classifiers: int, classes: LabelArray, expected: int | None
) -> dict[str, Any]:
    """Check that a classifier can be the one of a file."""
    check_classifier(classifier, prefit=True)
    if n_classifiers != 1:
        raise ValueError(
            f"classifier is given, but '{name}' holds the scores of {n_classifiers} classifiers. "
            "Load it without classifier=..., which needs skops, or fit with ensemble=False."
        )
    own = np.asarray(classifier.classes_).tolist()
    if own != classes.tolist():
        raise ValueError(
            f"the classifier has the classes {own}, but '{name}' is of one with the classes "
            f"{classes.tolist()}. Pass the classifier that was fitted."
        )
    width = getattr(classifier, "n_features_in_", None)
    if width is not None and expected is not None and width != expected:
        raise ValueError(
            f"the classifier has {width} features, but '{name}' is of one with {expected}. "
            "Pass the classifier that was fitted."
        )
    return {"classifier": classifier, "classifiers": [classifier]}


def _take_state(
    repair: Any, state: dict[str, Any], classes: LabelArray, classifiers: list[Any]
) -> None:
    """Set the fitted attributes except the distributions."""
    n_classifiers = _whole(state, "n_classifiers")
    if len(classifiers) != n_classifiers:
        raise ValueError(f"{len(classifiers)} classifiers, expected {n_classifiers}")
    repair.classifiers_ = classifiers
    own = getattr(classifiers[0], "classes_", classes)
    if np.asarray(own).tolist() != classes.tolist():
        raise ValueError(f"the classifier has the classes {own}, expected {classes.tolist()}")
    repair.classes_ = np.asarray(own)
    groups = labels_from_text(state["groups"], None)
    if groups.ndim != 1 or len(np.unique(groups)) < max(2, len(groups)):
        raise ValueError(f"the groups {groups.tolist()} are not two or more distinct ones")
    weights_over(groups, repair.weights)
    repair.groups_ = groups
    repair.kept_groups_ = groups[_kept_places(state, len(groups))]
    repair._seed = seed_of(_whole(state, "seed"))
    repair._group_columns = GroupColumns.from_notes(state["group_columns"])
    repair._whole_names = state["whole_names"]
    repair._sensitive_positions = _wholes(state, "sensitive_positions")
    repair._key_positions = _wholes(state, "key_positions")
    keep_column_parameters(repair)
    if "n_features_in" in state:
        repair.n_features_in_ = _whole(state, "n_features_in")
    if "feature_names_in" in state:
        repair.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
