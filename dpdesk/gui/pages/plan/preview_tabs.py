"""The six views of an attribute; only the one that is looked at is drawn."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.accuracy_plot import AccuracyPlot
from dpdesk.gui.pages.plan.belief_plot import BeliefPlot
from dpdesk.gui.pages.plan.choice_view import ChoiceView
from dpdesk.gui.pages.plan.draws_plot import DrawsPlot
from dpdesk.gui.pages.plan.loss_plot import LossPlot
from dpdesk.gui.pages.plan.noise_plot import NoisePlot
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.preview import PreviewRequest


class PreviewView(Protocol):
    """What each view can do."""

    def show_request(self, request: PreviewRequest) -> None:
        """Shows a request."""

    def show_table(self) -> None:
        """Shows the numbers as a table."""


class PreviewTabs(QWidget):
    """Noise, Accuracy, Attacker, Draws, Choice and Loss, and a button for their numbers.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._request: PreviewRequest | None = None
        titles = (
            self.tr("Noise"),
            self.tr("Accuracy"),
            self.tr("Attacker"),
            self.tr("Draws"),
            self.tr("Choice"),
            self.tr("Loss"),
        )
        self.tabs = UnderlineTabs(titles, parent=self)
        self.tabs.setAccessibleName(self.tr("Views of the attribute"))
        # Short words, so that the narrowest window has room for all.
        self.tabs.setTabToolTip(2, self.tr("Attacker's view: what a report does to a belief"))
        self.tabs.setTabToolTip(5, self.tr("Privacy loss of a report under two true answers"))
        self.numbers = QToolButton(self)
        self.numbers.setAutoRaise(True)
        self.numbers.setIconSize(QSize(18, 18))
        self.numbers.setAccessibleName(self.tr("Numbers of the plot as a table"))
        self.numbers.setToolTip(self.tr("Numbers of the plot as a table (Ctrl+T)"))
        IconBond(self.numbers, theme, "table-large", "muted")
        # Made after the tabs, which Tab reaches first.
        self.noise = NoisePlot(theme, parent=self)
        self.accuracy = AccuracyPlot(theme, parent=self)
        self.belief = BeliefPlot(theme, parent=self)
        self.draws = DrawsPlot(theme, parent=self)
        self.choice = ChoiceView(theme, parent=self)
        self.loss = LossPlot(theme, parent=self)
        views = (self.noise, self.accuracy, self.belief, self.draws, self.choice, self.loss)
        self._views: tuple[PreviewView, ...] = views
        self._stack = QStackedWidget(self)
        for widget in views:
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

    def show_request(self, request: PreviewRequest) -> None:
        """Shows a request in the current view; the others follow when they are looked at."""
        self._request = request
        self._views[self.tabs.currentIndex()].show_request(request)

    def show_table(self) -> None:
        """Shows the numbers of the current view as a table."""
        self._views[self.tabs.currentIndex()].show_table()

    def show_choice(self) -> None:
        """Goes to the table of the mechanisms that fit."""
        self.tabs.setCurrentIndex(self._views.index(self.choice))
        self.choice.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, number: int) -> None:
        if self._request is not None:
            self._views[number].show_request(self._request)
        self._stack.setCurrentIndex(number)
