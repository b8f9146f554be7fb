"""The Risk page: attacks on the plan's strategy, simulated on the data."""

from dpdesk.gui.pages.risk.page import RiskPage

__all__ = ["RiskPage"]
