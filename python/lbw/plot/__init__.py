# SPDX-License-Identifier: MIT
"""Pictures of mixtures, transports and repairs; needs ``pip install lbw[plot]``.

Every class here is a display as scikit-learn has them: it stores what it shows, `plot` draws it
into an axes of matplotlib, and `from_estimator` or `from_predictions` does both at once.
"""

from .._options.presented import public
from ._barycenter_triangle import BarycenterTriangleDisplay
from ._components import Components
from ._matching import MatchingDisplay
from ._mixture import MixtureDisplay
from ._parity import ParityDisplay, RocCurve
from ._repair import RepairDisplay
from ._selection import SelectionDisplay

__all__ = [
    "BarycenterTriangleDisplay",
    "Components",
    "MatchingDisplay",
    "MixtureDisplay",
    "ParityDisplay",
    "RepairDisplay",
    "RocCurve",
    "SelectionDisplay",
]

public(globals(), __name__)
