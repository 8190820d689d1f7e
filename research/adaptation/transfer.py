# SPDX-License-Identifier: MIT
"""Transport the colours of one picture to those of another by all kinds of maps."""

from __future__ import annotations

import numpy as np

from common.progress import progress
from common.rows import Rows

from .colours import distance, roughness
from .methods import METHODS, Method, ours
from .pictures import PICTURES, Picture
from .study import Study

PAIRS = (("day", "dusk"), ("dusk", "day"), ("day", "leaves"), ("leaves", "dusk"))
N_LEARNED = 1000  # colours from which a map is learned; POT's plans allow no more

KINDS: dict[str, Method] = {
    "lbw, soft": ours(map="soft"),
    "lbw, hard": ours(map="hard"),
    "lbw, random": ours(map="random"),
    "lbw, soft, floor 0.1": ours(map="soft", relative_covariance_floor=0.1),
    "lbw, k = 1": ours(n_components=1),
    "POT linear": METHODS["POT linear"],
    "POT EMD": METHODS["POT EMD"],
    "POT Sinkhorn": METHODS["POT Sinkhorn"],
}


def transferred(method: Method, source: Picture, target: Picture) -> Picture:
    """Learn a map from some colours of both pictures and apply it to the whole source."""
    rng = np.random.default_rng(0)
    colours, goal = source.reshape(-1, 3), target.reshape(-1, 3)
    learned = [part[rng.choice(len(part), N_LEARNED, replace=False)] for part in (colours, goal)]
    return method(*learned)(colours).reshape(source.shape)


def measure_colours(study: Study) -> None:
    """Measure all kinds of maps on all pairs of pictures."""
    rows = Rows(
        study.results / "colours.csv",
        ["source", "target"],
        ["method", "distance", "distance_before", "roughness"],
    )
    for names in progress(PAIRS, "colours"):
        if rows.done(source=names[0], target=names[1]):
            continue
        source, target = (PICTURES[name]() for name in names)
        goal = target.reshape(-1, 3)
        before = distance(source.reshape(-1, 3), goal)
        made = {name: transferred(method, source, target) for name, method in KINDS.items()}
        rows.add(
            {
                "source": names[0],
                "target": names[1],
                "method": name,
                "distance": distance(picture.reshape(-1, 3), goal),
                "distance_before": before,
                "roughness": roughness(picture, source),
            }
            for name, picture in made.items()
        )
