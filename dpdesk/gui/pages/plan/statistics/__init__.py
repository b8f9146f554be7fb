"""Where queries to a trusted file are built: a table of them, and the selected one beside it."""

from dpdesk.gui.pages.plan.statistics.pane import StatisticsPane

__all__ = ["StatisticsPane"]
