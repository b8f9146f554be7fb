"""After a release of records: the estimates, and apart from them the private comparison."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from dpdesk.cost import format_epsilon
from dpdesk.estimate import EstimateRow, estimate_rows
from dpdesk.gui.pages.release.estimates_table import (
    EstimatesTable,
    certified_text,
    largest_error_text,
)
from dpdesk.gui.pages.release.private_panel import PrivatePanel
from dpdesk.gui.pages.release.results_view import ListEntry, ResultsView
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.plan import total_epsilon
from dpdesk.release.release import Release

_LIST_WIDTH = 196
ESTIMATES, PRIVATE = range(2)


class RecordsResults(ResultsView):
    """The estimates of an attribute at a time, and the truth behind a tab of its own.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        privateShown: The private panel was opened.
    """

    privateShown = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        self._rows: tuple[EstimateRow, ...] = ()
        self._certified_here = ""
        super().__init__(theme, self.tr("Released attributes"), _LIST_WIDTH, parent=parent)

    def panes(self) -> list[QWidget]:
        """The list, the tabs and what they show."""
        return [self.entries, self.tabs, self.estimates, self.private]

    def _fill(self, shown: Card, theme: ThemeSwitch) -> None:
        self.estimates = EstimatesTable(theme, parent=self)
        self.quantity = ChoiceBox(self.tr("Which estimates of a number"), parent=self)
        self.quantity.addItems([self.tr("Mean"), self.tr("Shares of intervals")])
        self.quantity.activated.connect(lambda _: self._show_rows())
        self.further = QCheckBox(self.tr("&Further estimates"), self)
        self.further.setToolTip(
            self.tr("Possible distributions near the estimates: biased, and without errors")
        )
        self.further.toggled.connect(self.estimates.show_further)
        self.private = PrivatePanel(theme, parent=self)
        self.tabs = UnderlineTabs(
            (self.tr("Estimates"), self.tr("Private: for your eyes only")), parent=self
        )
        self.tabs.setAccessibleName(self.tr("Estimates or private comparison"))
        self.tabs.currentChanged.connect(self._show_tab)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._estimates_part())
        self._stack.addWidget(self.private)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.tabs)
        shown.body.addLayout(head)
        shown.body.addWidget(self._stack, 1)

    def _estimates_part(self) -> QWidget:
        part = QWidget(self)
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.estimates, 1)
        choices = QHBoxLayout()
        choices.setSpacing(12)
        choices.addWidget(self.quantity)
        choices.addWidget(self.further)
        choices.addStretch(1)
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

    def show_result(self, result: Release[Any, Any]) -> None:
        """Shows the estimates of a release first."""
        self.tabs.setCurrentIndex(ESTIMATES)
        super().show_result(result)

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        released = result.released
        headline = self.tr("{rows} records released").format(rows=f"{released.rows:,}")
        adds_up = released.plan.strategy == "spl"
        facts = self.tr("ε = {epsilon} per respondent, certified ≤ {certified}").format(
            epsilon=format_epsilon(total_epsilon(released.plan)),
            certified=certified_text(released.attributes, adds_up=adds_up),
        )
        return headline, facts

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        caption = self.tr("{mechanism} · ε = {epsilon}")
        return tuple(
            ListEntry(
                attribute.column.name,
                caption.format(
                    mechanism=attribute.bound.mechanism.short,
                    epsilon=format_epsilon(attribute.bound.epsilon),
                ),
                attribute.column.title,
            )
            for attribute in result.released.attributes
        )

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        attribute = result.released.attributes[row]
        self._rows = tuple(estimate_rows(attribute))
        self._title.set_text(attribute.column.title)
        # The shares of intervals that some mechanisms for numbers give stand beside the mean.
        self.quantity.setVisible(len({row.quantity for row in self._rows}) > 1)
        self.quantity.setCurrentIndex(0)
        self._certified_here = certified_text([attribute])
        self._show_rows()
        self.private.show_attribute(row)

    def _show_rows(self) -> None:
        """Shows the means or the shares of the attribute."""
        first = self._rows[0].quantity
        chosen = self.quantity.currentIndex() == 1
        rows = tuple(row for row in self._rows if (row.quantity != first) == chosen)
        self.estimates.set_rows(rows)
        self.further.setVisible(self.estimates.has_further)
        self._note.setVisible(self.estimates.estimates.has_moved)
        bounded = rows[0].sampling_error is None
        sign = "≤" if bounded else "±"
        several = len(rows) > 1
        figures = (
            (f"ε ≤ {self._certified_here}", self.tr("certified from the law that ran"), ""),
            (
                f"{sign} {largest_error_text(rows, noise_only=True)}",
                self.tr("largest 95 % error, noise only")
                if several
                else self.tr("95 % error, noise only"),
                self.tr("The distance to the truth of these respondents."),
            ),
            (
                f"± {largest_error_text(rows, noise_only=False)}",
                self.tr("largest 95 % error, noise and sampling")
                if several
                else self.tr("95 % error, noise and sampling"),
                self.tr("The distance to the truth of the population they were drawn from."),
            ),
            (
                f"{rows[0].reports:,}",
                self.tr("reports, effectively {count}").format(
                    count=f"{rows[0].effective_reports:,.0f}"
                )
                if round(rows[0].effective_reports) != rows[0].reports
                else self.tr("reports of equal weight"),
                "",
            ),
        )
        self._show_figures(figures)

    def _show_tab(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        if index == PRIVATE:
            self.privateShown.emit()
