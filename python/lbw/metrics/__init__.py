# SPDX-License-Identifier: MIT
"""Measures of the result of a transport: parity of scores, distances of samples and supports."""

from .._options.presented import public
from ._parity import ParityResult, demographic_parity_gamma
from ._support import SupportAgreement, support_agreement
from ._two_samples import TwoSampleResult, group_auc, sliced_wasserstein

__all__ = [
    "ParityResult",
    "SupportAgreement",
    "TwoSampleResult",
    "demographic_parity_gamma",
    "group_auc",
    "sliced_wasserstein",
    "support_agreement",
]

public(globals(), __name__)
