# SPDX-License-Identifier: MIT
"""
Domain adaptation
=================

Apply a classifier to data that has changed since it was trained. The target is rotated by 40
degrees, stretched and shifted, and has no labels. Each method learns a map from the target to the
source from 1000 unlabelled target points. The unchanged classifier then labels 1000 new points that
are transported by this map. Six components are three per moon. With fewer or more, components of
different moons may be coupled, so check the picture. Run `python domain_adaptation.py
[picture.png]`.
"""

import sys
import time

import matplotlib
import numpy as np
import ot
from sklearn.datasets import make_moons
from sklearn.svm import SVC

from lbw import LocalTransport
from lbw.plot import MatchingDisplay

matplotlib.use("Agg")

X_source, y_source = make_moons(1000, noise=0.1, random_state=0)
X_target, y_target = make_moons(2000, noise=0.1, random_state=1)
cos, sin = np.cos(np.radians(40)), np.sin(np.radians(40))
X_target = (X_target - X_target.mean(axis=0)) @ [[1.2 * cos, 0.9 * sin], [-1.2 * sin, 0.9 * cos]]
X_target += [1.0, 0.8]
X_fit, X_new, y_new = X_target[:1000], X_target[1000:], y_target[1000:]

classifier = SVC().fit(X_source, y_source)
print(f"{'without adaptation':20} accuracy {classifier.score(X_new, y_new):.3f}")

# %%
# Compare three maps, each of which is fitted to unlabelled points only.
X, domain = np.concatenate([X_source, X_fit]), np.repeat(["source", "target"], 1000)
transport = LocalTransport(n_components=6, random_state=0)
linear, emd = ot.da.LinearTransport(), ot.da.EMDTransport()
methods = {
    "lbw LocalTransport": lambda: transport.fit(X, domain).transform(X_new, "target", to="source"),
    "POT LinearTransport": lambda: linear.fit(Xs=X_fit, Xt=X_source).transform(Xs=X_new),
    "POT EMDTransport": lambda: emd.fit(Xs=X_fit, Xt=X_source).transform(Xs=X_new),
}
seconds = {name: [] for name in methods}
for _ in range(3):  # in turn, so that other work on the machine affects all methods alike
    for name, adapt in methods.items():
        start = time.perf_counter()
        adapt()
        seconds[name].append(time.perf_counter() - start)
for name, adapt in methods.items():
    score, median = classifier.score(adapt(), y_new), np.median(seconds[name])
    print(f"{name:20} accuracy {score:.3f}  {1e3 * median:8.1f} ms")

display = MatchingDisplay.from_estimator(transport, X, domain, n_std=1.5)
display.figure_.savefig(sys.argv[1] if len(sys.argv) > 1 else "domain_adaptation.png", dpi=100)
