"""Several questions of one questionnaire against one budget of epsilon for each respondent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from PySide6.QtWidgets import QWidget

from dpdesk.designs.planning import People, Question, Split, plan_of_questionnaire
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.design_words import design_cells
from dpdesk.gui.pages.simulate.design_words import tr as simulate_words
from dpdesk.gui.pages.simulate.planning.cell import Cell, NumberCell
from dpdesk.gui.pages.simulate.planning.table_pane import Interval, TablePane
from dpdesk.gui.pages.simulate.planning.words import PlanWords, number, tr, unbroken
from dpdesk.gui.pages.simulate.scales import Quantity, number_in, plain_text, read_positive
from dpdesk.gui.pages.simulate.scenario import PERCENT, Scenario
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.gui.widgets.plot_table import PlotTable
from dpdesk.gui.widgets.typed_table import TypedColumn
from dpdesk.i18n import N_
from dpdesk.numbers.digits import epsilon_up
from dpdesk.reports.survey import PlannedQuestions
from dpdesk.reports.survey.sample_plan import SPLITS

_DECIDES = {
    False: N_("margin of question {number}: it decides n; {sure}"),
    True: N_("margin of question {number}: all decide n; {sure}"),
}
"""Where the budget is split for the fewest respondents, no question has epsilon to spare."""


def questions_outcome(found: PlannedQuestions, quantity: Quantity = PERCENT) -> PlanWords:
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
            quantity.margin_words(worst.margin),
            tr(_DECIDES[found.split == "least"]).format(
                number=tightest + 1,
                sure=unbroken(found.confidence),
            ),
        ),
    )
    note = tr("{split} Devices: {design}.").format(
        split=tr(SPLITS[found.split]), design=tr(type(worst.design).title)
    )
    if plan.device is not None:
        note += " " + tr("Parts are rounded down to the chances of: {device}.").format(
            device=simulate_words(plan.device.title)
        )
    heads = (
        "question",
        *(f"supposed_{name}" for name in plan.questions[0].question.people.supposed()),
        "margin_wanted",
        "weight",
        "epsilon",
        "margin",
        "respondents",
        "confidence",
        "design",
        "parameters",
    )
    rows = tuple(
        (
            name,
            *map(number, planned.question.people.supposed().values()),
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
        notes=(note, *plan.once_each, *([tr(found.note)] if found.note else [])),
        loss=plan.epsilon,
        figures=figures,
        table=PlotTable(heads, rows),
        respondents=plan.respondents,
    )


class QuestionsPane(TablePane):
    """The budget, its split, and the table of questions.

    Args:
        scenario: The survey at first.

    Attributes:
        budget: Epsilon of all answers of a respondent.
        split: How the budget is split.
    """

    def __init__(self, scenario: Scenario[Any], *, parent: QWidget | None = None) -> None:
        super().__init__(scenario, parent=parent)
        quantity = scenario.quantity
        self._found: PlannedQuestions | None = None
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
        columns = {
            "question": TypedColumn(self.tr("Question"), words=True),
            "value": TypedColumn(""),
            "wanted": TypedColumn(self.tr("Wanted"), hint=self.tr("Margin that is wanted")),
            "weight": TypedColumn(
                self.tr("Weight"), hint=self.tr("Part of the budget, by proportion")
            ),
            "epsilon": TypedColumn(self.tr("ε"), typed=False),
            "margin": TypedColumn(self.tr("Margin"), typed=False),
        }
        margin = quantity.margin
        second = quantity.margin_text(4 * margin / 3 if quantity is PERCENT else 1.2 * margin)
        rows = [
            self._row("", quantity.margin_text(margin)),
            self._row(self.tr("Second question"), second),
        ]
        cells = (self.budget, Cell(self.tr("S&plit it"), self.split, parent=self))
        name = self.tr("Questions of the questionnaire")
        self.stack(cells, name, columns, rows, self.tr("Add a ques&tion"), scenario)
        self.split.activated.connect(lambda _: self.choose())
        self.budget.changed.connect(self.changed)

    def found(self) -> PlannedQuestions | None:
        """The plan; None where there is none."""
        return self._found

    def plan(self, scenario: Scenario[Any], confidence: float) -> PlanWords | str:
        """Returns what the questions come to, or why there is no plan."""
        self.fill(scenario)
        self._found = None
        self.budget.say("")
        questions = self._read(scenario.survey.people)
        if questions is None:
            self.clear("epsilon", "margin")
            return self.tr("There is no plan yet: see the cell that is marked.")
        design, note = scenario.survey.people.decided(scenario.design)
        split = cast("Split", self.split.currentData())
        budget = self.budget.number()
        try:
            plan = plan_of_questionnaire(
                design, questions, budget, split, confidence, scenario.chosen_thing
            )
        except ParameterError as error:
            self.clear("epsilon", "margin")
            self.budget.say(str(error))
            return self.tr("There is no plan yet: see the field that is marked.")
        names = tuple(texts[0] for texts in self.model.texts())
        quantity = scenario.quantity
        unit = quantity.report_unit
        self._found = PlannedQuestions(names, plan, split, budget, confidence, unit, note)
        for row, planned in enumerate(plan.questions):
            self.model.set_text(row, self.at("epsilon"), epsilon_up(planned.epsilon))
            self.model.set_text(row, self.at("margin"), quantity.margin_words(planned.margin))
        self.show_intervals(
            [
                Interval(name, planned.question.people.value, planned.margin)
                for name, planned in zip(names, plan.questions, strict=True)
            ]
        )
        return questions_outcome(self._found, quantity)

    def _people_at_first(self, scenario: Scenario[Any]) -> Sequence[People]:
        """The first question is that of the page, until it is typed over."""
        self.model.set_text(0, 0, scenario.question)
        self.leave_to_page(0)
        people = scenario.survey.people
        return self._quantity.parts_at_first(people, scenario.design, (1.0, 2.0), (1.0, 0.5))

    def _read(self, like: People) -> list[Question] | None:
        """The questions that were typed; None where something is wrong."""
        readers = {"wanted": self._quantity.read_part("wanted")}
        if self.split.currentData() == "weighted":
            readers["weight"] = read_positive
        rows = self.read(readers)
        if rows is None:
            return None
        people = self._quantity.people
        return [Question(people(like, row), row["wanted"], row.get("weight", 1.0)) for row in rows]

    def _row(self, question: str, margin: str) -> tuple[str, ...]:
        return question, *self.last_values, margin, "1", "", ""

    def _new_row(self) -> tuple[str, ...]:
        name = self.tr("Question {number}").format(number=self.model.rowCount() + 1)
        return self._row(name, self._quantity.margin_text(self._quantity.margin))

    def _arrange(self) -> None:
        # A hidden column keeps its weights.
        self.table.view.setColumnHidden(self.at("weight"), self.split.currentData() != "weighted")
