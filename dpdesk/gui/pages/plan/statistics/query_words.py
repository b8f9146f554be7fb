"""A query in the words of the table: what it gives, its noise, its error."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QCoreApplication

from dpdesk.errors import ParameterError
from dpdesk.gui.pages.plan.attribute_rows import AttributeRow
from dpdesk.gui.widgets.budget_bar import two_places
from dpdesk.plan import Plan, Problem
from dpdesk.preview import error_text
from dpdesk.preview.central import QueryRequest, query_request
from dpdesk.queries import Query
from dpdesk.queries.noise import NOISE_KINDS, NOISE_WORDS, NoiseKind

_CHOICES = frozenset({"quantile", "most_common"})


def tr(text: str) -> str:
    """Translates a text of the page of statistics."""
    return QCoreApplication.translate("StatisticsView", text)


def kind_title(kind: type[Query]) -> str:
    """Returns what a kind of query is called."""
    return QCoreApplication.translate("Query", kind.title)


def is_choice(query: Query) -> bool:
    """Whether a query chooses a number or a category rather than adding noise."""
    return query.kind in _CHOICES


def noise_text(query: Query) -> str:
    """Returns how a query is protected."""
    if is_choice(query):
        return tr("Noisy choice")
    return noise_name(query.noise)


def cells_text(request: QueryRequest | None) -> str:
    """Returns how many numbers a query gives."""
    if request is None:
        return ""
    count = len(request.bound.keys)
    if request.query.kind == "most_common":
        return tr("Category") if count == 1 else tr("{count} categories").format(count=count)
    if count == 1:
        return tr("Number")
    return tr("{count} numbers").format(count=f"{count:,}")


def error_words(request: QueryRequest | None) -> str:
    """Returns how far a number of a query will be off, for a cell of the table."""
    if request is None:
        return ""
    found = request.error
    unit = {"rows": tr("rows"), "pp": tr("pp")}.get(found.unit, found.unit)
    return error_text(found.half_width, unit if len(unit) <= len("rows") else unit[:1])


def query_row(plan: Plan, index: int, problems: tuple[Problem, ...]) -> AttributeRow:
    """Returns the row of a query in the table.

    Args:
        plan: The plan.
        index: Position of the query.
        problems: What stands in its way, errors first.
    """
    query = plan.statistics.queries[index]
    request = query_request(plan, index)
    where = " and ".join(condition.description for condition in query.where)
    under = tr("where {conditions}").format(conditions=where) if where else ""
    return AttributeRow(
        name=query.name or query.subject,
        label=query.description if query.name else under,
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
    domains = {
        column.name: column.effective_domain
        for column in plan.columns
        if column.effective_domain is not None
    }
    try:
        query.bind(domains, plan.statistics.unit)
    except ParameterError:
        return False
    return True
