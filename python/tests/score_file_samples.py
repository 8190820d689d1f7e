# SPDX-License-Identifier: MIT
"""Rows for files of ScoreRepair, and the parts of such a file."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


def rows(n_classes: int, n_samples: int = 600) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(n_classes)
    sex = np.where(rng.random(n_samples) < 0.4, "f", "m")
    values = rng.normal(size=(n_samples, 2)) + (sex == "f")[:, None]
    table = pd.DataFrame({"x": values[:, 0], "sex": sex, "y": values[:, 1]})
    edges = np.quantile(values[:, 0], np.linspace(0, 1, n_classes + 1)[1:-1])
    place = np.searchsorted(edges, values[:, 0] + rng.normal(size=n_samples))
    return table, np.array(["lo", "mid", "hi"])[place]


def changed(path: Path, header: Any, data: bytes) -> None:
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def parts(path: Path) -> tuple[dict[str, Any], bytes]:
    whole = path.read_bytes()
    (length,) = struct.unpack("<Q", whole[:8])
    return json.loads(whole[8 : 8 + length]), whole[8 + length :]
