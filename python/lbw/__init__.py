# SPDX-License-Identifier: MIT
"""Transport maps between groups of samples, by Gaussian mixtures.

The estimators `GaussianMixture`, `LocalTransport`, `GroupRepair` and `ScoreRepair` follow the
conventions of scikit-learn. The function `transport` transports one sample onto another in one
call, and other functions have the names and arguments of POT and SciPy. `lbw.metrics` evaluates
results and `lbw.plot` draws them. `import lbw` imports NumPy only; everything else is imported on
first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._core import InvalidArgument, IoError, NumericalError
from ._core import version as __version__
from ._options.first_use import imported_on_first_use

if TYPE_CHECKING:
    from . import io, metrics, plot
    from ._batches.batches import Batches
    from ._functions.assignment import linear_sum_assignment
    from ._functions.gaussian import (
        bures_wasserstein_barycenter,
        bures_wasserstein_distance,
        bures_wasserstein_mapping,
        empirical_bures_wasserstein_barycenter,
        empirical_bures_wasserstein_distance,
        empirical_bures_wasserstein_mapping,
    )
    from ._functions.mixture import (
        dist_bures_squared,
        gaussian_pdf,
        gmm_ot_apply_map,
        gmm_ot_loss,
        gmm_ot_plan,
        gmm_pdf,
        mixture_distance,
    )
    from ._mixture.gaussian_mixture import GaussianMixture
    from ._mixture.moment_sums import MomentSums, moment_sums, next_mixture
    from ._repair.group_repair import GroupRepair
    from ._repair.score_repair import ScoreRepair
    from ._transport.function import transport
    from ._transport.local_transport import LocalTransport

__all__ = [
    "Batches",
    "GaussianMixture",
    "GroupRepair",
    "InvalidArgument",
    "IoError",
    "LocalTransport",
    "MomentSums",
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
    "io",
    "linear_sum_assignment",
    "metrics",
    "mixture_distance",
    "moment_sums",
    "next_mixture",
    "plot",
    "transport",
]

# The module of each name, so that it is imported on first use.
_HOMES = {
    "io": "",
    "metrics": "",
    "onnx": "",
    "plot": "",
    "Batches": "_batches.batches",
    "GaussianMixture": "_mixture.gaussian_mixture",
    "GroupRepair": "_repair.group_repair",
    "LocalTransport": "_transport.local_transport",
    "MomentSums": "_mixture.moment_sums",
    "ScoreRepair": "_repair.score_repair",
    "bures_wasserstein_barycenter": "_functions.gaussian",
    "bures_wasserstein_distance": "_functions.gaussian",
    "bures_wasserstein_mapping": "_functions.gaussian",
    "empirical_bures_wasserstein_barycenter": "_functions.gaussian",
    "empirical_bures_wasserstein_distance": "_functions.gaussian",
    "empirical_bures_wasserstein_mapping": "_functions.gaussian",
    "linear_sum_assignment": "_functions.assignment",
    "dist_bures_squared": "_functions.mixture",
    "gaussian_pdf": "_functions.mixture",
    "gmm_ot_apply_map": "_functions.mixture",
    "gmm_ot_loss": "_functions.mixture",
    "gmm_ot_plan": "_functions.mixture",
    "gmm_pdf": "_functions.mixture",
    "mixture_distance": "_functions.mixture",
    "moment_sums": "_mixture.moment_sums",
    "next_mixture": "_mixture.moment_sums",
    "transport": "_transport.function",
}

__getattr__ = imported_on_first_use(globals(), _HOMES)


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
