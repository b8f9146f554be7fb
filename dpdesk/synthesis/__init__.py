"""Synthetic rows of a trusted file: noisy tables, a model of them, and rows drawn from it."""
