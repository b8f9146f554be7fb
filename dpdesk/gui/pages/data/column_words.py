"""Short texts about a column: kind, domain, role, missing answers."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QCoreApplication

from dpdesk.domains import ColumnKind, NumericDomain, domain_type
from dpdesk.gui.widgets.plain_text import counted
from dpdesk.i18n import N_, in_a_row
from dpdesk.plan import ColumnPlan, Provenance, Role
from dpdesk.plan.open_question import OpenQuestion

_KINDS: dict[ColumnKind, tuple[str, str]] = {
    "nominal": (N_("Nominal"), N_("Categories without an order.")),
    "ordinal": (N_("Ordinal"), N_("Categories in an order.")),
    "binary": (N_("Binary"), N_("Two categories.")),
    "several": (N_("Several"), N_("Any number of options, or none of them.")),
    "integer": (N_("Integer"), N_("Whole numbers between two bounds.")),
    "real": (N_("Real"), N_("Numbers between two bounds, rounded to a resolution.")),
    "date": (N_("Date"), N_("Dates or times between two ends, by day, month or year.")),
    "identifier": (
        N_("Identifier"),
        N_("Names a respondent or is free text; no mechanism can protect it."),
    ),
    "weight": (N_("Weight"), N_("A survey weight; it is kept or dropped, never protected.")),
}


def tr(text: str) -> str:
    """Translates one of these texts."""
    return QCoreApplication.translate("ColumnWords", text)


def kind_word(kind: ColumnKind) -> str:
    """The name of a kind of answer."""
    return tr(_KINDS[kind][0])


def kind_help(kind: ColumnKind) -> str:
    """The meaning of a kind of answer, as a sentence."""
    return tr(_KINDS[kind][1])


def role_word(role: Role) -> str:
    """The role of a column, in a word or two."""
    return {
        "unassigned": tr("Unassigned"),
        "protect": tr("Protect"),
        "keep": tr("Keep as it is"),
        "drop": tr("Drop"),
    }[role]


def kept_word(column: ColumnPlan) -> str:
    """The role of a column, or that it is kept coarser."""
    return role_word(column.role) if column.kept_coarser is None else tr("Keep coarser")


def domain_words(column: ColumnPlan) -> str:
    """A domain in short: "5 categories", "18–99 years, step 1"; "–" for kinds without one."""
    domain = column.domain
    if domain is None:
        return "–" if domain_type(column.kind) is None else tr("none")
    if not isinstance(domain, NumericDomain):
        return tr(domain.count_words).format(count=f"{domain.size:,}")
    if not domain.in_digits:
        first, last, by = domain.bounds
        return f"{first}–{last}, {by}"
    lower, upper, step = map(Decimal, domain.bounds)
    return _interval(lower, upper, step, domain.shown_unit)


def _interval(lower: Decimal, upper: Decimal, step: Decimal, unit: str) -> str:
    bounds = tr("{lower} to {upper}") if lower < 0 else "{lower}–{upper}"
    shown = bounds.format(lower=f"{lower:,f}", upper=f"{upper:,f}")
    return tr("{interval}, step {step}").format(
        interval=f"{shown} {unit}".strip(), step=f"{step:f}"
    )


def origin_words(column: ColumnPlan) -> str:
    """The provenance of a domain, and whether it must be confirmed; "" without a domain."""
    if column.domain is None:
        return ""
    if column.confirmed:
        return tr("confirmed")
    source = source_words(column)
    return tr("{source} — confirm").format(source=source) if column.waits else source


_SOURCES: dict[Provenance, str] = {
    "suggested": N_("from the data"),
    "codebook": N_("from the codebook"),
    "declared": N_("set by hand"),
}


def source_words(column: ColumnPlan) -> str:
    """Where a domain comes from: "from the data"."""
    return tr(_SOURCES[column.provenance])


def missing_words(column: ColumnPlan) -> str:
    """The treatment of missing answers, in a few words."""
    if column.domain is None:
        return "–"
    return tr(column.missing.treatment.words).format(value=column.missing.value)


def open_words(question: OpenQuestion) -> str:
    """What is to be decided about the answers of a column, and where."""
    where = (
        tr("Decide under Domain.")
        if question.place == "domain"
        else tr("Decide under Missing answers.")
    )
    # Its sentence names cells, which a list does not show.
    return in_a_row((question.problem.message, where))


def respondents_words(count: int) -> str:
    """A number of respondents with its noun."""
    return counted(count, tr("1 respondent"), tr("{count} respondents"))


def columns_words(count: int) -> str:
    """A number of columns with its noun."""
    return counted(count, tr("1 column"), tr("{count} columns"))


def questions_words(count: int) -> str:
    """A number of questions with its noun."""
    return counted(count, tr("1 question"), tr("{count} questions"))
