# SPDX-License-Identifier: MIT
"""The study of domain adaptation (moons, digits) and of colour transfer between pictures."""
