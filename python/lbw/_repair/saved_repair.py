# SPDX-License-Identifier: MIT
"""Model files of a GroupRepair."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._input.column_position import keep_column_parameters
from .._input.embedded import Embedded
from .._input.group_columns import GroupColumns
from .._input.sensitive import plain_columns
from .._input.user_level import user_level
from .._input.validation import validate_parameters
from .._options.option import options_of
from .._transport.local_transport import LocalTransport
from .._transport.model_notes import note_errors, noted_in
from .._transport.params import amounts_over, refined_weights
from .program import program_text

__all__ = ["SavedRepair"]

Estimator = TypeVar("Estimator", bound="SavedRepair")

# What `save` notes for `load`.
_STATE = (
    "amount",
    "weights",
    "sensitive_columns",
    "n_features_in",
    "feature_names_in",
    "group_columns",
    "whole_names",
    "sensitive_positions",
    "handle_unknown",
    "key_column",
    "key_positions",
    "check_samples",
)


class SavedRepair(Embedded):
    """Adds `save` and `load`."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fit to a safetensors file, which the program `lbw` reads too.

        `load` restores `amount` and `weights`. The program transports fully by default, so `save`
        warns of other amounts and names the options to pass to `lbw transport`.
        """
        self._write(path)
        repair: Any = self
        text = program_text(repair.transport_, repair.amount)
        if text:
            warnings.warn(text, UserWarning, stacklevel=user_level())

    def _write(self, path: str | os.PathLike[str]) -> None:
        check_is_fitted(self)
        repair: Any = self
        own = repair.transport_._weights_of(repair.weights)
        own = refined_weights(own, repair.transport_._model)
        amount = repair.amount
        if isinstance(amount, dict):  # in the order of groups_: keys of JSON are text
            amount = amounts_over(repair.groups_, amount)
        columns = repair._group_columns
        state = {
            "amount": amount,
            "weights": None if repair.weights is None else own.tolist(),
            "sensitive_columns": plain_columns(repair.sensitive_columns),
            "n_features_in": int(repair.n_features_in_),
            "feature_names_in": getattr(repair, "feature_names_in_", np.empty(0)).tolist(),
            "group_columns": None if columns is None else columns.to_notes(),
            "whole_names": getattr(repair, "_whole_names", None),
            "sensitive_positions": list(repair._sensitive_positions),
            "handle_unknown": repair.handle_unknown,
            "key_column": plain_columns(repair.key_column),
            "key_positions": list(repair._key_positions),
            "check_samples": int(repair.check_samples),
        }
        repair.transport_._save(path, {"repair": json.dumps(state)})

    @classmethod
    def load(cls: type[Estimator], path: str | os.PathLike[str]) -> Estimator:
        """Read a file written by `save`, or a model of `lbw fit` as a repair of its groups."""
        transport = LocalTransport.load(path)
        state = noted_in(transport._model, path, "repair", _STATE)
        with note_errors(path, "repair"):
            repair: Estimator = _from_state(cls, transport, state)
            return repair


def _from_state(kind: Any, transport: LocalTransport, state: dict[str, Any]) -> Any:
    """Return the repair of a transport and of what `save` noted."""
    if isinstance(state.get("amount"), list):
        state["amount"] = dict(zip(transport.groups_.tolist(), state["amount"], strict=True))
    params = transport.get_params()
    refine_weights = params.pop("refine_weights")  # it is `weights`
    if refine_weights is not None:
        state.setdefault("weights", refine_weights)
    noted = {name: state[name] for name in options_of(kind) if name in state}
    repair = kind(**params | noted)
    validate_parameters(repair, *noted)
    amounts_over(transport.groups_, repair.amount)
    transport._weights_of(repair.weights)
    repair.n_features_in_ = int(state.get("n_features_in") or transport.n_features_in_)
    repair._sensitive_positions = list(map(int, state.get("sensitive_positions", [])))
    repair._group_columns = GroupColumns.from_notes(state.get("group_columns"))
    repair._whole_names = state.get("whole_names")
    repair._key_positions = list(map(int, state.get("key_positions", [])))
    keep_column_parameters(repair)
    if state.get("feature_names_in"):
        repair.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
    elif "feature_names_in" not in state and hasattr(transport, "feature_names_in_"):
        repair.feature_names_in_ = transport.feature_names_in_
    repair._assumed, repair._start_of_file = transport._assumed, transport._start_of_file
    repair._take(transport)
    return repair
