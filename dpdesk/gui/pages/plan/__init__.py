"""The Plan page."""

from dpdesk.gui.pages.plan.page import PlanPage
