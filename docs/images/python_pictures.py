# SPDX-License-Identifier: MIT
"""Draw the pictures of docs/plots.md and docs/tutorial.md beside this script.

python docs/images/python_pictures.py    # needs lbw[plot]
"""

import re
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression

from lbw import GaussianMixture, GroupRepair, LocalTransport
from lbw.plot import (
    BarycenterTriangleDisplay,
    MatchingDisplay,
    MixtureDisplay,
    ParityDisplay,
    RepairDisplay,
    SelectionDisplay,
)

matplotlib.use("Agg")
FOLDER = Path(__file__).parent


def save(name, display, width, height, page="python"):
    """Write a display as a PNG with 64 colours, for a small file."""
    display.figure_.set_size_inches(width, height)
    path = FOLDER / f"{page}-{name}.png"
    display.figure_.savefig(path, dpi=72)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(colors=64)
    small.save(path, optimize=True)


def disc_square_cross(n_points):
    """Return points of three shapes and the shape of each point."""
    x, y = np.random.default_rng(0).uniform(-1, 1, size=(2, 8 * n_points))
    is_in = {
        "disc": x**2 + y**2 < 0.8,
        "square": np.abs(x) + np.abs(y) < 1,
        "cross": (np.abs(x) < 0.25) | (np.abs(y) < 0.25),
    }
    points = np.column_stack([x, y])
    X = np.concatenate([points[inside][:n_points] for inside in is_in.values()])
    return X, np.repeat(list(is_in), n_points)


def draw_mixtures():
    """Draw a mixture of both moons, and the selection of its number of components."""
    X, _ = make_moons(2000, noise=0.08, random_state=0)
    mixture = GaussianMixture("bic", n_components_range=range(1, 17), tol=1e-4, max_iter=500).fit(X)
    save("mixture", MixtureDisplay.from_estimator(mixture, X), 5, 3.6)
    save("selection", SelectionDisplay.from_estimator(mixture), 5, 3.6)


def draw_transports():
    """Draw the matching of two moons, and three shapes with their barycenters."""
    X, moon = make_moons(2000, noise=0.06, random_state=0)
    names = np.where(moon, "lower", "upper")
    transport = LocalTransport(n_components=8).fit(X, names)
    save("matching", MatchingDisplay.from_estimator(transport, X, names), 5, 3.6)
    X, names = disc_square_cross(4000)
    transport = LocalTransport(n_components=200, map="random").fit(X, names)
    save("barycenter-triangle", BarycenterTriangleDisplay.from_estimator(transport, X, names), 6, 6)


def draw_tutorial():
    """Run the tutorial up to its picture, and draw this picture."""
    page = (FOLDER.parent / "tutorial.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names = {}
    exec("\n".join(blocks).split("display.figure_")[0], names)
    save("coupling", names["display"], 6.5, 4.2, page="tutorial")


def draw_repair():
    """Draw two groups before and after a repair, and the scores of a classifier."""
    rng = np.random.default_rng(0)
    group = np.repeat(["a", "b"], 1000)
    X = rng.normal(size=(2000, 2)) @ [[1.0, 0.4], [0.0, 0.8]]
    X[1000:] = X[1000:] @ [[0.7, -0.2], [0.2, 1.4]] + [1.5, 1.0]
    y = X[:, 0] + rng.normal(size=2000) > np.where(group == "a", 0.0, 0.8)
    repair = GroupRepair().fit(X, sensitive_features=group)
    save("repair", RepairDisplay.from_estimator(repair, X, sensitive_features=group), 7, 3.4)
    classifier = LogisticRegression().fit(X, y)
    save("parity", ParityDisplay.from_estimator(classifier, X, group, y=y), 4.2, 4)


if __name__ == "__main__":
    draw_mixtures()
    draw_transports()
    draw_repair()
    draw_tutorial()
