"""Checks of the reading: the file is read as was decided before, and its answers fit."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dpdesk.data.header import looks_like_answers
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable
from dpdesk.data.table_format import format_named
from dpdesk.domains import NumericDomain
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import EncodedColumn, rows_told, unknown_respondents
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


def check_reading(plan: Plan) -> Iterator[Problem]:
    """Yields the problem of a reading that nobody confirmed to be public knowledge."""
    if plan.reading is not None and not plan.reading_confirmed:
        yield Problem(
            "reading_confirmed",
            "error",
            "reading_unconfirmed",
            f"How the file is read was detected from its answers: {plan.reading.words}.",
            "Confirm that the file is written this way no matter who answers, or correct it.",
        )
    if has_doubtful_names(plan):
        yield _NAMES_DOUBTFUL


def has_doubtful_names(plan: Plan) -> bool:
    """Tells whether the names of columns may be a respondent's answers, and nobody denied it.

    A file without a header that is read with one loses its first respondent, whose answers become
    names, which every release publishes as they are.
    """
    if plan.reading is None:
        return False
    questions = {question.name: question.in_file for question in plan.reading.questions}
    names = [name for c in plan.columns for name in questions.get(c.name, (c.name,))]
    return _are_doubtful(plan, tuple(names), plan.reading)


def _are_doubtful(plan: Plan, names: tuple[str, ...], reading: Reading) -> bool:
    if plan.names_confirmed or not reading.header_rows or reading.platform:
        return False
    # Other formats have their names beside the answers, not above them.
    return "header_rows" in format_named(reading.format).parts and looks_like_answers(names)


_NAMES_DOUBTFUL = Problem(
    "names_confirmed",
    "error",
    "names_unconfirmed",
    "The first line of the file is read as the names of its columns, but holds numbers or dates, "
    "like the answers of a respondent. A release would publish them, and leave that respondent "
    "out.",
    "If it is one, read the file without a header (Reading options: 0 header rows; --no-header). "
    "If these are names, confirm it (Confirm all; dpdesk confirm --names; --header-rows 1).",
)


def check_reading_of(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields the problems of a table without rows, or not read as the plan says."""
    if table.rows == 0:
        yield Problem("", "error", "no_rows", "The file has no rows.", "Open a file with answers.")
    if plan.reading is None and table.is_reading_found:
        yield Problem(
            "reading",
            "error",
            "reading_missing",
            f"The plan does not say how the file is read. It seems to be written like this: "
            f"{table.reading.words}.",
            "Add that to the plan if the file is written this way no matter who answers.",
        )
    elif plan.reading is not None and plan.reading != table.reading:
        yield Problem(
            "reading",
            "error",
            "reading_differs",
            f"The file was read differently ({table.reading.words}) from what the plan says "
            f"({plan.reading.words}).",
            "Read the file again as the plan says, or change the plan.",
        )
    in_file = (table if table.source is None else table.source).names
    # The check of the plan alone says it where the plan has these names.
    if not has_doubtful_names(plan) and _are_doubtful(plan, in_file, table.reading):
        yield _NAMES_DOUBTFUL


_MANY_UNFIT = (
    "Correct the domain or how the file is read, declare what means no answer, or allow more."
)
_SOME_UNFIT = "Look at how the file is read, or widen the domain, if these answers matter."


def check_fit(
    column: ColumnPlan,
    encoded: EncodedColumn,
    rows: int,
    allowed: Decimal,
    where: str = "",
    advice: str = "",
) -> Iterator[Problem]:
    """Yields the problem of answers outside the declared domain.

    Many of them mean that the domain or the reading does not fit the file: the release would not
    be what was intended, and must not be charged. Who did not answer gave none that could fit, so
    that the share is one of those who did.

    Args:
        column: The column of the plan.
        encoded: Its answers.
        rows: Number of respondents, whether they answered or not.
        allowed: Largest share of such answers; a single one is allowed unless this is 0.
        where: In which rows those stand that cannot be read, as a sentence; empty without any.
        advice: What to do, if that is known better than in general.
    """
    if not encoded.unfit:
        return
    answered = rows - encoded.missing
    too_many, most = too_many_unfit(encoded.unfit, answered, allowed), _most(allowed)
    yield Problem(
        f"columns.{column.name}.domain",
        "error" if too_many else "warning",
        "too_many_unfit" if too_many else "answers_unfit",
        f"{_sentence(column, encoded, answered)} {where}".strip() + (most if too_many else ""),
        advice or (_MANY_UNFIT if too_many else _SOME_UNFIT),
    )


_FINE = 500
"""Grid points beyond which nobody sees that answers are rounded."""


def check_steps(column: ColumnPlan, encoded: EncodedColumn, rows: int) -> Iterator[Problem]:
    """Yields the problem of numbers between two steps of the declared grid: they are rounded.

    A fine grid is no problem, of whole numbers or others: it moves a number by no more than a
    thousandth of the domain, and any noise is larger.

    Args:
        column: The column of the plan.
        encoded: Its answers.
        rows: Number of respondents, whether they answered or not.
    """
    domain = column.domain
    if not encoded.rounded or domain is None or domain.bounds is None:
        return
    if domain.size > _FINE:
        return
    step = f"{domain.bounds[2]} {domain.unit}".strip()
    yield Problem(
        f"columns.{column.name}.domain",
        "warning",
        "answers_rounded",
        f"Of {rows - encoded.missing:,} answers of {column.name}, {encoded.rounded:,} "
        f"{'lies' if encoded.rounded == 1 else 'lie'} between the steps of its domain ({step}), to "
        "be rounded to the nearest.",
        "Declare a smaller step if the difference matters.",
        "{count} columns have answers between the steps of their domains, to be rounded to the "
        "nearest: {names}.",
    )


_FAR, _FEW_POINTS = 1.5, 0.05
"""Factor and difference beyond which the share of missing answers is far from the supposed one.

The share of those who answered is compared in the same way.
"""


def check_supposed(column: ColumnPlan, encoded: EncodedColumn, rows: int) -> Iterator[Problem]:
    """Yields the problem of a share of missing answers that is far from the supposed one.

    Errors and verdict of the plan are those of the supposed share.

    Args:
        column: The column of the plan.
        encoded: Its answers.
        rows: Number of respondents.
    """
    treatment = column.missing.treatment
    if not treatment.supposes_share or not rows:
        return
    missing = encoded.missing + (encoded.unreadable if treatment.takes_unread else 0)
    share, supposed = missing / rows, float(column.missing.supposed_missing)
    # Where most have no answer, the error goes by how many have one.
    is_near = supposed / 2 <= share <= _FAR * supposed
    is_near &= (1 - supposed) / _FAR <= 1 - share <= 2 * (1 - supposed)
    if is_near or abs(share - supposed) <= _FEW_POINTS or missing == rows:
        return
    more = share > supposed
    did_not = "did not answer" if column.missing.asked is None else "have no answer to"
    yield Problem(
        f"columns.{column.name}.missing",
        "warning",
        "supposed_share_far",
        f"The plan supposes that {column.missing.supposed_text} {did_not} {column.name}; the "
        f"file has {'more' if more else 'fewer'}, {missing:,} of {rows:,}, so that errors are "
        f"{'larger' if more else 'smaller'} than those of the supposed share.",
        f"State another supposed share{'' if column.missing.asked is None else ' of those asked'}, "
        "rounded or from an earlier survey: a report publishes it. If another answer decided who "
        "was asked, declare it (draft --asked).",
        "Of {count} columns the file has far more or fewer missing answers than the plan supposes: "
        "{names}.",
    )


def check_respondents(
    column: ColumnPlan, table: SurveyTable, allowed: Decimal
) -> Iterator[Problem]:
    """Yields the problem of rows without a respondent, of the file where rows are joined.

    They are left out; many of them mean that the column is the wrong one, or read wrongly.

    Args:
        column: The column of respondents in the plan.
        table: The data, which have it.
        allowed: Largest share of such rows; a single one is allowed unless this is 0.
    """
    is_in_file = column.name in table.in_file.names
    texts = (table.in_file if is_in_file else table).column(column.name)
    rows = texts.rows
    is_unknown = unknown_respondents(column, texts, table.reading)
    unknown = texts.rows_with(is_unknown)
    if not unknown:
        return
    too_many, most = too_many_unfit(unknown, rows, allowed), _most(allowed)
    yield Problem(
        f"columns.{column.name}.missing",
        "error" if too_many else "warning",
        "too_many_unfit" if too_many else "answers_unfit",
        f"Of {rows:,} rows, {unknown:,} do not say in {column.name} whose they are, and are left "
        f"out. {rows_told(texts, is_unknown)}{most if too_many else ''}",
        "Name another column, correct how the file is read, or allow more."
        if too_many
        else "Look at the cells of this column that are blank or cannot be read.",
    )


def too_many_unfit(unfit: int, among: int, allowed: Decimal) -> bool:
    """Tells whether so many rows or answers that do not fit a declaration stop a release.

    Args:
        unfit: Their number.
        among: Number of all rows, or of all answers that were given.
        allowed: Largest share of them; a single one is allowed unless this is 0.
    """
    # A single respondent can neither stop a release nor be disclosed by whether it is stopped.
    return unfit > allowed * among and (unfit > 1 or not allowed)


def _most(allowed: Decimal) -> str:
    return f" At most {(100 * allowed).normalize():f} % may be."


def _sentence(column: ColumnPlan, encoded: EncodedColumn, answered: int) -> str:
    unreadable, outside = encoded.unreadable, encoded.unfit - encoded.unreadable
    of_all = f"Of {answered:,} answers of {column.name},"
    taken = "taken as missing answers" if column.missing.treatment.takes_unread else "left out"
    if not isinstance(column.domain, NumericDomain):
        became = f"put to “{column.other}”" if column.other else taken
        return f"{of_all} {encoded.unfit:,} could not be found in its domain ({became})."
    parts = []
    if unreadable:
        parts.append(f"{unreadable:,} could not be read as {column.domain.read_as} ({taken})")
    if outside:
        parts.append(f"{outside:,} had to be moved to the nearest bound of its domain")
    return f"{of_all} {' and '.join(parts)}."
