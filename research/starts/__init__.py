# SPDX-License-Identifier: MIT
"""The study of starts: how the start of EM affects the held-out log-likelihood."""
