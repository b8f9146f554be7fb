"""The line below the head of the Plan page: how the attributes share a respondent's report."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.help_button import HelpButton
from dpdesk.gui.pages.plan.edits import Edits
from dpdesk.gui.strategy_words import (
    FAKES_WORDS,
    STRATEGY_WORDS,
    losses_reason,
    losses_texts,
    strategy_meaning,
    tr_plan,
)
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import ElidedLabel, plain_tooltip
from dpdesk.gui.widgets.steady import Steady

_HELP_PAGE = "strategies"
_GAP = 9


class StrategyStrip(QWidget):
    """Chooses the strategy and shows both losses: of the whole record, and of one answer alone.

    Args:
        document: What is shown.
        edits: Where edits go.
        theme: The switch that colours follow.
        parent: Qt's owner.
    """

    def __init__(
        self,
        document: Document,
        edits: Edits,
        theme: ThemeSwitch,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._edits = edits
        self._texts = ("", "")
        self.strategy = ChoiceBox(self.tr("Strategy for several attributes"), parent=self)
        for strategy, words in STRATEGY_WORDS.items():
            self.strategy.addItem(tr_plan(words), strategy)
        self.fakes = ChoiceBox(self.tr("What a fake report is made from"), parent=self)
        for fakes, words in FAKES_WORDS.items():
            self.fakes.addItem(tr_plan(words), fakes)
        self._losses = ElidedLabel("", "muted", parent=self)
        name = self.tr("Help on strategies and their losses")
        self.why = HelpButton(_HELP_PAGE, name, theme, parent=self)
        label = QLabel(self.tr("Stra&tegy"), self)
        label.setBuddy(self.strategy)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        row.addWidget(label)
        row.addWidget(self.strategy)
        row.addWidget(self.fakes)
        row.addSpacing(6)
        # The losses change with every step of a slider: their frame keeps that to itself.
        self._frame = Steady(self._losses, "", parent=self)
        row.addWidget(self._frame, 1)
        row.addWidget(self.why)
        self.strategy.activated.connect(lambda _: self._take_strategy())
        self.fakes.activated.connect(lambda _: self._take_fakes())
        document.planChanged.connect(self.refresh)
        self.refresh()

    def losses(self) -> str:
        """The losses in full."""
        return self._texts[0]

    def refresh(self) -> None:
        """Shows what the plan now says."""
        plan = self._document.plan
        index = self.strategy.findData(plan.strategy)
        if index != self.strategy.currentIndex():
            self.strategy.setCurrentIndex(index)
            self.strategy.updateGeometry()
        meaning = strategy_meaning(plan.strategy)
        if meaning != self.strategy.accessibleDescription():
            self.strategy.setAccessibleDescription(meaning)
            self.strategy.setToolTip(plain_tooltip(meaning))
        self.fakes.setCurrentIndex(self.fakes.findData(plan.fakes))
        if self.fakes.isHidden() == (plan.strategy == "rsfd"):
            self.fakes.setVisible(plan.strategy == "rsfd")
        self._texts, reason = losses_texts(plan), losses_reason(plan)
        self._fit_losses()
        if reason != self.why.accessibleDescription():
            self.why.setAccessibleDescription(reason)
            self.why.setToolTip(plain_tooltip(reason))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Says the losses in fewer words where there is less room."""
        super().resizeEvent(event)
        self._fit_losses()

    def _fit_losses(self) -> None:
        room = self.why.x() - self._frame.x() - _GAP
        long, short = self._texts
        fits = self._losses.fontMetrics().horizontalAdvance(long) <= room
        self._losses.set_text(long if fits else short)
        self._losses.setAccessibleName(long)

    def _take_strategy(self) -> None:
        self._edits.set_strategy(self.strategy.currentData())

    def _take_fakes(self) -> None:
        self._edits.set_fakes(self.fakes.currentData())
