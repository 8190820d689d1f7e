# SPDX-License-Identifier: MIT
"""The study of starts: where EM begins, and how likely held-out samples are in the end."""
