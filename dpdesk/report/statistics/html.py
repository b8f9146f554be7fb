"""The public report of released statistics as one page of HTML."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.report.checklist import answer_counts
from dpdesk.report.number_text import decimals_for, number_text
from dpdesk.report.page import page
from dpdesk.report.statistics.facts import QueryFacts, StatisticFacts
from dpdesk.report.statistics.public import StatisticsReport

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
    return _with_unit(number_text(result.value, _decimals(result)), query.unit)


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
