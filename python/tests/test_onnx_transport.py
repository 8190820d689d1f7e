# SPDX-License-Identifier: MIT
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx_samples import COVARIANCES, DTYPES, close, grouped, run

from lbw import LocalTransport
from lbw.onnx import to_onnx

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def fitted(X, groups, **params):
    floors = {"covariance_floor": 0.0, "relative_covariance_floor": 1e-3}
    params = {"n_components": 4, "max_iter": 5, "n_jobs": 1} | floors | params
    return LocalTransport(**params).fit(X, groups)


def check(transport, X, groups, precision="double", **target):
    X = X.astype(DTYPES[precision])
    model = to_onnx(transport, precision=precision, **target)
    close(
        run(model, X=X, group=groups)[0],
        transport.transform(X, groups, **target),
        X.std(axis=0).max(),
        precision,
    )


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("kind", ["hard", "soft"])
@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_maps_are_those_of_the_estimator(covariance_type, kind, precision):
    X, groups = grouped(600, 3)
    transport = fitted(X, groups, covariance_type=covariance_type, map=kind)
    for target in ({}, {"to": "b"}, {"to": [0.2, 0.3, 0.5]}, {"to": {"a": 1}}):
        check(transport, X, groups, precision, **target)
    check(transport, X, groups, precision, to="c", amount=0.3)
    check(transport, X, groups, precision, amount={"a": 0.0, "b": 0.7})


@settings(max_examples=25, deadline=None)
@given(
    d=st.integers(1, 6),
    k=st.integers(1, 9),
    covariance_type=st.sampled_from(COVARIANCES),
    kind=st.sampled_from(["hard", "soft"]),
    coupling=st.sampled_from(["matching", "plan", "multimarginal"]),
    scale_features=st.booleans(),
    refine=st.sampled_from([0, 3]),
    amount=st.sampled_from([1.0, 0.4]),
    units=st.sampled_from([0.0, 3.0]),
    seed=st.integers(0, 1000),
)
def test_any_model_agrees(
    d, k, covariance_type, kind, coupling, scale_features, refine, amount, units, seed
):
    X, groups = grouped(300, d, seed=seed)
    X = X * 10.0 ** np.linspace(-units, units, d)
    transport = fitted(
        X,
        groups,
        n_components=k,
        covariance_type=covariance_type,
        map=kind,
        coupling=coupling,
        scale_features=scale_features,
        refine=refine,
        random_state=seed,
    )
    found = run(to_onnx(transport, amount=amount), X=X, group=groups)[0]
    expected = transport.transform(X, groups, amount=amount)
    scale = np.maximum(X.std(axis=0), expected.std(axis=0))
    assert (np.abs(found - expected) <= 1e-9 * np.maximum(scale, np.abs(X).max(axis=0))).all()


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_groups_may_have_different_numbers_of_components(kind):
    X, groups = grouped(600, 2)
    check(fitted(X, groups, n_components={"a": 1, "b": 3, "c": 7}, map=kind), X, groups)


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_many_features_use_another_form(kind):
    X, groups = grouped(400, 24)
    check(fitted(X, groups, n_components=3, map=kind), X, groups)


@pytest.mark.parametrize("kind", ["hard", "soft"])
@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_offsets_and_far_points_keep_nine_digits(covariance_type, kind):
    X, groups = grouped(500, 3)
    transport = fitted(X + 1e6, groups, covariance_type=covariance_type, map=kind)
    close(
        run(to_onnx(transport), X=X + 1e6, group=groups)[0],
        transport.transform(X + 1e6, groups),
        10.0,
        "double",
    )
    transport = fitted(X, groups, covariance_type=covariance_type, map=kind)
    far = 1e5 * X
    found = run(to_onnx(transport), X=far, group=groups)[0]
    expected = transport.transform(far, groups)
    assert (np.abs(found - expected) <= 1e-9 * 1e5 * np.abs(X).max()).mean() > 0.999


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("d", [1, 3])
def test_refined_maps_include_their_steps(d, precision):
    X, groups = grouped(600, d)
    transport = fitted(X, groups, n_components=2, map="soft", refine=20)
    model = to_onnx(transport, precision=precision)
    assert [node.op_type for node in model.graph.node].count("Scan") == 3
    new = 3.0 * grouped(600, d, seed=5)[0]  # beyond all quantiles
    for samples in (X, new):
        check(transport, samples, groups, precision)
        check(transport, samples, groups, precision, amount=0.6)
    check(transport, X, groups, precision, to="b")


def test_values_at_atoms_of_a_step_are_mapped_to_their_mean():
    rng = np.random.default_rng(0)
    groups = np.repeat(["a", "b"], 600)
    X = np.where(groups == "a", rng.integers(3, size=1200), rng.normal(2, 1, 1200))[:, None]
    transport = fitted(X, groups, n_components=1, map="hard", refine=4, dither=0)
    check(transport, X, groups)
    check(transport, X + 1e-3, groups)


def test_one_group_can_be_fixed():
    X, groups = grouped(500, 2)
    transport = fitted(X, groups)
    model = to_onnx(transport, group="c", to="a")
    assert [own.name for own in model.graph.input] == ["X"]
    close(run(model, X=X)[0], transport.transform(X, "c", to="a"), 1.0, "double")


@pytest.mark.parametrize("group", [None, "b"])
def test_the_target_can_be_an_input(group):
    X, groups = grouped(300, 2)
    transport = fitted(X, groups)
    to = np.random.default_rng(3).choice(["a", "b", "c"], 300)
    inputs = {"X": X, "to": to} | ({"group": groups} if group is None else {})
    sources = groups if group is None else np.full(300, group)
    model = to_onnx(transport, group=group, target_input=True, amount=0.8)
    found = run(model, **inputs)[0]
    for target in np.unique(to):
        own = to == target
        expected = transport.transform(X[own], sources[own], to=target, amount=0.8)
        close(found[own], expected, 1.0, "double")
    inputs["to"] = np.where(np.arange(300) == 7, "z", to)
    found = run(model, **inputs)[0]
    assert np.isnan(found[7]).all()
    assert np.isfinite(np.delete(found, 7, axis=0)).all()


@pytest.mark.parametrize(
    "labels",
    [("a", "b", "c"), (3, -7, 2**60), (False, True), (0.5, 0.1, 2.0), ("", "β", "a b")],
)
def test_labels_of_all_types_are_inputs(labels):
    X, groups = grouped(400, 2, labels)
    check(fitted(X, groups), X, groups)


@pytest.mark.parametrize("refine", [0, 3])
def test_unknown_groups_are_nan_or_as_handle_unknown_says(refine):
    X, groups = grouped(500, 2)
    transport = fitted(X, groups, refine=refine)
    groups = groups.astype("U8")
    groups[[0, 17]] = "stranger"
    found = run(to_onnx(transport), X=X, group=groups)[0]
    assert np.isnan(found[[0, 17]]).all()
    assert np.isfinite(np.delete(found, [0, 17], axis=0)).all()
    for handle_unknown in ("ignore", "barycenter"):
        transport.set_params(handle_unknown=handle_unknown)
        check(transport, X, groups)
        check(transport, X, groups, "single")
    with pytest.raises(ValueError, match="target_input=True with handle_unknown='barycenter'"):
        to_onnx(transport, target_input=True)


@pytest.mark.parametrize("covariance_type", ["full", "diag"])
@pytest.mark.parametrize("params", [{"map": "hard"}, {"map": "soft"}, {"refine": 3}])
def test_rows_without_a_number_give_none_and_leave_others_alone(params, covariance_type):
    X, groups = grouped(400, 3)
    transport = fitted(X, groups, covariance_type=covariance_type, **params)
    expected = transport.transform(X, groups)
    X[5, 1] = np.nan
    X[6, 0] = np.inf
    found = run(to_onnx(transport), X=X, group=groups)[0]
    assert np.isnan(found[5]).all()
    assert not np.isfinite(found[6]).any()
    assert np.allclose(np.delete(found, [5, 6], axis=0), np.delete(expected, [5, 6], axis=0))


def test_small_groups_that_are_kept_do_not_move():
    X, groups = grouped(400, 2)
    groups = groups.astype("U8")
    groups[3] = "lonely"
    with pytest.warns(UserWarning, match="lonely"):
        transport = fitted(X, groups, small_groups="keep")
    check(transport, X, groups)
    assert np.allclose(run(to_onnx(transport), X=X, group=groups)[0][3], X[3])
    with pytest.raises(ValueError, match="'lonely' was too small to fit"):
        to_onnx(transport, to="a")
    transport.set_params(handle_unknown="barycenter")
    groups[9] = "stranger"
    check(transport, X, groups)


@pytest.mark.parametrize("n", [0, 1])
def test_few_rows_are_transported(n):
    X, groups = grouped(400, 2)
    transport = fitted(X, groups, refine=2)
    found = run(to_onnx(transport), X=X[:n], group=groups[:n])[0]
    assert found.shape == (n, 2)


def test_random_maps_are_refused_unless_there_is_one_component():
    X, groups = grouped(400, 2, ("a", "b"))
    with pytest.raises(ValueError, match="map='soft' or map='hard', or with n_components=1"):
        to_onnx(fitted(X, groups, map="random"))
    check(fitted(X, groups, map="random", n_components=1), X, groups)


def test_dither_is_refused_where_it_adds_noise():
    X, groups = grouped(400, 2)
    check(fitted(X, groups, dither="auto"), X, groups)
    X[:, 1] = X[:, 1] > 0
    with pytest.raises(ValueError, match=r"noise to the features \[1\].*Fit with dither=0"):
        to_onnx(fitted(X, groups, dither="auto"))
    check(fitted(X, groups, dither=0), X, groups)


def test_targets_are_checked():
    X, groups = grouped(400, 2)
    with pytest.raises(ValueError, match="to: group 'z' was not seen in fit"):
        to_onnx(fitted(X, groups), to="z")
    with pytest.raises(ValueError, match="group: group 'z' was not seen in fit"):
        to_onnx(fitted(X, groups), group="z")
    with pytest.raises(ValueError, match="Give one of them"):
        to_onnx(fitted(X, groups), to="a", target_input=True)
    with pytest.raises(ValueError, match="outputs is"):
        to_onnx(fitted(X, groups), outputs=["label"])
    with pytest.raises(ValueError, match="refined the maps for"):
        to_onnx(fitted(X, groups, refine=2), to=[1, 2, 3])
