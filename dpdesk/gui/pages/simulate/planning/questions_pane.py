"""Several questions of one questionnaire against one budget of epsilon for each respondent."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesk.designs import YesNoDesign
from dpdesk.designs.forced import Forced
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.planning import Question, Split, plan_of_questionnaire, require_share
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.planning.cell import Cell, NumberCell
from dpdesk.gui.pages.simulate.planning.entry_model import EntryColumn, EntryModel
from dpdesk.gui.pages.simulate.planning.entry_table import EntryTable
from dpdesk.gui.pages.simulate.planning.interval_plot import Interval
from dpdesk.gui.pages.simulate.planning.outcome import Figure, Outcome, design_cells, number, tr
from dpdesk.gui.pages.simulate.planning.readers import (
    margin_text,
    percent_text,
    plain_text,
    read_any_share,
    read_epsilon_budget,
    read_positive,
)
from dpdesk.gui.pages.simulate.planning.table_pane import TablePane
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.i18n import N_
from dpdesk.preview import error_text
from dpdesk.report.survey import PlannedQuestions, epsilon_up

_HEADS = (
    "question",
    "supposed_share",
    "margin_wanted",
    "weight",
    "epsilon",
    "margin",
    "respondents",
    "confidence",
    "design",
    "parameters",
)
_DECIDES = {
    False: N_("margin of question {number}, which decides n; {sure}"),
    True: N_("margin of question {number}, which decides n as every question does; {sure}"),
}
"""Where the budget is split for the fewest respondents, no question has epsilon to spare."""
_SPLITS = {
    "equal": N_("Every question has an equal part of the budget."),
    "weighted": N_("The budget is split by the weights of the questions."),
    "least": N_("The budget is split so that the fewest respondents will do."),
}


def questions_outcome(found: PlannedQuestions) -> Outcome:
    """Returns the whole in a sentence and figures, and every question in the table."""
    plan = found.plan
    spent = epsilon_up(plan.epsilon)
    sentence = tr(
        "{people} respondents reach the margins of all {count} questions, and none of them loses "
        "more than ε = {epsilon} by all answers together."
    ).format(people=f"{plan.respondents:,}", count=len(plan.questions), epsilon=spent)
    tightest = max(
        range(len(plan.questions)),
        key=lambda i: plan.questions[i].margin / plan.questions[i].question.margin,
    )
    worst = plan.questions[tightest]
    figures = (
        Figure(f"{plan.respondents:,}", tr("respondents, who answer every question")),
        Figure(f"ε {spent}", tr("lost by all answers together, at the most")),
        Figure(f"{len(plan.questions)}", tr("questions, each with a device of its own")),
        Figure(
            error_text(100 * worst.margin, "pp"),
            tr(_DECIDES[found.split == "least"]).format(
                number=tightest + 1,
                sure=percent_text(found.confidence).replace(" ", "\N{NO-BREAK SPACE}"),
            ),
        ),
    )
    note = tr("{split} Devices: {design}.").format(
        split=tr(_SPLITS[found.split]), design=tr(type(worst.design).title)
    )
    rows = tuple(
        (
            name,
            number(planned.question.prevalence),
            number(planned.question.margin),
            number(planned.question.weight),
            number(planned.epsilon),
            number(planned.margin),
            str(plan.respondents),
            number(found.confidence),
            *design_cells(planned.design),
        )
        for name, planned in zip(found.names, plan.questions, strict=True)
    )
    return Outcome(
        sentence=sentence,
        notes=(note,),
        figures=figures,
        table=PlotTable(_HEADS, rows),
        respondents=plan.respondents,
    )


QUESTION, SHARE, WANTED, WEIGHT, EPSILON, MARGIN = range(6)
_DECIDED: tuple[type[YesNoDesign], ...] = (WarnerDesign, Forced, Unrelated, Kuk)


class QuestionsPane(TablePane):
    """The budget, its split, and the table of questions.

    Args:
        parent: Qt's owner.

    Attributes:
        changed: Emitted when something else is wanted.
        budget: Epsilon of all answers of a respondent.
        split: How the budget is split.
        table: The questions.
    """

    changed = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._found: PlannedQuestions | None = None
        self._filled = False
        self.budget = NumberCell(
            self.tr("&Budget ε"),
            2.0,
            read_epsilon_budget,
            plain_text,
            self.tr("The most that a respondent loses by all answers together"),
            parent=self,
        )
        self.split = ChoiceBox(self.tr("Split of the budget"), parent=self)
        for title, split in (
            (self.tr("fewest respondents"), "least"),
            (self.tr("equal parts"), "equal"),
            (self.tr("by weight"), "weighted"),
        ):
            self.split.addItem(title, split)
        columns = (
            EntryColumn(self.tr("Question"), words=True),
            EntryColumn(self.tr("Share"), hint=self.tr("Supposed share of carriers")),
            EntryColumn(self.tr("Wanted"), hint=self.tr("Margin that is wanted")),
            EntryColumn(self.tr("Weight"), hint=self.tr("Part of the budget, by proportion")),
            EntryColumn(self.tr("ε"), typed=False),
            EntryColumn(self.tr("Margin"), typed=False),
        )
        rows = [self._row("", 0.1, 0.03), self._row(self.tr("Second question"), 0.2, 0.04)]
        self.model = EntryModel(columns, rows, self)
        self.table = EntryTable(
            self.tr("Questions of the questionnaire"),
            self.model,
            self._new_row,
            self.tr("Add a ques&tion"),
            parent=self,
        )
        self._lay_out()
        self.split.activated.connect(lambda _: self._choose())
        self.budget.changed.connect(self.changed)
        self.table.edited.connect(self.changed)
        self._arrange()

    def found(self) -> PlannedQuestions | None:
        """The plan; None where there is none."""
        return self._found

    def plan(self, scenario: ShareScenario, confidence: float) -> Outcome | str:
        """Returns what the questions come to, or why there is no plan."""
        self._fill(scenario)
        self._found = None
        self.budget.say("")
        questions = self._read()
        if questions is None:
            self._clear()
            return self.tr("There is no plan yet: see the cell that is marked.")
        kind = type(scenario.design) if isinstance(scenario.design, _DECIDED) else WarnerDesign
        split = cast("Split", self.split.currentData())
        budget = self.budget.number()
        try:
            plan = plan_of_questionnaire(kind, questions, budget, split, confidence)
        except ParameterError as error:
            self._clear()
            self.budget.say(str(error))
            return self.tr("There is no plan yet: see the field that is marked.")
        names = tuple(texts[QUESTION] for texts in self.model.texts())
        self._found = PlannedQuestions(names, plan, split, budget, confidence)
        for row, planned in enumerate(plan.questions):
            self.model.set_text(row, EPSILON, epsilon_up(planned.epsilon))
            self.model.set_text(row, MARGIN, error_text(100 * planned.margin, "pp"))
        self.show_intervals(
            [
                Interval(name, planned.question.prevalence, planned.margin)
                for name, planned in zip(names, plan.questions, strict=True)
            ]
        )
        return questions_outcome(self._found)

    def _fill(self, scenario: ShareScenario) -> None:
        """The first question is that of the page, until it is typed over."""
        if not self._filled:
            self._filled = True
            self.model.set_text(0, QUESTION, scenario.question)
            self.model.set_text(0, SHARE, percent_text(scenario.prevalence))

    def _read(self) -> list[Question] | None:
        """Reads the table and marks what is wrong; None where something is."""
        refusals: dict[tuple[int, int], str] = {}
        questions = []
        weighted = self.split.currentData() == "weighted"
        for row, texts in enumerate(self.model.texts()):
            numbers = {SHARE: 0.0, WANTED: 0.0, WEIGHT: 1.0}
            for column, what in (
                (SHARE, self.tr("supposed share")),
                (WANTED, self.tr("margin")),
            ):
                try:
                    numbers[column] = require_share(read_any_share(texts[column]), what)
                except ParameterError as error:
                    refusals[row, column] = str(error)
            if weighted:
                try:
                    numbers[WEIGHT] = read_positive(texts[WEIGHT])
                except ParameterError as error:
                    refusals[row, WEIGHT] = str(error)
            questions.append(Question(numbers[SHARE], numbers[WANTED], numbers[WEIGHT]))
        self.table.show_refusals(refusals)
        return None if refusals else questions

    def _clear(self) -> None:
        self.show_intervals(())
        for row in range(self.model.rowCount()):
            self.model.set_text(row, EPSILON, "")
            self.model.set_text(row, MARGIN, "")

    def _row(self, question: str, share: float, margin: float) -> tuple[str, ...]:
        return question, percent_text(share), margin_text(margin), "1", "", ""

    def _new_row(self) -> tuple[str, ...]:
        name = self.tr("Question {number}").format(number=self.model.rowCount() + 1)
        return self._row(name, 0.1, 0.03)

    def _choose(self) -> None:
        self._arrange()
        self.changed.emit()

    def _arrange(self) -> None:
        # A hidden column keeps its weights.
        self.table.view.setColumnHidden(WEIGHT, self.split.currentData() != "weighted")

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        cells = (self.budget, Cell(self.tr("S&plit it"), self.split, parent=self))
        for place, cell in enumerate(cells):
            grid.addWidget(cell, 0, place)
        for place in range(3):
            grid.setColumnStretch(place, 1)
        self.stack(grid, self.table)
