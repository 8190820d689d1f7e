# SPDX-License-Identifier: MIT
"""The order of the examples in the gallery."""

from __future__ import annotations

FIRST = [
    "morph",
    "colour_transfer",
    "domain_adaptation",
    "batch_effects",
    "fair_classifier",
    "fair_scores",
    "choosing_k",
    "covariance_types",
    "kinds_of_maps",
    "reading_a_report",
    "streaming",
    "from_cpp",
    "onnx_deployment",
]


class Order:
    """Sort the examples by the list above, and others after them by name."""

    def __init__(self, _folder: str) -> None:
        pass

    def __call__(self, file: str) -> tuple[int, str]:
        """Return the key of a script."""
        name = file.removesuffix(".py")
        return (FIRST.index(name) if name in FIRST else len(FIRST), name)
