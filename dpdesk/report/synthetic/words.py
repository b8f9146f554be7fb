"""What a report of synthetic rows says to respondents and to users."""

from __future__ import annotations

from dpdesk.estimation.released import SyntheticRows
from dpdesk.i18n import in_a_row
from dpdesk.report.respondent_page import DoneToAnswers, RespondentPage, exceptions
from dpdesk.report.statistics.respondents import worst_of_central
from dpdesk.report.texts import T


def uses() -> tuple[str, ...]:
    """Returns what synthetic rows may be used for, as sentences."""
    return (T.NO_ONES(), T.USE_FOR(), T.NOT_A_SAMPLE(), T.NOT_IMPLIED())


def page_of_synthetic_rows(
    released: SyntheticRows, not_protected: tuple[str, ...]
) -> RespondentPage:
    """Returns the first page of the report, which a respondent can read.

    Args:
        released: What was released; holds no true answer.
        not_protected: What the guarantee does not cover, as sentences.
    """
    cost, unit = released.budget.cost, released.budget.unit
    rows = (
        T.ROWS_PROTECTED()
        if released.public_rows is None
        else T.ROWS_IN_FILE(rows=released.public_rows)
    )
    tables = len(released.synthesized.tables)
    answers = [DoneToAnswers(of=T.SHARES_OF_ANSWERS(), what=T.COUNTED())]
    if released.rounds:
        answers.append(DoneToAnswers(of=T.TABLES_OF_TWO(count=released.rounds), what=T.PICKED()))
    return RespondentPage(
        asked=(rows, T.MADE_UP(count=tables, rows=released.rows)),
        done=T.COUNTS_ONLY(),
        answers=tuple(answers),
        worst=tuple(worst_of_central(cost, unit.relation)),
        hidden=(
            in_a_row((T.STATISTICS_CERTAINTY(), *exceptions(cost.delta))),
            T.NO_ROW_YOURS(),
        ),
        not_hidden=(*not_protected, T.CURATOR_KNOWS()),
        good_for=(T.PAIRS_SHOWN(),),
    )
