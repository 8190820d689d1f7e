# SPDX-License-Identifier: MIT
"""
Reading a report
================

A report evaluates a fitted transport on held-out samples. Its verdict says in words what is wrong
and what to do. Here, two half moons are transported to a ring, with one component per group, which
is too few, and with eight. Run `python reading_a_report.py [picture.png]`.
"""

import sys
import textwrap

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_circles, make_moons

from lbw import LocalTransport

matplotlib.use("Agg")
GROUPS = np.repeat(["moons", "ring"], 1000)


def moons_and_ring(seed):
    """Draw 1000 points of two half moons and 1000 of a ring."""
    moons, _ = make_moons(1000, noise=0.08, random_state=seed)
    ring, inner = make_circles(2000, noise=0.06, factor=0.1, random_state=seed)
    return np.concatenate([moons, 1.5 * ring[inner == 0] + [4, 0]])


X, held_out = moons_and_ring(0), moons_and_ring(1)
models = {k: LocalTransport(k, map="random", random_state=0).fit(X, GROUPS) for k in (1, 8)}
reports = {k: model.report(held_out, GROUPS) for k, model in models.items()}

# %%
# The verdict of each fit. Every sentence has its number, and a warning has a remedy.

for k, report in reports.items():
    print(f"n_components={k}")
    for line in report.verdict.splitlines():
        print(textwrap.fill(line, 96, initial_indent="  - ", subsequent_indent="    "))

# %%
# The tables have the numbers behind it. The distance after the transport should be below the limit,
# the largest distance that sampling noise explains.

columns = ["from", "to", "sliced_before", "sliced_after", "sliced_after_limit"]
for k, report in reports.items():
    print(f"n_components={k}", report.carried[columns].dropna().round(3), sep="\n")

figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained", sharex=True, sharey=True)
for ax, (k, model) in zip(axes, models.items(), strict=True):
    moved = model.transform(held_out[:1000], "moons", to="ring")
    ax.scatter(*held_out.T, s=5, c="0.75", label="held-out samples")
    ax.scatter(*moved.T, s=5, c="#3f90da", label="moons, transported")
    ax.set(title=f"moons to ring, {k} component{'s' * (k > 1)}", aspect="equal")
axes[0].legend(markerscale=4)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "reading_a_report.png", dpi=100)
