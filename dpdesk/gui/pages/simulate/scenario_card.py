"""The left card: the survey that is supposed, what to solve for, what to compare with."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.answer_kind import BINARY, AnswerKindTabs
from dpdesk.gui.pages.simulate.compare_list import CompareList
from dpdesk.gui.pages.simulate.design_form import DesignForm
from dpdesk.gui.pages.simulate.scales import RESPONDENTS, SHARE
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.pages.simulate.solve_rows import SolveRows
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel


class ScenarioCard(Card):
    """Everything that can be set on the page; where it is too high, it scrolls.

    Args:
        parent: Qt's owner.

    Attributes:
        scenarioChanged: Emitted with the `ShareScenario` at every change by the user.
    """

    scenarioChanged = Signal(object)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=4, parent=parent)
        self._scenario = ShareScenario()
        self.kind = AnswerKindTabs(BINARY, parent=self)
        inner = QWidget(self)
        self.design = DesignForm(parent=inner)
        self.prevalence = ValueSlider(
            self.tr("True share π"),
            SHARE,
            self.tr("The supposed share of carriers among the people asked."),
            parent=inner,
        )
        self.respondents = ValueSlider(
            self.tr("Respondents n"),
            RESPONDENTS,
            self.tr("From 100 to 1,000,000 by the slider; type other numbers."),
            parent=inner,
        )
        self.deny = ValueSlider(
            self.tr("Carriers who deny anyway"),
            SHARE,
            self.tr("Carriers who give the harmless answer whatever the device says."),
            in_a_row=True,
            parent=inner,
        )
        self.refuse = ValueSlider(
            self.tr("Others who never say yes"),
            SHARE,
            self.tr("Non-carriers who say no even when the device orders a yes."),
            in_a_row=True,
            parent=inner,
        )
        self.careless = ValueSlider(
            self.tr("Careless answers"),
            SHARE,
            self.tr("Respondents of any kind who answer at random."),
            in_a_row=True,
            parent=inner,
        )
        self.solve = SolveRows(parent=inner)
        self.compare = CompareList(parent=inner)
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 6, 12, 6)
        column.setSpacing(4)
        column.addWidget(PlainLabel(self.tr("Design"), "heading", parent=inner))
        sliders = (self.prevalence, self.respondents, self.deny, self.refuse, self.careless)
        for widget in (self.design, *sliders):
            column.addWidget(widget)
        column.addSpacing(6)
        column.addWidget(PlainLabel(self.tr("Solve for"), "heading", parent=inner))
        column.addWidget(self.solve)
        column.addStretch(1)
        column.addSpacing(6)
        column.addWidget(PlainLabel(self.tr("Compare with"), "heading", parent=inner))
        column.addWidget(self.compare)
        self.area = QScrollArea(self)
        self.area.setObjectName("scenarioArea")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        self.body.addLayout(self.kind.row)
        self.body.addWidget(self.area)
        self._connect()
        self.show_scenario(self._scenario)

    def sizeHint(self) -> QSize:
        """As high as there is room."""
        return QSize(super().sizeHint().width(), 480)

    def minimumSizeHint(self) -> QSize:
        """Any height will do: the card scrolls."""
        return QSize(0, 200)

    def show_scenario(self, scenario: ShareScenario) -> None:
        """Shows a scenario without a signal."""
        self._scenario = scenario
        self.design.show_scenario(scenario)
        for edit, value in (
            (self.prevalence, scenario.prevalence),
            (self.respondents, float(scenario.respondents)),
            (self.deny, scenario.deny),
            (self.refuse, scenario.refuse),
            (self.careless, scenario.careless),
        ):
            if edit.value() != value:
                edit.set_value(value)
        self.solve.show_scenario(scenario)
        self.compare.show_scenario(scenario)

    def _connect(self) -> None:
        self.design.designChanged.connect(lambda design: self._change(design=design))
        self.prevalence.valueChanged.connect(lambda share: self._change(prevalence=share))
        self.respondents.valueChanged.connect(lambda n: self._change(respondents=round(n)))
        self.deny.valueChanged.connect(lambda share: self._change(deny=share))
        self.refuse.valueChanged.connect(lambda share: self._change(refuse=share))
        self.careless.valueChanged.connect(lambda share: self._change(careless=share))
        self.solve.respondentsTaken.connect(lambda n: self._change(respondents=round(n)))
        self.solve.epsilonTaken.connect(self._take_epsilon)
        self.compare.rivalsChanged.connect(lambda rivals: self._change(rivals=rivals))
        self.compare.keptChanged.connect(self._keep)
        self.compare.equalityChanged.connect(lambda equal: self._change(equal_epsilon=equal))

    def _change(self, **changes: object) -> None:
        self._scenario = self._scenario.changed(**changes)
        self.scenarioChanged.emit(self._scenario)

    def _keep(self, kept: bool) -> None:
        """Keeps the scenario as A, without one that it was compared with itself."""
        self._change(kept=self._scenario.changed(kept=None, rivals=()) if kept else None)

    def _take_epsilon(self, epsilon: float) -> None:
        try:
            self._change(design=self._scenario.design.at_epsilon(epsilon))
        except DpdeskError as error:
            self.solve.refusal.show_sentence(str(error))
