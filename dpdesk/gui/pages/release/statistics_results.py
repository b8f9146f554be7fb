"""After a release of statistics: every result with its intervals, a query at a time."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QDir, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.cost import format_epsilon
from dpdesk.estimate.released_statistics import QueryResult
from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.plan.statistics.query_words import noise_text
from dpdesk.gui.pages.release.attribute_list import AttributeList, ListEntry
from dpdesk.gui.pages.release.statistics_table import StatisticsTable
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.preview import error_text
from dpdesk.queries import MeasuredQuery
from dpdesk.release.release import Release
from dpdesk.report.number_text import epsilon_text
from dpdesk.report.statistics.facts import unit_of

_LIST_WIDTH = 236


class StatisticsResults(QWidget):
    """What was released.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        againAsked: The user wants to go back to the page before a release.
    """

    againAsked = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: Release[Any, Any] | None = None
        self.queries = AttributeList(theme, parent=self)
        self.queries.setAccessibleName(self.tr("Released statistics"))
        self.queries.attributeSelected.connect(self._show_query)
        self._title = ElidedLabel("", "heading", parent=self)
        self.table = StatisticsTable(theme, parent=self)
        self._note = PlainLabel("", "caption", wrap=True, parent=self)
        self.figures = FigureRow(4, parent=self)
        self.figures.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        listed = Card(margin=4, parent=self)
        listed.setFixedWidth(_LIST_WIDTH)
        listed.body.addWidget(self.queries)
        shown = Card(parent=self)
        for part, stretch in ((self._title, 0), (self.table, 1), (self._note, 0)):
            shown.body.addWidget(part, stretch)
        shown.body.addWidget(self.figures)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(listed)
        row.addWidget(shown, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(self._head_card(theme))
        whole.addLayout(row, 1)

    def result(self) -> Release[Any, Any] | None:
        """The release that is shown."""
        return self._result

    def headline(self) -> str:
        """What was released, in a few words."""
        return self._headline.full_text()

    def show_result(self, result: Release[Any, Any]) -> None:
        """Shows a release."""
        self._result = result
        released = result.released
        count = len(released.results)
        one, many = self.tr("1 statistic released"), self.tr("{count} statistics released")
        self._headline.set_text(one if count == 1 else many.format(count=f"{count:,}"))
        charged = released.plan.statistics.cost
        words = self.tr("ε = {epsilon} per respondent, charged once · {folder}")
        folder = "" if result.folder is None else QDir.toNativeSeparators(str(result.folder))
        self._facts.set_text(
            words.format(
                epsilon=epsilon_text(charged.epsilon),
                folder=folder,
            )
        )
        caption = self.tr("{noise} · ε = {epsilon}")
        entries = []
        for found in released.results:
            query = found.bound.query
            said = caption.format(noise=noise_text(query), epsilon=format_epsilon(query.epsilon))
            entries.append(ListEntry(query.heading, said, query.description))
        self.queries.set_entries(tuple(entries))

    def _show_query(self, row: int) -> None:
        if self._result is None:
            return
        result = self._result.released.results[row]
        query = result.bound.query
        self._title.set_text(query.name or query.description)
        self.table.show_result(result)
        self._note.setText(self._meaning(result))
        figures = (
            self._cost(result),
            self._error(result),
            self._numbers(result),
            self._outside(result),
        )
        for tile, figure in zip(self.figures.tiles, figures, strict=True):
            tile.set_figure(*figure)

    def _meaning(self, result: QueryResult) -> str:
        query = result.bound.query
        if query.kind == "most_common":
            return self.tr("Chosen by noisy counts; the counts themselves are not released.")
        if query.kind == "quantile":
            return self.tr(
                "A number of the declared grid, likelier the nearer its rank is to the share."
            )
        said = self.tr("Results are shown as they were drawn.")
        if self.table.statistics.outside:
            said += " " + self.tr(
                "Those outside their possible range are noise; the open ring and “In range” show "
                "them moved to where they can be."
            )
        if any(statistic.total_lower is not None for statistic in result.statistics):
            said += " " + self.tr(
                "Thick: what the table says, noise alone. Thin: the population, sampling too."
            )
        return said

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
        bound: object = result.bound
        if not isinstance(bound, MeasuredQuery):
            return f"{count:,}", self.tr("chosen, not counted"), ""
        one, many = self.tr("number released"), self.tr("numbers released")
        return f"{count:,}", one if count == 1 else many, ""

    def _outside(self, result: QueryResult) -> tuple[str, str, str]:
        outside = self.table.statistics.outside
        return f"{outside:,}", self.tr("outside the possible range, from noise"), ""

    def _head_card(self, theme: ThemeSwitch) -> Card:
        card = Card(parent=self)
        self._headline = ElidedLabel("", "heading", parent=card)
        self._facts = ElidedLabel("", "muted", parent=card)
        self.open_report = self._button(theme, self.tr("Open &report"), "file-document")
        self.open_folder = self._button(theme, self.tr("&Open folder"), "folder-open")
        self.copy_path = self._button(theme, self.tr("Cop&y path"), "content-copy")
        self.again = self._button(theme, self.tr("Release a&gain…"), "refresh")
        self.again.setToolTip(self.tr("Asking the same people again adds to what it costs"))
        self.again.clicked.connect(self.againAsked)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(SeverityMark(theme, "success", size=22, parent=card))
        row.addSpacing(4)
        row.addWidget(self._headline, 1)
        for button in (self.open_report, self.open_folder, self.copy_path, self.again):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        card.body.addLayout(row)
        card.body.addWidget(self._facts)
        return card

    def _button(self, theme: ThemeSwitch, text: str, icon: str) -> QPushButton:
        button = QPushButton(text, self)
        IconBond(button, theme, icon, "text")
        return button
