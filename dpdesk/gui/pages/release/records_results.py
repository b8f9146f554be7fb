"""The results of a release of records: the estimates, and separately the private comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, Decimal
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QCheckBox, QWidget

from dpdesk.cost import short_epsilon
from dpdesk.estimation import EstimateRow, ReleasedAttribute, estimate_rows
from dpdesk.estimation.rows import ANSWERED, MEAN, NO_SAMPLING_AT_AN_END, OF_ASKED, Quantity
from dpdesk.gui.pages.release.interval_table import (
    PLOT,
    IntervalDelegate,
    IntervalModel,
    IntervalTable,
    scale_for,
)
from dpdesk.gui.pages.release.private_panel import ComparisonPanel
from dpdesk.gui.pages.release.results_view import ComparedResults, ListEntry
from dpdesk.gui.verdict_words import smaller_than_errors
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.row_model import Head
from dpdesk.mechanisms.possible_shares import POSSIBLE_KINDS
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.plan import total_epsilon
from dpdesk.plan.release_usefulness import usefulness_of_records
from dpdesk.plan.verdicts import PartVerdicts, Verdict, lowered
from dpdesk.releases.release import Release
from dpdesk.reports.number_text import (
    half_width_text,
    interval_text,
    margin_text,
    quantity_text,
)
from dpdesk.reports.wanted import judged_plan

_Z = normal_quantile(0.95)
_SHOWN = Decimal("0.000001")
ANSWER, _, ESTIMATE, IN_RANGE, INTERVAL, NOISE, SAMPLING, BOTH = range(8)
POSSIBLE = range(BOTH + 1, BOTH + 1 + len(POSSIBLE_KINDS))
"""One column for each further kind of estimate."""


def certified_text(attributes: Sequence[ReleasedAttribute], *, adds_up: bool = True) -> str:
    """Returns the certified epsilon of attributes together, rounded up: it is a bound.

    Args:
        attributes: At least one.
        adds_up: Whether a respondent reports them all; else the largest bounds the record.
    """
    certified = [attribute.bound.certificate.epsilon_certified for attribute in attributes]
    total = sum(certified, Decimal(0)) if adds_up else max(certified)
    return format(total.quantize(_SHOWN, ROUND_CEILING).normalize(), "f")


def noise_error_text(rows: Sequence[EstimateRow]) -> str:
    """Returns the largest 95 % error of the noise of an attribute's estimates with its unit."""
    error = _Z * max(row.noise_standard_error for row in rows)
    at_most = "≤" if rows[0].sampling_standard_error is None else "±"
    return f"{at_most} {half_width_text(error, rows[0].unit, share=rows[0].is_share)}"


def largest_error_text(rows: Sequence[EstimateRow]) -> str:
    """Returns the largest 95 % error of an attribute's estimates with its unit.

    Of one uneven interval both ends; of the largest of several, that all lie within that.
    """
    farthest = max(rows, key=lambda row: row.error_95)
    if len(rows) == 1 or farthest.is_even:
        return _margin(farthest)
    return f"≤ {half_width_text(farthest.error_95, farthest.unit, share=farthest.is_share)}"


def _margin(row: EstimateRow) -> str:
    return margin_text(row.estimate, row.lower, row.upper, row.unit, share=row.is_share)


class EstimatesModel(IntervalModel[EstimateRow]):
    """One row per share, or one for a mean."""

    shares = True

    @property
    def has_moved(self) -> bool:
        """Whether an estimate is outside its possible range."""
        return any(row.estimate != row.truncated for row in self.rows)

    def set_rows(self, rows: tuple[EstimateRow, ...]) -> None:
        """Shows the estimates of another attribute."""
        ends = [end for row in rows for end in (row.lower, row.upper, row.truncated)]
        share = bool(rows) and rows[0].is_share
        self._scale = scale_for(ends or (0.0, 1.0), share=share or not rows)
        self.show_rows(rows)

    def text(self, row: EstimateRow, column: int) -> str:
        share, unit = row.is_share, row.unit
        error = row.error_95
        if column == ANSWER:
            if row.kind is ANSWERED:
                return self.tr("Answered")
            if row.kind is OF_ASKED:
                return self.tr("Answered, of those asked")
            return row.label if share else self.tr("Mean")
        if column == ESTIMATE:
            return quantity_text(row.estimate, error, unit, share=share)
        if column == IN_RANGE:
            return quantity_text(row.truncated, error, unit, share=share)
        if column in (PLOT, INTERVAL):
            return interval_text(row.lower, row.upper, error, unit, share=share)
        if column == SAMPLING and (
            row.sampling_standard_error is None or row.sampled_at is not None
        ):
            return self.tr("not known")
        if column in POSSIBLE:
            value = self.possible(row, column)
            return "—" if value is None else quantity_text(value, error, unit, share=share)
        if column == NOISE:
            return noise_error_text((row,))
        if column == BOTH:
            return _margin(row)
        return f"± {half_width_text(_Z * (row.sampling_standard_error or 0.0), unit, share=share)}"

    def possible(self, row: EstimateRow, column: int) -> float | None:
        """Returns the possible estimate of a column; None where a row has none."""
        value: float | None = getattr(row, POSSIBLE_KINDS[column - POSSIBLE.start].name)
        return value

    def has_possible(self, column: int) -> bool:
        """Whether any row has the possible estimate of a column."""
        return any(self.possible(row, column) is not None for row in self.rows)

    def tooltip(self, row: EstimateRow, column: int) -> str:
        if column == PLOT:
            return self.text(row, INTERVAL)
        if column == ANSWER:
            differs = row.category and row.category != row.label
            return f"{row.label} ({row.category})" if differs else row.label
        if column == NOISE and row.sampling_standard_error is None:
            return self.tr("An upper bound: these reports do not tell noise and sampling apart.")
        if column == SAMPLING and row.sampled_at is not None:
            return QCoreApplication.translate("Estimates", NO_SAMPLING_AT_AN_END)
        if column == SAMPLING and row.sampling_standard_error is None:
            return self.tr("These reports do not tell noise and sampling apart; see 95 % error.")
        return self.heads[column].meaning

    def spoken(self, row: EstimateRow, column: int) -> str:
        shown = INTERVAL if column == PLOT else column
        return f"{self.heads[shown].text}: {self.text(row, shown)}"

    def _make_heads(self) -> tuple[Head, ...]:
        return tuple(
            Head(text, meaning, number=column not in (ANSWER, PLOT))
            for column, (text, meaning) in enumerate((*self._own_heads(), *_possible_heads()))
        )

    def _own_heads(self) -> tuple[tuple[str, str], ...]:
        return (
            (self.tr("Answer"), self.tr("The answer, or the mean of a number")),
            (
                self.tr("Interval"),
                self.tr("The estimate with its 95 % interval, from noise and sampling"),
            ),
            (
                self.tr("Estimate"),
                self.tr("The unbiased estimate as it is; a negative share is information"),
            ),
            (
                self.tr("In range"),
                self.tr("The estimate moved into the range that it can have"),
            ),
            (self.tr("95 % interval"), self.tr("95 % interval from noise and sampling")),
            (
                self.tr("Noise"),
                self.tr(
                    "95 % error from the noise only: how far from the share of these respondents"
                ),
            ),
            (self.tr("Sampling"), self.tr("95 % error from drawing the respondents only")),
            (
                self.tr("95 % error"),
                self.tr(
                    "95 % error from noise and sampling: how far from the share of the population"
                ),
            ),
        )


def _possible_heads() -> tuple[tuple[str, str], ...]:
    meaning = QCoreApplication.translate("EstimatesModel", "Biased, without an error: {meaning}")
    return tuple(
        (
            QCoreApplication.translate("Estimates", kind.title),
            meaning.format(meaning=QCoreApplication.translate("Estimates", kind.meaning)),
        )
        for kind in POSSIBLE_KINDS
    )


class EstimatesTable(IntervalTable):
    """The estimates with the parts of their errors, or with possible estimates instead."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self.estimates = EstimatesModel()
        self._possible = False
        name = self.tr("Estimates with 95 % intervals")
        super().__init__(self.estimates, IntervalDelegate, name, parent=parent)

    def show_possible(self, shown: bool) -> None:
        """Shows the possible estimates instead of the parts of the error, or the reverse."""
        self._possible = shown
        self.choose_columns()

    @property
    def has_possible(self) -> bool:
        """Whether there are possible estimates to show."""
        return any(self.estimates.has_possible(column) for column in POSSIBLE)

    def choose_columns(self) -> None:
        self.setColumnHidden(IN_RANGE, not self.estimates.has_moved)
        for column in (NOISE, SAMPLING, BOTH):
            self.setColumnHidden(column, self._possible and self.has_possible)
        for column in POSSIBLE:
            self.setColumnHidden(
                column, not (self._possible and self.estimates.has_possible(column))
            )


_LIST_WIDTH = 196


class RecordsResults(ComparedResults):
    """The estimates of one attribute at a time, and the truth in a tab of its own."""

    tables_offered = True
    private: ComparisonPanel

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self._rows: tuple[EstimateRow, ...] = ()
        self._blanks = False
        self._certified_here = ""
        super().__init__(self.tr("Released attributes"), _LIST_WIDTH, parent=parent)

    def panes(self) -> list[QWidget]:
        return [self.entries, self.tabs, self.estimates, self.private]

    def _fill(self, shown: Card) -> None:
        self.estimates = EstimatesTable(parent=self)
        self.quantity = ChoiceBox(self.tr("Which estimates of the attribute"), parent=self)
        self.quantity.activated.connect(lambda _: self._show_rows())
        self.possible = QCheckBox(self.tr("Possi&ble estimates"), self)
        self.possible.setToolTip(
            self.tr("Possible distributions near the estimates: biased, and without errors")
        )
        self.possible.toggled.connect(self.estimates.show_possible)
        self.notes = PlainLabel("", "caption", wrap=True, parent=self)
        self.useless = PlainLabel("", "warning", wrap=True, parent=self)
        for words in (self.notes, self.useless):
            shown.body.addWidget(words)
        titles = self.tr("Estimates"), self.tr("Estimates or private comparison")
        self._fill_tabs(shown, titles, self._estimates_part(), ComparisonPanel(parent=self))

    def _estimates_part(self) -> QWidget:
        part = QWidget(self)
        column = lay_column((self.estimates, 1), spacing=10, on=part)
        choices = lay_row(self.quantity, self.possible, STRETCH, spacing=12)
        column.addLayout(choices)
        self._note.setText(
            self.tr(
                "Estimates are shown as they are: a share below 0 is noise, and says so. "
                "The open ring and “In range” show it moved to where a share can be."
            )
        )
        column.addWidget(self._note)
        column.addWidget(self.figures)
        return part

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        released = result.released
        headline = self.tr("{rows} records released").format(rows=f"{released.rows:,}")
        adds_up = released.plan.strategy == "spl"
        facts = self.tr("ε = {epsilon} per respondent, certified ≤ {certified}").format(
            epsilon=short_epsilon(total_epsilon(released.plan)),
            certified=certified_text(released.attributes, adds_up=adds_up),
        )
        return headline, facts

    def _verdicts_of(
        self, result: Release[Any, Any], of_file: Mapping[Any, Verdict]
    ) -> PartVerdicts:
        attributes = result.report.parameters.attributes
        found = tuple(
            (one.name, lowered(one.usefulness, of_file.get(one.name))) for one in attributes
        )
        # Where the file is for tables, it is never worth more than their cells.
        tables = usefulness_of_records(judged_plan(result.released)).tables
        return PartVerdicts(found, None if tables is None else tables.verdict)

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        caption = self.tr("{mechanism} · ε = {epsilon}")
        return tuple(
            ListEntry(
                attribute.column.name,
                caption.format(
                    mechanism=attribute.bound.mechanism.short,
                    epsilon=short_epsilon(attribute.bound.epsilon),
                ),
                attribute.column.title,
            )
            for attribute in result.released.attributes
        )

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        attribute = result.released.attributes[row]
        self._rows = tuple(estimate_rows(attribute))
        self._blanks = attribute.column.missing.treatment.stays_blank
        self._title.set_text(attribute.column.title)
        say = partial(QCoreApplication.translate, "Estimates")
        note = result.released.plan.statistics.unit.interval_note
        notes = "\n".join(filter(None, (note and say(note), attribute.routing(say))))
        self.notes.setText(notes)
        self.notes.setVisible(bool(notes))
        # Such as shares of intervals in addition to a mean, or shares among those who answered.
        quantities = tuple(dict.fromkeys(row.kind for row in self._rows))
        self.quantity.clear()
        for quantity in quantities:
            self.quantity.addItem(self._quantity_title(quantity, quantities), quantity.key)
        self.quantity.setVisible(len(quantities) > 1)
        self._certified_here = certified_text([attribute])
        self._show_rows()
        self.private.show_attribute(row)

    def _reports_caption(self, row: EstimateRow) -> str:
        """What the number of reports is of."""
        if round(row.effective_reports) != row.reports:
            reports = (
                self.tr("reports of those who answered, effectively {count}")
                if self._blanks
                else self.tr("reports, effectively {count}")
            )
            return reports.format(count=f"{row.effective_reports:,.0f}")
        if self._blanks:
            return self.tr("reports of those who answered")
        return self.tr("reports of equal weight")

    def _quantity_title(self, quantity: Quantity, quantities: tuple[Quantity, ...]) -> str:
        if quantity is MEAN and (ANSWERED in quantities or self._blanks):
            return self.tr("Mean of those who answered")
        return self.tr(quantity.title)

    def _show_rows(self) -> None:
        """Shows one of the quantities of the attribute."""
        rows = tuple(row for row in self._rows if row.quantity == self.quantity.currentData())
        self.estimates.estimates.set_rows(rows)
        # The box is as wide as its current entry.
        self.quantity.updateGeometry()
        self.possible.setVisible(self.estimates.has_possible)
        self._note.setVisible(self.estimates.estimates.has_moved)
        shares = [row for row in rows if row.kind is not MEAN]
        words = smaller_than_errors((row.estimate, row.error_95) for row in shares)
        self.useless.setText(words)
        self.useless.setVisible(bool(words))
        noise, both = self.tr("95 % error, noise only"), self.tr("95 % error, noise and sampling")
        if len(rows) > 1:
            noise = self.tr("largest 95 % error, noise only")
            both = self.tr("largest 95 % error, noise and sampling")
        here = self.tr("The distance to the truth of these respondents.")
        drawn = self.tr("The distance to the truth of the population they were drawn from.")
        figures = (
            Figure(f"ε ≤ {self._certified_here}", self.tr("certified from the law that ran")),
            Figure(noise_error_text(rows), noise, here),
            Figure(largest_error_text(rows), both, drawn),
            Figure(
                f"{rows[0].reports:,}",
                self._reports_caption(rows[0]),
                self.tr("Who did not answer left the cell blank, which everybody sees.")
                if self._blanks
                else "",
            ),
        )
        self._show_figures(figures)
