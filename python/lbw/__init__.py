# SPDX-License-Identifier: MIT
"""Transport maps between groups of samples, by Gaussian mixtures.

Estimators for scikit-learn: `GaussianMixture`, `LocalTransport`, `GroupRepair`, `ScoreRepair`.
Functions: `transport` carries one sample onto another in one line, and those that POT and SciPy
have go by their names. `lbw.metrics` measures, `lbw.plot` draws. Nothing but NumPy is imported
until it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._core import InvalidArgument, IoError, NumericalError
from ._core import version as __version__

if TYPE_CHECKING:
    from . import metrics, plot
    from ._gaussian import (
        bures_wasserstein_barycenter,
        bures_wasserstein_distance,
        bures_wasserstein_mapping,
        empirical_bures_wasserstein_barycenter,
        empirical_bures_wasserstein_distance,
        empirical_bures_wasserstein_mapping,
    )
    from ._gaussian_mixture import GaussianMixture
    from ._group_repair import GroupRepair
    from ._local_transport import LocalTransport
    from ._matching import linear_sum_assignment
    from ._mixture import (
        dist_bures_squared,
        gaussian_pdf,
        gmm_ot_apply_map,
        gmm_ot_loss,
        gmm_ot_plan,
        gmm_pdf,
        mixture_distance,
    )
    from ._score_repair import ScoreRepair
    from ._transport import transport

__all__ = [
    "GaussianMixture",
    "GroupRepair",
    "InvalidArgument",
    "IoError",
    "LocalTransport",
    "NumericalError",
    "ScoreRepair",
    "__version__",
    "bures_wasserstein_barycenter",
    "bures_wasserstein_distance",
    "bures_wasserstein_mapping",
    "dist_bures_squared",
    "empirical_bures_wasserstein_barycenter",
    "empirical_bures_wasserstein_distance",
    "empirical_bures_wasserstein_mapping",
    "gaussian_pdf",
    "gmm_ot_apply_map",
    "gmm_ot_loss",
    "gmm_ot_plan",
    "gmm_pdf",
    "linear_sum_assignment",
    "metrics",
    "mixture_distance",
    "plot",
    "transport",
]

# Where each name lives, so that it is imported when it is first asked for.
_HOMES = {
    "metrics": "",
    "plot": "",
    "GaussianMixture": "_gaussian_mixture",
    "GroupRepair": "_group_repair",
    "LocalTransport": "_local_transport",
    "ScoreRepair": "_score_repair",
    "bures_wasserstein_barycenter": "_gaussian",
    "bures_wasserstein_distance": "_gaussian",
    "bures_wasserstein_mapping": "_gaussian",
    "empirical_bures_wasserstein_barycenter": "_gaussian",
    "empirical_bures_wasserstein_distance": "_gaussian",
    "empirical_bures_wasserstein_mapping": "_gaussian",
    "linear_sum_assignment": "_matching",
    "dist_bures_squared": "_mixture",
    "gaussian_pdf": "_mixture",
    "gmm_ot_apply_map": "_mixture",
    "gmm_ot_loss": "_mixture",
    "gmm_ot_plan": "_mixture",
    "gmm_pdf": "_mixture",
    "mixture_distance": "_mixture",
    "transport": "_transport",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lbw' has no attribute {name!r}")
    home = _HOMES[name]
    if not home:
        return importlib.import_module(f".{name}", __name__)
    value = getattr(importlib.import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
