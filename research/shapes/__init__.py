# SPDX-License-Identifier: MIT
"""The study of shapes: support recovery and time of barycenters of silhouettes."""
