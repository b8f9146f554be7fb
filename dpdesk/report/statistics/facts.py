"""What a report says of one query: what was asked, its noise, its results."""

from __future__ import annotations

from math import isfinite

from dpdesk.composition.words import delta_text
from dpdesk.estimate.released import QueryResult
from dpdesk.queries import BoundQuery, Statistic
from dpdesk.report.section import ExactEpsilon, Section


class PartFacts(Section):
    """One vector of sums that noise was added to."""

    name: str
    """What was summed."""
    cells: int
    """Number of sums."""
    sensitivity: int
    """Most that one respondent moves the sums in all (L1), in whole steps."""
    step: float
    """What a step stands for."""
    scale: float
    """Scale of the noise, in steps."""
    half_width: float
    """Half-width that holds the noise of one sum with the stated confidence, in the unit."""


class StatisticFacts(Section):
    """One released number or category."""

    key: tuple[str, ...]
    """The cell: one declared category per column that is grouped by."""
    value: float | None
    """The estimate, not forced into its possible range; null for a category."""
    chosen: str
    """The category that was chosen; empty for a number."""
    lower: float | None
    """Interval for what the table holds, from the noise alone: its lower end."""
    upper: float | None
    """Its upper end."""
    total_lower: float | None
    """Interval for the population, from noise and sampling, where it can be told: lower end."""
    total_upper: float | None
    """Its upper end."""
    outside: bool
    """Whether noise put the estimate where the statistic cannot be."""
    in_range: float | None
    """The estimate moved into its possible range."""


class QueryFacts(Section):
    """One query with its results."""

    asked: str
    """What was asked, in the words in which it can be asked again."""
    name: str
    """The curator's name for it; empty where there is none."""
    kind: str
    """The kind of statistic."""
    grouped_by: tuple[str, ...]
    """The columns whose declared categories are the keys."""
    unit: str
    """Unit of the numbers: "rows", "%", that of the column."""
    epsilon_asked: ExactEpsilon
    """What it was to cost."""
    epsilon_run: ExactEpsilon
    """What was run: the sum over its parts, at most what was asked."""
    delta: str
    """Chance that the bound fails."""
    noise: str
    """The kind of noise or of choice."""
    derivations: tuple[str, ...]
    """Where each sensitivity comes from."""
    assurance: str
    """What holds of a choice with the stated confidence; empty for numbers with intervals."""
    parts: tuple[PartFacts, ...]
    """What noise was added to; empty for a choice."""
    results: tuple[StatisticFacts, ...]
    """The released numbers or categories."""


def query_facts(result: QueryResult, confidence: float) -> QueryFacts:
    """Returns what a report says of one query."""
    bound, query = result.bound, result.bound.query
    return QueryFacts(
        asked=query.description,
        name=query.name,
        kind=query.kind,
        grouped_by=tuple(getattr(query, "by", ())),
        unit=unit_of(bound),
        epsilon_asked=query.epsilon,
        epsilon_run=bound.cost.epsilon,
        delta=delta_text(bound.cost.delta),
        noise="permute_and_flip" if query.chooses else query.noise,
        derivations=bound.derivations,
        assurance=bound.assurance(confidence),
        parts=tuple(
            PartFacts(
                name=part.name,
                cells=part.cells,
                sensitivity=part.noise.sensitivity.l1,
                step=part.step,
                scale=part.noise.scale,
                half_width=part.half_width(confidence),
            )
            for part in bound.parts
        ),
        results=tuple(statistic_facts(statistic) for statistic in result.statistics),
    )


def statistic_facts(statistic: Statistic) -> StatisticFacts:
    """Returns what a report says of one released number or category."""
    return StatisticFacts(
        key=statistic.key,
        value=statistic.value,
        chosen=statistic.chosen,
        lower=_finite(statistic.lower),
        upper=_finite(statistic.upper),
        total_lower=_finite(statistic.total_lower),
        total_upper=_finite(statistic.total_upper),
        outside=statistic.is_outside,
        in_range=statistic.clipped,
    )


def unit_of(bound: BoundQuery) -> str:
    """Returns the unit in which a query's numbers are given; "" for a choice or a plain number."""
    return bound.query.unit_in(bound.domains)


def _finite(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None
