# SPDX-License-Identifier: MIT
import pytest

from common.places import MissingDataError, data_file
from fairness.sensitivity import with_protected_column
from fairness.tasks import LOADERS

try:
    data_file("wine_quality", "winequality-red.csv")
except MissingDataError as error:
    pytest.skip(str(error), allow_module_level=True)

PROTECTED = {
    "wine, colour": {"quality"},
    "german, sex": {"attribute 9", "label"},
    "adult, sex": {"sex", "income"},
    "adult, education": {"education", "education-num", "income"},
    "taiwan, sex": {"SEX", "DEFAULTED"},
    "taiwan, education": {"EDUCATION", "DEFAULTED"},
    "compas, race": {"race", "two_year_recid", "decile_score", "is_recid"},
    "compas, sex": {"sex", "two_year_recid", "decile_score", "is_recid"},
}


@pytest.mark.parametrize("name", LOADERS)
def test_a_task_holds_neither_its_label_nor_its_group(name):
    task = LOADERS[name]()  # asserts its counts itself
    assert task.name == name
    assert not PROTECTED[name] & set(task.features.columns)


def test_shares_of_groups_and_labels_are_those_counted_in_the_files():
    task = LOADERS["compas, race"]()
    assert task.label[task.group == "Black"].sum() == 1661
    assert task.label[task.group == "White"].sum() == 822
    task = LOADERS["adult, sex"]()
    assert task.label[task.group == "female"].sum() == 1669
    task = LOADERS["taiwan, sex"]()
    assert task.label[task.group == "male"].sum() == 2873


def test_the_protected_column_can_be_kept():
    task = with_protected_column(LOADERS["german, sex"]())
    assert task.features["protected"].tolist() == task.group.tolist()
