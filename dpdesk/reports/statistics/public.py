"""The public report of released statistics: what they are, what they cost and why; its HTML page.

It is built from `ReleasedStatistics` alone, which holds no true answer and no true statistic.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from dpdesk.composition import account
from dpdesk.estimation.released import ReleasedStatistics
from dpdesk.numbers.calendar import date_text
from dpdesk.plan.column import ColumnPlan
from dpdesk.queries import BoundQuery
from dpdesk.queries.bound import composed, losses_of
from dpdesk.reports.budget import EarlierReleases
from dpdesk.reports.central import (
    CentralFacts,
    OwnWords,
    StatisticsGuarantee,
    central_facts,
    central_guarantee,
    provenance_words,
)
from dpdesk.reports.checklist import answer_counts, statistics_checklist
from dpdesk.reports.identity import ReleaseIdentity
from dpdesk.reports.implementation import OF_STATISTICS
from dpdesk.reports.number_text import decimals_for, number_text, with_unit
from dpdesk.reports.page import page
from dpdesk.reports.respondent_page import RespondentPage
from dpdesk.reports.section import Section, schema_of
from dpdesk.reports.statistics.facts import (
    QueryFacts,
    StatisticFacts,
    query_facts,
)
from dpdesk.reports.statistics.respondents import page_of_statistics
from dpdesk.reports.texts import T


class DomainFacts(Section):
    """The declaration of a column that queries read."""

    column: str
    """Name of the column."""
    label: str
    """Its longer name; empty where there is none."""
    domain: str
    """What its answers can be."""
    provenance: str
    """Where that comes from."""
    missing: str
    """What happened to missing answers."""


class StatisticsContent(Section):
    """What a release of statistics says beside what every release of a trusted file does."""

    format: Literal["dpdesk-statistics-report"]
    """Tag of the file format."""
    version: Literal[1]
    """Version of the file format."""
    identity: ReleaseIdentity
    """Which release this is."""
    for_respondents: RespondentPage
    """What the release means for one person, without formulas."""
    guarantee: StatisticsGuarantee
    """What is promised to whom, and what is not."""
    confidence: float
    """Coverage of each interval."""
    weighting: str = ""
    """That the survey weights of the file were not used, as sentences; empty where it has none."""
    queries: tuple[QueryFacts, ...]
    """What was asked, with the results."""
    columns: tuple[DomainFacts, ...]
    """What was declared of the columns that were read."""
    composition: dict[str, Any]
    """The tree of composed losses, with the reason for every step."""
    accounting: dict[str, Any] | None
    """The routes of an accountant where Gaussian noise was used, else null."""


# The fields of the last base come first.
class StatisticsReport(CentralFacts, StatisticsContent):
    """Content of `report.json` of a release of statistics."""


def statistics_report(
    released: ReleasedStatistics,
    identity: ReleaseIdentity,
    earlier: EarlierReleases | None = None,
) -> StatisticsReport:
    """Returns the public report of released statistics, as `ReleaseKind.report` asks."""
    statistics = released.plan.statistics
    confidence = float(statistics.confidence)
    bound = [result.bound for result in released.results]
    promise = _guarantee(released)
    queries = tuple(query_facts(result, confidence, released.rows) for result in released.results)
    return StatisticsReport(
        format="dpdesk-statistics-report",
        version=1,
        identity=identity,
        for_respondents=page_of_statistics(released, queries, promise.not_protected),
        guarantee=promise,
        confidence=confidence,
        weighting=T.WEIGHTS_UNUSED(names=released.unused_weights)
        if released.unused_weights
        else "",
        queries=queries,
        columns=_columns(released),
        composition=composed(bound).plain(),
        accounting=_accounting(released, bound),
        checklist=statistics_checklist(released, is_counted=earlier is not None),
        **central_facts(released.plan, statistics.cost, earlier, _OWN, statistics.budget),
    )


def statistics_report_schema() -> dict[str, object]:
    """Returns the JSON schema of `report.json` of released statistics."""
    return schema_of(StatisticsReport, "Privacy report of statistics released by dpdesk")


_OWN = OwnWords(
    "dpdesk query DATA --plan plan.json --out FOLDER",
    T.STATISTICS_COMPUTED,
    T.STATISTICS_UNSURE,
    T.STAIRCASE_RANDOM,
    OF_STATISTICS,
)


def _guarantee(released: ReleasedStatistics) -> StatisticsGuarantee:
    statistics = released.plan.statistics
    return central_guarantee(
        statistics.cost,
        released.plan,
        released.rows,
        T.QUERIES_PUBLIC(),
    )


def _columns(released: ReleasedStatistics) -> tuple[DomainFacts, ...]:
    return tuple(
        DomainFacts(
            column=column.name,
            label=column.label,
            domain=domain.words,
            provenance=provenance_words(column),
            missing=_missing(column),
        )
        for column in released.plan.columns
        if (domain := column.effective_domain) is not None
    )


def _missing(column: ColumnPlan) -> str:
    return column.missing.treatment.in_statistics(column.missing)


def _accounting(released: ReleasedStatistics, bound: list[BoundQuery]) -> dict[str, Any] | None:
    if not any(query.query.charged_delta for query in bound):
        return None
    return account(losses_of(bound), released.plan.statistics.delta).plain()


NOISE_WORDS = {
    "geometric": "discrete Laplace noise",
    "laplace": "Laplace noise",
    "discrete_gaussian": "discrete Gaussian noise",
    "gaussian": "Gaussian noise",
    "staircase": "staircase noise",
    "permute_and_flip": "a choice by permute-and-flip",
}
"""Each kind of noise or choice, in words."""


def statistics_report_html(report: StatisticsReport, *, annex: bool = False) -> str:
    """Returns the report as one self-contained page: no script, no network, ready for paper.

    Args:
        report: The report.
        annex: Whether its annex is wanted: laws, parameters and checks, for experts.
    """
    return page(
        "statistics.html.j2",
        report=report,
        annex=annex,
        noise_words=NOISE_WORDS,
        value_text=value_text,
        interval_text=interval_text,
        answers=answer_counts(report.checklist),
    )


def value_text(query: QueryFacts, result: StatisticFacts) -> str:
    """Returns the estimate with the digits that its interval allows, or the chosen category."""
    if result.value is None:
        return result.chosen
    date = date_text(result.value, query.unit)
    number = number_text(result.value, _decimals(result))
    is_one_row = (number, query.unit) == ("1", "rows")
    return T.ONE_ROW() if is_one_row else date or with_unit(number, query.unit)


def interval_text(
    query: QueryFacts, result: StatisticFacts, lower: float | None, upper: float | None
) -> str:
    """Returns an interval with the digits of its estimate; a dash where there is none."""
    if lower is None or upper is None:
        return "–"
    dates = date_text(lower, query.unit), date_text(upper, query.unit)
    if dates[0] and dates[1]:
        return f"{dates[0]} to {dates[1]}"
    decimals = _decimals(result)
    ends = f"{number_text(lower, decimals)} to {number_text(upper, decimals)}"
    return with_unit(ends, query.unit)


def _decimals(result: StatisticFacts) -> int:
    if result.value is None:
        return 0
    if result.lower is None or result.upper is None:
        # A point of the declared grid: as many decimals as it has.
        return max(0, -int(Decimal(repr(round(result.value, 9))).normalize().as_tuple().exponent))
    if all(float(x).is_integer() for x in (result.lower, result.upper, result.value)):
        return 0
    return max(decimals_for((result.upper - result.lower) / 2), 0)
