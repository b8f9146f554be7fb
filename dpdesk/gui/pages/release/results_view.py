"""After a release: the estimates with their intervals, and apart from them the private panel."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QDir, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpdesk.cost import format_epsilon
from dpdesk.estimate import EstimateRow, estimate_rows
from dpdesk.gui.icons import IconBond, IconRole
from dpdesk.gui.pages.release.attribute_facts import certified_text, largest_error_text
from dpdesk.gui.pages.release.attribute_list import AttributeList
from dpdesk.gui.pages.release.estimates_table import EstimatesTable
from dpdesk.gui.pages.release.private_panel import PrivatePanel
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.figure_tile import FigureRow
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.plan import total_epsilon
from dpdesk.release.release import Release

_LIST_WIDTH = 196
ESTIMATES, PRIVATE = range(2)


class ResultsView(QWidget):
    """What was released, an attribute at a time.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        privateShown: The private panel was opened.
        againAsked: The user wants to go back to the page before a release.
    """

    privateShown = Signal()
    againAsked = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: Release[Any, Any] | None = None
        self._rows: tuple[EstimateRow, ...] = ()
        self._certified_here = ""
        self.attributes = AttributeList(theme, parent=self)
        self.attributes.attributeSelected.connect(self._show_attribute)
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
        self._title = ElidedLabel("", "heading", parent=self)
        self.figures = FigureRow(4, parent=self)
        self.figures.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.tabs = UnderlineTabs(
            (self.tr("Estimates"), self.tr("Private: for your eyes only")), parent=self
        )
        self.tabs.setAccessibleName(self.tr("Estimates or private comparison"))
        self.tabs.currentChanged.connect(self._show_tab)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._estimates_part())
        self._stack.addWidget(self.private)
        listed = Card(margin=4, parent=self)
        listed.setFixedWidth(_LIST_WIDTH)
        listed.body.addWidget(self.attributes)
        shown = Card(parent=self)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.tabs)
        shown.body.addLayout(head)
        shown.body.addWidget(self._stack, 1)
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

    def show_result(self, result: Release[Any, Any]) -> None:
        """Shows a release."""
        self._result = result
        released = result.released
        self._headline.set_text(
            self.tr("{rows} records released").format(rows=f"{released.rows:,}")
        )
        self._certified.set_text(
            self.tr("ε = {epsilon} per respondent, certified ≤ {certified} · {folder}").format(
                epsilon=format_epsilon(total_epsilon(released.plan)),
                certified=certified_text(
                    released.attributes, adds_up=released.plan.strategy == "spl"
                ),
                folder=QDir.toNativeSeparators(str(result.folder)),
            )
        )
        self.tabs.setCurrentIndex(ESTIMATES)
        self.attributes.set_attributes(released.attributes)

    def _show_attribute(self, row: int) -> None:
        if self._result is None:
            return
        attribute = self._result.released.attributes[row]
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
        texts = (
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
        for tile, (value, caption, detail) in zip(self.figures.tiles, texts, strict=True):
            tile.set_figure(value, caption, detail)

    def _show_tab(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        if index == PRIVATE:
            self.privateShown.emit()

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
        note = self.tr(
            "Estimates are shown as they are: a share below 0 is noise, and says so. "
            "The open ring and “In range” show it moved to where a share can be."
        )
        self._note = PlainLabel(note, "caption", wrap=True, parent=part)
        column.addWidget(self._note)
        column.addWidget(self.figures)
        return part

    def _head_card(self, theme: ThemeSwitch) -> Card:
        card = Card(parent=self)
        self._headline = ElidedLabel("", "heading", parent=card)
        self._certified = ElidedLabel("", "muted", parent=card)
        self.open_report = self._button(theme, self.tr("Open &report"), "file-document")
        self.open_folder = self._button(theme, self.tr("&Open folder"), "folder-open")
        self.copy_path = self._button(theme, self.tr("Cop&y path"), "content-copy")
        self.again = self._button(theme, self.tr("Release a&gain…"), "refresh")
        self.again.setToolTip(self.tr("Another release of the same data adds to what it costs"))
        self.again.clicked.connect(self.againAsked)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(SeverityMark(theme, "success", size=22, parent=card))
        row.addSpacing(4)
        row.addWidget(self._headline, 1)
        for button in (self.open_report, self.open_folder, self.copy_path, self.again):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        card.body.addLayout(row)
        card.body.addWidget(self._certified)
        return card

    def _button(
        self, theme: ThemeSwitch, text: str, icon: str, role: IconRole = "text"
    ) -> QPushButton:
        button = QPushButton(text, self)
        IconBond(button, theme, icon, role)
        return button
