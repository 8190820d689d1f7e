# SPDX-License-Identifier: MIT
"""Arguments of a repair of scores that are passed to its classifier and to its splitter."""

from __future__ import annotations

from inspect import signature
from typing import Any

from sklearn.pipeline import Pipeline
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
    _check_groups(repair.cv, repair.classifier, params)
    if sample_weight is not None and not has_fit_parameter(repair.classifier, "sample_weight"):
        raise ValueError(
            f"fit of {type(repair.classifier).__name__} does not accept sample_weight. For a "
            "pipeline, name the step, as in logisticregression__sample_weight=..., or enable "
            "metadata routing."
        )
    return Bunch(fit=given, predict={}, split={})


def _check_groups(cv: Any, classifier: Any, params: dict[str, Any]) -> None:
    """Raise if `groups` are for the splitter, which only metadata routing passes them to."""
    if "groups" in params and _splits_by_groups(cv):
        reason = f"groups reaches cv={cv!r} only through metadata routing, which is not enabled"
    elif "groups" in params and not _fit_accepts_groups(classifier):
        reason = (
            f"groups was passed to fit, but fit of {type(classifier).__name__} does not accept it, "
            "and a splitter receives it only through metadata routing, which is not enabled"
        )
    else:
        return
    raise ValueError(
        f"{reason}. Call sklearn.set_config(enable_metadata_routing=True) and use a splitter that "
        "requests groups, such as cv=GroupKFold(5), or pass a list of splits, as in "
        "cv=list(GroupKFold(5).split(X, y, groups)) without groups in fit."
    )


def _splits_by_groups(cv: Any) -> bool:
    """Return whether a splitter requests `groups`, as GroupKFold does."""
    if not hasattr(cv, "get_metadata_routing"):
        return False
    return cv.get_metadata_routing().split.requests.get("groups") is True


def _fit_accepts_groups(classifier: Any) -> bool:
    """Return whether `fit` has an argument `groups`, or takes any; that of a pipeline does not."""
    if isinstance(classifier, Pipeline):
        return False
    arguments = signature(classifier.fit).parameters
    return "groups" in arguments or any(p.kind is p.VAR_KEYWORD for p in arguments.values())


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
