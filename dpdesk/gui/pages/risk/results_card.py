"""What came out of the attack, how far it is, or why there is nothing yet."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpdesk.engine import Progress
from dpdesk.engine.simulate.attack import AttackResult
from dpdesk.gui.pages.risk.attack_model import AttackModel, percent_text
from dpdesk.gui.pages.risk.attack_plot import AttackPlot
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_table import PlainTable
from dpdesk.gui.widgets.plain_text import PlainLabel

_STEPS = 1000


class ResultsCard(Card):
    """A sentence, then either words and buttons, or progress, or the outcomes.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        cancelAsked: The user wants to stop.
        dataAsked: The user wants to open data.
        planAsked: The user wants to change the strategy.
    """

    cancelAsked = Signal()
    dataAsked = Signal()
    planAsked = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._title = PlainLabel("", "heading", wrap=True, parent=self)
        self._reason = PlainLabel("", "muted", wrap=True, parent=self)
        self.open = QPushButton(self.tr("&Open data…"), self)
        self.plan = QPushButton(self.tr("Change the s&trategy"), self)
        self.open.clicked.connect(self.dataAsked)
        self.plan.clicked.connect(self.planAsked)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the attack"))
        self.stop = QPushButton(self.tr("&Cancel"), self)
        self.stop.clicked.connect(self.cancelAsked)
        self.model = AttackModel(self)
        name = self.tr("How often each attack was right")
        self.table = PlainTable(self.model, theme, name, parent=self)
        self.chart = AttackPlot(theme, parent=self)
        self._stack = QStackedWidget(self)
        self._words, self._running, self._outcomes = self._parts()
        self.body.addWidget(self._title)
        self.body.addWidget(self._reason)
        self.body.addWidget(self._stack, 1)

    def title(self) -> str:
        """The sentence on top."""
        return self._title.text()

    def reason(self) -> str:
        """What stands below it."""
        return self._reason.text()

    def show_words(
        self, title: str, reason: str, *, data: bool = False, plan: bool = False
    ) -> None:
        """Says why there is nothing to see yet, with the ways on."""
        self._title.setText(title)
        self._reason.setText(reason)
        self.open.setVisible(data)
        self.plan.setVisible(plan)
        self._stack.setCurrentWidget(self._words)

    def show_start(self) -> None:
        """Shows the beginning of an attack."""
        self._title.setText(self.tr("Attacking"))
        self._reason.setText(self.tr("Starting"))
        self.bar.setValue(0)
        self.stop.setEnabled(True)
        self._stack.setCurrentWidget(self._running)
        self.stop.setFocus()

    def show_progress(self, progress: Progress) -> None:
        """Shows how far it is."""
        if self.stop.isEnabled():
            self.bar.setValue(round(_STEPS * progress.done))
            self._reason.setText(progress.stage)
            self.bar.setAccessibleDescription(progress.stage)

    def show_cancelling(self) -> None:
        """Says at once that a cancel was understood."""
        self.stop.setEnabled(False)
        self._reason.setText(self.tr("Cancelling …"))

    def show_result(self, result: AttackResult) -> None:
        """Shows the outcomes."""
        best = max(result.outcomes, key=lambda outcome: outcome.accuracy)
        self._title.setText(
            self.tr(
                "At most {share} of the guesses were right; by chance it would be {blind}."
            ).format(share=percent_text(best.accuracy), blind=percent_text(result.baseline))
        )
        self._reason.setText(
            self.tr(
                "Which of {attributes} attributes of each of {people} respondents was real? "
                "Simulated from the true answers: for your eyes only. Nothing was released."
            ).format(attributes=len(result.attributes), people=f"{best.attacked:,}")
        )
        self.model.set_result(result)
        self.chart.show_result(result)
        self._stack.setCurrentWidget(self._outcomes)

    def _parts(self) -> tuple[QWidget, QWidget, QWidget]:
        parts = [QWidget(self) for _ in range(3)]
        for part in parts:
            self._stack.addWidget(part)
        words, running, outcomes = parts
        for part, widgets in ((words, (self.open, self.plan)), (running, (self.bar, self.stop))):
            row = QHBoxLayout()
            for widget in widgets:
                row.addWidget(widget)
            row.addStretch(0 if part is running else 1)
            column = QVBoxLayout(part)
            column.setContentsMargins(0, 6, 0, 0)
            column.addLayout(row)
            column.addStretch(1)
        shown = QVBoxLayout(outcomes)
        shown.setContentsMargins(0, 0, 0, 0)
        shown.addWidget(self.chart, 3)
        shown.addWidget(self.table, 2)
        return words, running, outcomes
