"""What a report of synthetic rows says to respondents and to users, and its checklist."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.estimation.released import SyntheticRows
from dpdesk.report.checklist import (
    RANDOM_NUMBERS,
    SIDE_CHANNELS,
    SMALL_GROUPS,
    Check,
    CheckGroup,
    central_direct_measures,
    central_foundations,
    check,
    domains_check,
    groups_of,
    looked_check,
    suggested_columns,
)
from dpdesk.report.respondent_page import CURATOR, DoneToAnswers, RespondentPage
from dpdesk.report.statistics.respondents import exceptions, worst_of_central

NOT_A_SAMPLE = (
    "Synthetic rows are nobody's: no row was copied, and none belongs to a respondent. A row may "
    "equal a respondent's by chance, which says nothing about that person. Combinations that are "
    "declared to be impossible do not occur; others can that cannot be true of one person.",
    "They are made to try out programs, to teach, and to look at shares and tables of two "
    "questions; the tables named below are those they follow most closely.",
    "They are not a sample. Standard errors, tests and intervals that are computed from them as "
    "from answers of people leave out the noise of the tables and the error of the model, and are "
    "too small. More synthetic rows do not make them more exact.",
    "What three or more questions have to do with each other is told only as far as the measured "
    "tables imply it. Numbers were drawn evenly within their classes.",
)
"""What synthetic rows may be used for."""


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
        "How many rows the file has is protected as well."
        if released.public_rows is None
        else f"The file has {released.public_rows:,} rows, one for each respondent."
    )
    tables = len(released.synthesized.tables)
    answers = [
        DoneToAnswers(
            of="how often each answer was given",
            what="Counted for each question, and noise was added to every count.",
        )
    ]
    if released.rounds:
        answers.append(
            DoneToAnswers(
                of=f"{released.rounds:,} {'table' if released.rounds == 1 else 'tables'} "
                "of two questions",
                what="Chosen by chance, the more telling being likelier, counted, and noise was "
                "added to every count.",
            )
        )
    return RespondentPage(
        asked=(
            f"A curator holds the answers of a survey. {rows}",
            f"{tables:,} {'tables' if tables > 1 else 'table'} of them went through chance, and "
            f"{released.rows:,} rows were made up that fit these tables. The rows are nobody's, "
            "and nothing else is released.",
        ),
        done="Only counts were used, and before they left the curator's computer, chance changed "
        "them:",
        answers=tuple(answers),
        worst=tuple(worst_of_central(cost, unit.relation)),
        hidden=(
            "Certainty. Whatever was released, other answers of yours could have given the same"
            f"{exceptions(cost.delta)}.",
            "Your row: no released row is yours, even if it holds the same answers by chance.",
        ),
        not_hidden=(*not_protected, CURATOR),
        good_for=(
            "The made-up rows show about how often answers were given, and how answers to two "
            "questions go together, among everybody.",
        ),
    )


def synthetic_checklist(
    released: SyntheticRows, *, is_counted: bool = False
) -> tuple[CheckGroup, ...]:
    """Returns the checklist of synthetic rows.

    Args:
        released: What was released.
        is_counted: Whether earlier releases of a declared population are listed.
    """
    direct = central_direct_measures(
        check(
            "Are ε and δ stated, for every part and for the whole release?",
            "yes",
            "Both are, with the loss of each table and each choice.",
        ),
        released.plan,
        released.budget.cost,
        is_counted=is_counted,
    )
    return groups_of(direct, _undermining(released), central_foundations())


def _undermining(released: SyntheticRows) -> Iterator[Check]:
    suggested = suggested_columns(released.plan)
    yield check(
        "Is the mechanism shown to keep its ε?",
        "yes",
        "Noise and choices are those of OpenDP, whose samplers and privacy maps have proofs. The "
        "synthetic rows are computed from their results alone.",
    )
    yield check(
        "Are attacks through floating-point numbers prevented?",
        "yes",
        "Counts are whole numbers, noise is drawn exactly in whole numbers, and choices go by "
        "whole scores.",
    )
    yield RANDOM_NUMBERS
    yield domains_check("Are domains, classes and states known without the data?", suggested)
    yield check(
        "Are missing answers treated without a loss of their own?",
        "yes",
        "No answer is a state like any other, becomes a declared value, or stops the release.",
    )
    yield looked_check("Were columns, epsilon and bounds chosen without looking at the answers?")
    yield check(
        "Is it said what may not be concluded from the rows?",
        "yes",
        "They are not a sample: errors computed from them as from answers are too small, and the "
        "report says so.",
    )
    yield SMALL_GROUPS
    yield SIDE_CHANNELS
