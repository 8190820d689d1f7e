# SPDX-License-Identifier: MIT
"""
ONNX deployment
===============

Export a repair and a classifier to one ONNX file, and score applicants without Python's models.
A bank repairs the features of its applicants before a classifier sees them. The pipeline becomes
one file that onnxruntime reads in any language. Its probabilities are those of the pipeline, and
both groups get about the same fraction of loans.

    python onnx_deployment.py [model.onnx]
"""

import sys
from pathlib import Path

import numpy as np
import onnxruntime
import skl2onnx
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import lbw.onnx  # registers the converters of skl2onnx
from lbw import GroupRepair

rng = np.random.default_rng(0)
n = 6000
sex = rng.integers(2, size=n)
income = rng.lognormal(3.4 - 0.3 * sex, 0.4)
years = rng.gamma(4 - sex, 2.0)
X = np.column_stack([income, years, sex])
y = np.log(income) + 0.1 * years + rng.normal(scale=0.5, size=n) > 4
X_train, X_test, y_train, _ = train_test_split(X, y, random_state=0)

repair = GroupRepair(sensitive_columns=2)
pipeline = make_pipeline(repair, StandardScaler(), LogisticRegression()).fit(X_train, y_train)

model = skl2onnx.to_onnx(pipeline, X_train[:1], options={"zipmap": False})
path = Path(sys.argv[1] if len(sys.argv) > 1 else "loans.onnx")
path.write_bytes(model.SerializeToString())

session = onnxruntime.InferenceSession(path)
label, probabilities = session.run(None, {"X": X_test})
error = np.abs(probabilities - pipeline.predict_proba(X_test)).max()
print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB, largest difference {error:.0e}")
unrepaired = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train[:, :2], y_train)
loans = {"unrepaired": unrepaired.predict(X_test[:, :2]), "repaired": label}
for name, granted in loans.items():
    first, second = (granted[X_test[:, 2] == group].mean() for group in (0, 1))
    print(f"{name}: loans for {first:.2f} of the men and {second:.2f} of the women")

alone = onnxruntime.InferenceSession(lbw.onnx.to_onnx(repair).SerializeToString())
stranger = np.array([[30.0, 5.0, 7.0]])  # a group that the fit has not seen
print(f"features of an unknown group: {alone.run(None, {'X': stranger})[0][0]}")
