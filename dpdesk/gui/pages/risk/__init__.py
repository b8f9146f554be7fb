"""The Risk page: how recognisable respondents are, and attacks on these data."""

from dpdesk.gui.pages.risk.page import RiskPage
