# SPDX-License-Identifier: MIT
"""
Batch effects between laboratories
==================================

Three laboratories measure the same three kinds of cells with five markers. Each instrument has its
own offset and gain for every kind, and each laboratory sees the kinds in other proportions. The
maps must remove the instruments, but keep the proportions. A matching pairs the kinds one to one. A
plan would preserve mass, and move cells of one kind to another where a laboratory has too many of
them. Run `python batch_effects.py [picture.png]`.
"""

import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression

from lbw import LocalTransport

matplotlib.use("Agg")
rng = np.random.default_rng(4)
LABS, n = ("A", "B", "C"), 3000
profile = 4 * rng.normal(size=(3, 5))  # the mean markers of each kind of cell
proportions = {"A": [0.4, 0.4, 0.2], "B": [0.6, 0.2, 0.2], "C": [0.25, 0.25, 0.5]}
cells, kinds = [], []
for lab in LABS:
    kind = rng.choice(3, size=n, p=proportions[lab])
    offset, gain = (0, 1) if lab == "A" else (4 * rng.normal(size=5), rng.uniform(0.7, 1.5, (3, 5)))
    gain = np.broadcast_to(gain, (3, 5))[kind]
    cells.append(profile[kind] * gain**0.3 + offset + gain * rng.normal(size=(n, 5)))
    kinds.append(kind)
X, kinds, labs = np.concatenate(cells), np.concatenate(kinds), np.repeat(LABS, n)

# %%
# Transport all cells to laboratory A, where a classifier of the kinds was trained.

classifier = LogisticRegression().fit(X[labs == "A"], kinds[labs == "A"])
results = {"measured": X}
for coupling in ("matching", "plan"):
    transport = LocalTransport(n_components=3, coupling=coupling, random_state=0).fit(X, labs)
    results[coupling] = transport.transform(X, labs, to="A")
for name, values in results.items():
    accuracy = [classifier.score(values[labs == lab], kinds[labs == lab]) for lab in LABS]
    print(f"{name:9} accuracy in A, B, C: " + ", ".join(f"{value:.3f}" for value in accuracy))

pca = PCA(2).fit(X)
figure, axes = plt.subplots(1, 2, figsize=(10, 4.6), layout="constrained")
for ax, name in zip(axes, ("measured", "matching"), strict=True):
    for lab, colour in zip(LABS, ("#3f90da", "#ffa90e", "#bd1f01"), strict=True):
        shown = pca.transform(results[name][labs == lab])
        ax.scatter(*shown.T, s=3, c=colour, alpha=0.5, label=lab)
    ax.set(title=name, xlabel="principal component 1", ylabel="principal component 2")
    ax.legend(title="laboratory", markerscale=4)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "batch_effects.png", dpi=100)
