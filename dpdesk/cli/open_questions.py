"""What `dpdesk draft` asks of the data: what may be no answer."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpdesk.cli.terminal import plain

if TYPE_CHECKING:
    from dpdesk.data.table import SurveyTable
    from dpdesk.plan import Plan
    from dpdesk.plan.check_table import AnswerChecks

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
    from dpdesk.plan.missing_changes import suggestion_of

    alike: dict[str, list[tuple[str, str]]] = {}
    why_none: list[str] = []
    left_out: dict[str, list[str]] = {}
    for column in plan.columns:
        if column.role == "drop" and column.kind == "identifier" and column.name not in dropped:
            suggested = suggestion_of(column, table)
            if suggested.kind == "identifier":
                left_out.setdefault(suggested.reason, []).append(column.name)
        if column.role in {"drop", "keep"}:
            continue
        texts = table.column(column.name)
        questions = answers.open_questions(column, texts, table.reading)
        for question in questions:
            asked = question.drafting(column, _word)
            # What is the same in several columns is asked once.
            key = question.code_word or f"\n{column.name}"
            alike.setdefault(key, []).append((column.name, asked))
        if not questions and column.domain is None and column.kind != "weight":
            why = suggestion_of(column, table).reason
            why_none.append(f"{column.name}: {why}")
    told = [line for codes, same in alike.items() for line in _asked_once(codes, same)]
    for why, names in left_out.items():
        what = "It is" if len(names) == 1 else "They are"
        why_none.append(f"{first_names(names, _NAMED)}: {why} {what} left out.")
    for line in [*told, *why_none]:
        print(plain(line), file=sys.stderr)


def _asked_once(codes: str, same: list[tuple[str, str]]) -> list[str]:
    """What is asked of columns, in one line where they are several with the same codes."""
    if len(same) == 1 or codes.startswith("\n"):
        return [f"{name}: {asked}" for name, asked in same]
    from dpdesk.i18n import first_names

    names = [name for name, _ in same]
    # Whole options: those of the columns that have such codes are copied, the others left out.
    of_each = " ".join(f"--missing {_word(f'{name}={codes}')}" for name in names[:_NAMED])
    return [
        f"{codes} may mean no answer in {len(same)} columns: "
        f"{first_names(names, _NAMED)}. If so in every column of the file, "
        f"draft with {_word(f'--missing-code={codes}')}; if in some alone, with {of_each}; "
        f"if they are answers, with --answers {_word(names[0])}"
    ]


def _word(text: str) -> str:
    """Writes a text as one word of the shell."""
    return shlex.quote(plain(text))
