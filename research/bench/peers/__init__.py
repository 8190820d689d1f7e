# SPDX-License-Identifier: MIT
"""The Python peers of ``make bench``: a worker that answers one JSON request per line."""
