# SPDX-License-Identifier: MIT
"""The benchmark of lbw against other libraries, ``make bench``.

``program``, ``results``, ``table``, ``targets``, ``trials``, ``verdicts`` and ``workers`` need only
the standard library.
"""
