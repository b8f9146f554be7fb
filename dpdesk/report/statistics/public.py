"""The public report of released statistics: what they are, what they cost and why; its HTML page.

It is built from `ReleasedStatistics` alone, which holds no true answer and no true statistic.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from dpdesk.composition import account, group_privacy
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost
from dpdesk.estimate.released import ReleasedStatistics
from dpdesk.numbers.calendar import date_text
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.column import SOURCES, ColumnPlan
from dpdesk.queries import BoundQuery, PrivacyUnit
from dpdesk.queries.bound import composed, losses_of
from dpdesk.report.budget import EarlierReleases, budget_words
from dpdesk.report.checklist import CheckGroup, answer_counts, statistics_checklist
from dpdesk.report.guarantee import Trust
from dpdesk.report.identity import ReleaseIdentity
from dpdesk.report.implementation import (
    OF_STATISTICS,
    LimitGroup,
    SoftwareVersion,
    known_limits,
    reading_statement,
    software,
)
from dpdesk.report.number_text import decimals_for, epsilon_text, number_text
from dpdesk.report.page import page
from dpdesk.report.respondent_page import RespondentPage
from dpdesk.report.risk import GroupLoss, Risk, group_losses, risk_of_statistics
from dpdesk.report.section import ExactEpsilon, Section, schema_of
from dpdesk.report.statistics.facts import (
    QueryFacts,
    StatisticFacts,
    query_facts,
)
from dpdesk.report.statistics.respondents import page_of_statistics


class CentralGroupLoss(GroupLoss):
    """The loss of several respondents together, with the chance that its bound fails."""

    delta: str
    """Their delta, which grows faster than the number of members; 0 without Gaussian noise."""


class StatisticsGuarantee(Section):
    """What is promised to whom."""

    sentence: str
    """The whole guarantee in one sentence."""
    epsilon: ExactEpsilon
    """Privacy loss of a respondent: the sum over all queries."""
    delta: str
    """Chance that the bound fails."""
    unit: str
    """Whom the loss protects."""
    neighbours: str
    """Which change of the data the loss bounds."""
    enforcement: str
    """How the bound on a respondent's rows is kept."""
    rows: int | None
    """Number of rows where it is public, else null."""
    not_protected: tuple[str, ...]
    """What the guarantee does not cover, as sentences."""


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


class StatisticsReport(Section):
    """Content of `report.json` of a release of statistics."""

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
    trust: Trust
    """Who has to be trusted."""
    risk: Risk
    """What the loss means."""
    groups: tuple[CentralGroupLoss, ...]
    """Groups of respondents whose answers depend on each other."""
    earlier_releases: EarlierReleases | None
    """Earlier releases of the same people, or null where no population was declared."""
    budget: str
    """What this release spends, in words."""
    software: tuple[SoftwareVersion, ...]
    """The programs that took part."""
    reading: str
    """How the trusted file was read, in words."""
    randomness: str
    """Where the noise came from."""
    known_limits: tuple[LimitGroup, ...]
    """What dpdesk does not do."""
    justification: str
    """The reasons given for the release; empty where there are none."""
    checklist: tuple[CheckGroup, ...]
    """A checklist after NIST SP 800-226."""
    commands: tuple[str, ...]
    """The command line that asks the same again, with new noise and at a new loss."""


def statistics_report(
    released: ReleasedStatistics,
    identity: ReleaseIdentity,
    earlier: EarlierReleases | None = None,
) -> StatisticsReport:
    """Returns the public report of released statistics.

    Args:
        released: What was released; holds no true answer.
        identity: Which release it is.
        earlier: Earlier releases of the population that was declared for this one.
    """
    statistics = released.plan.statistics
    confidence = float(statistics.confidence)
    bound = [result.bound for result in released.results]
    cost = statistics.cost
    promise = _guarantee(released)
    queries = tuple(query_facts(result, confidence, released.rows) for result in released.results)
    return StatisticsReport(
        format="dpdesk-statistics-report",
        version=1,
        identity=identity,
        for_respondents=page_of_statistics(released, queries, promise.not_protected),
        guarantee=promise,
        confidence=confidence,
        weighting=_weighting(released.unused_weights),
        queries=queries,
        columns=_columns(released),
        composition=composed(bound).plain(),
        accounting=_accounting(released, bound),
        trust=_TRUST,
        risk=risk_of_statistics(cost, statistics.unit.relation),
        groups=central_groups(cost),
        earlier_releases=earlier,
        budget=budget_words(statistics.epsilon, statistics.budget, earlier),
        software=software("OpenDP"),
        reading=reading_statement(released.plan),
        randomness="Noise and choices are drawn by OpenDP from the operating system's generator; "
        "staircase noise by dpdesk from the same source. There is no seed.",
        known_limits=known_limits(OF_STATISTICS),
        justification=released.plan.details.justification,
        checklist=statistics_checklist(released, is_counted=earlier is not None),
        commands=("dpdesk query DATA --plan plan.json --out FOLDER",),
    )


def central_groups(cost: PrivacyCost) -> tuple[CentralGroupLoss, ...]:
    """Returns the losses of groups of respondents whose answers depend on each other."""
    return tuple(
        CentralGroupLoss(
            **group.model_dump(),
            delta=delta_text(group_privacy(cost.epsilon, cost.delta, group.members)[1]),
        )
        for group in group_losses(cost.epsilon)
    )


def statistics_report_schema() -> dict[str, object]:
    """Returns the JSON schema of `report.json` of released statistics."""
    return schema_of(StatisticsReport, "Privacy report of statistics released by dpdesk")


def _weighting(weights: str) -> str:
    if not weights:
        return ""
    return (
        f"The survey weights of the file, {weights}, were not used: every row counts once. These "
        "are statistics of the respondents, not of the population that the weights stand for; the "
        "intervals of noise and sampling take the rows for a simple random sample."
    )


_TRUST = Trust(
    model="central",
    randomizer="The curator held the true answers, computed the statistics and added noise to "
    "them; the respondents randomized nothing.",
    sees_raw_data="The true answers were seen by the curator, and can be seen by everybody with "
    "access to that computer or to the original file. Whoever holds the release alone sees no "
    "true statistic.",
)


def _guarantee(released: ReleasedStatistics) -> StatisticsGuarantee:
    statistics = released.plan.statistics
    return central_guarantee(
        statistics.cost,
        statistics.unit,
        released.rows,
        "The queries, the declared domains and the keys are public.",
        "What the statistics show about a population holds for everybody in it, whether they "
        "took part or not.",
    )


def central_guarantee(
    cost: PrivacyCost, unit: PrivacyUnit, rows: int | None, public: str, shown: str
) -> StatisticsGuarantee:
    """Returns the guarantee of a release of a trusted file.

    Args:
        cost: Its loss.
        unit: Whom it protects.
        rows: Number of rows where it is public.
        public: What else is public, as a sentence.
        shown: What is not protected because it holds for others too, as a sentence.
    """
    fails = f" and δ\u00a0=\u00a0{delta_text(cost.delta)}" if cost.delta else ""
    sentence = (
        f"Each respondent ({cost.unit}) is protected in the central model with "
        f"ε\u00a0=\u00a0{epsilon_text(cost.epsilon)}{fails} against this change: {cost.relation}. "
        f"Whatever is released is at most e^ε\u00a0=\u00a0{ratio_text(cost.epsilon)} times "
        "likelier with one of two such tables than with the other"
        + (", but for a chance of δ." if cost.delta else ".")
    )
    if unit.respondent_column:
        most = unit.rows_per_respondent
        kept = "one row" if most == 1 else f"{most:,} rows"
        enforcement = (
            f"The column “{unit.respondent_column}” tells whose row it is. Of respondents with "
            f"more than {kept}, {kept} drawn at random {'counts' if most == 1 else 'count'}."
        )
    elif unit.rows_per_respondent > 1:
        enforcement = "It is a promise of the curator; dpdesk did not check it."
    else:
        enforcement = "dpdesk takes every row to be one respondent and does not check it."
    counted = () if rows is None else (f"The number of rows, {rows:,}, is public.",)
    return StatisticsGuarantee(
        sentence=sentence,
        epsilon=cost.epsilon,
        delta=delta_text(cost.delta),
        unit=cost.unit,
        neighbours=cost.relation,
        enforcement=enforcement,
        rows=rows,
        not_protected=(public, *counted, shown),
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


def provenance_words(column: ColumnPlan) -> str:
    """Returns where the domain of a column comes from, in words."""
    source = SOURCES[column.provenance]
    read_off = column.provenance == "suggested"
    return f"{source}, and confirmed as public knowledge" if read_off else source


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


def statistics_report_html(report: StatisticsReport) -> str:
    """Returns the report as one self-contained page: no script, no network, ready for paper."""
    return page(
        "statistics.html.j2",
        report=report,
        noise_words=NOISE_WORDS,
        value_text=value_text,
        ends_text=ends_text,
        total_text=total_text,
        answers=answer_counts(report.checklist),
    )


def value_text(query: QueryFacts, result: StatisticFacts) -> str:
    """Returns the estimate with the digits that its interval allows, or the chosen category."""
    if result.value is None:
        return result.chosen
    date = date_text(result.value, query.unit)
    return date or _with_unit(number_text(result.value, _decimals(result)), query.unit)


def ends_text(query: QueryFacts, result: StatisticFacts) -> str:
    """Returns the interval of the noise."""
    return _interval(query, result, result.lower, result.upper)


def total_text(query: QueryFacts, result: StatisticFacts) -> str:
    """Returns the interval of noise and sampling."""
    return _interval(query, result, result.total_lower, result.total_upper)


def _interval(
    query: QueryFacts, result: StatisticFacts, lower: float | None, upper: float | None
) -> str:
    if lower is None or upper is None:
        return "–"
    dates = date_text(lower, query.unit), date_text(upper, query.unit)
    if dates[0] and dates[1]:
        return f"{dates[0]} to {dates[1]}"
    decimals = _decimals(result)
    ends = f"{number_text(lower, decimals)} to {number_text(upper, decimals)}"
    return _with_unit(ends, query.unit)


def _decimals(result: StatisticFacts) -> int:
    if result.value is None:
        return 0
    if result.lower is None or result.upper is None:
        # A point of the declared grid: as many decimals as it has.
        return max(0, -int(Decimal(repr(round(result.value, 9))).normalize().as_tuple().exponent))
    if all(float(x).is_integer() for x in (result.lower, result.upper, result.value)):
        return 0
    return max(decimals_for((result.upper - result.lower) / 2), 0)


def _with_unit(text: str, unit: str) -> str:
    return f"{text}\u00a0{unit}" if unit else text
