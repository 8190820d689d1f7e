# SPDX-License-Identifier: MIT
"""The time that a mixture takes on Spark: lbw against Spark ML, on the same persisted rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from common.clock import timed
from common.rows import Rows

from .study import COLUMNS, N_COMPONENTS, Samples, Study, conditions, draw, generated, spark_session

KEYS = ["fit", "repetition"]
MEASURED = ["rows", "seconds", "heldout", "steps", "load"]


def heldout(weights: Any, means: Any, covariances: Any, test: Samples) -> float:
    """Return the mean log-likelihood of samples under a mixture."""
    parts = [
        np.log(weight) + multivariate_normal.logpdf(test, mean, covariance)
        for weight, mean, covariance in zip(weights, means, covariances, strict=True)
    ]
    return float(np.mean(logsumexp(parts, axis=0)))


def fit_lbw(rows: Any, seed: int) -> tuple[Any, Any, Any, int]:
    """Fit with lbw; its default options."""
    from lbw.spark import GaussianMixture

    estimator = GaussianMixture(nComponents=N_COMPONENTS, inputCols=COLUMNS, seed=seed)
    model = estimator.fit(rows)
    gaussians = model.gaussiansDF.collect()
    means = [row["mean"].toArray() for row in gaussians]
    covariances = [row["cov"].toArray() for row in gaussians]
    return model.weights, means, covariances, model.summary.numIter


def fit_spark_ml(rows: Any, seed: int) -> tuple[Any, Any, Any, int]:
    """Fit with Spark ML; its default options."""
    from pyspark.ml.clustering import GaussianMixture

    estimator = GaussianMixture(k=N_COMPONENTS, featuresCol="features", seed=seed)
    model = estimator.fit(rows)
    gaussians = model.gaussiansDF.collect()
    means = [row["mean"].toArray() for row in gaussians]
    covariances = [row["cov"].toArray() for row in gaussians]
    return model.weights, means, covariances, model.summary.numIter


FITS = {"lbw": fit_lbw, "Spark ML": fit_spark_ml}


def persisted(session: Any, n_rows: int) -> Any:
    """Return rows in memory, as columns for lbw and as vectors for Spark ML."""
    from pyspark.ml.feature import VectorAssembler

    assembler = VectorAssembler(inputCols=COLUMNS, outputCol="features")
    rows = assembler.transform(generated(session, n_rows)).persist()
    rows.count()
    return rows


def mixture(study: Study) -> None:
    """Fit the same rows with both libraries, in turns."""
    table = Rows(study.results / "mixture.csv", KEYS, MEASURED)
    wanted = [
        (repetition, name)
        for repetition in range(study.n_repetitions)
        for name in FITS
        if (name == "lbw" or repetition == 0)  # Spark ML takes minutes
        and not table.done(fit=name, repetition=repetition)
    ]
    if not wanted:
        return
    session, test = spark_session(), draw(study.n_test, [2])
    few = persisted(session, 20_000)
    for fit in FITS.values():
        fit(few, 0)  # starts the Java compiler and the Python workers
    few.unpersist()
    rows = persisted(session, study.n_rows)
    for repetition, name in wanted:
        seconds, found = timed(lambda: FITS[name](rows, repetition))  # noqa: B023
        table.add(
            {
                "fit": name,
                "repetition": repetition,
                "rows": study.n_rows,
                "seconds": seconds,
                "heldout": heldout(*found[:3], test),
                "steps": found[3],
                **conditions(),
            }
        )
    rows.unpersist()
