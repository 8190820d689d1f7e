# SPDX-License-Identifier: MIT
"""Estimators in files of other estimators: as the bytes of their own files, which are checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

__all__ = ["Embedded", "embedding"]

_STATE = ("file", "parameters", "requests", "output")
_OUTPUTS = (None, "default", "pandas", "polars")
_is_embedding: ContextVar[bool] = ContextVar("lbw_is_embedding", default=False)


@contextmanager
def embedding() -> Iterator[None]:
    """Let estimators be written to skops and read from it as the bytes of their files."""
    token = _is_embedding.set(True)
    try:
        yield
    finally:
        _is_embedding.reset(token)


class Embedded:
    """Adds the state of an estimator that skops writes, for estimators with `save` and `load`.

    Outside of `embedding`, as for pickle and copy, the state is that of scikit-learn.
    """

    def __getstate__(self) -> Any:
        """Return the state for skops or pickle."""
        if not _is_embedding.get():
            return super().__getstate__()  # type: ignore[misc]
        return _state_of(self)

    def __setstate__(self, state: Any) -> None:
        """Take a state of skops, whose content is checked as that of a file, or of pickle."""
        if not _is_embedding.get():
            super().__setstate__(state)  # type: ignore[misc]
            return
        if not isinstance(state, dict) or sorted(state) != sorted(_STATE):
            raise ValueError(f"{type(self).__name__} was not written by ScoreRepair.save")
        self.__dict__.update(_estimator_of(type(self), state).__dict__)

    def _write(self, path: str | os.PathLike[str]) -> None:
        """Write the file; `save` may also give advice that does not apply to embedded files."""
        self.save(path)  # type: ignore[attr-defined]


def _state_of(estimator: Any) -> dict[str, Any]:
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        data, params = None, estimator.get_params(deep=False)
    else:
        data, params = _bytes_of(estimator), None
    requests = getattr(estimator, "_metadata_request", None)  # refers to the estimator itself
    output = getattr(estimator, "_sklearn_output_config", {})
    return {
        "file": data,
        "parameters": params,
        "requests": {} if requests is None else requests._serialize(),
        "output": output.get("transform"),
    }


def _bytes_of(estimator: Embedded) -> Any:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "estimator"
        estimator._write(path)
        return np.frombuffer(path.read_bytes(), dtype=np.uint8)


def _estimator_of(kind: Any, state: dict[str, Any]) -> Any:
    if state["file"] is None:
        estimator = kind(**state["parameters"])
    else:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "estimator"
            path.write_bytes(state["file"].tobytes())
            estimator = kind.load(path)
    with config_context(enable_metadata_routing=True):
        for method, names in state["requests"].items():
            getattr(estimator, f"set_{method}_request")(**names)
    if state["output"] not in _OUTPUTS:
        raise ValueError(f"set_output(transform={state['output']!r}) is not known")
    if state["output"] is not None:
        estimator.set_output(transform=state["output"])
    return estimator
