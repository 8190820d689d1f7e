# SPDX-License-Identifier: MIT
"""The benchmark against peers, ``make bench``.

``program``, ``results``, ``table``, ``targets``, ``trials``, ``verdicts`` and ``workers`` need only
the standard library.
"""
