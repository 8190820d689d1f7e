# SPDX-License-Identifier: MIT
"""Displays show what the estimators hold; the artists are read back and compared."""

import subprocess
import sys

import numpy as np
import pytest
from plot_samples import blobs
from sklearn.exceptions import NotFittedError

import lbw.plot
from lbw import GaussianMixture, GroupRepair, LocalTransport
from lbw.plot import (
    BarycenterTriangleDisplay,
    MatchingDisplay,
    MixtureDisplay,
    ParityDisplay,
    RepairDisplay,
    SelectionDisplay,
)
from lbw.plot._axes import COLORS, MARKERS

pytestmark = [
    pytest.mark.usefixtures("figures_off_screen"),
    pytest.mark.filterwarnings("ignore:fit does not check the repair"),
]


def test_ten_colours_and_markers_differ():
    assert len(set(COLORS)) == len(set(MARKERS)) == 10


def test_every_display_is_exported():
    for name in lbw.plot.__all__:
        assert getattr(lbw.plot, name).__name__ == name


@pytest.mark.parametrize(
    "draw",
    [
        lambda: MixtureDisplay.from_estimator(GaussianMixture(2)),
        lambda: MatchingDisplay.from_estimator(LocalTransport()),
        lambda: BarycenterTriangleDisplay.from_estimator(LocalTransport(), *blobs()),
        lambda: SelectionDisplay.from_estimator(GaussianMixture("aic")),
        lambda: RepairDisplay.from_estimator(GroupRepair(), blobs()[0]),
    ],
)
def test_estimators_must_be_fitted(draw):
    with pytest.raises(NotFittedError):
        draw()


@pytest.mark.parametrize(
    "draw",
    [
        lambda: ParityDisplay.from_predictions([1, 2], [0, 1]),
        lambda: RepairDisplay(
            before=np.zeros((2, 2)), after=np.zeros((2, 2)), groups=np.arange(2)
        ).plot(),
        lambda: MixtureDisplay.from_estimator(GaussianMixture(2)),
    ],
)
def test_without_matplotlib_the_extra_is_named(draw, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"Display needs matplotlib: pip install lbw\[plot\]$"):
        draw()


def test_importing_the_displays_does_not_import_matplotlib():
    code = "import sys, lbw.plot; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_displays_lead_from_one_estimator_to_another():
    rng = np.random.default_rng(0)
    X, groups = rng.normal(size=(120, 2)), np.repeat(["a", "b"], 60)
    repair = lbw.GroupRepair(2, max_iter=500).fit(X, sensitive_features=groups)
    assert MatchingDisplay.from_estimator(repair).ax_ is not None
    with pytest.raises(TypeError, match="give one of its mixtures_, or see MatchingDisplay"):
        MixtureDisplay.from_estimator(repair.transport_)
