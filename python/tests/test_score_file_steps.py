# SPDX-License-Identifier: MIT
"""Files of ScoreRepair whose classifiers have estimators of lbw as steps."""

from __future__ import annotations

import copy
import io
import json
import pickle
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from score_file_samples import changed, parts, rows
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair
from lbw._input import embedded


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "scores.safetensors"


def with_numbers(n_classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Features and a group of numbers in the last column."""
    table, y = rows(n_classes)
    return np.column_stack([table[["x", "y"]], table["sex"] == "m"]), y


class Moved(TransformerMixin, BaseEstimator):
    """A step that transports features to one group and adds the log-density of a mixture."""

    def fit(self, X: Any, y: Any = None) -> Moved:
        self.transport_ = LocalTransport(2, refine=2, random_state=3).fit(X[:, :2], X[:, 2])
        self.mixture_ = GaussianMixture(2, covariance_type="diag").fit(X[:, :2])
        return self

    def transform(self, X: Any) -> np.ndarray:
        moved = self.transport_.transform(X[:, :2], X[:, 2], to=1.0)
        return np.column_stack([moved, self.mixture_.score_samples(moved)])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("options", [{}, {"ensemble": False}])
@pytest.mark.parametrize("step", [{}, {"n_components": 2, "map": "soft", "amount": 0.5}])
def test_a_classifier_with_a_repair_makes_a_round_trip(path, step, options, n_classes):
    X, y = with_numbers(n_classes)
    first = GroupRepair(sensitive_columns=2, check_samples=0, refine=3, random_state=4, **step)
    repair = ScoreRepair(make_pipeline(first, LogisticRegression()), cv=2, **options)
    groups = X[:, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the file is not for the program
        repair.fit(X, y, sensitive_features=groups).save(path)
        loaded = ScoreRepair.load(path)
    expected = repair.predict_proba(X, sensitive_features=groups)
    found = loaded.predict_proba(X, sensitive_features=groups)
    assert found.tobytes() == expected.tobytes()
    assert loaded.classifier[0].get_params() == first.get_params()
    again = loaded.fit(X, y, sensitive_features=groups)
    assert again.predict_proba(X, sensitive_features=groups).tobytes() == expected.tobytes()


def test_routed_repairs_keep_their_requests_and_outputs(path):
    table, y = rows(2)
    X, groups = table[["x", "y"]], table["sex"]
    with sklearn.config_context(enable_metadata_routing=True):
        first = GroupRepair(check_samples=0, refine=0).set_output(transform="pandas")
        first.set_fit_request(sensitive_features=True)
        first.set_transform_request(sensitive_features=True)
        scaled = make_column_transformer((StandardScaler(), ["y"]))  # which needs the names
        repair = ScoreRepair(make_pipeline(first, scaled, LogisticRegression()), ensemble=False)
        repair.fit(X, y, sensitive_features=groups).save(path)
        loaded = ScoreRepair.load(path)
        expected = repair.predict_proba(X, sensitive_features=groups)
        found = loaded.predict_proba(X, sensitive_features=groups)
        assert found.tobytes() == expected.tobytes()
        again = loaded.fit(X, y, sensitive_features=groups)
        found = again.predict_proba(X, sensitive_features=groups)
        assert found.tobytes() == expected.tobytes()


def test_transports_and_mixtures_in_classifiers_make_a_round_trip(path):
    X, y = with_numbers()
    model = make_pipeline(Moved(), LogisticRegression()).fit(X, y)
    repair = ScoreRepair(model, cv="prefit").fit(X, sensitive_features=X[:, 2])
    repair.save(path)
    with pytest.raises(ValueError, match=r"does not trust: test_score_file_steps\.Moved\. "):
        ScoreRepair.load(path)
    loaded = ScoreRepair.load(path, trusted=[Moved])
    expected = repair.predict_proba(X, sensitive_features=X[:, 2])
    assert loaded.predict_proba(X, sensitive_features=X[:, 2]).tobytes() == expected.tobytes()


def with_classifiers(path: Path, change: Any) -> None:
    """Change the schema of the classifiers in a file, a JSON object of skops."""
    header, data = parts(path)
    begin, end = header["classifiers"]["data_offsets"]
    assert end == max(own["data_offsets"][1] for name, own in header.items() if name[0] != "_")
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data[begin:end])) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "schema.json":
                schema = json.loads(content)
                change(schema)
                content = json.dumps(schema).encode()
            new.writestr(name, content)
    bytes_ = out.getvalue()
    header["classifiers"].update(shape=[len(bytes_)], data_offsets=[begin, begin + len(bytes_)])
    changed(path, header, data[:begin] + bytes_)


def nodes_of(schema: Any, name: str) -> list[dict[str, Any]]:
    """Return the nodes of a type, written out in full."""
    if isinstance(schema, list):
        return [node for own in schema for node in nodes_of(own, name)]
    if not isinstance(schema, dict):
        return []
    found = [schema] if schema.get("__class__") == name and "content" in schema else []
    return found + [node for own in schema.values() for node in nodes_of(own, name)]


def put(node: dict[str, Any], name: str, value: Any) -> None:
    """Replace an entry of the state of an estimator."""
    node["content"]["content"][name] = node_of(value)


def rename(node: dict[str, Any], name: str, new: str) -> None:
    state = node["content"]["content"]
    state[new] = state.pop(name)


def node_of(value: Any) -> dict[str, Any]:
    text = json.dumps(value)
    return {
        "__class__": "str",
        "__module__": "builtins",
        "__loader__": "JsonNode",
        "content": text,
        "is_json": True,
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda node: node["content"]["content"].pop("file"),
        lambda node: rename(node, "file", "groups_"),  # as an object with chosen attributes
        lambda node: put(node, "output", "other"),
        lambda node: put(node, "requests", {"fit": 1}),
        lambda node: put(node, "requests", {"params": {"amount": 0.0}}),
        lambda node: put(node, "file", "text"),
        lambda node: node.update(content=node_of(3)),
    ],
)
def test_a_repair_in_a_classifier_is_checked(path, change):
    X, y = with_numbers()
    first = GroupRepair(sensitive_columns=2, check_samples=0, refine=0)
    repair = ScoreRepair(make_pipeline(first, LogisticRegression()), ensemble=False)
    repair.fit(X, y, sensitive_features=X[:, 2]).save(path)

    def change_all(schema: Any) -> None:
        nodes = nodes_of(schema, "GroupRepair")
        assert nodes
        for node in nodes:
            change(node)

    with_classifiers(path, lambda schema: None)
    ScoreRepair.load(path)  # the rewritten file is a good one
    with_classifiers(path, change_all)
    with pytest.raises(OSError, match=r"scores\.safetensors': its classifiers are damaged"):
        ScoreRepair.load(path)


@pytest.mark.parametrize("what", ["cut", "header", "numbers"])
def test_damaged_bytes_of_a_repair_in_a_classifier_are_refused(path, what):
    X, y = with_numbers()
    first = GroupRepair(sensitive_columns=2, check_samples=0, refine=0)
    repair = ScoreRepair(make_pipeline(first, LogisticRegression()), ensemble=False)
    repair.fit(X, y, sensitive_features=X[:, 2])

    def damaged(estimator: Any) -> Any:
        own = bytes_of(estimator).copy()
        if what == "cut":
            return own[:-9]
        own[slice(0, 8) if what == "header" else slice(-64, None)] = 255
        return own

    bytes_of = embedded._bytes_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded, "_bytes_of", damaged)
        repair.save(path)
    with pytest.raises(OSError, match=r"scores\.safetensors': its classifiers are damaged"):
        ScoreRepair.load(path)


def test_pickles_and_copies_are_those_of_scikit_learn():
    X, _ = with_numbers()
    for estimator in (GroupRepair(sensitive_columns=2, check_samples=0), GaussianMixture(2)):
        fitted = estimator.fit(X)
        assert fitted.__getstate__().keys() == fitted.__dict__.keys()
        for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
            assert other.__dict__.keys() == fitted.__dict__.keys()
