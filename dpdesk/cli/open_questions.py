"""What `dpdesk draft` asks of the data: what may be no answer, and which questions were asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from dpdesk.cli.terminal import plain

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import ColumnPlan, Plan
    from dpdesk.plan.check_table import AnswerChecks
    from dpdesk.plan.open_questions import OpenQuestion, SetBlanks
    from dpdesk.plan.routing import FilterFinder


def print_open_questions(plan: Plan, table: SurveyTable, answers: AnswerChecks) -> None:
    """Asks about what may be no answer: a line each, with the options that decide.

    Args:
        plan: The plan.
        table: The survey.
        answers: Caches what is found in the survey.
    """
    for column in plan.columns:
        if column.role in {"drop", "keep"}:
            continue
        texts = table.column(column.name)
        for question in answers.open_questions(column, texts, table.reading):
            print(f"{plain(column.name)}: {_line(question, column)}", file=sys.stderr)


def print_routing(plan: Plan, table: SurveyTable, finder: FilterFinder) -> None:
    """Says which columns seem not to have been asked because of another answer.

    Args:
        plan: The plan.
        table: The survey.
        finder: Finds the filter questions of the survey.
    """
    import shlex

    from dpdesk.plan.declared_routing import confirmed
    from dpdesk.plan.filter_question import first_sentences

    for column in plan.columns:
        if column.role != "protect" or column.missing.asked is not None:
            continue
        filters = finder.filters_of(plan, table, column.name)
        for told in first_sentences(filters):
            print(f"{plain(column.name)}: {plain(told)}", file=sys.stderr)
        rules = (confirmed(plan, one.rule) for one in filters if not one.through)
        asked = next(filter(None, rules), None)
        if asked is not None:
            rule = shlex.quote(plain(f"{column.name}={asked.written}"))
            print(
                f"{plain(column.name)}: If the questionnaire says so, draft with --asked {rule}",
                file=sys.stderr,
            )


def _line(question: OpenQuestion, column: ColumnPlan) -> str:
    import shlex

    from dpdesk.data.missing_codes import codes_text
    from dpdesk.plan.open_questions import SetBlanks, SuspectedCodes

    if isinstance(question, SuspectedCodes):
        listed = codes_text(question.codes, between=",").replace(", ", ",")
        mean = shlex.quote(plain(f"{column.name}={listed}"))
        # A comma between numbers would read as one of thousands.
        *first, last = codes_text(question.codes, between="\n").split("\n ")
        told = f"{', '.join(first)} and {last}" if first else last
        return (
            f"{plain(told)} may mean no answer. If so, draft with --missing {mean}; if they are "
            f"answers, with --answers {shlex.quote(plain(column.name))}"
        )
    if not isinstance(question, SetBlanks):
        ways = (
            f"with --declare {shlex.quote(plain(f'{column.name}={declared}'))} {when}"
            for when, declared in question.declarations
        )
        return f"{plain(question.sentence(str))} Draft {', or '.join(ways)}"
    nothing, missing = (
        shlex.join([option, plain(value)]) for option, value in blank_options(question, column)
    )
    many = question.respondents
    people = "1 respondent" if many == 1 else f"{many:,} respondents"
    if not _can_be_declared(question, column):
        nothing = "a codebook that says so, since an option has | in its name"
    return (
        f"{people} left it blank. If they ticked nothing, draft with {nothing}; if they gave no "
        f"answer, with {missing}"
    )


def _can_be_declared(question: SetBlanks, column: ColumnPlan) -> bool:
    """Whether the options can be written in one line."""
    listed = () if column.domain is None else column.domain.listed
    return question.joined is not None or not any("|" in one for one in listed)


def blank_options(
    question: SetBlanks, column: ColumnPlan
) -> tuple[tuple[str, str], tuple[str, str]]:
    """Returns the options of `dpdesk draft` for "ticked nothing" and for "no answer", with values.

    Args:
        question: Blanks of a question with several answers.
        column: Its column.
    """
    from dpdesk.domains import OptionSet

    if question.joined is not None:
        joined = question.joined
        said = (joined.model_copy(update={"no_tick": word}) for word in ("none", "missing"))
        return ("--together", next(said).written), ("--together", next(said).written)
    domain = column.domain
    assert isinstance(domain, OptionSet)  # noqa: S101 - the blanks of others are not asked about
    options = f"set({'|'.join(domain.values)}):{domain.separator}:"
    return (
        ("--declare", f"{column.name}={options}"),
        ("--missing", f"{column.name}=:category"),
    )
