"""The left cards of surveys of several answers and of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QScrollArea, QVBoxLayout, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.answer_kind import AnswerKindTabs
from dpdesk.gui.pages.simulate.further.device_form import DeviceForm
from dpdesk.gui.pages.simulate.further.usual import kind_of
from dpdesk.gui.pages.simulate.scales import RESPONDENTS, SHARE
from dpdesk.gui.pages.simulate.scenario import ManyValuedScenario, rival_name
from dpdesk.gui.pages.simulate.solve_rows import Question, SolveRows
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel


class FurtherCard(Card):
    """What both cards share: the kind of answer, design, respondents, solving, comparing.

    Args:
        kind: The kind of answer that this card is of.
        designs: Word and name of each design.
        questions: What can be solved for.
        rivals: Words of the designs that can be compared with.
        parent: Qt's owner.

    Attributes:
        scenarioChanged: Emitted with the scenario at every change by the user.
        column: Where the parts of the card stand, from above.
    """

    scenarioChanged = Signal(object)

    def __init__(
        self,
        kind: str,
        designs: tuple[tuple[str, str], ...],
        questions: Sequence[Question],
        rivals: Sequence[str],
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(margin=4, parent=parent)
        self._scenario: ManyValuedScenario | None = None
        self.kind = AnswerKindTabs(kind, parent=self)
        inner = QWidget(self)
        self.device = DeviceForm(designs, parent=inner)
        self.respondents = ValueSlider(
            self.tr("Respondents n"),
            RESPONDENTS,
            self.tr("From 100 to 1,000,000 by the slider; type other numbers."),
            parent=inner,
        )
        self.solve = SolveRows(questions, parent=inner)
        self.rivals: dict[str, QCheckBox] = {}
        for word in rivals:
            box = QCheckBox(rival_name(word), inner)
            box.toggled.connect(lambda _: self._compare())
            self.rivals[word] = box
        self.column = QVBoxLayout(inner)
        self.column.setContentsMargins(12, 6, 12, 6)
        self.column.setSpacing(4)
        self.area = QScrollArea(self)
        self.area.setObjectName("scenarioArea")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        self.body.addLayout(self.kind.row)
        self.body.addWidget(self.area)
        self.device.designChanged.connect(lambda design: self.change(design=design))
        self.device.kindChosen.connect(self.choose_design)
        self.respondents.valueChanged.connect(lambda n: self.change(respondents=round(n)))
        self.solve.respondentsTaken.connect(lambda n: self.change(respondents=round(n)))
        self.solve.epsilonTaken.connect(self._take_epsilon)

    def sizeHint(self) -> QSize:
        """As high as there is room."""
        return QSize(super().sizeHint().width(), 480)

    def minimumSizeHint(self) -> QSize:
        """Any height will do: the card scrolls."""
        return QSize(0, 200)

    def add_heading(self, text: str) -> None:
        """Adds a heading at the end of the column."""
        if self.column.count():
            self.column.addSpacing(6)
        self.column.addWidget(PlainLabel(text, "heading", parent=self.area.widget()))

    def add_end(self) -> None:
        """Adds solving and comparing at the end of the column."""
        self.add_heading(self.tr("Solve for"))
        self.column.addWidget(self.solve)
        self.column.addStretch(1)
        self.add_heading(self.tr("Compare with, at equal n and ε"))
        for box in self.rivals.values():
            self.column.addWidget(box)

    def share_slider(self, title: str, hint: str) -> ValueSlider:
        """Makes a slider of a share."""
        return ValueSlider(title, SHARE, hint, in_a_row=True, parent=self.area.widget())

    def choose_design(self, word: str) -> None:
        """Takes another design of the list, at the epsilon in force where it can be."""
        raise NotImplementedError

    def show_scenario(self, scenario: ManyValuedScenario) -> None:
        """Shows a scenario without a signal."""
        self._scenario = scenario
        self.device.show_scenario(scenario)
        if self.respondents.value() != float(scenario.respondents):
            self.respondents.set_value(float(scenario.respondents))
        self.solve.show_scenario(scenario)
        for word, box in self.rivals.items():
            box.blockSignals(True)
            box.setChecked(word in scenario.rivals)
            box.blockSignals(False)
            box.setEnabled(word != kind_of(scenario.design))

    def change(self, **changes: object) -> None:
        """Changes the scenario and tells it."""
        if self._scenario is not None:
            self._scenario = self._scenario.changed(**changes)
            self.scenarioChanged.emit(self._scenario)

    def _compare(self) -> None:
        self.change(rivals=tuple(word for word, box in self.rivals.items() if box.isChecked()))

    def _take_epsilon(self, epsilon: float) -> None:
        if self._scenario is None:
            return
        try:
            self.change(design=self._scenario.design.at_epsilon(epsilon))
        except DpdeskError as error:
            self.solve.refusal.show_sentence(str(error))
