# SPDX-License-Identifier: MIT
"""The code that the benchmark and the studies share.

All modules except ``figures``, ``mapping_estimation``, ``pipeline``, ``progress`` and ``tables``
need only the standard library.
"""
