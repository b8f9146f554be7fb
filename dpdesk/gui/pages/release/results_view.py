"""The results of a release of any kind: headline, folder, and a list of its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import (
    QCoreApplication,
    QDir,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.gui.icons import IconBond
from dpdesk.gui.pages.release.private_panel import PrivatePanel
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.verdict_words import (
    seen_by_you,
    verdict_meaning,
    verdict_word,
    verdicts_words,
)
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.figure_tile import Figure, FigureRow
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, bold_font, caption_font
from dpdesk.gui.widgets.read_table import paint_ground, paint_lines
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.underline_tabs import UnderlineTabs
from dpdesk.plan.release_usefulness import ReleaseUsefulness
from dpdesk.plan.verdicts import PartVerdicts, Verdict
from dpdesk.releases.release import Release

_HEIGHT = 50
_MARGIN = 14
_BETWEEN = 8
CAPTION_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True)
class ListEntry:
    """A row of the list: a name over a caption.

    Attributes:
        name: The bold line.
        caption: The line below it.
        title: The tooltip.
    """

    name: str
    caption: str
    title: str = ""


_MARKS: dict[Verdict, str] = {"useful": "success", "coarse": "warning", "useless": "warning"}


class EntriesModel(RowModel[ListEntry]):
    """One row per released attribute or statistic."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == CAPTION_ROLE:
            return self.row(index.row()).caption
        return super().data(index, role)

    def text(self, row: ListEntry, column: int) -> str:
        return row.name

    def tooltip(self, row: ListEntry, column: int) -> str:
        return row.title

    def spoken(self, row: ListEntry, column: int) -> str:
        return f"{row.name}, {row.caption}"

    def _make_heads(self) -> tuple[Head, ...]:
        return (Head(self.tr("Released")),)


class EntryList(QListView):
    """A list of names with captions.

    Args:
        name: Accessible name.

    Attributes:
        entrySelected: Emitted with the row that was selected.
    """

    entrySelected = Signal(int)

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = EntriesModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_TwoLines(self))
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)

    def set_entries(self, entries: tuple[ListEntry, ...]) -> None:
        """Lists names and captions and selects the first."""
        self._model.show_rows(entries)
        if entries:
            self.setCurrentIndex(self._model.index(0, 0))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.entrySelected.emit(current.row())


class _TwoLines(QStyledItemDelegate):
    """Paints a bold line over a caption."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = theme_in_force(), option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        paint_ground(painter, rect, theme, selected=selected)
        if bool(option.state & QStyle.StateFlag.State_HasFocus):
            painter.setPen(QPen(QColor(theme.accent), 1))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        paint_lines(
            painter,
            rect.adjusted(_MARGIN, 0, -_MARGIN, 0),
            (str(index.data()), bold_font(option.font), theme.text),
            (str(index.data(CAPTION_ROLE)), caption_font(option.font), theme.muted),
        )
        painter.restore()


class ResultsView(QWidget):
    """The released entries one at a time: a header, a list, and the details of an entry.

    Args:
        name: Accessible name of the list.
        width: Width of the list in pixels.

    Attributes:
        tables_offered: Whether tables and models can be had of what was released.
        entries: The list of released entries.
        againAsked: Emitted when the user wants to return to the view before a release.
    """

    tables_offered: ClassVar[bool] = False

    againAsked = Signal()

    def __init__(self, name: str, width: int, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result: Release[Any, Any] | None = None
        head = self._head_card()
        self.entries = EntryList(name, parent=self)
        self.entries.entrySelected.connect(self._show_chosen)
        self._title = ElidedLabel("", "heading", parent=self)
        self._note = PlainLabel("", "caption", wrap=True, parent=self)
        self.figures = FigureRow(4, parent=self)
        self.figures.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        listed = Card(margin=4, parent=self)
        listed.setFixedWidth(width)
        listed.body.addWidget(self.entries)
        shown = Card(parent=self)
        self._fill(shown)
        row = lay_row(listed, (shown, 1), spacing=12)
        lay_column(head, (row, 1), spacing=12, on=self)

    def result(self) -> Release[Any, Any] | None:
        """The shown release."""
        return self._result

    def headline(self) -> str:
        """The headline of the release."""
        return self._headline.full_text()

    def panes(self) -> list[QWidget]:
        """The widgets that F6 moves through."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forgets the result: another document is open."""
        self._result = None

    def show_result(
        self, result: Release[Any, Any], forecast: ReleaseUsefulness[Any] | None = None
    ) -> None:
        """Shows a release and its first entry.

        Args:
            result: The release.
            forecast: What it was to be worth by the file, where that was counted.
        """
        self._result = result
        headline, facts = self._words_of(result)
        folder = "" if result.folder is None else QDir.toNativeSeparators(str(result.folder))
        self._headline.set_text(headline)
        expected = {} if forecast is None else forecast.by_name
        of_file = {key: each.verdict for key, each in expected.items() if each.of_file}
        verdicts = self._verdicts_of(result, of_file)
        worst = verdicts.worst
        # No head is better than the worst of what stands below it.
        self._mark.set_severity(_MARKS[worst or "useful"])
        self._mark.setToolTip("" if worst is None else verdict_meaning(worst))
        if worst is not None:
            word = verdict_word(worst)
            if worst == verdicts.whole:
                words, word = self.tr("{verdict} by the errors · {facts}"), word.capitalize()
            else:
                words = self.tr("In part {verdict} by the errors · {facts}")
            facts = words.format(verdict=word, facts=facts)
        self._facts.set_text(f"{result.protection} {facts} · {folder}".strip())
        unfit = verdicts_words(verdicts)
        self._unfit.setText(unfit)
        self._unfit.setVisible(bool(unfit))
        self._unfit.setToolTip(seen_by_you() if of_file else "")
        self.entries.set_entries(self._entries_of(result))

    def _fill(self, shown: Card) -> None:
        """Fills the card beside the list."""
        raise NotImplementedError

    def _words_of(self, result: Release[Any, Any]) -> tuple[str, str]:
        """The headline of the release, and its cost for a respondent."""
        raise NotImplementedError

    def _verdicts_of(
        self, result: Release[Any, Any], of_file: Mapping[Any, Verdict]
    ) -> PartVerdicts:
        """What its entries are worth, by the report of the release, and by the file if less.

        Args:
            result: The release.
            of_file: The verdicts that go by the file, by column or by the position of a statistic.
        """
        raise NotImplementedError

    def _entries_of(self, result: Release[Any, Any]) -> tuple[ListEntry, ...]:
        """The entries of a release."""
        raise NotImplementedError

    def _show_entry(self, result: Release[Any, Any], row: int) -> None:
        """Shows an entry of a release."""
        raise NotImplementedError

    def _show_chosen(self, row: int) -> None:
        if self._result is not None:
            self._show_entry(self._result, row)

    def _show_figures(self, figures: Sequence[Figure]) -> None:
        """Shows the four figures of an entry."""
        for tile, figure in zip(self.figures.tiles, figures, strict=True):
            tile.set_figure(*figure)

    def _head_card(self) -> Card:
        card = Card(parent=self)
        self._headline = ElidedLabel("", "heading", parent=card)
        self._facts = ElidedLabel("", "muted", parent=card)
        self._unfit = PlainLabel("", "warning", wrap=True, parent=card)
        self.tables = self._button(self.tr("&Tables and models"), "table-large")
        self.tables.setVisible(self.tables_offered)
        self.open_report = self._button(self.tr("Open &report"), "file-document")
        self.open_folder = self._button(self.tr("&Open folder"), "folder-open")
        self.copy_path = self._button(self.tr("Cop&y path"), "content-copy")
        self.again = self._button(self.tr("Release a&gain…"), "refresh")
        self.again.setToolTip(self.tr("Another release of the same data adds to what it costs"))
        self.again.clicked.connect(self.againAsked)
        buttons = (self.tables, self.open_report, self.open_folder, self.copy_path, self.again)
        self._mark = SeverityMark("success", size=22, parent=card)
        head = lay_row(self._mark, 4, (self._headline, 1), *buttons, spacing=_BETWEEN)
        card.body.addLayout(head)
        card.body.addWidget(self._facts)
        card.body.addWidget(self._unfit)
        return card

    def _button(self, text: str, icon: str) -> QPushButton:
        button = QPushButton(text, self)
        IconBond(button, icon, "text")
        return button


RELEASED, PRIVATE = range(2)
"""The tabs of results that can be compared with the truth."""


class ComparedResults(ResultsView):
    """Results with what was released in one tab, and the truth in another.

    Attributes:
        tabs: The two tabs.
        private: The panel of the truth.
        privateShown: Emitted when that panel was opened.
    """

    privateShown = Signal()

    def show_result(
        self, result: Release[Any, Any], forecast: ReleaseUsefulness[Any] | None = None
    ) -> None:
        self.tabs.setCurrentIndex(RELEASED)
        super().show_result(result, forecast)

    def _fill_tabs(
        self, shown: Card, titles: tuple[str, str], part: QWidget, private: PrivatePanel
    ) -> None:
        """Fills the card beside the list with the tabs.

        Args:
            shown: The card; what is already in it stands between the tabs and what they show.
            titles: The title of the first tab, and the accessible name of both.
            part: What was released.
            private: The panel of the truth.
        """
        self.private = private
        eyes = QCoreApplication.translate("RecordsResults", "Private: for your eyes only")
        self.tabs = UnderlineTabs((titles[0], eyes), parent=self)
        self.tabs.setAccessibleName(titles[1])
        self.tabs.currentChanged.connect(self._show_tab)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(part)
        self._stack.addWidget(private)
        shown.body.insertLayout(0, lay_row((self._title, 1), self.tabs))
        shown.body.addWidget(self._stack, 1)

    def _show_tab(self, index: int) -> None:
        self._stack.setCurrentIndex(index)
        if index == PRIVATE:
            self.privateShown.emit()
