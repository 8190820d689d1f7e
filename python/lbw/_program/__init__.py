# SPDX-License-Identifier: MIT
"""The program `lbw` with files that pyarrow reads and writes; imported by `python -m lbw`."""
