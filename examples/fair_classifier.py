# SPDX-License-Identifier: MIT
"""
A fair classifier
=================

The scores of this classifier do not reveal a protected group. `GroupRepair` transports every group
to the barycenter of the groups. The group is a column of the table, which this step of the pipeline
uses and then drops. The grid search balances AUC against gamma, the distance between the groups'
scores: 0 means parity, 1 means no overlap. Run `python fair_classifier.py [picture.png]`.
"""

import sys

import matplotlib
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline

from lbw import GroupRepair
from lbw.metrics import demographic_parity_gamma
from lbw.plot import RepairDisplay

matplotlib.use("Agg")
rng, n = np.random.default_rng(0), 6000
is_woman, full_time = rng.random(n) < 0.5, rng.random(n) < 0.5
skill = rng.normal(size=n) + 0.5 * full_time
income = 20 + 4 * skill + full_time * np.where(is_woman, 8, 18) + 2 * rng.normal(size=n)
hours = 20 + 18 * full_time - np.where(is_woman, 4, 0) + rng.normal(scale=2, size=n)
y = skill - 0.6 * is_woman + rng.normal(size=n) > 0  # the target itself differs between the groups
X = pd.DataFrame({"income": income, "hours": hours, "sex": np.where(is_woman, "w", "m")})
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)


def auc_and_gamma(classifier, X, y):
    """Return how well the scores predict the target, and how far they are from parity."""
    score = classifier.predict_proba(X)[:, 1]
    gamma = demographic_parity_gamma(score, X["sex"], n_permutations=0, n_bootstraps=0)
    return roc_auc_score(y, score), gamma.value


# %%
# The grid search maximizes AUC minus gamma. The repair is a step of its pipeline.

repair = GroupRepair(sensitive_columns="sex", check_samples=0)  # skip the check of each fit
pipeline = make_pipeline(repair, LogisticRegression())
grid = {"grouprepair__n_components": [1, 2, 4], "grouprepair__amount": [0.0, 0.5, 1.0]}
search = GridSearchCV(pipeline, grid, scoring=lambda *a: np.subtract(*auc_and_gamma(*a)))
search.fit(X_train, y_train)
print(search.best_params_)
raw = pipeline.set_params(grouprepair__amount=0.0).fit(X_train, y_train)
print("unrepaired: AUC {:.3f}, gamma {:.3f}".format(*auc_and_gamma(raw, X_test, y_test)))
print("repaired:   AUC {:.3f}, gamma {:.3f}".format(*auc_and_gamma(search, X_test, y_test)))

display = RepairDisplay.from_estimator(search.best_estimator_["grouprepair"], X_test)
display.figure_.savefig(sys.argv[1] if len(sys.argv) > 1 else "fair_classifier.png", dpi=100)
