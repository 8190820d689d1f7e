# SPDX-License-Identifier: MIT
"""Params of the Spark estimators follow from the declared parameters of the Python estimators."""

import pytest

import lbw
from lbw.spark import (
    GaussianMixture,
    GaussianMixtureModel,
    GroupRepair,
    GroupRepairModel,
    LocalTransport,
    LocalTransportModel,
)
from lbw.spark._params import spark_name

PAIRS = [
    (GaussianMixture, lbw.GaussianMixture, {"warm_start", "verbose_interval"}),
    (LocalTransport, lbw.LocalTransport, set()),
    (GroupRepair, lbw.GroupRepair, {"sensitive_columns", "key_column"}),
]


@pytest.mark.parametrize(("own", "python", "missing"), PAIRS)
def test_every_option_of_the_python_estimator_is_a_param_with_the_same_default(
    spark, own, python, missing
):
    params = own()
    for name, value in python().get_params().items():
        if name in missing:
            assert not params.hasParam(spark_name(name))
        else:
            assert params.getOrDefault(spark_name(name)) == value, name


@pytest.mark.parametrize("own", [GaussianMixture, LocalTransport, GroupRepair])
def test_every_param_has_a_getter_and_a_setter_with_types(spark, own):
    for param in own().params:
        title = param.name[0].upper() + param.name[1:]
        assert "return" in getattr(own, f"get{title}").__annotations__
        assert set(getattr(own, f"set{title}").__annotations__) == {"value", "return"}
    assert own().setMaxIter(7).getMaxIter() == 7
    assert own.getMaxIter.__annotations__["return"] == "int"


@pytest.mark.parametrize("own", [GaussianMixtureModel, LocalTransportModel, GroupRepairModel])
def test_models_have_setters_only_for_what_transform_reads(own):
    assert hasattr(own, "setHandleInvalid")
    assert hasattr(own, "getMaxIter")
    assert not hasattr(own, "setMaxIter")


def test_the_explanation_uses_sparks_names(spark):
    text = LocalTransport(nComponents=3).explainParams()
    assert "nComponents: The number of components of every group's mixture." in text
    assert "(default: 10, current: 3)" in text
    assert "`" not in text
    assert "n_components" not in text
    assert "random_state" not in text


def test_a_value_out_of_bounds_is_refused_when_it_is_set(spark):
    with pytest.raises(Exception, match="'nComponents' parameter of LocalTransport must be an int"):
        LocalTransport(nComponents=0)
    with pytest.raises(Exception, match="'handleInvalid' parameter of GroupRepair must be a str"):
        GroupRepair().setHandleInvalid("drop")


def test_an_unknown_param_is_named(spark):
    with pytest.raises(TypeError, match="LocalTransport has no Param 'k', expected some of amount"):
        LocalTransport(k=3)


def test_values_of_numpy_become_plain(spark):
    import numpy as np

    mixture = GaussianMixture(nComponents=np.int64(2), meansInit=np.zeros((2, 3)))
    assert type(mixture.getNComponents()) is int
    assert mixture.getMeansInit() == [[0.0] * 3] * 2


def test_a_copy_with_another_value_leaves_the_first_alone(spark):
    first = LocalTransport(nComponents=2)
    second = first.copy({first.nComponents: 5})
    assert (first.getNComponents(), second.getNComponents()) == (2, 5)
