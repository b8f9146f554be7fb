"""What `dpdesk draft` asks of the data: what may be no answer, and which questions were asked."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpdesk.cli.column_settings import EVERY_COLUMN
from dpdesk.cli.terminal import plain

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import Plan
    from dpdesk.plan.check_table import AnswerChecks
    from dpdesk.plan.code_decisions import SuspectedCode
    from dpdesk.plan.open_question import OpenQuestion
    from dpdesk.plan.routing import FilterFinder

_NAMED = 10
"""Most columns that a question names."""


def print_open_questions(
    plan: Plan, table: SurveyTable, answers: AnswerChecks, dropped: Sequence[str] = ()
) -> None:
    """Asks about what may be no answer: a line each, with the options that decide.

    It also says why a column has no domain yet, where nothing is asked of it, and why one is left
    out as an identifier.

    Args:
        plan: The plan.
        table: The survey.
        answers: Caches what is found in the survey.
        dropped: The columns that somebody asked to leave out.
    """
    from dpdesk.plan.code_decisions import suspected_in
    from dpdesk.plan.missing_changes import suggestion_of

    asked_of: dict[str, tuple[OpenQuestion, ...]] = {}
    why_none: list[str] = []
    for column in plan.columns:
        if column.role == "drop" and column.kind == "identifier" and column.name not in dropped:
            suggested = suggestion_of(column, table)
            if suggested.kind == "identifier":
                why_none.append(f"{column.name}: {suggested.reason} It is left out.")
        if column.role in {"drop", "keep"}:
            continue
        own = column.labelled_by(table.described.get(column.name))
        questions = answers.open_questions(own, table.column(column.name), table.reading)
        asked_of[column.name] = questions
        if not questions and column.domain is None and column.kind != "weight":
            why = suggestion_of(column, table).reason
            why_none.append(f"{column.name}: {why}")
    coded = [name for name, each in asked_of.items() if any(one.code_word for one in each)]
    by_code = () if len(coded) < 2 else suspected_in(plan, table, lambda c: asked_of[c.name])
    lines = _by_code(by_code) if by_code else []
    lines += [
        f"{name}: {question.drafting(plan.column(name), _word)}"
        for name, questions in asked_of.items()
        for question in questions
        if not (by_code and question.code_word)
    ]
    for line in [*lines, *why_none]:
        print(plain(line), file=sys.stderr)


def _by_code(codes: Sequence[SuspectedCode]) -> list[str]:
    """Asks about each code once, whatever the columns are that have it."""
    from dpdesk.data.missing_codes import codes_text
    from dpdesk.i18n import first_names

    lines = []
    for one in codes:
        count = len(one.columns)
        where = "1 column" if count == 1 else f"{count:,} columns"
        names = first_names(one.columns, _NAMED)
        lines.append(f"{one.named} may mean no answer in {where}: {names}.")
    listed = ",".join(codes_text((one.code,), between=",") for one in codes)
    every = _word(f"{EVERY_COLUMN}={listed}")
    return [
        *lines,
        f"Draft with --missing {every} for the codes of them that mean no answer, and with "
        f"--answers {every} for those that are answers; a name in place of {EVERY_COLUMN} decides "
        "for one column.",
    ]


def print_routing(plan: Plan, table: SurveyTable, finder: FilterFinder) -> None:
    """Says which columns seem not to have been asked because of another answer."""
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
            rule = _word(f"{column.name}={asked.written}")
            told = f"{column.name}: If the questionnaire says so, draft with --asked {rule}"
            print(plain(told), file=sys.stderr)


def _word(text: str) -> str:
    """Writes a text as one word of the shell."""
    return shlex.quote(plain(text))
