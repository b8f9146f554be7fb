"""Blanks of questions with several answers: nothing was ticked, or there was no answer.

Such a file often writes both as an empty cell. Neither is taken for granted: the curator is asked
as long as nothing in the plan or the file tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.data.joined_question import JoinedColumns
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import NOTHING, OptionSet
from dpdesk.errors import ParameterError
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.column_changes import set_marks
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.missing import protecting
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


def undecided_blanks(column: ColumnPlan, texts: TextColumn, reading: Reading) -> int:
    """Returns how many respondents left a question with several answers blank, if open.

    A file that writes another cell where nothing was ticked tells both apart, and so does a plan
    that declares what such a cell holds, or a codebook.

    Args:
        column: The column of the plan.
        texts: Its answers.
        reading: How the file is read.
    """
    domain = column.domain
    if not isinstance(domain, OptionSet) or column.provenance == "codebook":
        return 0
    nothing = int(texts.counts[texts.among((NOTHING,))].sum())
    question = _question(reading, column.name)
    if question is not None:
        is_open = not question.none_column and not question.no_tick
        return nothing if is_open and set(question.unticked) == {""} else 0
    if column.missing.empty_decided or domain.nothing != NOTHING or nothing:
        return 0
    return int(texts.counts[texts.blank & missing_texts(column, texts, reading)].sum())


def _question(reading: Reading, name: str) -> JoinedColumns | None:
    return next((one for one in reading.questions if one.name == name), None)


def decide_blanks(plan: Plan, table: SurveyTable, name: str, *, mean_nothing: bool) -> Plan:
    """Returns the plan with the blanks of a question with several answers decided.

    Args:
        plan: The plan.
        table: The data.
        name: Name of the column.
        mean_nothing: Whether who left it blank ticked nothing; else they gave no answer.

    Raises:
        ParameterError: No blank of the column is to be decided.
    """
    column, texts = plan.column(name), table.column(name)
    if not undecided_blanks(column, texts, table.reading):
        raise ParameterError(f"No blank of {name} is left to be decided.", remedy="Leave this out.")
    question = _question(table.reading, name)
    if question is not None:
        no_tick = "none" if mean_nothing else "missing"
        said = question.model_copy(update={"no_tick": no_tick})
        questions = tuple(said if one is question else one for one in table.reading.questions)
        reading = table.reading if plan.reading is None else plan.reading
        plan = plan.with_fields(reading=reading.model_copy(update={"questions": questions}))
    elif mean_nothing:
        return set_marks(plan, name, nothing="")
    if mean_nothing:
        return plan
    missing = column.missing.changed(empty_decided=True)
    if missing.policy == "none":
        missing = protecting(column.domain, missing)
    return plan.with_column(name, missing=missing)


def check_blanks(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    """Yields the problem of blanks of a question with several answers that nobody decided on."""
    blanks = undecided_blanks(column, texts, reading)
    if blanks:
        people = "respondent" if blanks == 1 else "respondents"
        taken = "ticked nothing" if _question(reading, column.name) else "gave no answer"
        yield Problem(
            f"columns.{column.name}.missing",
            "warning",
            "blanks_undecided",
            f"{blanks:,} {people} left {column.name} blank, and nobody said whether they ticked "
            f"nothing or gave no answer: a release would take it that they {taken}.",
            "Say so under Missing answers (draft --together, draft --declare or --missing).",
            "{count} questions with several answers were left blank by some, and nobody said "
            "whether they ticked nothing or gave no answer: {names}.",
        )


def decisions(column: ColumnPlan, reading: Reading) -> tuple[tuple[str, str], tuple[str, str]]:
    """Returns the options of `dpdesk draft` for "ticked nothing" and for "no answer", with values.

    Args:
        column: A column with several answers.
        reading: How the file is read.
    """
    question, domain = _question(reading, column.name), column.domain
    if question is not None:
        said = (question.model_copy(update={"no_tick": word}) for word in ("none", "missing"))
        return ("--together", next(said).written), ("--together", next(said).written)
    assert isinstance(domain, OptionSet)  # noqa: S101 - the blanks of others are not asked about
    options = f"set({'|'.join(domain.values)}):{domain.separator}:"
    return (
        ("--declare", f"{column.name}={options}"),
        ("--missing", f"{column.name}=:category"),
    )
