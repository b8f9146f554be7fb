"""The left card: the survey that is supposed; folded away, what to solve for and compare with."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpdesk.designs.behaviour import SHARE_OF
from dpdesk.domains import parse_typed
from dpdesk.errors import DpdeskError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.simulate.answer_rows import AnswerRows
from dpdesk.gui.pages.simulate.compare_list import CompareList
from dpdesk.gui.pages.simulate.design_form import DesignForm
from dpdesk.gui.pages.simulate.design_words import tr, with_unit
from dpdesk.gui.pages.simulate.number_scenario import MeanScenario
from dpdesk.gui.pages.simulate.scales import RESPONDENTS, SHARE, Amount, Scale
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario, SharesScenario
from dpdesk.gui.pages.simulate.solve_rows import (
    NUMBER_QUESTIONS,
    QUESTIONS,
    SEVERAL_QUESTIONS,
    Question,
    SolveRows,
)
from dpdesk.gui.pages.simulate.survey_tabs import BINARY, NUMBER, SEVERAL, AnswerKindTabs
from dpdesk.gui.pages.simulate.value_slider import ValueSlider
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.boxes import lay_column, lay_row, scrolled
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.declared_form import DeclaredForm, FormField
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.numbers import without_groups


class Fold(QPushButton):
    """Opens and closes a part of a page; all folds of a name stand as the last one was left.

    Args:
        name: What it is remembered as.
        title: What it hides.
        settings: Where that is remembered.

    Attributes:
        folded: Emitted with whether the part is shown, by the user or when the fold is read again.
    """

    folded = Signal(bool)

    def __init__(
        self, name: str, title: str, settings: Settings, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(title, parent)
        self._name, self._settings = name, settings
        self.setProperty("look", "link")
        self.setCheckable(True)
        self._icon = IconBond(self, "chevron-right", "muted")
        self.recall()
        self._show()
        self.toggled.connect(self._show)
        self.clicked.connect(lambda shown: settings.set_unfolded(name, shown))

    def recall(self) -> None:
        """Takes over how another fold of the name was left."""
        self.setChecked(self._settings.is_unfolded(self._name))

    def _show(self) -> None:
        shown = self.isChecked()
        self._icon.set_icon("chevron-down" if shown else "chevron-right", "muted")
        self.setToolTip(self.tr("Click to hide it") if shown else self.tr("Click to show it"))
        self.folded.emit(shown)


_FIELD_WIDTH = 118
_LONGEST_UNIT = 60
_LARGEST = 1e12
_STEPS = 200
"""Means that the slider goes through."""

Supposed = TypeVar("Supposed", bound=Scenario[Any])


class SupposedCard(Card, Generic[Supposed]):
    """What the cards of all kinds of answer share; where it is too high, the card scrolls.

    Design and three sliders stand first; the rest is behind a fold. A card of a kind adds what is
    supposed of the people.

    Args:
        scenario: What is supposed at first.
        settings: Where it is remembered whether all of the card is shown.

    Attributes:
        answer_kind: The kind of answer that this card is of.
        questions: What can be solved for.
        elsewhere: Parameters of designs that stand elsewhere on the card.
        scenarioChanged: Emitted with the scenario at every change by the user.
        goesOn: Emitted before `scenarioChanged` where the change goes on with the one before.
        column: Where the parts of the card stand that are always shown, from above.
        more: Shows and hides the others.
        rest: Where these stand.
        departures: The sliders of respondents who do not follow the instruction, by the name of
            their share; those that change no answer of the design are hidden.
    """

    scenarioChanged = Signal(object)
    goesOn = Signal()

    answer_kind: ClassVar[str]
    questions: ClassVar[Sequence[Question]]
    elsewhere: ClassVar[Sequence[str]] = ()

    def __init__(self, scenario: Supposed, settings: Settings) -> None:
        super().__init__(margin=4)
        self._scenario: Supposed = scenario
        self._stale = False
        self.departures: dict[str, ValueSlider] = {}
        self.kind = AnswerKindTabs(self.answer_kind, parent=self)
        inner = QWidget(self)
        self.design = DesignForm(scenario.designs(), self.elsewhere, parent=inner)
        self.respondents = ValueSlider(
            self.tr("Respondents n"),
            RESPONDENTS,
            self.tr("From 100 to 1,000,000 by the slider; type other numbers."),
            parent=inner,
        )
        self.solve = SolveRows(self.questions, parent=inner)
        self.compare = CompareList(type(scenario), parent=inner)
        self.column = lay_column(spacing=4, margins=(12, 4, 12, 4), on=inner)
        words = self.tr("Behaviour, solving, comparing")
        self.more = Fold("simulate", words, settings, parent=inner)
        self._rest = QWidget(inner)
        self.rest = lay_column(spacing=4, on=self._rest)
        self.area = scrolled(inner)
        self.area.setObjectName("scenarioArea")
        self.body.addLayout(self.kind.row)
        self.body.addWidget(self.area)
        self.add_heading(self.tr("Design"), self.column)
        self.column.addWidget(self.design)
        self.design.edited.connect(lambda changes: self.change(**changes))
        self.respondents.valueChanged.connect(lambda n: self.change(respondents=round(n)))
        self.solve.respondentsTaken.connect(lambda n: self.change(respondents=round(n)))
        self.solve.epsilonTaken.connect(self._take_epsilon)
        self.compare.changed.connect(lambda name, value: self.change(**{name: value}))
        self.compare.keptChanged.connect(self._keep)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), 480)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 200)

    def add_heading(self, text: str, column: QVBoxLayout) -> None:
        """Adds a heading at the end of a column."""
        if column.count():
            column.addSpacing(4)
        column.addWidget(PlainLabel(text, "heading", parent=self.area.widget()))

    def add_end(self) -> None:
        """Adds respondents, and behind the fold departures, solving and comparing.

        Shows the first scenario.
        """
        self.column.addWidget(self.respondents)
        self.column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self._rest)
        self.column.addStretch(1)
        self.add_heading(self.tr("Who does not follow"), self.rest)
        for way, (title, hint) in self._scenario.departing.items():
            name = SHARE_OF[way]
            slider = ValueSlider(
                tr(title), SHARE, tr(hint), in_a_row=True, parent=self.area.widget()
            )
            slider.valueChanged.connect(lambda share, name=name: self.change(**{name: share}))
            self.departures[name] = slider
            self.rest.addWidget(slider)
        self.add_heading(self.tr("Solve for"), self.rest)
        self.rest.addWidget(self.solve)
        self.add_heading(self.tr("Compare with"), self.rest)
        self.rest.addWidget(self.compare)
        for slider in self.findChildren(ValueSlider):
            slider.goesOn.connect(self.goesOn)
        self.more.folded.connect(self._show_rest)
        self._show_rest(self.more.isChecked())
        self.show_scenario(self._scenario)

    def hold(self, scenario: Supposed) -> None:
        """Takes a scenario for the next edit; it is shown by `show_scenario`."""
        self._scenario = scenario
        self.design.hold(scenario)

    def show_scenario(self, scenario: Supposed) -> None:
        """Shows a scenario without a signal."""
        self._scenario = scenario
        survey = scenario.survey
        self.design.show_scenario(scenario)
        shown = {SHARE_OF[way] for way in survey.departures}
        for name, slider in self.departures.items():
            slider.setVisible(name in shown)
            _set(slider, getattr(survey, name))
        _set(self.respondents, float(survey.respondents))
        self._stale = True
        if self.more.isChecked():
            self._show_stale()

    def catch_up(self) -> None:
        """Shows now what waited: parts behind the fold, and which devices are near."""
        if self._stale:
            self._show_stale()
        self.show_nearest()

    def show_nearest(self) -> None:
        """Searches for the devices near the design, and near what is solved for if it is shown."""
        self.design.show_nearest()
        if not self._stale:
            self.solve.show_nearest()

    def _show_stale(self) -> None:
        """Solves and compares, which takes longer than all sliders: not while nobody sees it."""
        self._stale = False
        self.solve.show_scenario(self._scenario)
        self.compare.show_scenario(self._scenario)

    def change(self, **changes: object) -> None:
        """Changes the scenario and tells it."""
        self._scenario = self._scenario.changed(**changes)
        self.scenarioChanged.emit(self._scenario)

    def _show_rest(self, shown: bool) -> None:
        self.design.set_in_full(shown)
        self._rest.setVisible(shown)
        if shown:
            self.catch_up()

    def _take_epsilon(self, epsilon: float) -> None:
        try:
            self.change(design=self._scenario.at_epsilon(epsilon))
        except DpdeskError as error:
            self.solve.refusal.show_sentence(str(error))

    def _keep(self, kept: bool) -> None:
        """Keeps the scenario as A, without one that it was compared with itself."""
        self.change(
            kept=self._scenario.changed(kept=None, rivals=(), before=None) if kept else None
        )


class ShareCard(SupposedCard[ShareScenario]):
    """The card of a question answered with yes or no.

    Args:
        scenario: What is supposed at first.
    """

    answer_kind, questions = BINARY, QUESTIONS

    def __init__(self, scenario: ShareScenario, settings: Settings) -> None:
        super().__init__(scenario, settings)
        self.prevalence = ValueSlider(
            self.tr("True share π"),
            SHARE,
            self.tr("The supposed share of carriers among the people asked."),
            parent=self.area.widget(),
        )
        self.prevalence.valueChanged.connect(lambda share: self.change(prevalence=share))
        self.column.addWidget(self.prevalence)
        self.add_end()

    def show_scenario(self, scenario: ShareScenario) -> None:
        super().show_scenario(scenario)
        _set(self.prevalence, scenario.prevalence)


class SharesCard(SupposedCard[SharesScenario]):
    """The card of a question with several answers: their shares, and the one that is looked at.

    Args:
        scenario: What is supposed at first.
    """

    answer_kind, questions = SEVERAL, SEVERAL_QUESTIONS
    elsewhere = ("mechanism", "categories", "epsilon")

    def __init__(self, scenario: SharesScenario, settings: Settings) -> None:
        super().__init__(scenario, settings)
        inner = self.area.widget()
        self.answers = AnswerRows(parent=inner)
        self.looked = ChoiceBox(self.tr("Answer looked at"), parent=inner)
        self.looked.setToolTip(self.tr("Figures, pictures and margins are about its share"))
        self.share = ValueSlider(
            self.tr("Its true share π"),
            SHARE,
            self.tr("The other shares make room for it, in their proportions"),
            parent=inner,
        )
        row = lay_row(PlainLabel(self.tr("Answer looked at"), parent=inner), (self.looked, 1))
        self.column.addLayout(row)
        self.column.addWidget(self.share)
        self.rest.addWidget(self.answers)
        self.share.valueChanged.connect(self._take_share)
        self.answers.answersChanged.connect(self._take_answers)
        self.looked.activated.connect(lambda index: self.change(looked=index))
        self.add_end()

    def show_scenario(self, scenario: SharesScenario) -> None:
        super().show_scenario(scenario)
        self.answers.show_answers(scenario.names, scenario.survey.shares)
        _set(self.share, scenario.survey.truth)
        self.looked.show_choices([(name, None) for name in scenario.names])
        if self.looked.currentIndex() != scenario.survey.looked:
            self.looked.setCurrentIndex(scenario.survey.looked)

    def _take_share(self, share: float) -> None:
        people = self._scenario.survey.people.at(share)
        self.change(shares=self._scenario.of_people(people).survey.shares)

    def _take_answers(
        self, names: tuple[str, ...], shares: tuple[float, ...], removed: int
    ) -> None:
        looked, design = self._scenario.survey.looked, self._scenario.design
        if removed >= 0 and (removed < looked or looked == len(names)):
            looked -= 1
        if len(names) != design.size:
            design = design.resized(len(names), removed if removed >= 0 else None)
        self.change(names=names, shares=shares, design=design, looked=looked)


class MeanCard(SupposedCard[MeanScenario]):
    """The card of a question whose answer is a number.

    Args:
        scenario: What is supposed at first.
    """

    answer_kind, questions = NUMBER, NUMBER_QUESTIONS
    elsewhere = ("lower", "upper")

    def __init__(self, scenario: MeanScenario, settings: Settings) -> None:
        super().__init__(scenario, settings)
        self.form = DeclaredForm(
            self._type, beside=True, tone="", longest=_LONGEST_UNIT, parent=self.area.widget()
        )
        self.mean = ValueSlider(
            self.tr("Supposed mean"),
            _scale_of(scenario),
            self.tr("Of the true answers."),
            parent=self.area.widget(),
        )
        self.column.addWidget(self.mean)
        self.add_heading(self.tr("True numbers"), self.rest)
        self.rest.addWidget(self.form)
        self.mean.valueChanged.connect(self._take_mean)
        self.add_end()

    def show_scenario(self, scenario: MeanScenario) -> None:
        super().show_scenario(scenario)
        self.mean.set_scale(_scale_of(scenario))
        _set(self.mean, scenario.survey.mean)
        self._show_numbers(scenario)

    def _show_numbers(self, scenario: MeanScenario) -> None:
        possible = self.tr("That is possible; anybody may know it.")
        survey, design, unit = scenario.survey, scenario.design, scenario.unit
        titles = (
            (
                "deviation",
                survey.deviation,
                self.tr("Standard deviation"),
                self.tr("Of the true answers, which are supposed to follow a beta law."),
            ),
            ("lower", design.lower, self.tr("Least answer"), possible),
            ("upper", design.upper, self.tr("Largest answer"), possible),
        )
        fields = [
            FormField(name, with_unit(title, unit), hint, width=_FIELD_WIDTH)
            for name, _, title, hint in titles
        ]
        hint = self.tr("Such as euros or hours; may be empty.")
        fields.append(FormField("unit", self.tr("Unit"), hint, width=_FIELD_WIDTH))
        values = {name: _number_text(value) for name, value, _, _ in titles}
        self.form.show_fields("numbers", fields, {**values, "unit": unit})

    def _take_mean(self, mean: float) -> None:
        try:
            self._scenario.changed(mean=mean).survey.check()
        except Refused as error:
            self.mean.field.refuse(refusal_of(error))
            return
        self.change(mean=mean)

    def _type(self, name: str, value: object) -> str:
        """Takes a number or the unit; returns why it was refused, or ""."""
        text = str(value)
        if name == "unit":
            self._take(unit=text)
            return ""
        number = parse_typed(without_groups(text.strip()))
        if number is None or abs(number) > _LARGEST:
            return self.tr("This is not a number: type one such as 400 or 12.5.")
        changes: dict[str, object] = {name: float(number)}
        if name in ("lower", "upper"):
            design = self._scenario.design
            changes = {"design": type(design)(**{**design.model_dump(), name: float(number)})}
        try:
            # Refuses numbers that no survey can have, and impossible parameters of a device.
            self._scenario.changed(**changes).survey.check()
        except Refused as error:
            return refusal_of(error)
        self._take(**changes)
        return ""

    def _take(self, **changes: object) -> None:
        self.change(**changes)
        self._show_numbers(self._scenario)


def _set(slider: ValueSlider, value: float) -> None:
    if slider.value() != value:
        slider.set_value(value)


def _scale_of(scenario: MeanScenario) -> Scale:
    return _means_between(scenario.design.lower, scenario.design.upper, scenario.quantity)


@lru_cache(maxsize=8)
def _means_between(lower: float, upper: float, quantity: Amount) -> Scale:
    """The means between the bounds of the answers; cached, so that equal ones are the same."""
    return Scale(lower, upper, False, _STEPS, quantity.value_text, quantity.read_value)


def _number_text(number: float) -> str:
    return f"{number:,.9g}"
