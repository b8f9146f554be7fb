"""Checks of plans, without and with the data; each finding is a problem."""
