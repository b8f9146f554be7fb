"""From a hypothetical survey to a column of the plan."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Decimal
from math import isfinite

from PySide6.QtCore import QCoreApplication

from dpdesk.domains import Categorical
from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate.scenario import ShareScenario
from dpdesk.mechanisms import Mechanism
from dpdesk.mechanisms.warner import Warner
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.report.survey import PlannedQuestions

COLUMN = "sensitive_question"
_STEP = Decimal("0.0001")


class TakeOver:
    """Makes or changes the column of the sensitive question.

    Args:
        document: Whose plan is edited.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._first = COLUMN

    def path(self) -> str:
        """The path of the first column that was taken over last."""
        return f"columns.{self._first}.mechanism"

    def take(self, scenario: ShareScenario) -> str:
        """Edits the plan, as one step of undo.

        Returns:
            What was taken over, as a sentence.

        Raises:
            pydantic.ValidationError: The epsilon is larger than a mechanism can have.
            ParameterError: The design has no finite epsilon, so that no mechanism is like it.
        """
        if not isfinite(scenario.epsilon):
            raise ParameterError(
                _tr("With this design an answer can be a proof: its epsilon is infinite."),
                remedy=_tr("Choose another design, or other parameters, for the plan."),
            )
        plan = self._document.plan
        column = _column(scenario)
        mechanism = column.mechanism
        assert mechanism is not None  # noqa: S101 - the column is protected
        words = _tr(
            "The plan has the column {name}, protected by {mechanism} at ε = {epsilon}. {people}"
        )
        self._document.edit(
            _tr("Use the simulated survey in the plan"),
            self._with(plan, (column,), scenario.respondents),
        )
        self._first = COLUMN
        return words.format(
            name=COLUMN,
            mechanism=mechanism.title,
            epsilon=format(mechanism.epsilon, "f"),
            people=self._people(scenario.respondents),
        )

    def take_questions(self, found: PlannedQuestions) -> str:
        """Edits the plan, as one step of undo: a column for each question of a questionnaire.

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
            _yes_or_no(f"{COLUMN}_{number}", name, planned.epsilon)
            for number, (name, planned) in enumerate(
                zip(found.names, found.plan.questions, strict=True), start=1
            )
        )
        people = found.plan.respondents
        self._document.edit(
            _tr("Use the questionnaire in the plan"), self._with(plan, columns, people)
        )
        self._first = columns[0].name
        words = _tr("The plan has {count} columns, {first} to {last}. {people}")
        return words.format(
            count=len(columns),
            first=columns[0].name,
            last=columns[-1].name,
            people=self._people(people),
        )

    def _with(self, plan: Plan, taken: tuple[ColumnPlan, ...], respondents: int) -> Plan:
        own = {column.name: column for column in taken}
        names = [known.name for known in plan.columns]
        columns = (
            *(own.get(known.name, known) for known in plan.columns),
            *(column for column in taken if column.name not in names),
        )
        changed = plan.with_columns(columns)
        # The rows of data that are open are counted, not supposed.
        if self._document.table is None:
            changed = changed.with_fields(respondents=respondents)
        return changed

    def _people(self, respondents: int) -> str:
        if self._document.table is not None:
            return _tr(
                "The number of respondents stays that of the data. A release needs answers to "
                "this question, in a column of that name."
            )
        return _tr("It is for {count} respondents.").format(count=f"{respondents:,}")


def _tr(text: str) -> str:
    return QCoreApplication.translate("TakeOver", text)


def _column(scenario: ShareScenario) -> ColumnPlan:
    """Yes or no by Warner's mechanism."""
    return _yes_or_no(COLUMN, scenario.question, scenario.epsilon)


def _yes_or_no(name: str, question: str, epsilon: float) -> ColumnPlan:
    # Rounded down: the plan promises no more than the design does.
    rounded = Decimal(epsilon * (1 + 1e-12)).quantize(_STEP, ROUND_FLOOR)
    return _protected(name, question, ("yes", "no"), Warner(epsilon=max(rounded, _STEP)))


def _protected(
    name: str, question: str, values: tuple[str, ...], mechanism: Mechanism
) -> ColumnPlan:
    return ColumnPlan(
        name=name,
        label=question,
        kind="binary" if len(values) == 2 else "nominal",
        domain=Categorical(values=values),
        confirmed=True,
        role="protect",
        mechanism=mechanism,  # type: ignore[arg-type]
    )
