"""How the surveys are drawn: their number, their seed, or all outcomes exactly."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from dpdesk.domains import parse_number
from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel

_REPETITIONS = (100, 1_000, 10_000, 100_000)
_SEED_MAX = 2**31 - 1
_ROOMY = 640


class Drawn(Protocol):
    """How a supposed survey of any kind of answer is drawn."""

    @property
    def seed(self) -> int:
        """Seed of the simulation."""

    @property
    def repetitions(self) -> int:
        """Number of hypothetical surveys."""

    @property
    def can_be_exact(self) -> bool:
        """Whether the outcomes are few enough to go through all of them."""

    @property
    def is_exact(self) -> bool:
        """Whether all outcomes are gone through: nothing is drawn then."""


class SeedBar(QWidget):
    """Says that this is a simulation, with the seed that repeats it.

    Args:
        parent: Qt's owner.

    Attributes:
        newSeedAsked: The button of a new seed was clicked.
        seedTyped: Emitted with a seed.
        exactChosen: Emitted with whether all outcomes are gone through.
        repetitionsChosen: Emitted with a number of surveys.
    """

    newSeedAsked = Signal()
    seedTyped = Signal(int)
    exactChosen = Signal(bool)
    repetitionsChosen = Signal(int)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.words = ElidedLabel("", "muted", parent=self)
        self.exact = QCheckBox(self.tr("all outcomes"), self)
        self.exact.setToolTip(
            self.tr("Goes through every outcome instead of drawing surveys, up to n = 5,000")
        )
        self.surveys = ChoiceBox(self.tr("Number of simulated surveys"), parent=self)
        for count in _REPETITIONS:
            self.surveys.addItem(self.tr("{count} surveys").format(count=f"{count:,}"), count)
        self.seed = CommitLine(self.tr("Seed of the simulation"), parent=self)
        self.seed.setFixedWidth(72)
        self.renew = QPushButton(self.tr("Ne&w seed"), self)
        self.renew.setToolTip(self.tr("Hold the surveys anew (Ctrl+R)"))
        IconBond(self.renew, "refresh", "text")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addStretch(0)
        row.addWidget(self.exact)
        row.addWidget(self.surveys)
        row.addWidget(PlainLabel(self.tr("seed"), "muted", parent=self))
        row.addWidget(self.seed)
        row.addWidget(self.renew)
        self.exact.clicked.connect(self.exactChosen)
        self.surveys.activated.connect(
            lambda _: self.repetitionsChosen.emit(self.surveys.currentData())
        )
        self.seed.committed.connect(self._type)
        self.renew.clicked.connect(self.newSeedAsked)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leaves the words out where they would be a dot or two: the head of the page says it."""
        super().resizeEvent(event)
        self.words.setVisible(self.width() >= _ROOMY)

    def show_scenario(self, scenario: Drawn) -> None:
        """Shows how a scenario is drawn."""
        self.seed.set_value(str(scenario.seed))
        self.exact.setEnabled(scenario.can_be_exact)
        self.exact.setChecked(scenario.is_exact)
        self.surveys.setCurrentIndex(max(self.surveys.findData(scenario.repetitions), 0))
        for widget in (self.seed, self.renew):
            widget.setEnabled(not scenario.is_exact)
        self.words.set_text(
            self.tr("Hypothetical: every outcome with its chance")
            if scenario.is_exact
            else self.tr("Simulation: nobody was asked")
        )

    def _type(self, text: str) -> None:
        number = parse_number(text)
        if number is None or number != int(number) or not 0 <= number <= _SEED_MAX:
            self.seed.refuse(self.tr("Type a whole number such as 1, up to 2,147,483,647."))
            return
        self.seedTyped.emit(int(number))
