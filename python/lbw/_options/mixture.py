# SPDX-License-Identifier: MIT
"""Parameters of mixtures: those that every estimator shares, and those of GaussianMixture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any

from .names import COVARIANCE_TYPES, STARTS, n_threads_of, seed_of, sklearn_name
from .option import COUNT, at_least, changed, one_of, option

__all__ = ["CRITERIA", "EmParameters", "MixtureParameters", "RunParameters"]

CRITERIA = one_of("aic", "bic", "heldout")


@dataclass(kw_only=True, eq=False, repr=False)
class RunParameters:
    """Parameters that say how to run a fit."""

    random_state: Any = option(
        "random_state",
        default=None,
        core="mixture.seed",
        to_core=seed_of,
        kept="notes",
        help="The seed of random numbers. If None, a fixed default seed is used, so results are "
        "reproducible.",
    )
    n_jobs: int | None = option(
        (Integral, None),
        default=None,
        core="mixture.n_threads",
        to_core=n_threads_of,
        kept="notes",
        help="The number of threads. -1 uses all cores, and so does None unless the environment "
        "variable OMP_NUM_THREADS is set. It never changes a result.",
    )


@dataclass(kw_only=True, eq=False, repr=False)
class EmParameters:
    """Parameters of expectation maximization."""

    n_components_range: Iterable[int] | None = option(
        ("array-like", Iterable, None),
        default=None,
        type="iterable of int or None",
        help="The numbers of components to choose from if `n_components` is a criterion. If None, "
        "1 to 10; `GaussianMixture` tries no more than there are samples.",
    )
    covariance_type: str = option(
        one_of(*COVARIANCE_TYPES),
        core="mixture.covariance_type",
        to_core=COVARIANCE_TYPES.__getitem__,
        from_core=sklearn_name,
        help="The shape of covariances: each component has its own general matrix, all components "
        "share one, each has its own diagonal matrix, or each has a single variance.",
    )
    n_init: int = option(
        core="mixture.n_init",
        help="The number of independent initializations of every mixture. The fit with the best "
        "likelihood is kept.",
    )
    tol: float = option(
        core="mixture.tolerance",
        help="The convergence threshold. EM stops once an iteration changes the mean "
        "log-likelihood by less.",
    )
    max_iter: int = option(
        core="mixture.max_iterations",
        help="The maximum number of EM iterations. 0 returns the initialization.",
    )
    start_samples: int | None = option(
        core="mixture.start_samples",
        help="The number of samples that EM starts on before it uses all of them. If None, a "
        "subsample is used only for large fits, of 8192 samples or more.",
    )
    precision: str = option(
        core="mixture.precision",
        help='The precision that EM computes in. "f32" takes about 60 % of the time.',
    )
    verbose: int = option(
        "verbose",
        default=0,
        kept="notes",
        help="The verbosity. 1 shows a progress bar if tqdm is installed and lines of text "
        "otherwise; 2 prints lines with the log-likelihood.",
    )


@dataclass(eq=False, repr=False)
class MixtureParameters(RunParameters, EmParameters):
    """Parameters of GaussianMixture."""

    n_components: int | str = option(
        (COUNT, CRITERIA),
        default=1,
        help="The number of components, or the criterion that selects it from "
        "`n_components_range`: AIC, BIC, or the likelihood of one sample in five, held out of the "
        "fits that are compared.",
    )
    _: KW_ONLY
    reg_covar: float = option(
        core="mixture.covariance_floor",
        help="The regularization added to the diagonal of every covariance.",
    )
    init_params: str = option(
        one_of(*STARTS),
        default="kmeans",
        core="mixture.start",
        to_core=STARTS.__getitem__,
        help="The method used to initialize EM. Each fit continues from the better of two "
        "initializations, compared after five iterations, unless the first converges by then. "
        '"random" uses a single initialization; with tied covariances its means are moved apart, '
        "because EM would not separate them.",
    )
    weights_init: Any = option(
        ("array-like", None),
        default=None,
        type="array-like of shape (n_components,) or None",
        help="The initial weights. If None, those of the initialization are used.",
    )
    means_init: Any = option(
        ("array-like", None),
        default=None,
        type="array-like of shape (n_components, n_features) or None",
        help="The initial means. If None, those of the initialization are used.",
    )
    precisions_init: Any = option(
        ("array-like", None),
        default=None,
        help="The initial inverse covariances, in the shape of `covariances_`. If None, those of "
        "the initialization are used.",
    )
    warm_start: bool = option(
        "boolean", default=False, help="Whether to start from the result of the previous fit."
    )
    verbose_interval: int = option(
        at_least(1), default=10, help="The number of iterations between two lines of output."
    )
    random_state: Any = changed(
        RunParameters,
        "random_state",
        help="The seed of the initialization and of `sample`. If None, `fit` uses a fixed default "
        "seed, so fits are reproducible, and `sample` draws new samples in every call, as "
        "scikit-learn does.",
    )
