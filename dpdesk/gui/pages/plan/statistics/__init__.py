"""Where queries to a trusted file are built: a table of them, and the selected one beside it."""

from dpdesk.gui.pages.plan.statistics.view import StatisticsView

__all__ = ["StatisticsView"]
