"""From what one wants of a survey to the number that gives it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from dpdesk.designs import Design
from dpdesk.designs.devices import AT_HAND
from dpdesk.designs.planning import Built, Goal, Unknown, Wanted, built, reaching, solve
from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.gui.pages.simulate.design_words import tr as simulate_words
from dpdesk.gui.pages.simulate.design_words import with_unit
from dpdesk.gui.pages.simulate.scales import (
    Amount,
    Percent,
    read_open_share,
    respondents_text,
)
from dpdesk.gui.pages.simulate.scenario import Scenario
from dpdesk.gui.theme import ScaledWidth
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip
from dpdesk.i18n import N_
from dpdesk.numbers.digits import epsilon_down, epsilon_up, percent_text

POWER = 0.8


class Answer(NamedTuple):
    """What was found.

    Attributes:
        number: Respondents, or an epsilon.
        note: Why it is of another design than the page's, which cannot take it; else empty.
        design: The design at the epsilon that was found; None for a number of respondents.
    """

    number: float
    note: str = ""
    design: Design | None = None


@dataclass(frozen=True)
class Question:
    """One thing that can be solved for.

    Attributes:
        title: What is asked.
        hint: The same in a sentence.
        goal: What is to be found.
        wanted: The value at first.
        text: Writes the wanted value.
        read: Reads what is typed; raises `ParameterError`.
        in_unit: Whether the wanted value is in the unit of the answers.
    """

    title: str
    hint: str
    goal: Goal
    wanted: float
    text: Callable[[float], str]
    read: Callable[[str], float] = read_open_share
    in_unit: bool = False

    @property
    def of_epsilon(self) -> bool:
        """Whether the answer is an epsilon and no number of respondents."""
        return self.goal.finds is Unknown.EPSILON

    @property
    def answer_text(self) -> Callable[[float], str]:
        """Writes the answer: the least epsilon is rounded up, the largest down."""
        if not self.of_epsilon:
            return respondents_text
        return epsilon_down if self.goal.is_cap else epsilon_up

    def solve(self, scenario: Scenario[Any], value: float) -> Answer:
        """Returns the answer.

        Raises:
            ParameterError: There is none.
        """
        sample = scenario.survey.sample
        wanted = Wanted(self.goal, margin=value, belief=value, power=POWER)
        if self.goal is Goal.RESPONDENTS_FOR_POWER:
            # The supposed value is what the other one, if that is true, is told from.
            wanted = replace(wanted, against=sample.people.value)
            sample = replace(sample, people=sample.people.at(value))
        outcome = solve(wanted, sample)
        found = outcome.sample.respondents if outcome.epsilon is None else outcome.epsilon
        return Answer(
            found, outcome.note, None if outcome.epsilon is None else outcome.sample.design
        )

    def device(self, answer: Answer, scenario: Scenario[Any]) -> Built | None:
        """Returns the nearest device to an epsilon that was found and that meets what is wanted.

        All devices are tried, which takes longer than to solve.

        Returns:
            A device below the largest epsilon, or above the least one; None if there is none.
        """
        chosen = scenario.chosen_device
        if answer.design is None or (chosen is not None and chosen.for_screens):
            return None
        devices = AT_HAND if chosen is None else (chosen,)
        if not self.goal.is_cap:
            return reaching(answer.design, answer.number, devices)
        near = built(answer.design, answer.number, devices)
        return next((one for one in near if one.keeps), None)


_PERCENT, _AMOUNT = Percent(), Amount()

_PEOPLE = Question(
    N_("n for a margin of"),
    N_("Least number of respondents whose 95 % interval is no wider"),
    Goal.RESPONDENTS_FOR_MARGIN,
    0.03,
    _PERCENT.margin_text,
)
_LEAST_EPSILON = Question(
    N_("ε for a margin of"),
    N_("Least epsilon at which the respondents in force reach the margin"),
    Goal.EPSILON_FOR_MARGIN,
    0.03,
    _PERCENT.margin_text,
)
_BELIEF = Question(
    N_("ε if no belief may pass"),
    N_(
        "Largest epsilon at which no answer makes anybody more suspect than this: of the trait, "
        "or of the answer looked at"
    ),
    Goal.EPSILON_FOR_BELIEF,
    0.5,
    percent_text,
)
QUESTIONS = (
    _PEOPLE,
    _LEAST_EPSILON,
    _BELIEF,
    Question(
        N_("n to tell it from (80 %)"),
        N_(
            "Respondents who show with 80 % power that the share is not the true share of above, "
            "if it is this one (one-sided, level 5 %)"
        ),
        Goal.RESPONDENTS_FOR_POWER,
        0.15,
        percent_text,
    ),
)
SEVERAL_QUESTIONS = (
    _PEOPLE,
    _LEAST_EPSILON,
    replace(
        _BELIEF, hint=N_("Largest epsilon at which no report makes this answer likelier than this")
    ),
)
NUMBER_QUESTIONS = tuple(
    replace(
        question,
        wanted=_AMOUNT.margin,
        text=_AMOUNT.margin_text,
        read=_AMOUNT.read_part("wanted"),
        in_unit=True,
    )
    for question in (_PEOPLE, _LEAST_EPSILON)
)


class SolveRows(QWidget):
    """What is wanted, and beside it the number that gives it, which a click takes.

    Args:
        questions: What can be asked for.

    Attributes:
        respondentsTaken: Emitted with a number of respondents that was clicked.
        epsilonTaken: Emitted with an epsilon that was clicked.
    """

    respondentsTaken = Signal(float)
    epsilonTaken = Signal(float)

    def __init__(
        self, questions: Sequence[Question] = QUESTIONS, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._questions = tuple(questions)
        self._scenario: Scenario[Any] | None = None
        self._wanted = [question.wanted for question in questions]
        self._found: list[Answer | None] = [None] * len(questions)
        self.fields: list[CommitLine] = []
        self.answers: list[QPushButton] = []
        self.labels: list[PlainLabel] = []
        self.devices: list[ElidedLabel] = []
        self.refusal = RefusalLabel(parent=self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        for row, question in enumerate(questions):
            title, hint = _tr(question.title), _tr(question.hint)
            label = PlainLabel(title, "muted", wrap=True, parent=self)
            self.labels.append(label)
            label.setToolTip(plain_tooltip(hint))
            field = CommitLine(f"{title} ({hint})", parent=self)
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            ScaledWidth(field, 72)
            field.setToolTip(plain_tooltip(hint))
            field.set_value(question.text(question.wanted))
            field.committed.connect(partial(self._type, row))
            field.refused.connect(self.refusal.show_sentence)
            answer = QPushButton("", self)
            answer.setProperty("look", "link")
            answer.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            answer.clicked.connect(partial(self._take, row))
            device = ElidedLabel("", "muted", parent=self)
            device.hide()
            grid.addWidget(label, 2 * row, 0)
            grid.addWidget(field, 2 * row, 1)
            grid.addWidget(answer, 2 * row, 2, Qt.AlignmentFlag.AlignRight)
            grid.addWidget(device, 2 * row + 1, 0, 1, 3)
            self.devices.append(device)
            self.fields.append(field)
            self.answers.append(answer)
        grid.setColumnMinimumWidth(2, 58)
        grid.addWidget(self.refusal, 2 * len(questions), 0, 1, 3)

    def answer(self, row: int) -> float | None:
        """The number that a row found; None where there is none."""
        found = self._found[row]
        return None if found is None else found.number

    def start_over(self) -> None:
        """Wants again what was wanted at first."""
        for row, question in enumerate(self._questions):
            self._wanted[row] = question.wanted
            self.fields[row].set_value(question.text(question.wanted))
            self._solve(row)
        self.refusal.show_sentence("")

    def show_scenario(self, scenario: Scenario[Any]) -> None:
        """Solves for a scenario; `show_nearest` shows the devices near what is found."""
        self._scenario = scenario
        for row in range(len(self._questions)):
            self._solve(row)

    def show_nearest(self) -> None:
        """Says which devices come nearest to the epsilons that were found."""
        for row in range(len(self._questions)):
            self._show_nearest(row)

    def _solve(self, row: int) -> None:
        if self._scenario is None:
            return
        question, button = self._questions[row], self.answers[row]
        if question.in_unit:
            self.labels[row].setText(with_unit(_tr(question.title), self._scenario.error_unit))
        found: Answer | None = None
        taken = False
        try:
            found = question.solve(self._scenario, self._wanted[row])
        except DpdeskError as error:
            hint = str(error)
        else:
            taken = not found.note
            hint = self._hint(question) if taken else _tr(found.note)
        self._found[row] = found
        text = "—" if found is None else question.answer_text(found.number)
        if button.text() != text:
            button.setText(text)
        button.setEnabled(taken)
        if button.toolTip() != plain_tooltip(hint):
            button.setToolTip(plain_tooltip(hint))
            button.setAccessibleDescription(hint)
        button.setAccessibleName(f"{_tr(question.title)} {self.fields[row].value()}: {text}")

    def _show_nearest(self, row: int) -> None:
        label, question, found = self.devices[row], self._questions[row], self._found[row]
        if (
            self._scenario is None
            or found is None
            or not question.of_epsilon
            or self._scenario.design.no_device
        ):
            label.hide()
            return
        label.show()
        near = question.device(found, self._scenario)
        if near is None:
            label.set_text(self.tr("No device at hand meets this."))
            return
        told = self.tr("Nearest: {device}, ε = {epsilon}")
        label.set_text(
            told.format(
                device=simulate_words(near.device.title),
                epsilon=question.answer_text(near.epsilon),
            )
        )
        label.setToolTip(plain_tooltip(f"{near.tool}. {near.design.setting}"))

    def _hint(self, question: Question) -> str:
        if question.of_epsilon:
            return self.tr("Click to take this epsilon")
        return self.tr("Click to take this number of respondents")

    def _type(self, row: int, text: str) -> None:
        try:
            self._wanted[row] = self._questions[row].read(text)
        except ParameterError as error:
            self.fields[row].refuse(str(error))
            return
        self.fields[row].set_value(self._questions[row].text(self._wanted[row]))
        self._solve(row)
        self._show_nearest(row)

    def _take(self, row: int) -> None:
        found = self.answer(row)
        if found is None:
            return
        if self._questions[row].of_epsilon:
            self.epsilonTaken.emit(found)
        else:
            self.respondentsTaken.emit(found)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SolveRows", text)
