"""The views of the selected query."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.belief_plot import BeliefPlot
from dpdesk.gui.pages.plan.statistics.central_accuracy_plot import CentralAccuracyPlot
from dpdesk.gui.pages.plan.statistics.law_plot import ReleaseLawPlot
from dpdesk.gui.pages.plan.statistics.why_view import WhyView
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.plan import Plan
from dpdesk.preview.central import QueryRequest


class QueryTabs(QWidget):
    """Noise, Accuracy, Attacker's view and Why, and a button for their numbers.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked: tuple[QueryRequest, Plan] | None = None
        titles = (
            self.tr("Noise"),
            self.tr("Accuracy"),
            self.tr("Attacker's view"),
            self.tr("Why"),
        )
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(self.tr("Views of the statistic"))
        self.numbers = QToolButton(self)
        self.numbers.setAutoRaise(True)
        self.numbers.setIconSize(QSize(18, 18))
        self.numbers.setAccessibleName(self.tr("Numbers of the plot as a table"))
        self.numbers.setToolTip(self.tr("Numbers of the plot as a table (Ctrl+T)"))
        IconBond(self.numbers, theme, "table-large", "muted")
        self.law = ReleaseLawPlot(theme, parent=self)
        self.accuracy = CentralAccuracyPlot(theme, parent=self)
        self.belief = BeliefPlot(theme, parent=self)
        self.why = WhyView(theme, parent=self)
        self._stack = QStackedWidget(self)
        for widget in (self.law, self.accuracy, self.belief, self.why):
            self._stack.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.tabs)
        row.addStretch(1)
        row.addWidget(self.numbers)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self._stack, 1)
        self.tabs.currentChanged.connect(self._choose)
        self.numbers.clicked.connect(self.show_table)

    def show_request(self, request: QueryRequest, plan: Plan) -> None:
        """Shows a request in the current view; the others follow when they are looked at."""
        self._asked = (request, plan)
        self._show()

    def set_low(self, low: bool) -> None:
        """Gives plots the room of the lines below them, for a low window."""
        self.law.set_low(low)
        self.accuracy.set_low(low)

    def show_table(self) -> None:
        """Shows the numbers of the current view as a table."""
        shown = self._stack.currentWidget()
        if isinstance(shown, (ReleaseLawPlot, CentralAccuracyPlot, BeliefPlot, WhyView)):
            shown.show_table()

    def _choose(self, number: int) -> None:
        self._show()
        self._stack.setCurrentIndex(number)

    def _show(self) -> None:
        if self._asked is None:
            return
        request, plan = self._asked
        number = self.tabs.currentIndex()
        if number == 0:
            self.law.show_request(request)
        elif number == 1:
            self.accuracy.show_request(request)
        elif number == 2:
            self.belief.show_epsilon(float(request.query.epsilon))
        else:
            self.why.show_request(request, plan)
