# SPDX-License-Identifier: MIT
"""Export of fitted estimators to ONNX, alone or in pipelines of scikit-learn.

The import of this module registers converters with skl2onnx, so that `skl2onnx.to_onnx` and
`convert_sklearn` convert pipelines with estimators of lbw.
"""

from ._export import to_onnx
from ._sklearn import register

__all__ = ["register", "to_onnx"]

register()
