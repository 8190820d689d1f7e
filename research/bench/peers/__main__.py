# SPDX-License-Identifier: MIT
"""Answer requests on standard input, one per line, until it ends."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from threadpoolctl import threadpool_limits

from . import about, assignment, em, fit, inputs, maps, package, plan, transport, types

Request = dict[str, Any]
JOBS: dict[str, Callable[[Request], dict[str, Any]]] = {
    "about": about.run,
    "assignment": assignment.scipy_assignment,
    "barycenter": plan.pot_barycenter,
    "em_iteration": em.sklearn_iteration,
    "em_iteration_numpy": em.numpy_iteration,
    "first_call": package.first_call,
    "fit": fit.sklearn_fit,
    "fit_memory": fit.sklearn_fit_memory,
    "fit_type_lbw": partial(types.timed_fit, types.lbw_mixture),
    "fit_type_sklearn": partial(types.timed_fit, types.sklearn_mixture),
    "kmeans": fit.sklearn_kmeans,
    "linear_lbw": package.linear_map,
    "linear_pot": transport.pot_linear,
    "maps_numpy": maps.numpy_maps,
    "maps_pot": maps.pot_maps,
    "paper_map": transport.pot_mapping,
    "plan": plan.pot_plan,
    "read": types.timed_read,
    "repair_fit": package.repair_fit,
    "repair_transform": package.repair_transform,
    "sample_lbw": partial(types.timed_sample, types.lbw_mixture),
    "sample_sklearn": partial(types.timed_sample, types.sklearn_mixture),
    "save_model": package.save_model,
    "single_lbw": partial(types.timed_single, types.lbw_mixture),
    "single_sklearn": partial(types.timed_single, types.sklearn_mixture),
    "transport": transport.transport_points,
    "transport_model": package.transport_model,
    "whole": transport.whole,
    "whole_lbw": package.whole,
}


def answer(request: Request) -> dict[str, Any]:
    """Run one job on the requested number of threads. A failure gives an answer with ``error``."""
    if request["job"] == "forget":
        inputs.forget()
        return {}
    try:
        with threadpool_limits(limits=request.get("threads")):
            return JOBS[request["job"]](request)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Serve until standard input ends."""
    # redirect the output of libraries to standard error: standard output has the answers
    with os.fdopen(os.dup(1), "w") as replies:
        os.dup2(2, 1)
        warnings.simplefilter("ignore")
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()
