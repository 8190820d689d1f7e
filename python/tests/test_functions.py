# SPDX-License-Identifier: MIT
"""Functions by POT's and SciPy's names, held to POT and SciPy."""

from __future__ import annotations

import inspect

import numpy as np
import ot
import ot.gaussian
import ot.gmm
import pytest
import scipy.optimize
import scipy.stats

import lbw


def gaussians(n: int, d: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(n, d, d + 2))
    return rng.normal(size=(n, d)), roots @ roots.transpose(0, 2, 1)


@pytest.mark.parametrize(
    ("home", "name"),
    [
        (ot.gaussian, "bures_wasserstein_distance"),
        (ot.gaussian, "bures_wasserstein_mapping"),
        (ot.gaussian, "bures_wasserstein_barycenter"),
        (ot.gaussian, "empirical_bures_wasserstein_distance"),
        (ot.gaussian, "empirical_bures_wasserstein_mapping"),
        (ot.gaussian, "empirical_bures_wasserstein_barycenter"),
        (ot.gmm, "dist_bures_squared"),
        (ot.gmm, "gaussian_pdf"),
        (ot.gmm, "gmm_pdf"),
        (ot.gmm, "gmm_ot_loss"),
        (ot.gmm, "gmm_ot_plan"),
        (ot.gmm, "gmm_ot_apply_map"),
        (scipy.optimize, "linear_sum_assignment"),
    ],
)
def test_arguments_stand_in_the_same_order(home, name):
    ours = inspect.signature(getattr(lbw, name)).parameters
    theirs = getattr(home, name)
    if name == "linear_sum_assignment":
        assert list(ours) == ["cost_matrix", "maximize"]  # SciPy's is a builtin without signature
        return
    parameters = inspect.signature(theirs).parameters
    shared = [p for p in parameters if p not in ("step_size", "batch_size")]  # gradient methods
    assert list(ours) == shared
    for parameter in shared:
        assert ours[parameter].default == parameters[parameter].default


@pytest.mark.parametrize("d", [1, 2, 5, 20])
def test_distances(d):
    ms, Cs = gaussians(4, d, 0)
    mt, Ct = gaussians(3, d, 1)
    expected = ot.gaussian.bures_wasserstein_distance(ms, mt, Cs, Ct)
    np.testing.assert_allclose(lbw.bures_wasserstein_distance(ms, mt, Cs, Ct), expected, rtol=1e-9)
    single = lbw.bures_wasserstein_distance(ms[0], mt[1], Cs[0], Ct[1])
    assert isinstance(single, float)
    assert single == pytest.approx(expected[0, 1], rel=1e-9)
    paired = lbw.bures_wasserstein_distance(ms[:3], mt, Cs[:3], Ct, paired=True)
    np.testing.assert_allclose(paired, np.diag(expected[:3]), rtol=1e-9)
    np.testing.assert_allclose(lbw.dist_bures_squared(ms, mt, Cs, Ct), expected**2, rtol=1e-8)
    assert lbw.bures_wasserstein_distance(ms, mt, Cs, Ct, log=True)[1] == {}


@pytest.mark.parametrize("d", [1, 2, 5, 20])
def test_maps(d):
    ms, Cs = gaussians(1, d, 2)
    mt, Ct = gaussians(1, d, 3)
    A, b = lbw.bures_wasserstein_mapping(ms[0], mt[0], Cs[0], Ct[0])
    expected_A, expected_b = ot.gaussian.bures_wasserstein_mapping(ms[0], mt[0], Cs[0], Ct[0])
    np.testing.assert_allclose(A, expected_A, atol=1e-8 * np.abs(expected_A).max())
    np.testing.assert_allclose(b, expected_b, atol=1e-7)
    np.testing.assert_allclose(A @ Cs[0] @ A, Ct[0], atol=1e-9 * np.abs(Ct).max())


@pytest.mark.parametrize("n", [1, 2, 5])
def test_barycenters(n):
    m, C = gaussians(n, 4, 4)
    weights = np.arange(1.0, n + 1) / np.arange(1.0, n + 1).sum()
    for given in (None, weights):
        mean, covariance, log = lbw.bures_wasserstein_barycenter(m, C, given, eps=1e-11, log=True)
        expected = ot.gaussian.bures_wasserstein_barycenter(m, C, given, eps=1e-12)
        np.testing.assert_allclose(mean, expected[0], rtol=1e-12)
        np.testing.assert_allclose(covariance, expected[1], rtol=1e-6)
        assert log["converged"]
        assert log["residual"] <= 1e-11
    with pytest.raises(ValueError, match="method 'newton' is not known"):
        lbw.bures_wasserstein_barycenter(m, C, method="newton")


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_empirical(bias, weighted):
    rng = np.random.default_rng(5)
    xs, xt = rng.normal(size=(50, 3)) + 1, 2 * rng.normal(size=(60, 3))
    ws = rng.uniform(0.1, 1, size=(50, 1)) if weighted else None
    wt = rng.uniform(0.1, 1, size=(60, 1)) if weighted else None
    args = (xs, xt, 1e-3, ws, wt, bias)
    assert lbw.empirical_bures_wasserstein_distance(*args) == pytest.approx(
        ot.gaussian.empirical_bures_wasserstein_distance(*args), rel=1e-9
    )
    for ours, theirs in zip(
        lbw.empirical_bures_wasserstein_mapping(*args),
        ot.gaussian.empirical_bures_wasserstein_mapping(*args),
        strict=True,
    ):
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, atol=1e-9)
    w = [ws, wt] if weighted else None
    ours = lbw.empirical_bures_wasserstein_barycenter(
        [xs, xt], 1e-3, [0.3, 0.7], w=w, bias=bias, eps=1e-11
    )
    theirs = ot.gaussian.empirical_bures_wasserstein_barycenter(
        [xs, xt], 1e-3, np.array([0.3, 0.7]), w=w, bias=bias, eps=1e-12
    )
    np.testing.assert_allclose(ours[0], theirs[0], atol=1e-12)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-6)
    read_once = lbw.empirical_bures_wasserstein_barycenter(
        iter([xs, xt]), 1e-3, [0.3, 0.7], w=w, bias=bias, eps=1e-11
    )
    np.testing.assert_array_equal(read_once[1], ours[1])


def test_densities():
    m, C = gaussians(3, 2, 6)
    w = np.array([0.2, 0.3, 0.5])
    x = np.random.default_rng(0).normal(size=(20, 2))
    np.testing.assert_allclose(lbw.gmm_pdf(x, m, C, w), ot.gmm.gmm_pdf(x, m, C, w), rtol=1e-10)
    expected = scipy.stats.multivariate_normal(m[0], C[0]).pdf(x)
    np.testing.assert_allclose(lbw.gaussian_pdf(x, m[0], C[0]), expected, rtol=1e-10)
    grid = x.reshape(4, 5, 2)
    np.testing.assert_allclose(
        lbw.gmm_pdf(grid, m, C, w), ot.gmm.gmm_pdf(grid, m, C, w), rtol=1e-10
    )


@pytest.mark.parametrize(("k_s", "k_t"), [(1, 1), (3, 3), (4, 7), (20, 13)])
def test_plans_between_mixtures(k_s, k_t):
    rng = np.random.default_rng(k_s)
    m_s, C_s = gaussians(k_s, 3, 7)
    m_t, C_t = gaussians(k_t, 3, 8)
    w_s, w_t = rng.dirichlet(np.ones(k_s)), rng.dirichlet(np.ones(k_t))
    args = (m_s, m_t, C_s, C_t, w_s, w_t)
    assert lbw.gmm_ot_loss(*args) == pytest.approx(ot.gmm.gmm_ot_loss(*args), rel=1e-8)
    plan = lbw.gmm_ot_plan(*args)
    np.testing.assert_allclose(plan, ot.gmm.gmm_ot_plan(*args), atol=1e-9)
    assert (plan > 0).sum() <= k_s + k_t - 1
    np.testing.assert_allclose(plan.sum(axis=1), w_s, rtol=1e-12)
    np.testing.assert_allclose(plan.sum(axis=0), w_t, rtol=1e-12)
    loss, log = lbw.gmm_ot_loss(*args, log=True)
    assert log["cost"] == loss


def test_plan_is_the_optimum_of_the_linear_program():
    rng = np.random.default_rng(1)
    m_s, C_s = gaussians(5, 2, 9)
    m_t, C_t = gaussians(6, 2, 10)
    w_s, w_t = rng.dirichlet(np.ones(5)), rng.dirichlet(np.ones(6))
    cost = lbw.dist_bures_squared(m_s, m_t, C_s, C_t)
    rows = np.kron(np.eye(5), np.ones(6))
    columns = np.kron(np.ones(5), np.eye(6))
    solution = scipy.optimize.linprog(
        cost.ravel(), A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([w_s, w_t])
    )
    assert lbw.gmm_ot_loss(m_s, m_t, C_s, C_t, w_s, w_t) == pytest.approx(solution.fun, rel=1e-9)


@pytest.mark.parametrize("distance", [0.0, 1e3, 3e8, 1e12])
def test_plans_do_not_depend_on_the_distance_of_the_mixtures(distance):
    m_s, m_t = np.array([[0.0], [1.0], [2.0]]), np.array([[2.0], [0.0], [1.0]])
    C, w = np.full((3, 1, 1), 0.01), np.full(3, 1 / 3)
    plan, log = lbw.gmm_ot_plan(m_s, m_t + distance, C, C, w, w, log=True)
    np.testing.assert_array_equal(plan.argmax(axis=1), [1, 2, 0])
    assert log["cost"] == pytest.approx(distance**2, abs=1e-15)


def test_maps_between_mixtures():
    rng = np.random.default_rng(2)
    m_s, C_s = gaussians(4, 2, 11)
    m_t, C_t = gaussians(3, 2, 12)
    w_s, w_t = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(3))
    x = rng.normal(size=(50, 2))
    args = (m_s, m_t, C_s, C_t, w_s, w_t)
    soft = lbw.gmm_ot_apply_map(x, *args)
    np.testing.assert_allclose(soft, ot.gmm.gmm_ot_apply_map(x, *args), atol=1e-8)
    plan = np.outer(w_s, w_t)
    soft = lbw.gmm_ot_apply_map(x, *args, plan=plan)
    np.testing.assert_allclose(soft, ot.gmm.gmm_ot_apply_map(x, *args, plan=plan), atol=1e-8)
    drawn = lbw.gmm_ot_apply_map(x, *args, method="rand", seed=3)
    np.testing.assert_array_equal(drawn, lbw.gmm_ot_apply_map(x, *args, method="rand", seed=3))
    assert not np.array_equal(drawn, lbw.gmm_ot_apply_map(x, *args, method="rand", seed=4))
    # every drawn point is where one of the pairs' maps sends it
    images = np.stack(
        [
            x @ A + b
            for i in range(4)
            for j in range(3)
            for A, b in [ot.gaussian.bures_wasserstein_mapping(m_s[i], m_t[j], C_s[i], C_t[j])]
        ]
    )
    assert np.abs(images - drawn).max(axis=2).min(axis=0).max() < 1e-7
    with pytest.raises(ValueError, match="method 'hard' is not known"):
        lbw.gmm_ot_apply_map(x, *args, method="hard")


@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (3, 7), (7, 3), (60, 60)])
@pytest.mark.parametrize("maximize", [False, True])
def test_assignment(shape, maximize):
    cost = np.random.default_rng(0).normal(size=shape)
    rows, columns = lbw.linear_sum_assignment(cost, maximize)
    expected_rows, expected_columns = scipy.optimize.linear_sum_assignment(cost, maximize)
    np.testing.assert_array_equal(rows, expected_rows)
    np.testing.assert_array_equal(columns, expected_columns)


def test_assignment_at_the_edges():
    rows, columns = lbw.linear_sum_assignment(np.empty((0, 0)))
    assert rows.size == columns.size == 0
    with pytest.raises(ValueError, match="nan"):
        lbw.linear_sum_assignment([[np.nan]])
    with pytest.raises(lbw.NumericalError):
        lbw.linear_sum_assignment([[np.inf]])
    with pytest.raises(ValueError, match="cost_matrix: expected 2 dimensions, got 1"):
        lbw.linear_sum_assignment([1.0])


@pytest.mark.parametrize("apart", [1e-170, 1.0, 1e160, 1e300])
def test_distances_neither_overflow_nor_vanish(apart):
    nothing = np.zeros((2, 2))
    means = np.array([[0.0, 0.0], [3.0 * apart, 4.0 * apart]])
    distance = lbw.bures_wasserstein_distance(means[0], means[1], nothing, nothing)
    assert distance == pytest.approx(5.0 * apart, rel=1e-15)
    covariances = np.stack([nothing, nothing])
    table = lbw.bures_wasserstein_distance(means, means, covariances, covariances)
    np.testing.assert_allclose(table, [[0.0, 5.0 * apart], [5.0 * apart, 0.0]], rtol=1e-15)


def test_barycenters_that_have_not_converged_warn():
    covariances = np.array([np.diag([1.0, 1e-8]), [[1.0, 0.9], [0.9, 1.0]], [[2.0, -1], [-1, 1]]])
    with pytest.warns(UserWarning, match="has not converged after 2 iterations") as caught:
        lbw.bures_wasserstein_barycenter(np.zeros((3, 2)), covariances, num_iter=2)
    assert caught[0].filename == __file__
    _, _, log = lbw.bures_wasserstein_barycenter(
        np.zeros((3, 2)), covariances, num_iter=2, log=True
    )
    assert not log["converged"]


def test_barycenters_stop_relative_to_each_feature():
    s = 1e-8
    covariances = [np.diag([1.0, factor * s, factor * s]) for factor in (1.0, 4.0, 9.0)]
    _, covariance = lbw.bures_wasserstein_barycenter(np.zeros((3, 3)), covariances, [2.0, 2.0, 2.0])
    np.testing.assert_allclose(np.diag(covariance), [1.0, 4.0 * s, 4.0 * s], rtol=1e-12)


def test_maps_reach_features_of_small_units():
    rng = np.random.default_rng(0)
    units = np.diag([2e6, 10.0, 0.01])
    source, target = (units @ np.cov(rng.normal(size=(3, 50))) @ units for _ in range(2))
    A, _ = lbw.bures_wasserstein_mapping(np.zeros(3), np.zeros(3), source, target)
    deviations = np.sqrt(np.diag(target))
    np.testing.assert_allclose(
        (A @ source @ A - target) / np.outer(deviations, deviations), 0.0, atol=1e-10
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lbw.bures_wasserstein_distance([0.0], [0.0], [[-1.0]], [[1.0]]), "semidefinite"),
        (lambda: lbw.bures_wasserstein_distance([0.0], [0.0], [1.0], [[1.0]]), "Cs: expected 2"),
        (lambda: lbw.bures_wasserstein_mapping([0.0, 1.0], [0.0], np.eye(2), [[1.0]]), "features"),
        (
            lambda: lbw.bures_wasserstein_barycenter([[0.0]], [[[1.0]]], [-0.5]),
            r"barycentric_weights\[0\] is -0.5, expected a number >= 0",
        ),
        (
            lambda: lbw.gmm_ot_plan([[0.0]], [[0.0]], [[[1.0]]], [[[1.0]]], [1.0], [0.5]),
            "0.5",
        ),
    ],
)
def test_bad_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("covariance_type", ["full", "tied", "diag", "spherical"])
def test_mixture_distance_is_the_root_of_pots_loss(covariance_type):
    rng = np.random.default_rng(3)
    fits = [
        lbw.GaussianMixture(k, covariance_type=covariance_type, max_iter=500).fit(
            rng.normal(size=(300, 2)) + shift
        )
        for k, shift in ((3, 0.0), (4, 1.0))
    ]
    full = []
    for fit in fits:
        expand = {
            "full": lambda c, k: c,
            "tied": lambda c, k: np.repeat(c[None], k, axis=0),
            "diag": lambda c, k: np.array([np.diag(row) for row in c]),
            "spherical": lambda c, k: np.array([value * np.eye(2) for value in c]),
        }[covariance_type]
        full.append(expand(fit.covariances_, fit.n_components_))
    loss = ot.gmm.gmm_ot_loss(
        fits[0].means_, fits[1].means_, full[0], full[1], fits[0].weights_, fits[1].weights_
    )
    assert lbw.mixture_distance(*fits) == pytest.approx(np.sqrt(loss), rel=1e-9)
    assert lbw.mixture_distance(fits[0], fits[0]) == pytest.approx(0.0, abs=1e-7)
