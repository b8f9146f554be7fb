"""The report of synthetic rows."""
