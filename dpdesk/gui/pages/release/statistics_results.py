"""The results of a release of statistics with their intervals, one query at a time."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from PySide6.QtCore import QCoreApplication, QLineF, QRect
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from dpdesk.cost import format_epsilon
from dpdesk.estimate.released import QueryResult
from dpdesk.gui.pages.plan.words import noise_text
from dpdesk.gui.pages.release.interval_table import (
    PLOT,
    IntervalDelegate,
    IntervalModel,
    IntervalRow,
    IntervalScale,
    IntervalTable,
    place,
    scale_for,
)
from dpdesk.gui.pages.release.results_view import ListEntry, ResultsView
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import counted
from dpdesk.gui.widgets.row_model import Head
from dpdesk.preview import error_text
from dpdesk.queries import Statistic
from dpdesk.queries.noise.kinds import INTEGER_KINDS
from dpdesk.release.release import Release
from dpdesk.report.number_text import decimals_for, epsilon_text, number_text
from dpdesk.report.statistics.facts import unit_of

CELL, _, VALUE, IN_RANGE, NOISE, TOTAL = range(6)
_LEAST_PLOT = 190
_LEAST_CELL = 110


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


def _cell_names(result: QueryResult) -> dict[tuple[str, ...], str]:
    """The name of each cell: its categories, by their labels if they have any."""
    by: tuple[str, ...] = getattr(result.bound.query, "by", ())
    labels = []
    for column in by:
        domain = result.bound.domains[column]
        labels.append({text: domain.label(code) for code, text in enumerate(domain.texts)})
    if not by:
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
    # "Rows" stands in the header: a table of counts would repeat it in every cell.
    return f"{text}\u00a0{unit}" if unit and unit != "rows" else text


class StatisticsModel(IntervalModel[StatisticRow]):
    """One row per cell of a query."""

    @property
    def outside(self) -> int:
        """Number of results outside their possible range."""
        return sum(bool(row.in_range) for row in self.rows)

    def has(self, column: int) -> bool:
        """Whether any row has a text in a column."""
        if column == PLOT:
            return any(row.is_number for row in self.rows)
        return any(self.text(row, column) for row in self.rows)

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of another query."""
        rows = result_rows(result)
        ends = [
            end
            for row in rows
            if row.is_number
            for end in (row.estimate, row.lower, row.upper, row.truncated, *(row.outer or ()))
        ]
        if ends and result.bound.query.counts_rows:
            ends.append(0.0)
        self._scale = scale_for(ends or (0.0, 1.0), share=False)
        by = getattr(result.bound.query, "by", ())
        of = " · ".join(by) or getattr(result.bound.query, "column", "") or self.tr("Of")
        self.heads = (Head(of), *self.heads[1:])
        self.show_rows(rows)

    def drawn(self, row: StatisticRow) -> StatisticRow | None:
        """The row, unless it is a category, for which nothing is drawn."""
        return row if row.is_number else None

    def text(self, row: StatisticRow, column: int) -> str:
        """The text of a cell."""
        return (row.cell, row.noise, row.value, row.in_range, row.noise, row.total)[column]

    def tooltip(self, row: StatisticRow, column: int) -> str:
        """The drawn interval, the full cell, or the meaning of a column."""
        if column == PLOT:
            return row.noise
        return row.cell if column == CELL else self.heads[column].meaning

    def spoken(self, row: StatisticRow, column: int) -> str:
        """The text of a cell with its header; for the drawing, the interval."""
        return f"{self.heads[column].text}: {self.text(row, column)}"

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Of")),
            Head(
                self.tr("Interval"),
                self.tr("The result with its interval; the thin line holds the sampling too"),
            ),
            Head(
                self.tr("Released"),
                self.tr("As it was drawn: a negative count is noise, and says so"),
                number=True,
            ),
            Head(
                self.tr("In range"),
                self.tr("Moved into the range that the statistic can have"),
                number=True,
            ),
            Head(
                self.tr("In the table"),
                self.tr("Interval for what the table would say without noise"),
                number=True,
            ),
            Head(
                self.tr("Population"),
                self.tr("Interval for the population, from noise and sampling"),
                number=True,
            ),
        )


class _BothIntervals(IntervalDelegate):
    """Paints a thin line for noise and sampling below the thick one for the noise."""

    def paint_interval(
        self, painter: QPainter, rect: QRect, row: IntervalRow, scale: IntervalScale
    ) -> None:
        outer = getattr(row, "outer", None)
        if outer is not None:
            middle = rect.center().y() + 0.5
            left, right = (place(scale, rect, end) for end in outer)
            painter.setPen(QPen(QColor(theme_in_force().muted), 1.0))
            painter.drawLine(QLineF(left, middle, right, middle))
            for x in (left, right):
                painter.drawLine(QLineF(x, middle - 3, x, middle + 3))
        super().paint_interval(painter, rect, row, scale)


class StatisticsTable(IntervalTable):
    """A cell of the query in each row; empty columns are hidden.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self.statistics = StatisticsModel()
        name = self.tr("Released statistics with intervals")
        super().__init__(self.statistics, _BothIntervals, name, parent=parent)

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of a query."""
        self.statistics.show_result(result)
        self._share_width()
        self.scrollToTop()

    def _share_width(self) -> None:
        model = self.statistics
        for column in (VALUE, IN_RANGE, NOISE, TOTAL):
            self.setColumnHidden(column, not model.has(column))
            self.setColumnWidth(column, self._needed(column))
        # If there is no room for both, the interval is drawn and its tooltip has the numbers.
        for column in (TOTAL, NOISE):
            if self._spare() < _LEAST_CELL + _LEAST_PLOT and model.has(PLOT):
                self.setColumnHidden(column, True)
        spare = self._spare()
        self.setColumnHidden(PLOT, not model.has(PLOT))
        if not model.has(PLOT):
            self.setColumnWidth(CELL, spare)
            return
        most = max(_LEAST_CELL, min(round(0.45 * spare), spare - _LEAST_PLOT))
        cell = min(self._needed(CELL), most)
        self.setColumnWidth(CELL, cell)
        self.setColumnWidth(PLOT, max(_LEAST_PLOT, spare - cell))


_LIST_WIDTH = 236


class StatisticsResults(ResultsView):
    """The results of one query at a time.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Released statistics"), _LIST_WIDTH, parent=parent)

    def panes(self) -> list[QWidget]:
        """The list and the table."""
        return [self.entries, self.table]

    def _fill(self, shown: Card) -> None:
        self.table = StatisticsTable(parent=self)
        for part, stretch in ((self._title, 0), (self.table, 1), (self._note, 0)):
            shown.body.addWidget(part, stretch)
        shown.body.addWidget(self.figures)

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        released = result.released
        count = len(released.results)
        one, many = self.tr("1 statistic released"), self.tr("{count} statistics released")
        facts = self.tr("ε = {epsilon} per respondent, charged once")
        cost = released.plan.statistics.cost
        return (
            counted(count, one, many),
            facts.format(epsilon=epsilon_text(cost.epsilon)),
        )

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        caption = self.tr("{noise} · ε = {epsilon}")
        entries = []
        for found in result.released.results:
            query = found.bound.query
            said = caption.format(noise=noise_text(query), epsilon=format_epsilon(query.epsilon))
            entries.append(ListEntry(query.heading, said, query.description))
        return tuple(entries)

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        chosen = result.released.results[row]
        query = chosen.bound.query
        self._title.set_text(query.name or query.description)
        self.table.show_result(chosen)
        self._note.setText(self._meaning(chosen))
        figures = (self._cost, self._error, self._numbers, self._outside)
        self._show_figures([figure(chosen) for figure in figures])

    def _meaning(self, result: QueryResult) -> str:
        query = result.bound.query
        if query.chooses:
            return QCoreApplication.translate("Query", query.how_chosen)
        sentence = self.tr("Results are shown as they were drawn.")
        if self.table.statistics.outside:
            sentence += " " + self.tr(
                "Those outside their possible range are noise; the open ring and “In range” show "
                "them moved to where they can be."
            )
        if any(statistic.total_lower is not None for statistic in result.statistics):
            sentence += " " + self.tr(
                "Thick: what the table says, noise alone. Thin: the population, sampling too."
            )
        return sentence

    def _cost(self, result: QueryResult) -> tuple[str, str, str]:
        query, run = result.bound.query, result.bound.cost.epsilon
        detail = self.tr("Run: {run}, at most what was asked and charged.")
        return (
            f"ε = {epsilon_text(query.epsilon)}",
            self.tr("what this statistic costs a respondent"),
            detail.format(run=epsilon_text(run)),
        )

    def _error(self, result: QueryResult) -> tuple[str, str, str]:
        widths = [
            (statistic.upper - statistic.lower) / 2
            for statistic in result.statistics
            if statistic.upper is not None and statistic.lower is not None
        ]
        if not widths:
            return noise_text(result.bound.query), self.tr("how it was protected"), ""
        unit = unit_of(result.bound).replace("%", "pp")
        caption = (
            self.tr("largest half-width, noise only")
            if len(widths) > 1
            else self.tr("half-width, noise only")
        )
        return error_text(max(widths), unit), caption, ""

    def _numbers(self, result: QueryResult) -> tuple[str, str, str]:
        count = len(result.statistics)
        if result.bound.query.chooses:
            return f"{count:,}", self.tr("chosen, not counted"), ""
        one, many = self.tr("number released"), self.tr("numbers released")
        return f"{count:,}", one if count == 1 else many, ""

    def _outside(self, result: QueryResult) -> tuple[str, str, str]:
        outside = self.table.statistics.outside
        return f"{outside:,}", self.tr("outside the possible range, from noise"), ""
