# SPDX-License-Identifier: MIT
import numpy as np
import pandas as pd
import pytest

from adaptation.classify import accuracies
from adaptation.colours import distance, roughness, total_variation
from adaptation.digits import digit_domains
from adaptation.methods import METHODS, no_adaptation, ours
from adaptation.moons import domains, rotated
from adaptation.pictures import PICTURES
from adaptation.tables import means
from adaptation.transfer import transferred


def test_rotation_is_about_the_centre_and_counter_clockwise():
    np.testing.assert_allclose(rotated(np.array([[0.5, 0.25]]), 70), [[0.5, 0.25]])
    np.testing.assert_allclose(rotated(np.array([[1.5, 0.25]]), 90), [[0.5, 1.25]], atol=1e-12)


def test_domains_are_drawn_independently():
    data = domains(0, seed=3, n_points=100)
    assert len({data.source.tobytes(), data.target.tobytes(), data.test.tobytes()}) == 3
    assert sorted(np.bincount(data.test_labels)) == [50, 50]


def test_digits_are_split_without_overlap():
    data = digit_domains("blurred", split=1)
    assert data.source.shape == data.target.shape == (600, 8)
    assert len(data.test) == len(data.test_labels) == 1797 - 1200


def test_accuracy_is_that_of_the_moved_source():
    data = domains(180, seed=0, n_points=200)
    turned_back = accuracies(lambda source, target: lambda points: rotated(points, 180), data)
    assert min(turned_back.values()) > 0.97
    assert max(accuracies(no_adaptation, data).values()) < 0.5


@pytest.mark.parametrize("method", METHODS)
def test_every_method_follows_a_shift(method):
    rng = np.random.default_rng(0)
    source, target = rng.normal(size=(200, 2)), rng.normal(size=(200, 2)) + 5
    moved = METHODS[method](source, target)(source)
    expected = 0 if method == "no adaptation" else 5
    # a matching pairs components of unequal weight, so its mean has a larger error
    np.testing.assert_allclose(moved.mean(axis=0), expected, atol=0.6 if "paper" in method else 0.3)


def test_distance_of_shifted_colours_is_the_shift_along_a_direction():
    colours = np.random.default_rng(0).uniform(size=(500, 3))
    assert distance(colours, colours) == 0
    shift = distance(colours + np.array([0.3, 0, 0]), colours)
    assert shift == pytest.approx(0.3 / np.sqrt(3), rel=0.25)  # the mean square over directions


def test_roughness_is_one_for_scaled_colours_and_more_for_noise():
    picture = PICTURES["day"]()
    assert roughness(0.5 * picture + 0.1, picture) == pytest.approx(1)
    noise = np.random.default_rng(0).normal(size=picture.shape)
    assert roughness(picture + 0.2 * noise, picture) > 2
    stripes = np.zeros((4, 4, 3))
    stripes[:, ::2] = 1
    assert total_variation(stripes) == pytest.approx(np.sqrt(3) / 2)  # half of the neighbours


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_colours_and_repeat(name):
    picture = PICTURES[name]()
    assert picture.shape == (128, 128, 3)
    assert picture.min() >= 0
    assert picture.max() <= 1
    np.testing.assert_array_equal(picture, PICTURES[name]())


def test_transferred_colours_come_close_to_the_target():
    source, target = PICTURES["day"](), PICTURES["dusk"]()
    moved = transferred(ours(n_components=1), source, target)
    goal = target.reshape(-1, 3)
    assert distance(moved.reshape(-1, 3), goal) < 0.5 * distance(source.reshape(-1, 3), goal)


def test_means_come_with_students_interval():
    rows = pd.DataFrame({"method": "a", "value": [1.0, 2.0, 3.0]})
    found = means(rows, ["method"], "value").iloc[0]
    assert found["mean"] == 2
    assert found["half"] == pytest.approx(4.302653 / np.sqrt(3), rel=1e-6)
