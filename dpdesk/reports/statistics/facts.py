"""One query in a report: its words, its noise, its results."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context
from math import isfinite
from typing import Any

import numpy as np

from dpdesk.composition.words import delta_text
from dpdesk.estimation.released import QueryResult
from dpdesk.plan.usefulness import usefulness_of_query
from dpdesk.plan.verdicts import Verdict
from dpdesk.queries import BoundQuery, Statistic
from dpdesk.reports.section import ExactEpsilon, Section


class PartFacts(Section):
    """One vector of sums that noise was added to."""

    name: str
    """What was summed."""
    cells: int
    """Number of sums."""
    sensitivity: int
    """The most that one respondent can change the sums together (L1), in whole steps."""
    step: float
    """The value of one step."""
    scale: float
    """Scale of the noise, in steps."""
    half_width: float
    """Half-width of the interval for the noise of a sum at the stated confidence, in the unit."""


class StatisticFacts(Section):
    """One released number or category."""

    key: tuple[str, ...]
    """The cell: one declared category per column that is grouped by."""
    value: float | None
    """The estimate, not moved into its possible range; null for a category."""
    chosen: str
    """The category that was chosen; empty for a number."""
    lower: float | None
    """Lower end of the interval for the statistic of the table, from the noise only."""
    upper: float | None
    """Its upper end."""
    total_lower: float | None
    """Lower end of the interval for the population, from noise and sampling; null if unknown."""
    total_upper: float | None
    """Its upper end."""
    outside: bool
    """Whether noise moved the estimate out of its possible range."""
    in_range: float | None
    """The estimate moved into its possible range."""


class QueryFacts(Section):
    """One query with its results."""

    asked: str
    """The query in words, in which it can be asked again."""
    name: str
    """The curator's name for it; empty where there is none."""
    kind: str
    """The kind of statistic."""
    grouped_by: tuple[str, ...]
    """The columns whose declared categories are the keys."""
    unit: str
    """Unit of the numbers: "rows", "%", that of the column."""
    epsilon_asked: ExactEpsilon
    """The epsilon that was asked for."""
    epsilon_run: ExactEpsilon
    """The epsilon that was run: the sum over the parts, at most the one asked for."""
    delta: str
    """Chance that the bound fails."""
    noise: str
    """The kind of noise or of choice."""
    derivations: tuple[str, ...]
    """Where each sensitivity comes from."""
    assurance: str
    """What holds for a choice with the stated confidence; empty for numbers with intervals."""
    parts: tuple[PartFacts, ...]
    """What noise was added to; empty for a choice."""
    results: tuple[StatisticFacts, ...]
    """The released numbers or categories."""
    sampling_note: str = ""
    """What the intervals with sampling suppose of the spread of answers; empty where nothing."""
    usefulness: Verdict | None = None
    """Verdict on the noise; null where the number of rows is not public."""
    usefulness_reason: str = ""
    """The noise against what is asked, in words."""


def query_facts(result: QueryResult, confidence: float, rows: int | None) -> QueryFacts:
    """Returns the facts of one query to a table of so many rows; None where that is not public."""
    bound, query = result.bound, result.bound.query
    worth = None
    if rows:
        counted: dict[str, Any] = {}
        if query.counts_rows:
            told = np.array([(s.value, s.lower, s.upper) for s in result.statistics], dtype=float)
            scale = rows if unit_of(bound) == "rows" else 100
            counted = {"shares": told[:, 0] / scale, "errors": (told[:, 2] - told[:, 1]) / 2}
        worth = usefulness_of_query(bound, rows, confidence, **counted)
    return QueryFacts(
        asked=query.description,
        name=query.name,
        kind=query.kind,
        grouped_by=tuple(getattr(query, "by", ())),
        unit=unit_of(bound),
        epsilon_asked=query.epsilon,
        epsilon_run=bound.cost.epsilon,
        # Parts of a delta that is split into three add up to it but for a last digit.
        delta=delta_text(Context(prec=12, rounding=ROUND_CEILING).plus(bound.cost.delta)),
        noise="permute_and_flip" if query.chooses else query.noise,
        derivations=bound.derivations,
        assurance=bound.assurance(confidence),
        sampling_note=bound.sampling_note(result.statistics)
        if any(statistic.total_lower is not None for statistic in result.statistics)
        else "",
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
        usefulness=None if worth is None else worth.verdict,
        usefulness_reason="" if worth is None else worth.reason,
    )


def statistic_facts(statistic: Statistic) -> StatisticFacts:
    """Returns the facts of one released number or category."""
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
