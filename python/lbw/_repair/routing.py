# SPDX-License-Identifier: MIT
"""Arguments of a repair of scores that are passed to its classifier and to its splitter."""

from __future__ import annotations

from typing import Any

from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

__all__ = ["routed_fit", "routed_predict"]


def routed_fit(repair: Any, sample_weight: Any, sensitive: Any, params: dict[str, Any]) -> Bunch:
    """Return the arguments of the classifier (`fit`, `predict`) and of the splitter (`split`)."""
    given = dict(params)
    if sample_weight is not None:
        given["sample_weight"] = sample_weight
    if _routing_enabled():
        if sensitive is not None:
            given["sensitive_features"] = sensitive
        routed = process_routing(repair, "fit", **given)
        return Bunch(
            fit=routed.classifier.fit,
            predict=routed.classifier.predict_proba,
            split=routed.splitter.split,
        )
    if isinstance(repair.cv, str):
        if params:
            raise ValueError(f"cv='prefit' does not fit the classifier: remove {', '.join(params)}")
        return Bunch(predict={})
    if sample_weight is not None and not has_fit_parameter(repair.classifier, "sample_weight"):
        raise ValueError(
            f"fit of {type(repair.classifier).__name__} does not accept sample_weight. For a "
            "pipeline, name the step, as in logisticregression__sample_weight=..., or enable "
            "metadata routing."
        )
    return Bunch(fit=given, predict={}, split={})


def routed_predict(
    repair: Any, method: str, sensitive: Any, key: Any, params: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of `predict_proba` of the classifier."""
    if not _routing_enabled():
        if params:
            raise TypeError(
                f"{method} got {', '.join(params)}, which needs metadata routing: "
                "sklearn.set_config(enable_metadata_routing=True)"
            )
        return {}
    given = dict(params)
    if sensitive is not None:
        given["sensitive_features"] = sensitive
    if key is not None:
        given["key"] = key
    return dict(process_routing(repair, method, **given).classifier.predict_proba)


def _routing_enabled() -> bool:
    from sklearn import get_config

    return bool(get_config().get("enable_metadata_routing", False))
