# SPDX-License-Identifier: MIT
"""The study of shapes: support recovery and time for barycenters of silhouettes."""
