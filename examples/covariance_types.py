# SPDX-License-Identifier: MIT
"""
Covariance types
================

`covariance_type` restricts the covariances of a mixture. Full covariances follow every shape, and
the other types have fewer parameters, which few samples can determine better. Here, three clusters
are fitted with each type, and the log-likelihood of held-out samples says which type is best: full
covariances for 20 000 samples, but not for 20. Run `python covariance_types.py [picture.png]`.
"""

import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from lbw import GaussianMixture
from lbw.plot import MixtureDisplay

matplotlib.use("Agg")
rng = np.random.default_rng(0)


def clusters(n_samples):
    """Draw samples of three clusters: one long, one tilted, one round."""
    shapes = np.array([[[1.5, 0], [0, 0.3]], [[0.7, 0.6], [0, 0.3]], [[0.5, 0], [0, 0.5]]])
    kind = rng.integers(3, size=n_samples)
    centre = np.array([[0, 0], [3, 2.5], [-2, 3]])[kind]
    return np.einsum("ni,nij->nj", rng.normal(size=(n_samples, 2)), shapes[kind]) + centre


# %%
# Fit each type to few and to many samples. A higher log-likelihood is better.

held_out, few, many = clusters(20_000), clusters(20), clusters(20_000)
print("held-out log-likelihood after a fit to   20 samples   20 000 samples")
fitted = {}
for kind in ("full", "tied", "diag", "spherical"):
    small = GaussianMixture(3, covariance_type=kind, n_init=10).fit(few)
    fitted[kind] = GaussianMixture(3, covariance_type=kind, n_init=3).fit(many)
    print(f"{kind:40} {small.score(held_out):10.2f} {fitted[kind].score(held_out):16.3f}")

# %%
# The ellipses show two standard deviations of each component, and the titles the log-likelihood.

figure, axes = plt.subplots(2, 2, figsize=(9, 7), layout="constrained", sharex=True, sharey=True)
for ax, (kind, mixture) in zip(axes.flat, fitted.items(), strict=True):
    MixtureDisplay.from_estimator(mixture, many[:1500], ax=ax)
    ax.set(title=f"{kind}: {mixture.score(held_out):.2f}", aspect="equal", xlabel="", ylabel="")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "covariance_types.png", dpi=100)
