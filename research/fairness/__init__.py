# SPDX-License-Identifier: MIT
"""The paper's study of demographic parity, reproduced and extended."""
