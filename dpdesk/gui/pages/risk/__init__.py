"""The Risk page: what a plan does not protect, tried out on its data."""

from dpdesk.gui.pages.risk.page import RiskPage

__all__ = ["RiskPage"]
