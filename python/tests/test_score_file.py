# SPDX-License-Identifier: MIT
"""Files of ScoreRepair."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from score_file_samples import changed, parts, rows
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from lbw import GaussianMixture, GroupRepair, LocalTransport, ScoreRepair, _core

PROGRAM = Path(sys.executable).parent / "lbw"


class Constant(ClassifierMixin, BaseEstimator):
    """A classifier of the user's own."""

    def fit(self, X: Any, y: Any) -> Constant:
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        return np.tile(self.shares_, (len(X), 1))


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "scores.safetensors"


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("options", [{}, {"ensemble": False}, {"ensemble": "mean", "amount": 0.5}])
def test_a_round_trip_changes_no_bit(path, n_classes, options):
    table, y = rows(n_classes)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.5))
    repair = ScoreRepair(model, cv=3, sensitive_columns="sex", weights={"f": 3}, **options)
    repair.fit(table, y).save(path)
    loaded = ScoreRepair.load(path)
    expected = repair.predict_proba(table)
    assert loaded.predict_proba(table).tobytes() == expected.tobytes()
    assert loaded.predict_proba(table[["sex", "x", "y"]][::-1].loc[:, table.columns]).shape
    np.testing.assert_array_equal(loaded.predict(table), repair.predict(table))
    assert loaded.predict(table).dtype == repair.predict(table).dtype
    np.testing.assert_array_equal(loaded.feature_names_in_, repair.feature_names_in_)
    assert loaded.classifier.get_params()["logisticregression__C"] == 0.5
    # a new fit gives the same again
    assert loaded.fit(table, y).predict_proba(table).tobytes() == expected.tobytes()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_tables_are_loaded_without_skops(path, n_classes, monkeypatch):
    table, y = rows(n_classes)
    X, sex = table[["x", "y"]].to_numpy(), table["sex"]
    model = LogisticRegression().fit(X, y)
    repair = ScoreRepair(model, cv="prefit").fit(X, sensitive_features=sex)
    monkeypatch.setitem(sys.modules, "skops", None)
    monkeypatch.setitem(sys.modules, "skops.io", None)
    with pytest.raises(ImportError, match=r"needs skops. Install it with pip install 'lbw\[skops"):
        repair.save(path)
    assert not path.exists()
    repair.save(path, with_classifiers=False)
    with pytest.raises(ValueError, match=r"was saved without its classifier\. Pass the fitted one"):
        ScoreRepair.load(path)
    loaded = ScoreRepair.load(path, classifier=model)
    assert loaded.cv == "prefit"
    expected = repair.predict_proba(X, sensitive_features=sex)
    assert loaded.predict_proba(X, sensitive_features=sex).tobytes() == expected.tobytes()
    with pytest.raises(ValueError, match="the classifier has 1 features, but"):
        ScoreRepair.load(path, classifier=LogisticRegression().fit(X[:, :1], y))
    with pytest.raises(ValueError, match=r"the classifier has the classes \[0, 1\], but"):
        ScoreRepair.load(path, classifier=LogisticRegression().fit(X, np.arange(len(X)) % 2))


def test_ensembles_need_their_classifiers(path):
    table, y = rows(2)
    repair = ScoreRepair(LogisticRegression(), cv=3, sensitive_columns="sex").fit(table, y)
    with pytest.raises(ValueError, match=r"the repair has 3 classifiers\. Only a single one"):
        repair.save(path, with_classifiers=False)
    repair.save(path)
    with pytest.raises(ValueError, match="holds the scores of 3 classifiers"):
        ScoreRepair.load(path, classifier=repair.classifiers_[0])


def test_types_that_skops_does_not_trust_must_be_listed(path):
    table, y = rows(2)
    tree = DecisionTreeClassifier(max_depth=2)
    repair = ScoreRepair(tree, cv=2, sensitive_columns="sex").fit(table, y)
    repair.save(path)
    with pytest.raises(
        ValueError, match=r"does not trust: sklearn\.tree\._tree\.Tree.*pass trusted=\['sklearn"
    ):
        ScoreRepair.load(path)
    loaded = ScoreRepair.load(path, trusted=["sklearn.tree._tree.Tree"])
    assert loaded.predict_proba(table).tobytes() == repair.predict_proba(table).tobytes()
    for bad in (True, "sklearn.tree._tree.Tree", [1]):
        with pytest.raises(TypeError, match="expected a list of types or of their names"):
            ScoreRepair.load(path, trusted=bad)
    own = ScoreRepair(Constant().fit(table, y), cv="prefit", sensitive_columns="sex").fit(table)
    own.save(path)
    with pytest.raises(ValueError, match=r"test_score_file\.Constant"):
        ScoreRepair.load(path)
    loaded = ScoreRepair.load(path, trusted=[Constant])
    assert loaded.predict_proba(table).tobytes() == own.predict_proba(table).tobytes()


def test_classifiers_that_expand_without_end_are_refused(path):
    pytest.importorskip("skops")
    table, y = rows(2)
    ScoreRepair(LogisticRegression(), sensitive_columns="sex", cv=2).fit(table, y).save(path)
    header, data = parts(path)
    begin, end = header["classifiers"]["data_offsets"]
    assert end == len(data)
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data[begin:])) as given,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bomb,
    ):
        for name in given.namelist():
            filler = b" " * 2**24 if name == "schema.json" else b""  # JSON may end in spaces
            bomb.writestr(name, given.read(name) + filler)
    classifiers = packed.getvalue()
    header["classifiers"].update(
        shape=[len(classifiers)], data_offsets=[begin, begin + len(classifiers)]
    )
    changed(path, header, data[:begin] + classifiers)
    with pytest.raises(OSError, match=r"classifiers expand to 16\d{6} bytes, more than 16 times"):
        ScoreRepair.load(path)


@pytest.mark.parametrize("kind", [int, float, bool, object])
def test_labels_keep_their_types(path, kind):
    table, _ = rows(2)
    truth = (table["x"] > 0).to_numpy()
    y = np.where(truth, "yes", "no").astype(object) if kind is object else truth.astype(kind)
    group = (table["sex"] == "f").to_numpy().astype(int if kind is object else kind)
    X = table[["x", "y"]].to_numpy()
    repair = ScoreRepair(LogisticRegression(), cv=2).fit(X, y, sensitive_features=group)
    repair.save(path)
    loaded = ScoreRepair.load(path)
    assert loaded.classes_.dtype == repair.classes_.dtype
    assert loaded.groups_.dtype == repair.groups_.dtype
    expected = repair.predict(X, sensitive_features=group)
    np.testing.assert_array_equal(loaded.predict(X, sensitive_features=group), expected)


def test_seeds_keys_and_kept_groups_are_restored(path):
    table, y = rows(3)
    table["id"] = np.arange(len(table))
    table.loc[0, "sex"] = "x"
    repair = ScoreRepair(
        LogisticRegression(),
        cv=2,
        sensitive_columns=["sex"],
        key_column="id",
        small_groups="keep",
        random_state=np.random.RandomState(3),
    )
    with pytest.warns(UserWarning, match="too small to repair"):
        repair.fit(table, y)
    repair.save(path)
    loaded = ScoreRepair.load(path)
    assert loaded.kept_groups_.tolist() == ["x"]
    assert loaded.predict_proba(table).tobytes() == repair.predict_proba(table).tobytes()


def test_a_splitter_is_not_dropped_silently(path):
    table, y = rows(2)
    cv = StratifiedKFold(3)
    repair = ScoreRepair(LogisticRegression(), cv=cv, sensitive_columns="sex").fit(table, y)
    with pytest.warns(UserWarning, match="cv is StratifiedKFold, which a file does not hold"):
        repair.save(path)
    assert ScoreRepair.load(path).cv == 5


def test_a_classifier_that_skops_cannot_write_is_named_and_the_file_kept(path):
    table, y = rows(2)
    model = LogisticRegression().fit(table[["x", "y"]], y)
    repair = ScoreRepair(model, cv="prefit", sensitive_columns="sex").fit(table)
    repair.save(path)
    before = path.read_bytes()
    model.generator_ = (i for i in range(3))
    with pytest.raises(ValueError, match="skops cannot write LogisticRegression"):
        repair.save(path)
    assert path.read_bytes() == before


def test_a_part_that_skops_cannot_write_is_named(path):
    table, y = rows(2)
    with sklearn.config_context(enable_metadata_routing=True):
        last = LogisticRegression().set_fit_request(sample_weight=True)
        repair = ScoreRepair(make_pipeline(StandardScaler(), last), ensemble=False)
        repair.fit(table[["x", "y"]], y, sensitive_features=table["sex"])
        with pytest.raises(ValueError, match="skops cannot write LogisticRegression") as caught:
            repair.save(path)
    assert "Recursion" not in str(caught.value)


def test_other_readers_say_what_the_file_is(path):
    table, y = rows(2)
    ScoreRepair(LogisticRegression(), cv=2, sensitive_columns="sex").fit(table, y).save(path)
    for other in (GaussianMixture, LocalTransport, GroupRepair):
        with pytest.raises(OSError, match=r"holds a repair of a classifier's scores.*ScoreRepair"):
            other.load(path)
    for command in ("inspect", "barycenter"):
        done = subprocess.run(
            [str(PROGRAM), command, str(path)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert "holds a repair of a classifier's scores" in done.stderr


def saved_without_classifier(path: Path) -> LogisticRegression:
    """Save a repair of two classes without its classifier, and return the classifier."""
    table, y = rows(2)
    model = LogisticRegression().fit(table[["x", "y"]], y)
    repair = ScoreRepair(model, cv="prefit", sensitive_columns="sex").fit(table)
    repair.save(path, with_classifiers=False)
    return model


@pytest.mark.parametrize("n_classes", [2, 3])
def test_bad_files_are_named(path, n_classes):
    table, y = rows(n_classes)
    ScoreRepair(LogisticRegression(), cv=2, sensitive_columns="sex").fit(table, y).save(path)
    header, data = parts(path)
    whole = path.read_bytes()
    for bad in (b"", whole[:7], whole[: len(whole) // 2], whole + b"x", b"x,y\n1,2\n"):
        path.write_bytes(bad)
        with pytest.raises(OSError, match=r"scores\.safetensors"):
            ScoreRepair.load(path)
    begin, end = header["classifiers"]["data_offsets"]
    changed(path, header, data[:begin] + bytes(end - begin) + data[end:])
    with pytest.raises(OSError, match=r"scores\.safetensors': its classifiers are damaged"):
        ScoreRepair.load(path)
    name = "quantiles" if n_classes == 2 else "maps.0"
    begin, end = header[name]["data_offsets"]
    changed(path, header, data[:begin] + b"\xff" * (end - begin) + data[end:])
    with pytest.raises(OSError, match=rf"scores\.safetensors: tensor '{name}'"):
        ScoreRepair.load(path)
    for entry, value in (("fit", '{"classes": 3}'), ("parameters", '{"amount": 7}')):
        other = json.loads(json.dumps(header))
        other["__metadata__"][entry] = value
        changed(path, other, data)
        with pytest.raises(OSError, match=f"the entry '{entry}' of its notes is damaged"):
            ScoreRepair.load(path)
    other = json.loads(json.dumps(header))
    other["strange"] = other.pop(name)
    changed(path, other, data)
    with pytest.raises(OSError, match="strange"):
        ScoreRepair.load(path)
    with pytest.raises(FileNotFoundError, match="missing"):
        ScoreRepair.load(path.with_name("missing.safetensors"))


@pytest.mark.parametrize(
    ("entry", "value", "words"),
    [
        ("n_classifiers", 1.9, "n_classifiers is 1.9, expected a whole number >= 0"),
        ("n_classifiers", True, "n_classifiers is True, expected a whole number >= 0"),
        ("seed", 1.5, "seed is 1.5, expected a whole number >= 0"),
        ("n_features_in", 2.9, "n_features_in is 2.9, expected a whole number >= 0"),
        ("sensitive_positions", [0.5], r"sensitive_positions is \[0.5\], expected a list of whole"),
        ("sensitive_positions", None, "sensitive_positions is None, expected a list of whole"),
        (
            "sensitive_positions",
            [3],
            r"are \[3\], expected distinct numbers below n_features_in, 3",
        ),
        ("key_positions", 5, "key_positions is 5, expected a list of whole numbers >= 0"),
        ("key_positions", [99], r"are \[1, 99\], expected distinct numbers below n_features_in"),
        ("key_positions", [1], r"are \[1, 1\], expected distinct numbers below n_features_in, 3"),
        ("kept_groups", [0.7], r"kept_groups is \[0.7\], expected a list of whole numbers >= 0"),
        ("kept_groups", ["0"], r"kept_groups is \['0'\], expected a list of whole numbers >= 0"),
        ("kept_groups", [-1], r"kept_groups is \[-1\], expected a list of whole numbers >= 0"),
        ("kept_groups", [2], r"kept_groups is \[2\], expected ascending places below 2"),
        ("kept_groups", [0, 0], r"kept_groups is \[0, 0\], expected ascending places below 2"),
        ("kept_groups", [1], r"kept_groups is \[1\], which leaves fewer than two groups to repair"),
    ],
)
def test_numbers_that_cannot_occur_are_named(path, entry, value, words):
    model = saved_without_classifier(path)
    header, data = parts(path)
    state = json.loads(header["__metadata__"]["fit"])
    state[entry] = value
    header["__metadata__"]["fit"] = json.dumps(state)
    changed(path, header, data)
    with pytest.raises(OSError, match=words):
        ScoreRepair.load(path, classifier=model)


@pytest.mark.parametrize("name", ["quantiles", "common_quantiles"])
@pytest.mark.parametrize("factor", [2.0, -1.0])
def test_quantiles_that_are_no_probabilities_are_named(path, name, factor):
    model = saved_without_classifier(path)
    header, data = parts(path)
    begin, end = header[name]["data_offsets"]
    values = np.sort(factor * np.frombuffer(data[begin:end], dtype="<f8").reshape(-1, 257))
    changed(path, header, data[:begin] + values.tobytes() + data[end:])
    with pytest.raises(OSError, match=f"tensor '{name}' has values from .* probabilities from 0"):
        ScoreRepair.load(path, classifier=model)


class Distances(Constant):
    """A classifier whose values are no probabilities."""

    def predict_proba(self, X: Any) -> np.ndarray:
        values = 3.0 * np.asarray(X, dtype=np.float64)[:, 0]
        return np.column_stack([1.0 - values, values])


def test_scores_that_are_no_probabilities_are_not_written(path):
    table, y = rows(2)
    model = Distances().fit(table[["x", "y"]], y)
    repair = ScoreRepair(model, cv="prefit", sensitive_columns="sex").fit(table)
    with pytest.raises(ValueError, match="which are no probabilities"):
        repair.save(path, with_classifiers=False)


@pytest.mark.parametrize("entry", ["sensitive_positions", "key_positions", "n_features_in"])
def test_missing_positions_are_named(path, entry):
    model = saved_without_classifier(path)
    header, data = parts(path)
    state = json.loads(header["__metadata__"]["fit"])
    del state[entry]
    header["__metadata__"]["fit"] = json.dumps(state)
    changed(path, header, data)
    with pytest.raises(OSError, match=f"entry 'fit' of its notes is damaged .*{entry}"):
        ScoreRepair.load(path, classifier=model)


def test_maps_that_classifiers_share_are_written_and_read_once(path, monkeypatch):
    table, y = rows(3)
    repair = ScoreRepair(LogisticRegression(), sensitive_columns="sex", cv=3).fit(table, y)
    calls = []
    for name in ("model_to_bytes", "model_from_bytes"):
        own = getattr(_core, name)
        monkeypatch.setattr(
            _core, name, lambda *args, own=own, name=name: calls.append(name) or own(*args)
        )
    repair.save(path)
    loaded = ScoreRepair.load(path)
    assert calls == ["model_to_bytes", "model_from_bytes"]
    assert len(set(map(id, loaded.transports_))) == 1
    expected = repair.predict_proba(table)
    np.testing.assert_array_equal(loaded.predict_proba(table), expected)
