# SPDX-License-Identifier: MIT
"""
Morphing between shapes
=======================

Interpolate between three shapes. A shape is a set of points. `LocalTransport` fits a mixture of
small Gaussians to every shape, couples them between shapes, and moves each point by the map of its
Gaussian. The weights of a barycenter are the proportions of the shapes. Few Gaussians give blobs,
many follow the outline. Run `python morph.py [picture.png]`.
"""

import sys

import matplotlib
import numpy as np

from lbw import LocalTransport
from lbw.plot import BarycenterTriangleDisplay

matplotlib.use("Agg")
rng = np.random.default_rng(0)


def is_in(shape, x, y):
    """Return whether each point lies in a shape."""
    radius, angle = np.hypot(x, y), np.arctan2(x, y)  # angle 0 points up
    if shape == "heart":
        return (x**2 + y**2 - 0.6) ** 3 < 1.5 * x**2 * y**3
    if shape == "star":
        to_tip = np.abs((angle * 5 / (2 * np.pi) + 0.5) % 1 - 0.5)  # 0 at a tip, 0.5 between two
        return radius * (1 + 2.8 * to_tip) < 1.1
    leaves = radius < 0.33 + 0.62 * np.abs(np.sin(2 * angle))
    stem = (np.abs(x - 0.1 * y**2) < 0.06) & (y < 0) & (y > -1.1)
    return leaves | stem


def points_in(shape, n_points):
    """Draw points uniformly from a shape."""
    square = rng.uniform(-1.2, 1.2, size=(8 * n_points, 2))
    return square[is_in(shape, *square.T)][:n_points]


shapes = ["clover", "heart", "star"]
X = np.concatenate([points_in(shape, 8000) for shape in shapes])
groups = np.repeat(shapes, 8000)

# %%
transport = LocalTransport(n_components=400, map="random", random_state=0).fit(X, groups)

new = points_in("clover", 2000)  # points that were not in the fit
for target in ["heart", "star"]:
    moved = transport.transform(new, "clover", to=target)
    before, after = is_in(target, *new.T).mean(), is_in(target, *moved.T).mean()
    print(f"fraction of new clover points inside the {target}: {before:.3f} -> {after:.3f}")

display = BarycenterTriangleDisplay.from_estimator(transport, X, groups)
display.figure_.savefig(sys.argv[1] if len(sys.argv) > 1 else "morph.png", dpi=100)
