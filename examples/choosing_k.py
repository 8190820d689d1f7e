# SPDX-License-Identifier: MIT
"""
Choosing the number of components
=================================

Select the number of components of a Gaussian mixture. The likelihood rises with every component,
whether or not it is real. AIC and BIC penalize each parameter, so that their curves have a minimum.
BIC penalizes more and never selects more components than AIC. The samples here come from a mixture
of five components, so the correct answer is known. Run `python choosing_k.py [picture.png]`.
"""

import sys

import matplotlib
import numpy as np

from lbw import GaussianMixture
from lbw.plot import MixtureDisplay, SelectionDisplay

matplotlib.use("Agg")
import matplotlib.pyplot as plt

rng = np.random.default_rng(0)

# %%
# Five long and narrow clusters around the origin touch each other.

angles = 2 * np.pi * np.arange(5) / 5
petal = rng.normal(size=(5, 800, 2)) * [0.9, 0.35] + [2.5, 0]
X = np.concatenate(
    [
        points @ [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
        for points, angle in zip(petal, angles, strict=True)
    ]
)

# %%
# BIC selects the number of components. The curves of both criteria are in `selection_`.

mixture = GaussianMixture("bic", n_components_range=range(1, 13), tol=1e-5, max_iter=2000, n_init=3)
mixture.fit(X)
curve = mixture.selection_
print("k   mean log-likelihood       AIC       BIC")
for k, likelihood, aic, bic in zip(
    curve["n_components"], curve["mean_log_likelihood"], curve["aic"], curve["bic"], strict=True
):
    print(f"{k:<3} {likelihood:19.4f} {aic:9.1f} {bic:9.1f}")
print(f"selected by BIC: {mixture.n_components_} (true number: 5)")
print(f"lowest AIC: {curve['n_components'][np.argmin(curve['aic'])]}")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
SelectionDisplay.from_estimator(mixture, ax=left)
MixtureDisplay.from_estimator(mixture, X, ax=right)
right.set_aspect("equal")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "choosing_k.png", dpi=100)
