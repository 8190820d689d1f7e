# SPDX-License-Identifier: MIT
"""The versions of the peers and the kernels that their libraries selected."""

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import ot
import scipy
import sklearn
import sklearn.cluster
from threadpoolctl import threadpool_info


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Return the versions, and the library, version, kernel and threads of each thread pool."""
    del request
    pools = [
        {key: pool.get(key) for key in ("internal_api", "version", "architecture", "num_threads")}
        for pool in threadpool_info()
    ]
    return {
        "versions": {
            "Python": platform.python_version(),
            "NumPy": np.__version__,
            "SciPy": scipy.__version__,
            "scikit-learn": sklearn.__version__,
            "POT": ot.__version__,
        },
        "pools": pools,
    }
