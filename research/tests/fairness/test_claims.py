# SPDX-License-Identifier: MIT
import numpy as np
import pandas as pd
import pytest

from fairness import claims
from fairness.classifiers import CLASSIFIERS
from fairness.places import Scale
from fairness.report import write_report
from fairness.summary import dominating


def points(**values):
    names = {"raw": "raw", "ours": "k = 1", "more": "score repair", "theirs": "CorrelationRemover"}
    rows = {names[key]: {"auc": auc, "gamma": gamma} for key, (auc, gamma) in values.items()}
    return pd.DataFrame.from_dict(rows, orient="index")


def test_the_best_point_has_the_largest_auc_minus_gamma():
    table = points(raw=(0.9, 0.01), ours=(0.8, 0.1), more=(0.75, 0.01), theirs=(0.78, 0.05))
    claim = claims.front(table, "c", "auc", "gamma")
    assert claim.verdict == "holds"
    assert claim.measured.startswith("score repair (0.750, 0.010)")
    assert "CorrelationRemover (0.780, 0.050)" in claim.measured  # not dominated by lbw


def test_dominating_methods_are_named():
    table = points(raw=(0.9, 0.3), ours=(0.8, 0.1), more=(0.7, 0.1), theirs=(0.8, 0.05))
    claim = claims.front(table, "c", "auc", "gamma")
    assert claim.verdict == "does not hold: CorrelationRemover (0.800, 0.050)"


def test_an_equal_point_does_not_dominate():
    table = points(ours=(0.8, 0.1), theirs=(0.8, 0.1))
    assert not dominating(table, table.loc["k = 1"], "auc", "gamma").any()


@pytest.fixture
def results(tmp_path):
    """Tables in which a repair halves gamma and only boosting and LDA lose 0.01 of AUC."""
    rng = np.random.default_rng(0)
    rows = []
    for task in "abcdefgh":
        for split in range(10):
            for classifier in CLASSIFIERS:
                key = {"task": task, "split": split, "classifier": classifier, "setting": "k = 2"}
                gamma, auc = rng.uniform(0.2, 0.3), rng.uniform(0.7, 0.8)
                moved = classifier not in claims.UNMOVED
                loss = 0.01 if classifier in claims.AUC_LOST else 0.0
                rows.append({**key, "method": "raw", "gamma": gamma, "auc": auc})
                rows.append(
                    {**key, "method": claims.PAPER, "gamma": gamma / (2 if moved else 1)}
                    | {"auc": auc - loss}
                )
    pd.DataFrame(rows).assign(repair_seconds=0.5).to_csv(tmp_path / "tuned.csv", index=False)
    return tmp_path


def test_the_papers_claims_hold_in_tables_made_for_them(results):
    found = list(claims.of_the_paper(results))
    assert len(found) == 2 * len(CLASSIFIERS)
    assert {claim.verdict for claim in found} == {"holds"}
    boosting = next(claim for claim in found if claim.claim == "gradient boosting: AUC decreases")
    assert "median change -0.010, effect -1.00" in boosting.measured
    assert "decreases on 8 and increases on 0 of 8 tasks" in boosting.measured


def test_the_papers_claims_do_not_hold_for_opposite_effects(results):
    table = pd.read_csv(results / "tuned.csv")
    table["gamma"] = 1.0 - table["gamma"]
    table.to_csv(results / "tuned.csv", index=False)
    verdicts = {claim.claim: claim.verdict for claim in claims.of_the_paper(results)}
    assert verdicts["logistic regression: γ improves, p < 1e-8"] == "does not hold"
    assert verdicts["k-NN: γ does not improve"] == "holds"


def test_seconds_are_of_all_repairs(results):
    methods = ("k = 1", "plan random, k = 5")
    rows = [
        {"task": task, "split": split, "method": method, "by": by, "seconds": 9.0, "load": 1.0}
        | {"cpu_seconds": 10.0 if by == "lbw" else 40.0}
        for task in "ab"
        for split in range(2)
        for method in methods
        for by in ("lbw", "scikit-learn + NumPy")
        if by == "lbw" or split == 0
    ]
    pd.DataFrame(rows).to_csv(results / "timing.csv", index=False)
    solved = [
        {"task": "a", "repetition": 0, "n_rows": 200, "method": method, "seconds": seconds}
        | {"auc": 0.7, "gamma": 0.1}
        for method, seconds in (
            ("L-BW as in the paper, k = 5", 0.1),
            ("ME linear", 1.0),
            ("ME Gaussian", 0.05),
        )
    ]
    pd.DataFrame(solved).to_csv(results / "time_to_solution.csv", index=False)
    whole, fig4 = claims.of_time(results)
    assert whole.measured.startswith("8 repairs take 80 s on one core, 40 s on two. 4 of them")
    assert whole.measured.endswith(
        "160 s on one core with scikit-learn + NumPy and 40 s with lbw, a factor of 4.0"
    )
    assert whole.verdict == "holds"
    assert fig4.verdict == "not fastest, best γ"


def test_the_report_has_the_values_of_its_tables(results):
    write_report(Scale(results=results))
    text = (results / "README.md").read_text()
    assert "| logistic regression: γ improves, p < 1e-8 |" in text
    assert "## Time" not in text  # this table does not exist
    assert len(pd.read_csv(results / "tests.csv")) == 2 * 9 * len(CLASSIFIERS)
