"""From a hypothetical survey of any kind of answer to a column of the plan."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate.design_words import tr
from dpdesk.gui.pages.simulate.scenario import COLUMN, Scenario
from dpdesk.numbers.digits import epsilon_up
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.reports.survey import PlannedQuestions


class TakeOver:
    """Makes or changes the column of the sensitive question.

    Args:
        document: Whose plan is edited.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._first = COLUMN
        self._made: dict[str, ColumnPlan] = {}

    def path(self) -> str:
        """The path of the first column that was taken over last."""
        return f"columns.{self._first}.mechanism"

    def take(self, scenario: Scenario[Any]) -> str:
        """Edits the plan, as one step of undo.

        Returns:
            What was taken over, and what could not be, as sentences.

        Raises:
            pydantic.ValidationError: The epsilon is larger than a mechanism can have.
            ParameterError: No mechanism is like the design.
        """
        taken = scenario.taken()
        column = self._in_place(taken.column, scenario)
        mechanism = column.mechanism
        assert mechanism is not None  # noqa: S101 - the column is protected
        self._document.edit(
            _tr("Use the simulated survey in the plan"),
            self._with(self._document.plan, (column,), scenario.respondents),
        )
        words = _tr(
            "The plan has the column {name}, protected by {mechanism} at ε = {epsilon}. {people}"
        ).format(
            name=self._first,
            mechanism=tr(mechanism.title),
            epsilon=epsilon_up(float(mechanism.epsilon)),
            people=self._people(scenario.respondents),
        )
        return f"{words} {taken.differs}".strip()

    def take_questions(self, found: PlannedQuestions, scenario: Scenario[Any]) -> str:
        """Edits the plan, as one step of undo: a column for each question of a questionnaire.

        Args:
            found: The questions.
            scenario: The survey that they are planned with.

        Returns:
            What was taken over, as a sentence.

        Raises:
            pydantic.ValidationError: An epsilon is larger than a mechanism can have.
            ParameterError: The plan reports one attribute of each respondent: the epsilons of
                a questionnaire that everybody answers would not add up there.
        """
        plan = self._document.plan
        if plan.strategy != "spl":
            raise ParameterError(
                _tr("In this plan each respondent reports one attribute, not all of them."),
                remedy=_tr("Choose on the Plan page that every attribute is reported."),
            )
        columns = tuple(
            scenario.question_column(f"{COLUMN}_{number}", name, planned)
            for number, (name, planned) in enumerate(
                zip(found.names, found.plan.questions, strict=True), start=1
            )
        )
        people = found.plan.respondents
        self._document.edit(
            _tr("Use the questionnaire in the plan"), self._with(plan, columns, people)
        )
        words = _tr("The plan has {count} columns, {first} to {last}. {people}")
        return words.format(
            count=len(columns),
            first=columns[0].name,
            last=columns[-1].name,
            people=self._people(people),
        )

    def _with(self, plan: Plan, taken: tuple[ColumnPlan, ...], respondents: int) -> Plan:
        # What was taken over before is replaced, were it one question or several.
        earlier = self._standing(plan)
        first_names = {now: first for first, now in earlier.items()}
        taken = tuple(
            column.model_copy(update={"name": earlier.get(column.name, column.name)})
            for column in taken
        )
        own = {column.name: column for column in taken}
        left = [
            known for known in plan.columns if known.name in own or known.name not in first_names
        ]
        names = [known.name for known in left]
        self._made = {
            first_names.get(name, name): column
            for name, column in own.items()
            if name in first_names or name.startswith(COLUMN)
        }
        self._first = taken[0].name
        columns = (
            *(own.get(known.name, known) for known in left),
            *(column for column in taken if column.name not in names),
        )
        changed = plan.with_columns(columns)
        # The rows of data that are open are counted, not supposed.
        if self._document.table is None:
            changed = changed.with_fields(respondents=respondents)
        return changed

    def _standing(self, plan: Plan) -> dict[str, str]:
        """What was taken over before: the names that it got first, and those that it has now.

        A column that was renamed since is known by its question and its device.
        """
        left = {column.name: column for column in plan.columns}
        found = {
            first: made.name for first, made in self._made.items() if left.pop(made.name, None)
        }
        for first, made in self._made.items():
            same = (
                known.name
                for known in left.values()
                if (known.label, known.note) == (made.label, made.note)
            )
            name = None if first in found else next(same, None)
            if name is not None:
                found[first] = left.pop(name).name
        return found

    def _in_place(self, column: ColumnPlan, scenario: Scenario[Any]) -> ColumnPlan:
        """The attribute of the plan that asks this question, protected so; else one of our own."""
        note = {"note": scenario.device_note}
        asked = scenario.question.strip()
        for known in self._document.plan.columns:
            if not asked or asked not in (known.name, known.label.strip()):
                continue
            if known.domain is not None and _as_many(known, column):
                # It keeps its name and the words of its answers, which data are written in.
                protected = {"mechanism": column.mechanism, "role": "protect", "confirmed": True}
                return known.model_copy(update=protected | note)
            if self._document.table is None:
                return column.model_copy(update={"name": known.name} | note)
        return column.model_copy(update=note)

    def _people(self, respondents: int) -> str:
        if self._document.table is not None:
            return _tr(
                "The number of respondents stays that of the data. A release needs answers to "
                "this question, in a column of that name."
            )
        return _tr("It is for {count} respondents.").format(count=f"{respondents:,}")


def _as_many(known: ColumnPlan, column: ColumnPlan) -> bool:
    """Whether an attribute has as many answers as a question."""
    own, asked = known.domain, column.domain
    return (
        isinstance(own, Categorical)
        and isinstance(asked, Categorical)
        and len(own.values) == len(asked.values)
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("TakeOver", text)
