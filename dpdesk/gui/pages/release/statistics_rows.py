"""The released statistics of a query as rows of text, with digits that suit their errors."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from dpdesk.estimation.released import QueryResult
from dpdesk.numbers.calendar import date_text
from dpdesk.queries import Statistic
from dpdesk.queries.noise.kinds import INTEGER_KINDS
from dpdesk.reports.number_text import decimals_for, number_text
from dpdesk.reports.statistics.facts import unit_of


@dataclass(frozen=True)
class StatisticRow:
    """One released number or category, as it is shown.

    Attributes:
        cell: Its cell: the declared categories, or the quantity.
        value: The released number, or the chosen category.
        in_range: The number truncated to its possible range; "" if it is inside.
        noise: Interval from the noise alone, as text; "" if unknown.
        total: Interval from noise and sampling, as text; "" if unknown.
        estimate, truncated, lower, upper: The drawn numbers; all NaN for a category.
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
    """Returns one row per statistic of a query, with digits that suit its error."""
    unit = unit_of(result.bound)
    query = result.bound.query
    whole = query.counts_rows and unit == "rows" and query.noise in INTEGER_KINDS
    widths = [
        (statistic.upper - statistic.lower) / 2
        for statistic in result.statistics
        if statistic.upper is not None and statistic.lower is not None
    ]
    # The same number of decimals for all cells, so that they can be compared.
    decimals = 0 if whole else decimals_for(max(widths)) if widths else 6
    names = _cell_names(result)
    return tuple(
        _chosen(result, statistic)
        if statistic.value is None
        else _row(statistic, unit, names.get(statistic.key, query.subject), decimals)
        for statistic in result.statistics
    )


def category_names(result: QueryResult) -> list[dict[str, str]]:
    """Returns for each column of a query the names of its categories, by their texts."""
    by: tuple[str, ...] = getattr(result.bound.query, "by", ())
    names = []
    for column in by:
        domain = result.bound.domains[column]
        names.append({text: domain.label(code) for code, text in enumerate(domain.texts)})
    return names


def _cell_names(result: QueryResult) -> dict[tuple[str, ...], str]:
    """The name of each cell: its categories, by their labels if they have any."""
    labels = category_names(result)
    if not labels:
        return {key: " · ".join(key) for key in result.bound.keys if key}
    return {
        key: " · ".join(names[text] for names, text in zip(labels, key, strict=True))
        for key in result.bound.keys
    }


def _chosen(result: QueryResult, statistic: Statistic) -> StatisticRow:
    """The row of a chosen category, with its label and its cell."""
    domain = result.bound.domains[result.bound.query.columns[0]]
    label = domain.label(domain.texts.index(statistic.chosen))
    text = label if label == statistic.chosen else f"{label} ({statistic.chosen})"
    nan = float("nan")
    cell = " · ".join(statistic.key) or result.bound.query.subject
    return StatisticRow(cell, text, "", "", "", nan, nan, nan, nan)


def _row(statistic: Statistic, unit: str, cell: str, decimals: int) -> StatisticRow:
    assert statistic.value is not None  # noqa: S101 - categories have rows of their own
    value, clipped = statistic.value, statistic.clipped
    assert clipped is not None  # noqa: S101 - a number can be moved into its range
    known = statistic.lower is not None and statistic.upper is not None
    lower = statistic.lower if statistic.lower is not None else value
    upper = statistic.upper if statistic.upper is not None else value
    outer = _outer(statistic)
    return StatisticRow(
        cell,
        _shown(value, decimals, unit, exact=not known),
        _shown(clipped, decimals, unit, exact=not known) if value != clipped else "",
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


def _shown(value: float, decimals: int, unit: str, *, exact: bool) -> str:
    return date_text(value, unit) or _with_unit(_text(value, decimals, exact=exact), unit)


def _text(value: float, decimals: int, *, exact: bool) -> str:
    if not exact:
        return number_text(value, decimals)
    text = number_text(value, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _interval(lower: float, upper: float, decimals: int, unit: str) -> str:
    dates = date_text(lower, unit), date_text(upper, unit)
    if dates[0] and dates[1]:
        return f"{dates[0]} to {dates[1]}"
    ends = f"{number_text(lower, decimals)} to {number_text(upper, decimals)}"
    return _with_unit(ends, unit)


def _with_unit(text: str, unit: str) -> str:
    # "Rows" stands in the header: a table of counts would repeat it in every cell.
    return f"{text}\u00a0{unit}" if unit and unit != "rows" else text
