# SPDX-License-Identifier: MIT
"""The driver of ``make bench``.

``results``, ``verdicts``, ``table`` and ``document`` need the standard library alone; ``data`` and
``plots`` need what ``bench/requirements.txt`` lists.
"""
