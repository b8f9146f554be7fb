"""The tidy table of released statistics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dpdesk.data.write_csv import write_table_csv
from dpdesk.report.statistics.facts import QueryFacts
from dpdesk.report.statistics.public import StatisticsReport

STATISTICS_NAME = "statistics.csv"
_KEYS = 4
_HEADER = (
    "query",
    "name",
    "asked",
    *(f"key_{place}" for place in range(1, _KEYS + 1)),
    "value",
    "chosen",
    "lower",
    "upper",
    "total_lower",
    "total_upper",
    "in_range",
    "unit",
    "epsilon",
    "delta",
    "noise",
)


def write_statistics(report: StatisticsReport, folder: Path) -> None:
    """Writes `statistics.csv`: one row per released number or category.

    `lower` and `upper` hold the noise alone, `total_lower` and `total_upper` the sampling too; a
    cell is empty where there is nothing to tell.
    """
    write_table_csv(folder / STATISTICS_NAME, _HEADER, _rows(report))


def _rows(report: StatisticsReport) -> Iterator[tuple[str | int | float | None, ...]]:
    for number, query in enumerate(report.queries, 1):
        yield from _rows_of(number, query)


def _rows_of(number: int, query: QueryFacts) -> Iterator[tuple[str | int | float | None, ...]]:
    for result in query.results:
        keys = (*result.key, *[""] * (_KEYS - len(result.key)))
        yield (
            number,
            query.name,
            query.asked,
            *keys,
            result.value,
            result.chosen,
            result.lower,
            result.upper,
            result.total_lower,
            result.total_upper,
            result.in_range,
            query.unit,
            str(query.epsilon_asked),
            query.delta,
            query.noise,
        )
