# SPDX-License-Identifier: MIT
from dataclasses import replace

import numpy as np
import ot
import pytest

from common.pipeline import Pipeline, barycenter_covariances, covariance_maps
from shapes.__main__ import recorded
from shapes.claims import ratios, target
from shapes.measure import QUICK
from shapes.principle import clover, heart
from shapes.silhouettes import points_in, triangle
from shapes.truth import assigned_barycenter, convolutional_barycenter, otsu


def small_pictures():
    x, y = np.meshgrid(np.arange(40), np.arange(40))
    disc = (x - 14) ** 2 + (y - 20) ** 2 < 64
    bar = (np.abs(x - 26) < 5) & (np.abs(y - 18) < 13)
    return np.stack([disc / disc.sum(), bar / bar.sum()])


def spd_stack(seed, count=6):
    factors = np.random.default_rng(seed).normal(size=(count, 2, 2))
    return factors @ factors.swapaxes(1, 2) + 0.1 * np.eye(2)


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.25, 0.75)])
def test_convolutional_barycenter_agrees_with_pot_where_its_floor_has_no_effect(weights):
    pictures = small_pictures()
    theirs = ot.bregman.convolutional_barycenter2d(
        pictures, 8e-3, np.array(weights), numItermax=60, stopThr=0.0, warn=False
    )
    ours = convolutional_barycenter(pictures, weights, regularisation=8e-3, iterations=60)
    # the two may differ by one iteration
    assert np.abs(ours - theirs).max() < 1e-3 * ours.max()


def test_convolutional_barycenter_at_a_corner_is_the_picture_smoothed():
    pictures = small_pictures()
    barycenter = convolutional_barycenter(pictures, (1.0, 0.0), regularisation=8e-3, iterations=50)
    assert barycenter.sum() == pytest.approx(1.0, abs=1e-6)
    support = barycenter > otsu(barycenter)
    truth = pictures[0] > 0
    # smoothing moves the edge of a disc of radius 8 by less than half a pixel
    assert np.sum(support ^ truth) < 2 * np.pi * 8 / 2


def test_otsu_separates_two_levels_with_noise():
    random = np.random.default_rng(0)
    bright = random.uniform(size=(50, 50)) < 0.3
    picture = bright + random.normal(0, 0.05, (50, 50))
    assert np.array_equal(picture > otsu(picture), bright)


def test_assigned_barycenter_of_a_cloud_and_its_shift_lies_between():
    cloud = np.random.default_rng(1).uniform(size=(60, 2))
    shift = np.array([0.4, -0.2])
    barycenter = assigned_barycenter([cloud, cloud + shift], (0.25, 0.75))
    expected = cloud + 0.75 * shift
    assert np.allclose(np.sort(barycenter, axis=0), np.sort(expected, axis=0), atol=1e-12)


def test_assigned_barycenter_of_two_is_the_displaced_optimal_assignment():
    random = np.random.default_rng(2)
    first, second = random.uniform(size=(2, 40, 2))
    barycenter = assigned_barycenter([first, second], (0.5, 0.5))
    half = np.sqrt(ot.emd2([], [], ot.dist(first, second))) / 2
    for cloud in (first, second):
        assert np.sqrt(ot.emd2([], [], ot.dist(cloud, barycenter))) == pytest.approx(half)


def test_covariance_maps_transport_one_covariance_to_the_other():
    sources, targets = spd_stack(3), spd_stack(4)
    maps = covariance_maps(sources, targets)
    assert np.allclose(maps @ sources @ maps, targets)


def test_barycenter_of_two_covariances_lies_on_their_geodesic():
    sources, targets = spd_stack(5), spd_stack(6)
    step = 0.3 * np.eye(2) + 0.7 * covariance_maps(sources, targets)
    found = barycenter_covariances([sources, targets], (0.3, 0.7))
    assert np.allclose(found, step @ sources @ step)


def test_pipeline_does_not_move_a_group_at_its_own_corner():
    random = np.random.default_rng(7)
    groups = [random.normal(size=(200, 2)) + place for place in ([0, 0], [4, 1], [1, 5])]
    pipeline = Pipeline(3, seed=0).fit(groups)
    for place, group in enumerate(groups):
        corner = np.eye(3)[place]
        moved = pipeline.transport(groups, [corner])[0]
        assert np.allclose(moved[200 * place : 200 * (place + 1)], group)


def test_pipeline_transports_every_cluster_to_its_counterpart():
    random = np.random.default_rng(9)
    cluster = np.repeat(np.arange(5), 80)
    first = random.normal(0, 0.3, (400, 2)) + 6.0 * cluster[:, None]
    shift = np.column_stack([0.2 * cluster, -0.1 * cluster**2])
    # another order of rows gives another order of components, which the matching corrects
    order = random.permutation(400)
    groups = [first, (first + shift)[order], first[::-1]]
    moved = Pipeline(5, seed=0).fit(groups).transport(groups, [(0.0, 1.0, 0.0)])[0]
    assert np.allclose(moved[:400], first + shift, atol=1e-4)
    assert np.allclose(moved[800:], (first + shift)[::-1], atol=1e-4)


def test_points_lie_in_their_picture():
    for picture in (clover(), heart()):
        points = points_in(picture, 500, np.random.default_rng(8))
        column, row = (points * len(picture)).astype(int).T
        assert picture[row, column].all()


def test_triangle_has_twelve_weights_beside_its_corners():
    grid = triangle()
    assert len(grid) == 12
    assert len(triangle(vertices=True)) == 15
    assert all(sum(weights) == 1.0 for weights in grid)


def test_ratio_compares_medians_at_the_same_number_of_atoms():
    pd = pytest.importorskip("pandas")
    rows = pd.DataFrame(
        {
            "method": ["slow", "slow", "slow", "fast", "fast"],
            "k": [5, 5, 9, 5, 7],
            "train_seconds": [2.0, 4.0, 1.0, 0.5, 1.0],
            "transport_seconds": [1.0, 1.0, 1.0, 0.5, 1.0],
        }
    )
    assert ratios(rows, "slow", "fast").to_dict() == {5: 4.0}
    assert target("a", "b", False).verdict == "missed"


def test_the_machine_is_recorded_only_if_a_table_has_grown(tmp_path):
    study = replace(QUICK, results=tmp_path)
    recorded(lambda study: None)(study)
    assert not (tmp_path / "machine.json").exists()
    table = ("truth", ("split",), ("iou",))
    recorded(lambda study: study.rows(*table).add({"split": 0, "iou": 0.5}))(study)
    assert (tmp_path / "machine.json").is_file()
