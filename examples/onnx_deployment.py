# SPDX-License-Identifier: MIT
"""
ONNX deployment
===============

Export a repair and a classifier to one ONNX file, and score applicants without Python's models.
A bank repairs the features of its applicants before a classifier sees them. The pipeline becomes
one file that onnxruntime reads in any language. Its probabilities are those of the pipeline, and
both groups get about the same fraction of loans. Run `python onnx_deployment.py [picture.png]`.
"""

import sys
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import onnxruntime
import skl2onnx
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lbw.onnx  # registers the converters of skl2onnx
from lbw import GroupRepair

matplotlib.use("Agg")
rng = np.random.default_rng(0)
sex = rng.integers(2, size=6000)
income = rng.lognormal(3.4 - 0.3 * sex, 0.4)
years = rng.gamma(4 - sex, 2.0)
X = np.column_stack([income, years, sex])
y = np.log(income) + 0.1 * years + rng.normal(scale=0.5, size=6000) > 4
X_train, X_test, y_train, _ = train_test_split(X, y, random_state=0)

# %%
repair = GroupRepair(sensitive_columns=2)
pipeline = make_pipeline(repair, StandardScaler(), LogisticRegression()).fit(X_train, y_train)
model = skl2onnx.to_onnx(pipeline, X_train[:1], options={"zipmap": False})
path = Path("loans.onnx")
path.write_bytes(model.SerializeToString())
_, repaired = onnxruntime.InferenceSession(path).run(None, {"X": X_test})
error = np.abs(repaired - pipeline.predict_proba(X_test)).max()
print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, largest difference {error:.0e}")
plain = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train[:, :2], y_train)
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharex=True, layout="constrained")
scores = {"unrepaired": plain.predict_proba(X_test[:, :2]), "repaired": repaired}
for ax, (name, score) in zip(axes, scores.items(), strict=True):
    parts = [score[X_test[:, 2] == group, 1] for group in (0, 1)]
    first, second = (np.mean(part > 0.5) for part in parts)
    print(f"{name}: loans for {first:.2f} of the men and {second:.2f} of the women")
    ax.hist(parts, bins=20, density=True, histtype="step", lw=2, label=["men", "women"])
    ax.set(title=name, xlabel="probability that a loan is granted")
axes[0].legend(loc="upper center")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "onnx_deployment.png", dpi=100)
alone = onnxruntime.InferenceSession(lbw.onnx.to_onnx(repair).SerializeToString())
unseen = alone.run(None, {"X": np.array([[30.0, 5.0, 7.0]])})[0][0]  # no row of the fit has sex 7
print(f"features of an unknown group: {unseen}")
