# SPDX-License-Identifier: MIT
"""Parameters of transport maps between groups."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

from .mixture import CRITERIA, EmParameters, RunParameters
from .option import COUNT, one_of, option

__all__ = ["LocalTransportParameters", "TransportParameters"]


@dataclass(kw_only=True, eq=False, repr=False)
class TransportParameters:
    """Parameters of the covariances, the coupling and the maps of a transport."""

    covariance_floor: float = option(
        core="mixture.covariance_floor",
        help="The regularization added to the diagonal of every covariance, in squared units of "
        "the data.",
    )
    relative_covariance_floor: float = option(
        core="mixture.relative_covariance_floor",
        help="Regularization relative to each feature's variance over all groups: this fraction "
        "of it is added to the diagonal of every covariance too. Unlike `covariance_floor`, it "
        "does not depend on the units.",
    )
    shrinkage: float | str = option(
        core="mixture.shrinkage",
        help="The shrinkage of covariances towards equal variances, for few samples in many "
        'features. "auto" chooses it from the samples of every component.',
    )
    coupling: str = option(
        core="coupling",
        help='How components of different groups are coupled. "matching" pairs them one to one, '
        'regardless of their weights. "plan" uses optimal transport plans between the weights of '
        "every group and the reference group, which preserve mass and may split components. "
        '"multimarginal" uses one plan of all groups at once, without a reference group.',
    )
    cost: str = option(
        core="cost",
        help="The cost of coupling two components: the squared distance of their means, or the "
        "squared Bures-Wasserstein distance, which includes the covariances.",
    )
    map: str = option(
        default="soft",
        core="map",
        help='How a point is transported. "soft" sends it to the average of where all components '
        "send it, weighted by their probabilities, so neighbours stay together. Use it for domain "
        'adaptation and colours. "random" draws a component and a partner with these '
        "probabilities, as a function of `random_state`, the point and its key (see `transform`), "
        "and reproduces the distribution of the target. Use it for barycenters and parity. "
        '"hard" takes the most probable component and has an inverse, except for some points near '
        "the borders of components.",
    )
    dither: float | str = option(
        core="dither",
        kept="notes",
        help="The noise added to features that take few values, such as whole numbers or 0 and 1. "
        "Without noise their values are transported to a few places that differ between groups, "
        'which reveals the group. "auto" spreads every value over the gaps to its neighbours, '
        "also where the gaps differ and where many samples share a value of an otherwise "
        "continuous feature, such as 0. A number is the width of the noise as a fraction of the "
        "step, for values at equal steps: 1 closes the gaps and 0 adds no noise. The noise of a "
        "point is a function of `random_state`, of the point and of its key. "
        "`dithered_features_` lists the features that have noise.",
    )
    refine: int = option(
        core="refine",
        help="The number of sliced steps that bring groups closer to each other at the barycenter "
        "than mixtures can. Each step applies a random rotation and a monotone map of every axis. "
        "The steps lead to one barycenter only.",
    )
    scale_features: bool = option(
        core="scale_features",
        help="Whether components are coupled, mapped and averaged with every feature divided by "
        "its standard deviation over all groups, so that the units of the features do not matter. "
        "If False, distances are measured in the features as they are, as in the paper.",
    )
    group_shrinkage: float | str = option(
        core="group_shrinkage",
        kept="notes",
        help="The shrinkage of the mean, variances and correlations of every group towards those "
        'of all samples. "auto" shrinks by the fraction of each difference that sampling noise '
        "explains, which vanishes for large groups.",
    )
    small_groups: str = option(
        core="small_groups",
        kept="notes",
        help='How `fit` treats a group of a single sample, which has no spread to learn. "error" '
        'raises an error. "keep" leaves its rows where they are, with a warning, and fits the '
        "others as if it were absent.",
    )
    reference: Any = option(
        (),
        default=None,
        type="label or None",
        kept="notes",
        help="The group that the others are coupled to. If None, the first of `groups_`. With two "
        "groups it makes no difference, and it has no effect if `coupling` is "
        '"multimarginal", whose plan treats all groups alike.',
    )
    handle_unknown: str = option(
        one_of("error", "ignore", "barycenter"),
        default="error",
        kept="notes",
        help='How `transform` treats rows whose group was not seen in `fit`. "error" raises an '
        'error, "ignore" leaves these rows as they are, and "barycenter" moves each to the mean of '
        "where the maps of all groups send it. The weights of this mean are the probabilities "
        "that the row came from each group, by the densities of their mixtures and with equal "
        "prior probabilities. It is read at every call of `transform`.",
    )


@dataclass(eq=False, repr=False)
class LocalTransportParameters(RunParameters, EmParameters, TransportParameters):
    """Parameters of LocalTransport."""

    n_components: Any = option(
        (COUNT, dict, "array-like", CRITERIA),
        default=10,
        type='int, dict, array-like of shape (n_groups,) or {"aic", "bic", "heldout"}',
        help="The number of components of every group's mixture. Unless they are matched, groups "
        "may differ: give a number per label, or one per group in the order of `groups_`. A "
        "criterion selects from `n_components_range`, separately for every group. Groups that are "
        "matched need the same number, so the one that is best for all groups together is used.",
    )
    _: KW_ONLY
    refine_weights: Any = option(
        ("array-like", dict, None),
        default=None,
        type="array-like of shape (n_groups,), dict or None",
        help="The weights of the barycenter that the steps of `refine` lead to, in the order of "
        "`groups_` or by label. If None, equal weights.",
    )
