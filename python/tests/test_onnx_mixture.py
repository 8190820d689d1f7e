# SPDX-License-Identifier: MIT
import numpy as np
import onnx
import pytest
from onnx_samples import COVARIANCES, DTYPES, close, clusters, run

from lbw import GaussianMixture
from lbw.onnx import to_onnx
from lbw.onnx._densities import Densities, joint_densities
from lbw.onnx._graph import Graph

pytestmark = pytest.mark.filterwarnings("ignore:Best performing initialization")


def fitted(covariance_type, k, X):
    return GaussianMixture(k, covariance_type=covariance_type, max_iter=5).fit(X)


def kinds_of_nodes(mixture, precision="double"):
    graph = Graph(precision)
    joint_densities(graph, "X", Densities.of(mixture._core_mixture()))
    return [node.op_type for node in graph.nodes]


def check(mixture, X, precision):
    X = X.astype(DTYPES[precision])
    label, probabilities, log_density = run(to_onnx(mixture, precision=precision), X=X)
    expected = mixture.predict_proba(X)
    density = mixture.score_samples(X).astype(np.float64)
    close(probabilities, expected, 1.0, precision)
    close(log_density, density, max(1.0, np.abs(density).max()), precision)
    ordered = np.sort(expected, axis=1)
    decided = ordered[:, -1] - (ordered[:, -2] if expected.shape[1] > 1 else 0.0) > 1e-3
    assert decided.mean() > 0.9
    assert np.array_equal(label[decided], mixture.predict(X)[decided])


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("covariance_type", COVARIANCES)
@pytest.mark.parametrize(("k", "d"), [(1, 1), (1, 4), (3, 1), (5, 3), (40, 2), (3, 30)])
def test_outputs_are_those_of_the_estimator(covariance_type, k, d, precision):
    X = clusters(800, d, n_clusters=max(k, 2))
    check(fitted(covariance_type, k, X), X, precision)


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_units_and_offsets_do_not_matter(covariance_type, precision):
    X = clusters(800, 4).astype(np.float32).astype(np.float64)
    check(fitted(covariance_type, 4, X + 1024.0), X + 1024.0, precision)
    if covariance_type != "spherical":
        X = X * [1e-6, 1.0, 1e6, 1e3]
        mixture = GaussianMixture(
            4, covariance_type=covariance_type, max_iter=5, reg_covar=0.0
        ).fit(X)
        check(mixture, X, precision)


@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_an_offset_of_a_million_keeps_nine_digits(covariance_type):
    X = clusters(800, 3) + 1e6
    check(fitted(covariance_type, 4, X), X, "double")


@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_points_far_away_have_finite_outputs(covariance_type):
    X = clusters(800, 3)
    mixture = fitted(covariance_type, 4, X)
    model = to_onnx(mixture)
    assert all(np.isfinite(output).all() for output in run(model, X=X * 1e20))
    far = np.concatenate([X * 1e3, X * 1e5])
    label, probabilities, log_density = run(model, X=far)
    assert np.allclose(probabilities.sum(axis=1), 1.0)
    assert np.allclose(log_density, mixture.score_samples(far), rtol=1e-9, atol=0)
    sure = mixture.predict_proba(far).max(axis=1) > 1 - 1e-12
    assert sure.mean() > 0.9
    assert np.array_equal(label[sure], mixture.predict(far)[sure])


def test_the_form_is_the_fastest_that_is_accurate():
    ordinary = fitted("full", 8, clusters(800, 4))
    assert "ReduceSumSquare" not in kinds_of_nodes(ordinary)
    apart = fitted("full", 8, clusters(800, 4, spread=1e5, n_clusters=8))
    assert "ReduceSumSquare" in kinds_of_nodes(apart)
    extreme = fitted("full", 8, clusters(800, 4, spread=1e9, n_clusters=8))
    assert kinds_of_nodes(extreme).count("Gemm") == 0


@pytest.mark.parametrize("spread", [1e2, 1e4, 1e6, 1e8, 1e10])
@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_distant_components_keep_nine_digits(covariance_type, spread):
    X = clusters(800, 3, spread=spread)
    mixture = GaussianMixture(4, covariance_type=covariance_type, random_state=0, n_init=3).fit(X)
    check(mixture, X, "double")
    check(mixture, X.astype(np.float32), "single")


def test_factors_that_were_set_are_used():
    X = clusters(500, 2)
    mixture = fitted("full", 3, X)
    mixture.precisions_cholesky_ = 2.0 * mixture.precisions_cholesky_
    check(mixture, X, "double")


def test_outputs_that_are_left_out_are_not_computed():
    mixture = fitted("full", 4, clusters(500, 3))
    model = to_onnx(mixture, outputs=["label"])
    assert [output.name for output in model.graph.output] == ["label"]
    assert "Exp" not in [node.op_type for node in model.graph.node]


def test_a_row_with_nan_has_no_component():
    X = clusters(500, 3)
    mixture = fitted("full", 4, X)
    X[2, 1] = np.nan
    label, probabilities, log_density = run(to_onnx(mixture), X=X)
    assert label[2] == -1
    assert np.isnan(probabilities[2]).all()
    assert np.isnan(log_density[2])
    assert (np.delete(label, 2) >= 0).all()


def test_names_and_opset_are_chosen():
    mixture = fitted("diag", 2, clusters(500, 3))
    model = to_onnx(mixture, names={"X": "input", "label": "cluster"}, target_opset=20)
    assert [own.name for own in model.graph.input] == ["input"]
    assert [own.name for own in model.graph.output] == ["cluster", "probabilities", "log_density"]
    assert {own.domain: own.version for own in model.opset_import}[""] == 20
    run(model, input=clusters(10, 3))
    assert {node.domain for node in model.graph.node} <= {"", "ai.onnx.ml"}
    onnx.checker.check_model(model, full_check=True)


def test_no_rows_give_no_rows():
    mixture = fitted("full", 4, clusters(500, 3))
    label, probabilities, log_density = run(to_onnx(mixture), X=np.empty((0, 3)))
    assert (label.shape, probabilities.shape, log_density.shape) == ((0,), (0, 4), (0,))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"precision": "half"}, "precision is 'half', expected 'double' or 'single'"),
        ({"target_opset": 12}, "target_opset is 12, expected 18 to"),
        ({"names": {"x": "y"}}, r"names has \['x'\], which are no inputs or outputs"),
        ({"names": {"X": "label"}}, "names gives two inputs or outputs one name"),
        ({"outputs": ["labels"]}, r"outputs is \['labels'\], expected some of"),
        ({"group": "a"}, "group is 'a', but to_onnx takes no group for GaussianMixture"),
        ({"to": [1, 2]}, r"to is \[1, 2\], but to_onnx takes no to for GaussianMixture"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        to_onnx(fitted("diag", 2, clusters(100, 3)), **arguments)


def test_other_estimators_and_unfitted_ones_are_refused():
    with pytest.raises(ValueError, match="to_onnx has no export of str"):
        to_onnx("mixture")
    with pytest.raises(ValueError, match="not fitted"):
        to_onnx(GaussianMixture())
