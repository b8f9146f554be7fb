"""What the Plan page says of a column and of a query, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import cast

from PySide6.QtCore import QCoreApplication

from dpdesk.domains import NumericDomain
from dpdesk.errors import ParameterError
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.i18n import N_
from dpdesk.mechanisms import Mechanism
from dpdesk.numbers.calendar import short_unit
from dpdesk.numbers.digits import MINUS, percent_text
from dpdesk.plan import ColumnPlan, Plan, Problem
from dpdesk.plan.checks.statistics import statistics_domains
from dpdesk.plan.column import LEAST_SHARE
from dpdesk.preview import (
    Figures,
    PreviewRequest,
    error_text,
    fraction_text,
    share_text,
    significant,
)
from dpdesk.preview.central import QueryRequest
from dpdesk.queries import ExpectedError, Query
from dpdesk.queries.noise import NOISE_KINDS, NOISE_WORDS, NoiseKind

_KINDS = {
    "nominal": N_("Nominal"),
    "ordinal": N_("Ordinal"),
    "binary": N_("Binary"),
    "several": N_("Several"),
    "integer": N_("Integer"),
    "real": N_("Real"),
    "date": N_("Date"),
    "identifier": N_("Identifier"),
    "weight": N_("Weight"),
}


def tr(text: str) -> str:
    """Translates a text of the Plan page."""
    return QCoreApplication.translate("PlanPage", text)


def type_text(column: ColumnPlan) -> str:
    """Kind and size of a column's domain, such as "Nominal · 16 answers" or "Integer 18–99"."""
    kind, domain = tr(_KINDS[column.kind]), column.domain
    if domain is None:
        return kind
    if not isinstance(domain, NumericDomain):
        if column.kind == "binary" and domain.size == 2:
            return kind
        told = tr("{count} options") if column.kind == "several" else tr("{kind} · {count} answers")
        return told.format(kind=kind, count=f"{domain.size:,}")
    if not domain.in_digits:
        first, last, _ = domain.bounds
        # The years say enough in a cell, where they differ.
        years = first[:4], last[:4]
        ends = years if years[0] != years[1] and ":" not in years[0] else (first, last)
        return f"{kind} {ends[0]}–{ends[1]}"
    lower, upper = (format(Decimal(end).normalize(), ",f") for end in domain.bounds[:2])
    return f"{kind} {lower}–{upper}".replace("-", MINUS)


def mechanism_text(column: ColumnPlan) -> str:
    """What happens to a column, as short as a cell needs it."""
    if column.role == "protect":
        return column.mechanism.short if column.mechanism is not None else tr("No mechanism")
    return {
        "keep": tr("Not protected"),
        "drop": tr("Dropped"),
        "unassigned": tr("Unassigned"),
    }[column.role]


def mechanism_title(mechanism: type[Mechanism]) -> str:
    """Short name and title of a mechanism, such as "GRR — generalized randomized response"."""
    title = QCoreApplication.translate("Mechanism", mechanism.title)
    if title.startswith(mechanism.short):
        return title
    return f"{mechanism.short} — {title[:1].lower()}{title[1:]}"


def error_caption(request: PreviewRequest) -> str:
    """What the error is an error of."""
    if request.domain.holds_numbers:
        missing = request.domain.missing_share or request.blank
        if missing > LEAST_SHARE:
            told = tr("95 % error of the mean, if {share} is missing")
            return told.format(share=percent_text(missing))
        return tr("95 % error of the mean")
    if request.blank:
        told = tr("95 % error of a share, if {share} is missing")
        return told.format(share=percent_text(request.blank))
    if request.answers is not None:
        return tr("95 % error of a share, on average over this file")
    if request.expected:
        return tr("95 % error of an expected share")
    return tr("95 % error of a share of {part}").format(part=fraction_text(request.domain.size))


def beyond_words(half_width: float, unit: str, half_range: float) -> str:
    """Returns what an error beyond all that is possible means, as a sentence; else nothing."""
    if half_width <= half_range:
        return ""
    told = tr(
        "The formula gives {error}, but {most} around the middle is all that is possible: nothing "
        "is learnt that could not be guessed without asking."
    )
    return told.format(error=error_text(half_width, unit), most=error_text(half_range, unit))


def truth_figure(figures: Figures) -> Figure:
    """The fourth figure: how much of the truth reports tell."""
    if figures.of_options:
        caption = tr("of the options drawn reported truthfully")
        share = share_text(figures.truthful or 0.0)
        return Figure(share, caption, short=tr("options told truly"))
    if figures.bits:
        caption = tr("true answer's bit set in {true}, each other in {other}")
        short = tr("set: true {true}, other {other}")
        shares = _rounded(figures.truthful or 0.0), _rounded(figures.other_bit)
        whole, few = (text.format(true=shares[0], other=shares[1]) for text in (caption, short))
        count = tr("{count} bits").format(count=f"{figures.bits:,}")
        return Figure(count, whole, short=few)
    if figures.truthful is None:
        caption = tr("of the reports is an answer by itself")
        return Figure(tr("none"), caption, short=tr("answers in reports"))
    caption = tr("answers reported truthfully")
    return Figure(share_text(figures.truthful), caption, short=tr("reported truthfully"))


def _rounded(share: float) -> str:
    return f"{100 * share:.0f} %"


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
    return percent_text(confidence)


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
    unit = short_unit(found.unit, len("rows"))
    return f"{query_error_text(request, unit)} {tr(found.of)}".strip()


def query_error_text(request: QueryRequest, unit: str) -> str:
    """Returns the error of a number of a query; one beyond what is possible as more than that."""
    found, most = request.error, request.half_range
    off = f"{error_sign(found)} {amount_text(min(found.half_width, most), unit)}"
    return f"> {off}" if found.half_width > most else off


def beyond_words_of(request: QueryRequest | None) -> str:
    """Returns what an error of a query beyond all that is possible means; else nothing."""
    if request is None:
        return ""
    return beyond_words(request.error.half_width, request.error.unit, request.half_range)


def error_sign(error: ExpectedError) -> str:
    """Returns what stands before an error: it is off both ways, or falls short."""
    return "≤" if error.is_shortfall else "±"


def two_parts(query: Query) -> tuple[str, str]:
    """Returns what is asked in two lines: the statistic, then its groups and conditions."""
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


_QUERY = re.compile(r"statistics\.queries\.(?P<index>[0-9]+)(\..*)?")


def query_of(path: str) -> int | None:
    """Returns the position of the query that a path names; None if it names none."""
    match = _QUERY.fullmatch(path)
    return int(match["index"]) if match else None


def problems_of(problems: Sequence[Problem], plan: Plan, index: int) -> tuple[Problem, ...]:
    """Returns the problems of a query: its own, and those of the columns that it reads."""
    read = set(plan.statistics.queries[index].columns)
    return tuple(
        problem for problem in problems if query_of(problem.path) == index or problem.column in read
    )
