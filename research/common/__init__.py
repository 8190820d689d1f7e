# SPDX-License-Identifier: MIT
"""The code that the benchmark and the studies share.

All modules but ``figures``, ``pipeline``, ``progress`` and ``tables`` need only the standard
library.
"""
