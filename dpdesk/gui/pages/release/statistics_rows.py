"""The results of one query as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from dpdesk.estimate.released_statistics import QueryResult
from dpdesk.queries import Statistic
from dpdesk.report.number_text import decimals_for, number_text
from dpdesk.report.statistics.facts import unit_of


@dataclass(frozen=True)
class StatisticRow:
    """One released number or category, as it is shown.

    Attributes:
        cell: The cell it belongs to: declared categories, or what it is of.
        value: The released number, or the chosen category.
        in_range: The number moved into its possible range; "" where it lies inside.
        noise: Interval from the noise alone, as text; "" where the release tells none.
        total: Interval from noise and sampling, as text; "" where there is none.
        estimate, truncated, lower, upper: Numbers that are drawn; all NaN for a category.
        outer: Ends of the total interval, or None.
    """

    cell: str
    value: str
    in_range: str
    noise: str
    total: str
    estimate: float
    truncated: float
    lower: float
    upper: float
    outer: tuple[float, float] | None = None

    @property
    def is_number(self) -> bool:
        """Whether there is something to draw."""
        return isfinite(self.estimate)


def result_rows(result: QueryResult) -> tuple[StatisticRow, ...]:
    """Returns one row per statistic of a query, with the digits that its error allows."""
    unit = unit_of(result.bound)
    alone = result.bound.query.subject
    whole = result.bound.query.kind in ("count", "histogram") and result.bound.query.noise in (
        "geometric",
        "discrete_gaussian",
        "staircase",
    )
    return tuple(_row(statistic, unit, alone, whole) for statistic in result.statistics)


def _row(statistic: Statistic, unit: str, alone: str, whole: bool) -> StatisticRow:
    cell = " · ".join(statistic.key) or alone
    nan = float("nan")
    if statistic.value is None:
        return StatisticRow(cell, statistic.chosen, "", "", "", nan, nan, nan, nan)
    value, clipped = statistic.value, statistic.clipped
    assert clipped is not None  # noqa: S101 - a number can be moved into its range
    known = statistic.lower is not None and statistic.upper is not None
    lower = statistic.lower if statistic.lower is not None else value
    upper = statistic.upper if statistic.upper is not None else value
    # A chosen number is a point of its grid; a count is a whole number.
    decimals = 0 if whole else decimals_for((upper - lower) / 2) if known else 6
    outer = _outer(statistic)
    return StatisticRow(
        cell,
        _with_unit(_text(value, decimals, exact=not known), unit),
        _with_unit(_text(clipped, decimals, exact=not known), unit) if value != clipped else "",
        _interval(lower, upper, decimals, unit) if known else "",
        _interval(*outer, decimals_for((outer[1] - outer[0]) / 2), unit) if outer else "",
        value,
        clipped,
        lower,
        upper,
        outer,
    )


def _outer(statistic: Statistic) -> tuple[float, float] | None:
    if statistic.total_lower is None or statistic.total_upper is None:
        return None
    return statistic.total_lower, statistic.total_upper


def _text(value: float, decimals: int, *, exact: bool) -> str:
    if not exact:
        return number_text(value, decimals)
    text = number_text(value, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _interval(lower: float, upper: float, decimals: int, unit: str) -> str:
    ends = f"{number_text(lower, decimals)} to {number_text(upper, decimals)}"
    return _with_unit(ends, unit)


def _with_unit(text: str, unit: str) -> str:
    # Rows are said in the head: a table of counts would repeat the word in every cell.
    return f"{text}\u00a0{unit}" if unit and unit != "rows" else text
