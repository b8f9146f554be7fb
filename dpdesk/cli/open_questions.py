"""What `dpdesk draft` asks of the data: what may be no answer."""

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
    from dpdesk.plan.checks.table import AnswerChecks
    from dpdesk.plan.code_decisions import SuspectedCode
    from dpdesk.plan.open_question import OpenQuestion

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
    from dpdesk.i18n import first_names
    from dpdesk.plan.code_decisions import suspected_in
    from dpdesk.plan.missing_changes import suggestion_of

    asked_of: dict[str, tuple[OpenQuestion, ...]] = {}
    why_none: list[str] = []
    left_out: dict[str, list[str]] = {}
    for column in plan.columns:
        if column.role == "drop" and column.kind == "identifier" and column.name not in dropped:
            suggested = suggestion_of(column, table)
            if suggested.kind == "identifier":
                left_out.setdefault(suggested.reason, []).append(column.name)
        if column.role in {"drop", "keep"}:
            continue
        own = column.labelled_by(table.described.get(column.name))
        questions = answers.open_questions(own, table.column(column.name), table.reading)
        asked_of[column.name] = questions
        if not questions and column.domain is None and column.kind != "weight":
            why = suggestion_of(column, table).reason
            why_none.append(f"{column.name}: {why}")
    for why, names in left_out.items():
        what = "It is" if len(names) == 1 else "They are"
        why_none.append(f"{first_names(names, _NAMED)}: {why} {what} left out.")
    coded = [name for name, each in asked_of.items() if any(one.code_word for one in each)]
    by_code = () if len(coded) < 2 else suspected_in(plan, table, lambda c: asked_of[c.name])
    lines = _by_code(by_code) if by_code else []
    lines += [
        f"{name}: {question.sentence} ({question.sentence.command})"
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


def _word(text: str) -> str:
    """Writes a text as one word of the shell."""
    return shlex.quote(plain(text))
