# SPDX-License-Identifier: MIT
"""The forms of maps and steps that exports choose, and what they lose."""

import numpy as np
import pytest
from onnx import numpy_helper
from onnx_samples import DTYPES, close, grouped, run

from lbw import LocalTransport
from lbw.onnx import to_onnx
from lbw.onnx._affine import AffineMaps, scaled_basis, symmetric_maps
from lbw.onnx._forms import coefficients, forms
from lbw.onnx._knots import KnotTable, layouts
from lbw.onnx._transport import maps_of

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def fitted(X, groups, **params):
    return LocalTransport(**{"n_components": 9, "max_iter": 5, "n_jobs": 1} | params).fit(X, groups)


def most_numbers(model):
    return max(numpy_helper.to_array(own).size for own in model.graph.initializer)


def check(transport, X, group, precision="double"):
    X = X.astype(DTYPES[precision])
    found = run(to_onnx(transport, group=group, precision=precision), X=X)[0]
    expected = transport.transform(X, group)
    scale = np.maximum(X.std(axis=0), expected.std(axis=0))
    close(found / scale, expected / scale, 1.0, precision)


def test_coefficients_give_quadratic_functions_and_products():
    rng = np.random.default_rng(0)
    S, z = rng.normal(size=(3, 5, 5)), rng.normal(size=5)
    S = S + np.swapaxes(S, 1, 2)
    along = forms(5) @ z
    assert np.allclose(coefficients(S) @ along**2, np.einsum("i,kij,j->k", z, S, z))
    assert np.allclose((coefficients(S) * along) @ forms(5), S @ z)


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("scale_features", [False, True])
@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_symmetric_maps_need_half_the_numbers(kind, scale_features, precision):
    X, groups = grouped(2000, 6)
    if scale_features:
        X = X * [1.0, 10.0, 0.1, 1.0, 1e3, 1.0]
    transport = fitted(X, groups, map=kind, scale_features=scale_features)
    model = to_onnx(transport, group="a", precision=precision)
    assert most_numbers(model) <= 10 * 21  # a matrix per component is 9 * 36
    check(transport, X, "a", precision)


@pytest.mark.parametrize("dependence", [1e-2, 1e-4, 1e-9])
def test_features_that_are_nearly_dependent_keep_nine_digits(dependence):
    X, groups = grouped(2000, 6)
    X[:, 5] = X[:, :5].sum(axis=1) + dependence * X[:, 5]
    floors = {"covariance_floor": 0.0, "relative_covariance_floor": 1e-14}
    transport = fitted(X, groups, map="hard", **floors)
    model = to_onnx(transport, group="a")
    assert most_numbers(model) <= 10 * 21
    own_forms = [node.op_type for node in model.graph.node].count("MatMul") == 2
    assert own_forms == (dependence < 1e-3)
    check(transport, X, "a")


def test_matrices_that_are_not_symmetric_are_found():
    X, groups = grouped(500, 3)
    transport = fitted(X, groups, n_components=4)
    maps = AffineMaps.average(maps_of(transport, "b", 1.0)._map(0))
    basis = scaled_basis(maps)
    assert symmetric_maps(maps, basis, maps.origin, np.float64) is not None
    turned = maps._replace(matrices=maps.matrices + np.triu(np.ones((3, 3)), 1))
    assert symmetric_maps(turned, basis, maps.origin, np.float64) is None


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_tied_covariances_have_one_matrix(kind):
    X, groups = grouped(2000, 6)
    transport = fitted(X, groups, covariance_type="tied", map=kind)
    for target in ({"to": "b"}, {}):
        assert most_numbers(to_onnx(transport, group="a", **target)) <= 10 * 6
    check(transport, X, "a")
    check(transport, X, "a", "single")


def test_an_origin_is_subtracted_only_where_it_is_needed():
    X, groups = grouped(2000, 6)
    for offset in (0.0, 1e5):
        model = to_onnx(fitted(X + offset, groups, n_components=1), group="a")
        assert ("Sub" in [node.op_type for node in model.graph.node]) == (offset > 0)


def test_steep_pieces_keep_their_begins():
    target = np.linspace(5.0, 6.0, 101)
    even = KnotTable.of(np.linspace(0.0, 1.0, 101), target, 1.0)
    steep = KnotTable.of(np.concatenate([np.linspace(0, 1, 100), [1 + 1e-9]]), target, 1.0)
    (layout,) = layouts([[even]])
    assert layout.in_cells().lines() is not None
    (layout,) = layouts([[even, steep]])
    assert layout.in_cells().lines() is None


def test_steps_with_steep_pieces_agree():
    rng = np.random.default_rng(0)
    groups = np.repeat(["a", "b"], 2000)
    narrow = np.where(rng.random(2000) < 0.5, 1e-6 * rng.normal(size=2000), rng.normal(size=2000))
    X = np.concatenate([narrow, rng.normal(3.0, 2.0, 2000)])[:, np.newaxis]
    transport = fitted(X, groups, n_components=1, refine=5)
    check(transport, X[:2000], "a")
    check(transport, X[2000:], "b")
