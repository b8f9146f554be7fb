"""The paper of a country, for what is saved as PDF."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from dpdesk.report.pdf import Paper


def usual_paper() -> Paper:
    """Returns the size of paper that is usual where the user lives, as the system says."""
    units = QLocale.system().measurementSystem()
    # Who measures in inches writes letters on Letter.
    return "letter" if units == QLocale.MeasurementSystem.ImperialUSSystem else "a4"
