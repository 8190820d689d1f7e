# SPDX-License-Identifier: MIT
"""Estimators for Apache Spark, with the interface of `pyspark.ml`.

`GaussianMixture`, `LocalTransport` and `GroupRepair` fit the rows of a DataFrame where they are,
on the executors of a cluster or on one machine. They need `lbw[spark]` on the driver and on every
executor. The guide is docs/spark.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._options.first_use import imported_on_first_use

try:
    import pyarrow  # noqa: F401
    import pyspark
except ImportError as error:
    raise ImportError(
        "lbw.spark needs PySpark 4 or newer and pyarrow. Install them with "
        "`pip install lbw[spark]`, on the driver and on every executor."
    ) from error

if int(pyspark.__version__.split(".")[0]) < 4:
    raise ImportError(
        f"lbw.spark needs PySpark 4 or newer, found {pyspark.__version__}. Install it with "
        "`pip install --upgrade lbw[spark]`."
    )

if TYPE_CHECKING:
    from ._mixture import GaussianMixture, GaussianMixtureModel, GaussianMixtureSummary
    from ._repair import GroupRepair, GroupRepairModel
    from ._transport import LocalTransport, LocalTransportModel

__all__ = [
    "GaussianMixture",
    "GaussianMixtureModel",
    "GaussianMixtureSummary",
    "GroupRepair",
    "GroupRepairModel",
    "LocalTransport",
    "LocalTransportModel",
]

# The module of each name. Executors import this package for its tasks, and few of them need more.
_HOMES = {
    "GaussianMixture": "_mixture",
    "GaussianMixtureModel": "_mixture",
    "GaussianMixtureSummary": "_mixture",
    "GroupRepair": "_repair",
    "GroupRepairModel": "_repair",
    "LocalTransport": "_transport",
    "LocalTransportModel": "_transport",
}

__getattr__ = imported_on_first_use(globals(), _HOMES)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
