"""A query in the words of the table: what it gives, its noise, its error."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QCoreApplication

from dpdesk.errors import ParameterError
from dpdesk.gui.pages.plan.attribute_rows import AttributeRow
from dpdesk.gui.widgets.budget_bar import two_places
from dpdesk.plan import Plan, Problem
from dpdesk.plan.check_statistics import statistics_domains
from dpdesk.preview import significant
from dpdesk.preview.central import QueryRequest, query_request
from dpdesk.queries import ExpectedError, Query
from dpdesk.queries.noise import NOISE_KINDS, NOISE_WORDS, NoiseKind


def tr(text: str) -> str:
    """Translates a text of the page of statistics."""
    return QCoreApplication.translate("StatisticsView", text)


def kind_title(kind: type[Query]) -> str:
    """Returns what a kind of query is called."""
    return QCoreApplication.translate("Query", kind.title)


def noise_text(query: Query) -> str:
    """Returns how a query is protected."""
    if query.chooses:
        return tr("Noisy choice")
    return noise_name(query.noise)


def cells_text(request: QueryRequest | None) -> str:
    """Returns how many numbers a query gives."""
    if request is None:
        return ""
    count = len(request.bound.keys)
    if request.query.chooses and request.query.column_holds == "categories":
        return tr("Category") if count == 1 else tr("{count} categories").format(count=count)
    if count == 1:
        return tr("Number")
    return tr("{count} numbers").format(count=f"{count:,}")


def level_text(confidence: float) -> str:
    """Returns a confidence as it is said: "95 %"."""
    return f"{100 * confidence:.6g} %"


def amount_text(amount: float, unit: str) -> str:
    """Returns an error or a change with its unit; rows are counted in whole numbers."""
    if unit == "rows" and amount == int(amount):
        whole = int(amount)
        return tr("1 row") if whole == 1 else tr("{count} rows").format(count=f"{whole:,}")
    return f"{significant(amount, 2)} {unit}".strip()


def error_words(request: QueryRequest | None) -> str:
    """Returns how far a number of a query will be off, for a cell of the table."""
    if request is None:
        return ""
    found = request.error
    unit = found.unit if len(found.unit) <= len("rows") else found.unit[:1]
    off = f"{error_sign(found)} {amount_text(found.half_width, unit)}"
    return f"{off} {tr(found.of)}".strip()


def error_sign(error: ExpectedError) -> str:
    """Returns what stands before an error: it is off both ways, or falls short."""
    return "≤" if error.is_shortfall else "±"


def query_row(plan: Plan, index: int, problems: tuple[Problem, ...]) -> AttributeRow:
    """Returns the row of a query in the table.

    Args:
        plan: The plan.
        index: Position of the query.
        problems: What stands in its way, errors first.
    """
    query = plan.statistics.queries[index]
    request = query_request(plan, index)
    first, rest = _two_parts(query)
    return AttributeRow(
        name=query.name or first,
        label=query.description if query.name else rest,
        type=cells_text(request),
        mechanism=noise_text(query),
        epsilon=two_places(query.epsilon),
        error=error_words(request),
        muted=False,
        locked=query.locked,
        lockable=True,
        severity=problems[0].severity if problems else "",
        problems="\n".join(str(problem) for problem in problems),
    )


def _two_parts(query: Query) -> tuple[str, str]:
    """What is asked in two lines: the statistic, then its groups and conditions."""
    whole, first = query.description, query.statistic
    return (first, whole.removeprefix(first).strip()) if whole.startswith(first) else (whole, "")


def noise_name(kind: str) -> str:
    """Returns what a kind of noise is called."""
    return QCoreApplication.translate("Noise", NOISE_WORDS[cast(NoiseKind, kind)].title)


def noise_kinds_for(plan: Plan, query: Query) -> tuple[str, ...]:
    """Returns the kinds of noise that a query can have: staircase noise is for one number."""
    return tuple(
        kind
        for kind in NOISE_KINDS
        if kind == query.noise or kind != "staircase" or _suits(plan, query.changed(noise=kind))
    )


def _suits(plan: Plan, query: Query) -> bool:
    try:
        query.bind(statistics_domains(plan), plan.statistics.unit)
    except ParameterError:
        return False
    return True
