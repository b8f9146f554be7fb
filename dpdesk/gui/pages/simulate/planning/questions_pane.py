"""Several questions of one questionnaire against one budget of epsilon for each respondent."""

from __future__ import annotations

from typing import cast

from PySide6.QtWidgets import QWidget

from dpdesk.designs.planning import Question, Share, Split, plan_of_questionnaire
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.planning.cell import (
    Cell,
    NumberCell,
    number_in,
    plain_text,
    read_positive,
)
from dpdesk.gui.pages.simulate.planning.table_pane import Interval, TablePane, share_reader
from dpdesk.gui.pages.simulate.planning.words import (
    Figure,
    PlanWords,
    design_cells,
    margin_words,
    number,
    tr,
    unbroken,
)
from dpdesk.gui.pages.simulate.scales import percent_text
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.gui.pages.simulate.solve_rows import margin_text
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.typed_table import TypedColumn
from dpdesk.i18n import N_
from dpdesk.report.survey import PlannedQuestions, epsilon_up
from dpdesk.report.survey.sample_plan import SPLITS

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


def questions_outcome(found: PlannedQuestions) -> PlanWords:
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
            margin_words(worst.margin),
            tr(_DECIDES[found.split == "least"]).format(
                number=tightest + 1,
                sure=unbroken(found.confidence),
            ),
        ),
    )
    note = tr("{split} Devices: {design}.").format(
        split=tr(SPLITS[found.split]), design=tr(type(worst.design).title)
    )
    rows = tuple(
        (
            name,
            number(planned.question.people.value),
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
    return PlanWords(
        sentence=sentence,
        notes=(note,),
        figures=figures,
        table=PlotTable(_HEADS, rows),
        respondents=plan.respondents,
    )


QUESTION, SHARE, WANTED, WEIGHT, EPSILON, MARGIN = range(6)


class QuestionsPane(TablePane):
    """The budget, its split, and the table of questions.

    Args:
        parent: Qt's owner.

    Attributes:
        budget: Epsilon of all answers of a respondent.
        split: How the budget is split.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._found: PlannedQuestions | None = None
        self._filled = False
        self.budget = NumberCell(
            self.tr("&Budget ε"),
            2.0,
            lambda text: number_in(text, "2"),
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
            TypedColumn(self.tr("Question"), words=True),
            TypedColumn(self.tr("Share"), hint=self.tr("Supposed share of carriers")),
            TypedColumn(self.tr("Wanted"), hint=self.tr("Margin that is wanted")),
            TypedColumn(self.tr("Weight"), hint=self.tr("Part of the budget, by proportion")),
            TypedColumn(self.tr("ε"), typed=False),
            TypedColumn(self.tr("Margin"), typed=False),
        )
        rows = [self._row("", 0.1, 0.03), self._row(self.tr("Second question"), 0.2, 0.04)]
        cells = (self.budget, Cell(self.tr("S&plit it"), self.split, parent=self))
        name = self.tr("Questions of the questionnaire")
        self.stack(cells, name, columns, rows, self.tr("Add a ques&tion"))
        self.split.activated.connect(lambda _: self.choose())
        self.budget.changed.connect(self.changed)

    def found(self) -> PlannedQuestions | None:
        """The plan; None where there is none."""
        return self._found

    def plan(self, scenario: ShareScenario, confidence: float) -> PlanWords | str:
        """Returns what the questions come to, or why there is no plan."""
        self._fill(scenario)
        self._found = None
        self.budget.say("")
        questions = self._read()
        if questions is None:
            self.clear(EPSILON, MARGIN)
            return self.tr("There is no plan yet: see the cell that is marked.")
        design = scenario.survey.people.decided(scenario.design)
        split = cast("Split", self.split.currentData())
        budget = self.budget.number()
        try:
            plan = plan_of_questionnaire(design, questions, budget, split, confidence)
        except ParameterError as error:
            self.clear(EPSILON, MARGIN)
            self.budget.say(str(error))
            return self.tr("There is no plan yet: see the field that is marked.")
        names = tuple(texts[QUESTION] for texts in self.model.texts())
        self._found = PlannedQuestions(names, plan, split, budget, confidence)
        for row, planned in enumerate(plan.questions):
            self.model.set_text(row, EPSILON, epsilon_up(planned.epsilon))
            self.model.set_text(row, MARGIN, margin_words(planned.margin))
        self.show_intervals(
            [
                Interval(name, planned.question.people.value, planned.margin)
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
        """The questions that were typed; None where something is wrong."""
        readers = {
            SHARE: share_reader(self.tr("supposed share")),
            WANTED: share_reader(self.tr("margin")),
        }
        if self.split.currentData() == "weighted":
            readers[WEIGHT] = read_positive
        rows = self.read(readers)
        if rows is None:
            return None
        return [Question(Share(row[SHARE]), row[WANTED], row.get(WEIGHT, 1.0)) for row in rows]

    def _row(self, question: str, share: float, margin: float) -> tuple[str, ...]:
        return question, percent_text(share), margin_text(margin), "1", "", ""

    def _new_row(self) -> tuple[str, ...]:
        name = self.tr("Question {number}").format(number=self.model.rowCount() + 1)
        return self._row(name, 0.1, 0.03)

    def _arrange(self) -> None:
        # A hidden column keeps its weights.
        self.table.view.setColumnHidden(WEIGHT, self.split.currentData() != "weighted")
