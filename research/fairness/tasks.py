# SPDX-License-Identifier: MIT
"""The eight tasks: a table, a label to predict and a protected group, read from the data folder.

Every loader asserts the numbers of rows, of each group and of the positive label, to detect another
file with the same name.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from common.places import data_file


@dataclass(frozen=True)
class Task:
    """A table without its protected column, the label and the group of every row."""

    name: str
    features: pd.DataFrame  # columns of numbers are numeric, all others are categories
    label: np.ndarray  # bool, True is the positive class
    group: np.ndarray  # two different strings
    predicts: str
    protects: str


def wine_by_colour() -> Task:
    """Predict whether a wine is rated 6 or better; red and white, 11 measurements."""
    files = {"red": "winequality-red.csv", "white": "winequality-white.csv"}
    tables = {
        colour: pd.read_csv(data_file("wine_quality", name), sep=";")
        for colour, name in files.items()
    }
    table = pd.concat(tables.values(), ignore_index=True)
    colour = np.repeat(list(tables), [len(part) for part in tables.values()])
    task = Task(
        "wine, colour",
        table.drop(columns="quality"),
        table["quality"].to_numpy() >= 6,
        colour,
        "rated 6 or better",
        "colour: red, white",
    )
    return _counted(task, columns=11, groups={"red": 1599, "white": 4898}, positive=4113)


def german_by_sex() -> Task:
    """Predict whether a credit is bad; sex is read from attribute 9, which is dropped."""
    names = [f"attribute {i}" for i in range(1, 21)] + ["label"]
    table = pd.read_csv(data_file("german", "german.data"), sep=" ", names=names)
    sex = np.where(table["attribute 9"].isin(["A92", "A95"]), "female", "male")
    task = Task(
        "german, sex",
        table.drop(columns=["attribute 9", "label"]),
        table["label"].to_numpy() == 2,
        sex,
        "bad credit",
        "sex: female, male",
    )
    return _counted(task, columns=19, groups={"female": 310, "male": 690}, positive=300)


def adult_by_sex() -> Task:
    """Predict whether the income exceeds 50 000 dollars; female and male."""
    table = _adult()
    task = _adult_task(table, "sex", _lower(table["sex"]), ["sex"], "sex: female, male")
    return _counted(task, columns=13, groups={"female": 14695, "male": 30527}, positive=11208)


def adult_by_education() -> Task:
    """Predict the same; with a bachelor's degree or more, and without."""
    table = _adult()
    education = np.where(table["education-num"] >= 13, "higher", "lower")
    dropped = ["education", "education-num"]
    protects = "education: higher (bachelor and above), lower"
    task = _adult_task(table, "education", education, dropped, protects)
    return _counted(task, columns=12, groups={"higher": 11413, "lower": 33809}, positive=11208)


def taiwan_by_sex() -> Task:
    """Predict whether a card holder defaults; male and female."""
    table = _taiwan()
    sex = np.where(table["SEX"] == "2", "female", "male")
    task = _taiwan_task(table, "sex", sex, ["SEX"], "sex: female, male")
    return _counted(task, columns=22, groups={"female": 18112, "male": 11888}, positive=6636)


def taiwan_by_education() -> Task:
    """Predict whether a card holder defaults; graduate school and other."""
    table = _taiwan()
    education = np.where(table["EDUCATION"] == "1", "graduate", "other")
    protects = "education: graduate school, other"
    task = _taiwan_task(table, "education", education, ["EDUCATION"], protects)
    return _counted(task, columns=22, groups={"graduate": 10585, "other": 19415}, positive=6636)


def compas_by_race() -> Task:
    """Predict whether a defendant reoffends within two years; Black and White defendants only."""
    table = _compas()
    table = table[table["race"].isin(["African-American", "Caucasian"])].reset_index(drop=True)
    race = np.where(table["race"] == "Caucasian", "White", "Black")
    task = _compas_task(table, "race", race, ["race"], "race: Black, White")
    return _counted(task, columns=8, groups={"Black": 3175, "White": 2103}, positive=2483)


def compas_by_sex() -> Task:
    """Predict whether a defendant of any race reoffends within two years; female and male."""
    table = _compas()
    task = _compas_task(table, "sex", _lower(table["sex"]), ["sex"], "sex: female, male")
    return _counted(task, columns=8, groups={"female": 1175, "male": 4997}, positive=2809)


@dataclass(frozen=True)
class _Source:
    """A data set of several tasks, which differ in the protected column."""

    name: str
    label: str
    positive: object
    predicts: str

    def __call__(
        self, table: pd.DataFrame, kind: str, group: np.ndarray, dropped: list[str], protects: str
    ) -> Task:
        """Return the task with a group, without the columns that contain it."""
        features = table.drop(columns=[*dropped, self.label])
        label = table[self.label].to_numpy() == self.positive
        return Task(f"{self.name}, {kind}", features, label, group, self.predicts, protects)


_adult_task = _Source("adult", "income", ">50K", "income over 50 000")
_taiwan_task = _Source("taiwan", "DEFAULTED", 1, "default")
_compas_task = _Source("compas", "two_year_recid", 1, "arrested again within two years")


def _lower(column: pd.Series) -> np.ndarray:
    return column.str.lower().to_numpy(dtype=str)


LOADERS: dict[str, Callable[[], Task]] = {
    "wine, colour": wine_by_colour,
    "german, sex": german_by_sex,
    "adult, sex": adult_by_sex,
    "adult, education": adult_by_education,
    "taiwan, sex": taiwan_by_sex,
    "taiwan, education": taiwan_by_education,
    "compas, race": compas_by_race,
    "compas, sex": compas_by_sex,
}


def _adult() -> pd.DataFrame:
    """Read the complete rows of both parts. Labels of the test part end with a full stop."""
    names = [
        "age",
        "workclass",
        "fnlwgt",
        "education",
        "education-num",
        "marital-status",
        "occupation",
        "relationship",
        "race",
        "sex",
        "capital-gain",
        "capital-loss",
        "hours-per-week",
        "native-country",
        "income",
    ]
    parts = [
        pd.read_csv(
            data_file("adult", name),
            names=names,
            skipinitialspace=True,
            skiprows=skip,
            na_values="?",
        )
        for name, skip in (("adult.data", 0), ("adult.test", 1))  # its first line is a remark
    ]
    assert [len(part) for part in parts] == [32561, 16281]
    table = pd.concat(parts, ignore_index=True).dropna().reset_index(drop=True)
    table["income"] = table["income"].str.rstrip(".")
    return table


def _taiwan() -> pd.DataFrame:
    """Read the table. As in the paper, these three columns and the six PAST_PAY are categories."""
    table = pd.read_csv(data_file("taiwan", "default_of_credit_card_clients.csv"))
    codes = ["SEX", "EDUCATION", "MARRIAGE", *(f"PAST_PAY_{i}" for i in range(1, 7))]
    return table.astype(dict.fromkeys(codes, str))


def _compas() -> pd.DataFrame:
    """Apply ProPublica's filter, keep demographics and record, and drop the COMPAS scores."""
    with data_file("compas", "compas-scores-two-years.csv").open(newline="") as file:
        names = next(csv.reader(file))
        rows = [dict(zip(reversed(names), reversed(row), strict=True)) for row in csv.reader(file)]
    table = pd.DataFrame(rows)  # keeps the first of two columns with the same name
    assert len(table) == 7214
    days = pd.to_numeric(table["days_b_screening_arrest"])
    kept = (
        days.between(-30, 30)
        & (table["is_recid"] != "-1")
        & (table["c_charge_degree"] != "O")
        & (table["score_text"] != "N/A")
    )
    numbers = ["age", "juv_fel_count", "juv_misd_count", "juv_other_count", "priors_count"]
    columns = [*numbers, "age_cat", "c_charge_degree", "sex", "race", "two_year_recid"]
    table = table.loc[kept, columns].reset_index(drop=True)
    assert len(table) == 6172
    return table.astype(dict.fromkeys([*numbers, "two_year_recid"], int))


def _counted(task: Task, *, columns: int, groups: dict[str, int], positive: int) -> Task:
    found = dict(zip(*np.unique(task.group, return_counts=True), strict=True))
    assert {name: int(count) for name, count in found.items()} == groups, (task.name, found)
    assert len(task.features) == len(task.label) == sum(groups.values()), task.name
    assert task.features.shape[1] == columns, (task.name, task.features.shape)
    assert int(task.label.sum()) == positive, (task.name, int(task.label.sum()))
    assert not task.features.isna().any().any(), task.name
    return task
