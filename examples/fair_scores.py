# SPDX-License-Identifier: MIT
"""
Fair scores
===========

Give two groups the same distribution of scores, and measure the loss of AUC. Boosted trees can
infer the group from features that are only weakly related to it. `ScoreRepair` wraps the trees and
maps the scores of both groups to their barycenter, learned on held-out folds. One fit serves every
interpolation parameter (`amount`) from 0, no repair, to 1, full repair. Run `python fair_scores.py
[picture.png]`.
"""

import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from lbw import ScoreRepair
from lbw.metrics import demographic_parity_gamma

matplotlib.use("Agg")
rng = np.random.default_rng(0)

n = 8000
is_woman, part_time = rng.random(n) < 0.5, rng.random(n) < 0.3
skill = rng.normal(size=n)
hours = np.where(part_time, 20, 39) - 3 * is_woman + rng.normal(scale=2, size=n)
income = 30 + 8 * skill + 0.4 * hours - 6 * is_woman + rng.normal(scale=3, size=n)
y = skill - 0.6 * is_woman + rng.normal(size=n) > 0  # the target itself differs between the groups
X = pd.DataFrame({"hours": hours, "income": income, "sex": np.where(is_woman, "w", "m")})
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

# %%
trees = HistGradientBoostingClassifier(max_iter=40, random_state=0)
repair = ScoreRepair(trees, sensitive_columns="sex").fit(X_train, y_train)

amounts, curve, scores = np.linspace(0, 1, 5), [], {}
print("amount    AUC  gamma")
for amount in amounts:
    scores[amount] = repair.set_params(amount=amount).predict_proba(X_test)[:, 1]
    parity = demographic_parity_gamma(scores[amount], X_test["sex"], n_bootstraps=0)
    curve.append((roc_auc_score(y_test, scores[amount]), parity.value))
    print(f"{amount:6.2f}  {curve[-1][0]:.3f}  {curve[-1][1]:.3f}")
print(f"sampling noise alone gives gamma up to {parity.null_quantile:.3f}")

figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
for ax, amount, title in zip(axes, (0.0, 1.0), ("unrepaired", "repaired"), strict=False):
    parts = [scores[amount][X_test["sex"] == sex] for sex in ("m", "w")]
    ax.hist(parts, bins=15, density=True, histtype="step", lw=2, label=["men", "women"])
    ax.set(title=f"scores, {title}", xlabel="score")
    ax.legend(loc="upper center")
axes[2].plot(*zip(*curve, strict=True), marker="o")
axes[2].set(title="amounts 0 to 1", xlabel="AUC", ylabel="gamma, lower is fairer")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "fair_scores.png", dpi=100)
