# SPDX-License-Identifier: MIT
"""Classifiers as bytes of skops, which runs no code of a file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .. import _core
from .._input.embedded import embedding

__all__ = ["classifiers_from_bytes", "classifiers_to_bytes"]

# Estimators that are written as the bytes of their own files, which `load` checks.
_OWN = ("lbw.GaussianMixture", "lbw.GroupRepair", "lbw.LocalTransport")
# `save` does not compress. More than this is a small file that is made to fill the memory.
_MOST_EXPANSION = 16
_INSTALL = "Install it with pip install 'lbw[skops]'"


def _skops(purpose: str, instead: str) -> Any:
    """Import skops, or say how to do without."""
    try:
        import skops.io
    except ImportError as error:
        raise ImportError(f"{purpose} needs skops. {_INSTALL}, or {instead}.") from error
    return skops.io


def classifiers_to_bytes(classifiers: dict[str, Any]) -> bytes:
    """Write classifiers in the format of skops."""
    skops = _skops("save of the classifiers", "set with_classifiers=False and keep them yourself")
    try:
        with embedding():
            return bytes(skops.dumps(classifiers))
    except Exception as error:
        parts = {type(_unwritable(skops, own)).__name__ for own in classifiers["classifiers"]}
        raise ValueError(
            f"skops cannot write {', '.join(sorted(parts))}{_reason(error)}. Save with "
            "with_classifiers=False, keep the fitted classifier yourself, and pass it to load as "
            "classifier=..."
        ) from error


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return ", because its objects refer to each other, as those of set_fit_request do"
    return f" ({type(error).__name__}: {error})"


def _unwritable(skops: Any, estimator: Any) -> Any:
    """Return the innermost estimator in one that skops cannot write."""
    params = estimator.get_params() if hasattr(estimator, "get_params") else {}
    for part in params.values():
        if hasattr(part, "get_params") and not _is_writable(skops, part):
            return _unwritable(skops, part)
    return estimator


def _is_writable(skops: Any, estimator: Any) -> bool:
    try:
        with embedding():
            skops.dumps(estimator)
    except Exception:
        return False
    return True


def classifiers_from_bytes(data: bytes, path: str, trusted: Sequence[str | type] | None) -> Any:
    """Read what `classifiers_to_bytes` wrote, if all types are trusted by skops or by the user."""
    skops = _skops(f"load of the classifiers in '{path}'", "pass the fitted one as classifier=...")
    if isinstance(trusted, str | bool) or not all(isinstance(t, str | type) for t in trusted or ()):
        raise TypeError(f"trusted is {trusted!r}, expected a list of types or of their names")
    names = {t if isinstance(t, str) else f"{t.__module__}.{t.__qualname__}" for t in trusted or ()}
    names.update(_OWN)
    _check_size(data, path)
    with _damaged(path):
        unknown = [name for name in skops.get_untrusted_types(data=data) if name not in names]
    if unknown:
        raise ValueError(
            f"'{path}' holds objects of types that skops does not trust: {', '.join(unknown)}. "
            "Loading them runs code of their packages. If you know these types and trust the "
            f"file, pass trusted={unknown!r}."
        )
    with _damaged(path), embedding():
        return skops.loads(data, trusted=sorted(names))


def _check_size(data: bytes, path: str) -> None:
    """Raise an error if the parts of the bytes, which are a ZIP file, expand to much more.

    `zipfile` reads no more of a part than the size that is added here.
    """
    with _damaged(path), zipfile.ZipFile(io.BytesIO(data)) as parts:
        size = sum(part.file_size for part in parts.infolist())
    if size > _MOST_EXPANSION * len(data):
        raise _core.IoError(
            f"cannot read '{path}': its classifiers expand to {size} bytes, more than "
            f"{_MOST_EXPANSION} times their size, which save does not write. Save the repair "
            "again, or pass the fitted classifier as classifier=..."
        )


@contextmanager
def _damaged(path: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise _core.IoError(
            f"cannot read '{path}': its classifiers are damaged, or need another version of skops "
            f"or of their packages ({type(error).__name__}: {error}). Save the repair again, or "
            "pass the fitted classifier as classifier=..."
        ) from error
