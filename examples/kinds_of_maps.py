# SPDX-License-Identifier: MIT
"""
Hard, soft and random maps
==========================

A point belongs to several components of its mixture, and each of them may have several partners.
The hard map uses the most probable component and tears the disc apart. The soft map averages over
all components: it is smooth, but fills gaps of the target. The random map draws a component, so
that the result has the distribution of the target. Run `python kinds_of_maps.py [picture.png]`.
"""

import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from lbw import LocalTransport
from lbw.metrics import sliced_wasserstein

matplotlib.use("Agg")
rng = np.random.default_rng(0)


def disc_and_arch(n_points):
    """Draw points in a disc, and as many in an arch."""
    radius, angle = np.sqrt(rng.random(n_points)), rng.uniform(0, 2 * np.pi, n_points)
    disc = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    radius, angle = rng.uniform(1.6, 2.2, n_points), rng.uniform(0, np.pi, n_points)
    return disc, np.column_stack([radius * np.cos(angle), radius * np.sin(angle) - 1])


disc, arch = disc_and_arch(8000)
new_disc, new_arch = disc_and_arch(8000)  # points that are not part of the fit
X, groups = np.concatenate([disc, arch]), np.repeat(["disc", "arch"], 8000)

# %%
# The colour of a point shows its place in the disc, so that neighbours have similar colours.

figure, axes = plt.subplots(2, 2, figsize=(9, 5.2), layout="constrained")
panels = {"a disc": new_disc}
for kind in ("hard", "soft", "random"):
    transport = LocalTransport(n_components=12, map=kind, random_state=0).fit(X, groups)
    panels[kind] = transport.transform(new_disc, "disc", to="arch")
    result = sliced_wasserstein(panels[kind][::4], new_arch[::4])
    print(f"{kind:6} distance to the arch {result.value:.3f} (noise: {result.null_quantile:.3f})")

colour = np.arctan2(*new_disc.T[::-1])
for ax, (title, points) in zip(axes.flat, panels.items(), strict=True):
    if title in ("hard", "soft", "random"):
        ax.scatter(*new_arch.T, s=2, color="0.85", label="arch")
    ax.scatter(*points.T, c=colour, s=3, cmap="hsv")
    ax.set(title=title, xlim=(-2.5, 2.5), ylim=(-1.4, 1.4), aspect="equal", xticks=[], yticks=[])
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "kinds_of_maps.png", dpi=100)
