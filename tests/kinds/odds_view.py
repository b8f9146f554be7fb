"""A made-up view beside a plan: one number, and the same as a table."""

from __future__ import annotations

from math import exp

from PySide6.QtWidgets import QVBoxLayout

from dpdesk.gui.pages.plan.plan_view import PlanView
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.preview import PreviewRequest
from dpdesk.preview.central import QueryRequest


class OddsView(PlanView):
    """What even odds become at the most, as words."""

    title = "Odds"
    meaning = "What a report can do to even odds"

    def compose(self) -> None:
        """Makes the words."""
        self._odds = 1.0
        self.words = PlainLabel("", "figure", parent=self)
        column = QVBoxLayout(self)
        column.addWidget(self.words)
        column.addStretch(1)

    def show_request(self, request: PreviewRequest | QueryRequest, *_: object) -> None:
        """Shows what the epsilon of a request does to even odds."""
        self._odds = exp(request.epsilon)
        self.words.setText(f"1 to 1 becomes {self._odds:.3g} to 1")

    def table_data(self) -> PlotTable:
        """The odds as a table."""
        return PlotTable(("Before", "After"), (("1", f"{self._odds:.3g}"),))
