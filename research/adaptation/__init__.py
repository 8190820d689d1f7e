# SPDX-License-Identifier: MIT
"""Domain adaptation of rotated moons, and transfer of colours between pictures."""
