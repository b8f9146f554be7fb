"""The card of a question with several answers."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.gui.pages.simulate.answer_kind import SEVERAL
from dpdesk.gui.pages.simulate.design_words import design_title
from dpdesk.gui.pages.simulate.further.answer_rows import AnswerRows
from dpdesk.gui.pages.simulate.further.cards import FurtherCard
from dpdesk.gui.pages.simulate.further.usual import SEVERAL_KINDS, resized, usual_several
from dpdesk.gui.pages.simulate.further.wanted import SEVERAL_QUESTIONS
from dpdesk.gui.pages.simulate.scenario import SEVERAL_RIVALS, Scenario, SharesScenario
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import PlainLabel


class SeveralCard(FurtherCard):
    """Answers with their shares, the design, the answer looked at, people.

    Args:
        theme: The switch that the icons follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        designs = tuple((word, design_title(usual_several(word, 4, 1.0))) for word in SEVERAL_KINDS)
        super().__init__(SEVERAL, designs, SEVERAL_QUESTIONS, SEVERAL_RIVALS, parent=parent)
        inner = self.area.widget()
        self.answers = AnswerRows(theme, parent=inner)
        self.looked = ChoiceBox(self.tr("Answer looked at"), parent=inner)
        self.looked.setToolTip(self.tr("Figures, pictures and margins are about its share"))
        self.deny = self.share_slider(
            self.tr("Holders who hide it"),
            self.tr("Of those whose true answer is looked at: they give the commonest other one."),
        )
        self.careless = self.share_slider(
            self.tr("Careless answers"), self.tr("Respondents of any kind who answer at random.")
        )
        self.add_heading(self.tr("Design"))
        self.column.addWidget(self.device)
        self.column.addWidget(self.answers)
        row = QHBoxLayout()
        row.addWidget(PlainLabel(self.tr("Answer looked at"), parent=inner))
        row.addWidget(self.looked, 1)
        self.column.addLayout(row)
        for slider in (self.respondents, self.deny, self.careless):
            self.column.addWidget(slider)
        self.add_end()
        self.answers.answersChanged.connect(self._take_answers)
        self.looked.activated.connect(lambda index: self.change(looked=index))
        self.deny.valueChanged.connect(lambda share: self.change(deny=share))
        self.careless.valueChanged.connect(lambda share: self.change(careless=share))

    def show_scenario(self, scenario: Scenario) -> None:
        """Shows a scenario without a signal."""
        assert isinstance(scenario, SharesScenario)  # noqa: S101 - the card of these
        super().show_scenario(scenario)
        self.answers.show_answers(scenario.names, scenario.shares)
        shown = tuple(self.looked.itemText(i) for i in range(self.looked.count()))
        if shown != scenario.names:
            self.looked.clear()
            self.looked.addItems(list(scenario.names))
        if self.looked.currentIndex() != scenario.looked:
            self.looked.setCurrentIndex(scenario.looked)
        for slider, value in ((self.deny, scenario.deny), (self.careless, scenario.careless)):
            if slider.value() != value:
                slider.set_value(value)

    def choose_design(self, word: str) -> None:
        """Takes another design of the list, at the epsilon in force where it can be."""
        if isinstance(self._scenario, SharesScenario):
            size, epsilon = len(self._scenario.names), self._scenario.epsilon
            self.change(design=usual_several(word, size, epsilon))

    def _take_answers(
        self, names: tuple[str, ...], shares: tuple[float, ...], removed: int
    ) -> None:
        scenario = self._scenario
        assert isinstance(scenario, SharesScenario)  # noqa: S101 - the card of these
        looked = scenario.looked
        if removed >= 0 and (removed < looked or looked == len(names)):
            looked -= 1
        design = resized(scenario.design, len(names), removed if removed >= 0 else None)
        self.change(names=names, shares=shares, design=design, looked=looked)
