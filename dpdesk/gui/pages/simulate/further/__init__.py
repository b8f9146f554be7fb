"""Hypothetical surveys of several answers and of numbers, on the page of hypothetical surveys."""
