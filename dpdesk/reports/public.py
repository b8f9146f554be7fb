"""The public report of records: what a release makes public and nothing else, and its HTML page.

It is built from `Released` alone. Nothing here may import a table of answers or what reads one:
were a true answer to change without changing the release, the report would be the same to the
byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import ceil, floor, log10
from typing import Generic, Literal, NamedTuple, TypeVar

from dpdesk.estimation.released import Released
from dpdesk.plan.losses import hides_the_attribute, total_epsilon
from dpdesk.randomness import SystemWords
from dpdesk.reports.budget import EarlierReleases, budget_words
from dpdesk.reports.checklist import CheckGroup, answer_counts, checklist
from dpdesk.reports.guarantee import (
    Guarantee,
    PrivacyUnit,
    Trust,
    guarantee_of_plan,
    privacy_unit,
    trust,
)
from dpdesk.reports.identity import ReleaseIdentity
from dpdesk.reports.implementation import (
    OF_RECORDS,
    LimitGroup,
    SoftwareVersion,
    known_limits,
    reading_statement,
    software,
)
from dpdesk.reports.number_text import number_text
from dpdesk.reports.page import page
from dpdesk.reports.parameters import (
    AttributeParameters,
    Parameters,
    domain_text,
    parameters,
    provenance_text,
)
from dpdesk.reports.reproduce import Reproduction, reproduction
from dpdesk.reports.respondent_page import RespondentPage, page_of_records
from dpdesk.reports.results import (
    AttributeResult,
    QuantityEstimate,
    Results,
    possible_names,
    results,
)
from dpdesk.reports.risk import Risk, RiskReading, risk_reading
from dpdesk.reports.section import ExactEpsilon, Section, schema_of
from dpdesk.reports.strategy import StrategyFacts, strategy_facts
from dpdesk.reports.texts import T
from dpdesk.reports.wanted import AnalysisFacts, analyses

Fact = TypeVar("Fact")

_NAMES_MOST = 8


class Shared(NamedTuple, Generic[Fact]):
    """A fact, and the attributes that it holds of.

    Attributes:
        fact: What they share.
        names: Their names, in the order of the columns.
        others: Whether they are all that no other fact names, too many to be listed.
        every: Whether they are all attributes.
    """

    fact: Fact
    names: tuple[str, ...]
    others: bool = False
    every: bool = False


def shared(facts: Iterable[tuple[str, Fact]]) -> tuple[Shared[Fact], ...]:
    """Returns each fact once, with the names of all that it holds of.

    A fact of all attributes, or the commonest one if it is of many, lists no names.

    Args:
        facts: The name of each attribute with its fact, which can be hashed.
    """
    of: dict[Fact, list[str]] = {}
    for name, fact in facts:
        of.setdefault(fact, []).append(name)
    found = [Shared(fact, tuple(names)) for fact, names in of.items()]
    if len(found) == 1:
        return (found[0]._replace(every=True),)
    commonest = max(found, key=lambda group: len(group.names), default=None)
    if commonest is None or len(commonest.names) <= _NAMES_MOST:
        return tuple(found)
    rest = [group for group in found if group is not commonest]
    return (*rest, commonest._replace(others=True))


class BudgetFacts(Section):
    """What this release spends, and what is left of the plan's limit."""

    limit: ExactEpsilon | None
    """The most that the plan allowed, or null."""
    spent: ExactEpsilon
    """The loss of this release."""
    left: ExactEpsilon | None
    """The rest of the limit."""
    earlier_releases: EarlierReleases | None
    """Earlier releases of the same people, or null where no population was declared."""
    statement: str
    """The same in words."""


class Implementation(Section):
    """What ran the release."""

    reading: str
    """How the file of answers was read, in words."""
    software: tuple[SoftwareVersion, ...]
    """dpdesk and what it computes with."""
    randomness: str
    """Where the random words came from."""
    law: str
    """How a report is drawn."""
    rows_shuffled: bool
    """Whether the released rows are in random order."""
    known_limits: tuple[LimitGroup, ...]
    """What dpdesk does not do."""


class AttributeReason(Section):
    """Why one attribute is protected as it is."""

    attribute: str
    """Name of the column."""
    reason: str
    """The plan's note; empty where there is none."""


class Justification(Section):
    """Why this epsilon was chosen."""

    whole: str
    """The reasons given for the release as a whole; empty where there are none."""
    attributes: tuple[AttributeReason, ...]
    """The reasons given for each attribute."""
    tuning: str
    """Which alternatives were tried, and whether that involved the data, as far as is known."""


class PublicReport(Section):
    """Content of `report.json`: the privacy report of a release."""

    format: Literal["dpdesk-report"]
    """Tag of the file format."""
    version: Literal[1]
    """Version of the file format."""
    identity: ReleaseIdentity
    """Which release this is."""
    for_respondents: RespondentPage
    """What the release means for one person, without formulas."""
    guarantee: Guarantee
    """What is promised to whom, and what is not."""
    strategy: StrategyFacts
    """How the attributes share a respondent's report."""
    parameters: Parameters
    """What was run for each attribute."""
    analyses: tuple[AnalysisFacts, ...]
    """What the analyses of several attributes are worth that the plan names."""
    unit: PrivacyUnit
    """Who is protected against which change."""
    trust: Trust
    """Who has to be trusted."""
    results: Results
    """The estimates."""
    risk: RiskReading
    """What the losses mean."""
    budget: BudgetFacts
    """What this release spends, and what is left of the plan's limit."""
    implementation: Implementation
    """What ran the release."""
    justification: Justification
    """Why this epsilon was chosen."""
    checklist: tuple[CheckGroup, ...]
    """A checklist after NIST SP 800-226."""
    reproduction: Reproduction
    """How to compute everything again from the files."""


def public_report(
    released: Released, identity: ReleaseIdentity, earlier: EarlierReleases | None = None
) -> PublicReport:
    """Returns the public report of a release, as `ReleaseKind.report` asks."""
    run = parameters(released)
    return PublicReport(
        format="dpdesk-report",
        version=1,
        identity=identity,
        for_respondents=page_of_records(released, run.attributes, earlier),
        guarantee=guarantee_of_plan(released.plan),
        strategy=strategy_facts(released),
        parameters=run,
        analyses=analyses(released),
        unit=privacy_unit(released),
        trust=trust(),
        results=results(released),
        risk=risk_reading(released),
        budget=_budget(released, earlier),
        implementation=_implementation(released),
        justification=_justification(released),
        checklist=checklist(released, is_counted=earlier is not None),
        reproduction=reproduction(released),
    )


def report_schema() -> dict[str, object]:
    """Returns the JSON schema of `report.json`."""
    return schema_of(PublicReport, "Privacy report of dpdesk")


def _budget(released: Released, earlier: EarlierReleases | None) -> BudgetFacts:
    limit, spent = released.plan.budget, total_epsilon(released.plan)
    charged = (T.SPENDS_RECORD(),) if hides_the_attribute(released.plan) else ()
    return BudgetFacts(
        limit=limit,
        spent=spent,
        left=None if limit is None else limit - spent,
        earlier_releases=earlier,
        statement=budget_words(spent, limit, earlier, *charged),
    )


def _implementation(released: Released) -> Implementation:
    return Implementation(
        reading=reading_statement(released.plan),
        software=software(),
        randomness=T.RANDOM_SOURCE(name=SystemWords.name),
        law=T.INTEGER_LAW(),
        rows_shuffled=released.plan.shuffle,
        known_limits=known_limits(OF_RECORDS),
    )


def _justification(released: Released) -> Justification:
    return Justification(
        whole=released.plan.details.justification,
        attributes=tuple(
            AttributeReason(attribute=a.column.name, reason=a.column.note)
            for a in released.attributes
        ),
        tuning=T.TUNING_UNKNOWN(),
    )


DETAILED_MOST = 12
"""The most attributes whose estimates a page shows with all their errors and intervals."""

_WIDTHS = {True: 250.0, False: 150.0}
MARGIN = 14.0
_TICKS = {True: 4, False: 3}
"""Width of a drawing and marks of its axis, with all errors or in brief."""
_TICKS_LEAST = 2
"""A single mark is no scale."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis: place and text."""

    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One estimate on the axis: its interval, itself, and itself within the possible range."""

    left: float
    right: float
    centre: float
    truncated: float

    @property
    def is_truncated(self) -> bool:
        """Whether the estimate lies outside the possible range."""
        return self.centre != self.truncated


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis that all estimates of an attribute share.

    Attributes:
        lower, upper: Its ends, in the unit of the estimates.
        width: Width of the drawing.
        ticks: Marks at round numbers.
    """

    lower: float
    upper: float
    width: float
    ticks: tuple[Tick, ...] = ()

    def x(self, value: float) -> float:
        """Returns the place of a value, from the left of the drawing."""
        inner = self.width - 2 * MARGIN
        return round(MARGIN + inner * (value - self.lower) / (self.upper - self.lower), 2)

    def mark(self, estimate: QuantityEstimate) -> Mark:
        """Returns where an estimate is drawn."""
        places = (estimate.lower, estimate.upper, estimate.estimate, estimate.truncated)
        return Mark(*map(self.x, places))


def axis_of(result: AttributeResult, *, in_detail: bool = True) -> Axis:
    """Returns the axis of an attribute, wide enough for every interval; shares include 0.

    Args:
        result: The estimates of the attribute.
        in_detail: Whether the page shows all errors, or estimates in brief.
    """
    ends = [end for e in result.estimates for end in (e.lower, e.upper, e.truncated)]
    if result.quantity == "share":
        ends.append(0.0)
    lower, upper = min(ends), max(ends)
    if upper <= lower:
        lower, upper = lower - 0.5, upper + 0.5
    step = _round_step((upper - lower) / _TICKS[in_detail])
    values = _multiples(lower, upper, step)
    if len(values) < _TICKS_LEAST:
        step = _round_step(step / 2.5)
        values = _multiples(lower, upper, step)
    if not in_detail and len(values) > _TICKS[in_detail]:
        values = values[::2]
    scale = 100 if result.quantity == "share" else 1
    decimals = max(0, -floor(log10(step * scale) + 1e-9))
    bare = Axis(lower, upper, _WIDTHS[in_detail])
    sign = "\u00a0%" if result.quantity == "share" else ""
    ticks = tuple(Tick(bare.x(v), number_text(scale * v, decimals) + sign) for v in values)
    return replace(bare, ticks=ticks)


def _round_step(rough: float) -> float:
    power = 10.0 ** floor(log10(rough))
    return next(power * digit for digit in (1.0, 2.0, 5.0, 10.0) if power * digit >= rough)


def _multiples(lower: float, upper: float, step: float) -> Sequence[float]:
    return [step * i for i in range(ceil(lower / step), floor(upper / step) + 1)]


def report_html(report: PublicReport, *, annex: bool = False) -> str:
    """Returns the report as one self-contained page: no script, no network, ready for paper.

    Args:
        report: The report.
        annex: Whether its annex is wanted: laws, parameters and checks, for experts.
    """
    results, run = report.results.attributes, report.parameters.attributes
    in_detail = len(results) <= DETAILED_MOST
    return page(
        "report.html.j2",
        report=report,
        annex=annex,
        in_detail=in_detail,
        plots=[(result, axis_of(result, in_detail=annex)) for result in results],
        possible_names=possible_names,
        largest_share_error=_largest_share_error(run),
        largest_gap=float(max(a.epsilon_asked - a.epsilon_run for a in run)),
        domain_text=domain_text,
        mechanisms=shared((a.name, (a.mechanism_title, a.report, a.reference)) for a in run),
        extras=[a for a in run if (a.scale, a.gamma, a.own_epsilon, a.permanent_epsilon) != _NONE],
        provenances=shared((a.name, provenance_text(a.domain)) for a in run),
        missing=shared((a.name, f"{a.missing.asked} {a.missing.sentence}".strip()) for a in run),
        outside=shared((a.name, a.outside) for a in run),
        risks=_risks(report.risk),
        reasons=shared((r.attribute, r.reason) for r in report.justification.attributes),
        answers=answer_counts(report.checklist),
    )


_NONE = (None,) * 4


def _risks(risk: RiskReading) -> list[tuple[Risk, Shared[Decimal] | None]]:
    """Returns the rows of the table of losses: the record, and attributes that lose alike."""
    by_loss = {each.epsilon: each for each in reversed(risk.attributes)}
    alike = shared((each.attribute, each.epsilon) for each in risk.attributes)
    return [(risk.record, None), *((by_loss[group.fact], group) for group in alike)]


def _largest_share_error(attributes: tuple[AttributeParameters, ...]) -> str | None:
    shares = [a for a in attributes if a.quantity == "share"]
    return max(shares, key=lambda a: a.error_95).error_told if shares else None
