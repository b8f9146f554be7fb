"""The left card: the survey that is supposed, what to solve for, what to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Generic, TypeVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpdesk.designs import Design, design_named
from dpdesk.domains import parse_number
from dpdesk.errors import DpdeskError
from dpdesk.gui.pages.simulate.answer_kind import BINARY, NUMBER, SEVERAL, AnswerKindTabs
from dpdesk.gui.pages.simulate.answer_rows import AnswerRows
from dpdesk.gui.pages.simulate.compare_list import CompareList
from dpdesk.gui.pages.simulate.design_form import DesignForm
from dpdesk.gui.pages.simulate.design_words import with_unit
from dpdesk.gui.pages.simulate.offered_designs import (
    Offered,
    offered_for_mean,
    offered_for_share,
    offered_for_shares,
    usual_number,
    usual_several,
)
from dpdesk.gui.pages.simulate.scales import RESPONDENTS, SHARE
from dpdesk.gui.pages.simulate.scenario import (
    NUMBER_RIVALS,
    SEVERAL_RIVALS,
    MeanScenario,
    ShareScenario,
    SharesScenario,
    rival_name,
)
from dpdesk.gui.pages.simulate.solve_rows import (
    NUMBER_QUESTIONS,
    QUESTIONS,
    SEVERAL_QUESTIONS,
    Question,
    SolveRows,
)
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip

_FIELD_WIDTH = 118
_LONGEST_UNIT = 60
_LARGEST = 1e12

Supposed = TypeVar("Supposed", ShareScenario, SharesScenario, MeanScenario)


class SupposedCard(Card, Generic[Supposed]):
    """What the cards of all kinds of answer share; where it is too high, the card scrolls.

    A card of a kind adds what is supposed of the people, and what its designs are compared with.

    Args:
        scenario: What is supposed at first.
        kind: The kind of answer that this card is of.
        offered: The designs to choose from.
        elsewhere: Parameters of designs that stand elsewhere on the card.
        questions: What can be solved for.
        parent: Qt's owner.

    Attributes:
        scenarioChanged: Emitted with the scenario at every change by the user.
        column: Where the parts of the card stand, from above.
    """

    scenarioChanged = Signal(object)

    def __init__(
        self,
        scenario: Supposed,
        kind: str,
        offered: Sequence[Offered],
        questions: Sequence[Question],
        *,
        elsewhere: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(margin=4, parent=parent)
        self._scenario: Supposed = scenario
        self._sliders: dict[str, ValueSlider] = {}
        self.kind = AnswerKindTabs(kind, parent=self)
        inner = QWidget(self)
        self.design = DesignForm(offered, elsewhere, parent=inner)
        self.respondents = ValueSlider(
            self.tr("Respondents n"),
            RESPONDENTS,
            self.tr("From 100 to 1,000,000 by the slider; type other numbers."),
            parent=inner,
        )
        self.solve = SolveRows(questions, parent=inner)
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
        self.add_heading(self.tr("Design"))
        self.column.addWidget(self.design)
        self.design.designChanged.connect(lambda design: self.change(design=design))
        self.design.kindChosen.connect(lambda word: self.change(design=self.usual_design(word)))
        self.respondents.valueChanged.connect(lambda n: self.change(respondents=round(n)))
        self.solve.respondentsTaken.connect(lambda n: self.change(respondents=round(n)))
        self.solve.epsilonTaken.connect(self._take_epsilon)

    def sizeHint(self) -> QSize:
        """As high as there is room."""
        return QSize(super().sizeHint().width(), 480)

    def minimumSizeHint(self) -> QSize:
        """Any height will do: the card scrolls."""
        return QSize(0, 200)

    def usual_design(self, word: str) -> Design:
        """The design of the list to start from, at the epsilon in force where it can be."""
        raise NotImplementedError

    def add_heading(self, text: str) -> None:
        """Adds a heading at the end of the column."""
        if self.column.count():
            self.column.addSpacing(6)
        self.column.addWidget(PlainLabel(text, "heading", parent=self.area.widget()))

    def add_slider(self, name: str, title: str, hint: str, *, in_a_row: bool = True) -> ValueSlider:
        """Adds a slider of a share of people, a field of the scenario, at the end of the column."""
        slider = ValueSlider(title, SHARE, hint, in_a_row=in_a_row, parent=self.area.widget())
        slider.valueChanged.connect(lambda share: self.change(**{name: share}))
        self._sliders[name] = slider
        self.column.addWidget(slider)
        return slider

    def add_end(self, title: str, compare: QWidget) -> None:
        """Adds solving and comparing at the end of the column, and shows the first scenario."""
        self.add_heading(self.tr("Solve for"))
        self.column.addWidget(self.solve)
        self.column.addStretch(1)
        self.add_heading(title)
        self.column.addWidget(compare)
        self.show_scenario(self._scenario)

    def show_scenario(self, scenario: Supposed) -> None:
        """Shows a scenario without a signal."""
        self._scenario = scenario
        self.design.show_scenario(scenario)
        values = {name: getattr(scenario, name) for name in self._sliders}
        sliders = {**self._sliders, "respondents": self.respondents}
        for name, value in {**values, "respondents": float(scenario.respondents)}.items():
            if sliders[name].value() != value:
                sliders[name].set_value(value)
        self.solve.show_scenario(scenario)

    def change(self, **changes: object) -> None:
        """Changes the scenario and tells it."""
        self._scenario = self._scenario.changed(**changes)
        self.scenarioChanged.emit(self._scenario)

    def _take_epsilon(self, epsilon: float) -> None:
        try:
            self.change(design=self._scenario.design.at_epsilon(epsilon))
        except DpdeskError as error:
            self.solve.refusal.show_sentence(str(error))


class ShareCard(SupposedCard[ShareScenario]):
    """The card of a question answered with yes or no.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(ShareScenario(), BINARY, offered_for_share(), QUESTIONS, parent=parent)
        self.prevalence = self.add_slider(
            "prevalence",
            self.tr("True share π"),
            self.tr("The supposed share of carriers among the people asked."),
            in_a_row=False,
        )
        self.column.addWidget(self.respondents)
        self.deny = self.add_slider(
            "deny",
            self.tr("Carriers who deny anyway"),
            self.tr("Carriers who give the harmless answer whatever the device says."),
        )
        self.refuse = self.add_slider(
            "refuse",
            self.tr("Others who never say yes"),
            self.tr("Non-carriers who say no even when the device orders a yes."),
        )
        self.careless = self.add_slider(
            "careless",
            self.tr("Careless answers"),
            self.tr("Respondents of any kind who answer at random."),
        )
        self.compare = CompareList(parent=self.area.widget())
        self.compare.rivalsChanged.connect(lambda rivals: self.change(rivals=rivals))
        self.compare.keptChanged.connect(self._keep)
        self.compare.equalityChanged.connect(lambda equal: self.change(equal_epsilon=equal))
        self.add_end(self.tr("Compare with"), self.compare)

    def show_scenario(self, scenario: ShareScenario) -> None:
        """Shows a scenario without a signal."""
        super().show_scenario(scenario)
        self.compare.show_scenario(scenario)

    def usual_design(self, word: str) -> Design:
        """The usual design of a kind; its own device decides its epsilon."""
        return design_named(word).example()

    def _keep(self, kept: bool) -> None:
        """Keeps the scenario as A, without one that it was compared with itself."""
        self.change(kept=self._scenario.changed(kept=None, rivals=()) if kept else None)


class RivalBoxes(QWidget):
    """Boxes for what surveys of several answers or of numbers can be compared with.

    Args:
        words: Words of the designs.
        parent: Qt's owner.

    Attributes:
        rivalsChanged: Emitted with the words that are chosen.
    """

    rivalsChanged = Signal(object)

    def __init__(self, words: Sequence[str], *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.boxes: dict[str, QCheckBox] = {}
        for word in words:
            box = QCheckBox(rival_name(word), self)
            box.toggled.connect(lambda _: self._tell())
            column.addWidget(box)
            self.boxes[word] = box

    def show_scenario(self, scenario: SharesScenario | MeanScenario) -> None:
        """Shows what is compared; a design is not compared with itself."""
        for word, box in self.boxes.items():
            box.blockSignals(True)
            box.setChecked(word in scenario.rivals)
            box.blockSignals(False)
            box.setEnabled(word != scenario.design_word)

    def _tell(self) -> None:
        chosen = (word for word, box in self.boxes.items() if box.isChecked())
        self.rivalsChanged.emit(tuple(chosen))


class SharesCard(SupposedCard[SharesScenario]):
    """The card of a question with several answers: their shares, and the one that is looked at.

    Args:
        scenario: What is supposed at first.
        parent: Qt's owner.
    """

    def __init__(self, scenario: SharesScenario, *, parent: QWidget | None = None) -> None:
        super().__init__(
            scenario,
            SEVERAL,
            offered_for_shares(),
            SEVERAL_QUESTIONS,
            elsewhere=("mechanism", "categories", "epsilon"),
            parent=parent,
        )
        inner = self.area.widget()
        self.answers = AnswerRows(parent=inner)
        self.looked = ChoiceBox(self.tr("Answer looked at"), parent=inner)
        self.looked.setToolTip(self.tr("Figures, pictures and margins are about its share"))
        self.column.addWidget(self.answers)
        row = QHBoxLayout()
        row.addWidget(PlainLabel(self.tr("Answer looked at"), parent=inner))
        row.addWidget(self.looked, 1)
        self.column.addLayout(row)
        self.column.addWidget(self.respondents)
        self.deny = self.add_slider(
            "deny",
            self.tr("Holders who hide it"),
            self.tr("Of those whose true answer is looked at: they give the commonest other one."),
        )
        self.careless = self.add_slider(
            "careless",
            self.tr("Careless answers"),
            self.tr("Respondents of any kind who answer at random."),
        )
        self.compare = RivalBoxes(SEVERAL_RIVALS, parent=inner)
        self.compare.rivalsChanged.connect(lambda rivals: self.change(rivals=rivals))
        self.answers.answersChanged.connect(self._take_answers)
        self.looked.activated.connect(lambda index: self.change(looked=index))
        self.add_end(self.tr("Compare with, at equal n and ε"), self.compare)

    def show_scenario(self, scenario: SharesScenario) -> None:
        """Shows a scenario without a signal."""
        super().show_scenario(scenario)
        self.answers.show_answers(scenario.names, scenario.shares)
        shown = tuple(self.looked.itemText(i) for i in range(self.looked.count()))
        if shown != scenario.names:
            self.looked.clear()
            self.looked.addItems(list(scenario.names))
        if self.looked.currentIndex() != scenario.looked:
            self.looked.setCurrentIndex(scenario.looked)
        self.compare.show_scenario(scenario)

    def usual_design(self, word: str) -> Design:
        """The usual design of the list, at the epsilon in force where it can be."""
        return usual_several(word, len(self._scenario.names), self._scenario.epsilon)

    def _take_answers(
        self, names: tuple[str, ...], shares: tuple[float, ...], removed: int
    ) -> None:
        looked, design = self._scenario.looked, self._scenario.design
        if removed >= 0 and (removed < looked or looked == len(names)):
            looked -= 1
        if len(names) != design.size:
            design = design.resized(len(names), removed if removed >= 0 else None)
        self.change(names=names, shares=shares, design=design, looked=looked)


class MeanCard(SupposedCard[MeanScenario]):
    """The card of a question whose answer is a number.

    Args:
        scenario: What is supposed at first.
        parent: Qt's owner.
    """

    def __init__(self, scenario: MeanScenario, *, parent: QWidget | None = None) -> None:
        super().__init__(
            scenario,
            NUMBER,
            offered_for_mean(),
            NUMBER_QUESTIONS,
            elsewhere=("lower", "upper"),
            parent=parent,
        )
        inner = self.area.widget()
        self.refusal = RefusalLabel(parent=inner)
        self.fields: dict[str, CommitLine] = {}
        self._labels: list[tuple[ElidedLabel, str]] = []
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(0, 1)
        titles = (
            ("mean", self.tr("Supposed mean"), self.tr("Of the true answers.")),
            (
                "deviation",
                self.tr("Standard deviation"),
                self.tr("Of the true answers, which are supposed to follow a beta law."),
            ),
            ("lower", self.tr("Least answer"), self.tr("That is possible; anybody may know it.")),
            ("upper", self.tr("Largest answer"), self.tr("That is possible; anybody may know it.")),
            ("unit", self.tr("Unit"), self.tr("Such as euros or hours; may be empty.")),
        )
        for row, (name, title, hint) in enumerate(titles):
            field = CommitLine(title, longest=_LONGEST_UNIT, parent=inner)
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.setFixedWidth(_FIELD_WIDTH)
            field.setToolTip(plain_tooltip(hint))
            field.committed.connect(partial(self._type, name))
            field.refused.connect(self.refusal.show_sentence)
            label = ElidedLabel(title, parent=inner)
            grid.addWidget(label, row, 0)
            if name != "unit":
                self._labels.append((label, title))
            grid.addWidget(field, row, 1)
            self.fields[name] = field
        self.add_heading(self.tr("True numbers"))
        self.column.addLayout(grid)
        self.column.addWidget(self.refusal)
        self.column.addWidget(self.respondents)
        self.understating = self.add_slider(
            "understating",
            self.tr("Understated answers"),
            self.tr("They act as if the least number possible were their true one."),
        )
        self.compare = RivalBoxes(NUMBER_RIVALS, parent=inner)
        self.compare.rivalsChanged.connect(lambda rivals: self.change(rivals=rivals))
        self.add_end(self.tr("Compare with, at equal n and ε"), self.compare)

    def show_scenario(self, scenario: MeanScenario) -> None:
        """Shows a scenario without a signal."""
        super().show_scenario(scenario)
        values = {
            "mean": scenario.mean,
            "deviation": scenario.deviation,
            "lower": scenario.design.lower,
            "upper": scenario.design.upper,
        }
        for name, value in values.items():
            text = _number_text(value)
            if self.fields[name].value() != text:
                self.fields[name].set_value(text)
        if self.fields["unit"].value() != scenario.unit:
            self.fields["unit"].set_value(scenario.unit)
        for label, title in self._labels:
            label.set_text(with_unit(title, scenario.unit))
        self.compare.show_scenario(scenario)

    def usual_design(self, word: str) -> Design:
        """The usual design of the list, at the epsilon in force where it can be."""
        design = self._scenario.design
        return usual_number(word, design.lower, design.upper, self._scenario.epsilon)

    def _type(self, name: str, text: str) -> None:
        field = self.fields[name]
        if name == "unit":
            field.set_value(text.strip())
            self.change(unit=text.strip())
            return
        number = parse_number(text.replace(",", "").strip())
        if number is None or abs(number) > _LARGEST:
            field.refuse(self.tr("This is not a number: type one such as 400 or 12.5."))
            return
        changes: dict[str, object] = {name: float(number)}
        if name in ("lower", "upper"):
            design = self._scenario.design
            changes = {"design": type(design)(**{**design.model_dump(), name: float(number)})}
        try:
            # Refuses numbers that no survey can have, and a device that is none.
            self._scenario.changed(**changes).survey.theory  # noqa: B018
        except Refused as error:
            field.refuse(refusal_of(error))
            return
        field.set_value(_number_text(float(number)))
        self.change(**changes)


def _number_text(number: float) -> str:
    return f"{number:,.9g}"
