"""The table of attributes or of statistics; the panel beside it shows the selected one."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QEvent,
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.gui.icons import IconBond, icon_image
from dpdesk.gui.pages.plan.plan_models import (
    EPSILON,
    ERROR,
    MECHANISM,
    NAME,
    ROW_ROLE,
    TYPE,
    AttributeModel,
    PlanModel,
    PlanRow,
)
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import Theme, ThemeSwitch, scaled, theme_in_force
from dpdesk.gui.verdict_words import verdict_word
from dpdesk.gui.widgets.plain_text import (
    bold_font,
    caption_font,
)
from dpdesk.gui.widgets.read_table import ReadTable, paint_ground, paint_lines
from dpdesk.gui.widgets.row_model import Index
from dpdesk.i18n import N_

ROW_HEIGHT = 50
_MARGIN = 8
_FIRST_MARGIN = 8
_LOCK = 14
_MARK = 15


class PlanDelegate(QStyledItemDelegate):
    """Paints name over label, one or two lines of text, and the lock of an epsilon.

    Attributes:
        lockClicked: Emitted with the row whose lock was clicked.
    """

    lockClicked = Signal(int)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: PlanRow = index.data(ROW_ROLE)
        theme = theme_in_force()
        rect = option.rect
        state = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        paint_ground(painter, rect, theme, selected=selected)
        font = option.font
        if index.column() == NAME:
            self._paint_attribute(painter, rect, font, row)
        else:
            self._paint_text(painter, rect, font, row, index)
        if index.column() == EPSILON and _shows_lock(rect, font, row, selected=selected):
            name = "lock" if row.locked else "lock-open-variant"
            colour = theme.muted if row.locked else theme.disabled
            self._paint_icon(painter, _lock_rect(rect), name, colour)
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        if (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonRelease
            and event.button() == Qt.MouseButton.LeftButton
            and index.column() == EPSILON
            and index.data(ROW_ROLE).lockable
            and _lock_rect(option.rect).adjusted(-6, -8, 4, 8).contains(event.position().toPoint())
        ):
            self.lockClicked.emit(index.row())
            return True
        return super().editorEvent(event, model, option, index)

    def _paint_attribute(self, painter: QPainter, rect: QRect, font: QFont, row: PlanRow) -> None:
        theme = theme_in_force()
        room = rect.adjusted(_FIRST_MARGIN, 0, -_MARGIN, 0)
        if row.severity:
            name, colour = _sign(theme, row.severity)
            spot = QRect(room.right() - _MARK, rect.center().y() - _MARK // 2, _MARK, _MARK)
            self._paint_icon(painter, spot, name, colour)
            room.setRight(spot.left() - 6)
        lines = [(row.name, bold_font(font), theme.text)]
        if row.label:
            lines.append((row.label, caption_font(font), theme.muted))
        paint_lines(painter, room, *lines)

    def _paint_text(
        self, painter: QPainter, rect: QRect, font: QFont, row: PlanRow, index: Index
    ) -> None:
        theme = theme_in_force()
        room = rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        text = index.data(Qt.ItemDataRole.DisplayRole)
        colour = _colour(theme, row, index.column())
        if index.column() == ERROR and row.verdict:
            self._paint_error(painter, room, font, row)
            return
        if row.locked and index.column() == EPSILON:
            room.setLeft(_lock_rect(rect).right() + 3)
        align = index.data(Qt.ItemDataRole.TextAlignmentRole)
        paint_lines(painter, room, (text, font, colour), align=align)

    def _paint_error(self, painter: QPainter, room: QRect, font: QFont, row: PlanRow) -> None:
        """The error, and below it what it is worth."""
        theme = theme_in_force()
        colours = {"useful": theme.success, "coarse": theme.warning, "useless": theme.danger}
        worth = verdict_word(row.verdict), caption_font(font), colours[row.verdict]
        right = Qt.AlignmentFlag.AlignRight
        paint_lines(painter, room, (row.error, font, theme.text), worth, align=right)

    def _paint_icon(self, painter: QPainter, rect: QRect, name: str, colour: str) -> None:
        ratio = painter.device().devicePixelRatioF()
        image = icon_image(name, colour, round(rect.width() * ratio))
        painter.drawImage(QRectF(rect), image)


def _colour(theme: Theme, row: PlanRow, column: int) -> str:
    if column == MECHANISM and row.severity and not row.lockable and not row.muted:
        return theme.warning
    return theme.muted if row.muted or row.epsilon == "—" else theme.text


def _sign(theme: Theme, severity: str) -> tuple[str, str]:
    return ("alert-circle", theme.danger) if severity == "error" else ("alert", theme.warning)


def _shows_lock(cell: QRect, font: QFont, row: PlanRow, *, selected: bool) -> bool:
    """A locked epsilon always shows it; an open lock is offered where it covers no digit."""
    if row.locked or not row.lockable:
        return row.locked
    free = cell.width() - _MARGIN - QFontMetrics(font).horizontalAdvance(row.epsilon)
    return selected and free > _lock_rect(cell).right() - cell.left()


def _lock_rect(cell: QRect) -> QRect:
    return QRect(cell.left() + 2, cell.center().y() - _LOCK // 2, _LOCK, _LOCK)


class PlanTable(ReadTable):
    """Rows of equal height without a grid; Enter goes on to the panel.

    Args:
        model: What is shown.

    Attributes:
        title: Accessible name.
        told: What it lists, as a sentence.
        widths: The width of every column but the first; a column without one is not shown.
        rowSelected: Emitted with the row that was selected, -1 for none.
        rowActivated: Emitted with the row on which Enter was pressed or that was double
            clicked.
        lockClicked: Emitted with the row whose lock was clicked.
    """

    rowSelected = Signal(int)
    rowActivated = Signal(int)
    lockClicked = Signal(int)

    title: ClassVar[str]
    told: ClassVar[str] = ""
    widths: ClassVar[dict[int, int]]

    def __init__(self, model: PlanModel, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("PlanTable", self.title)
        super().__init__(model, name, row_height=ROW_HEIGHT, parent=parent)
        self.setWhatsThis(QCoreApplication.translate("PlanTable", self.told))
        delegate = PlanDelegate(self)
        delegate.lockClicked.connect(self.lockClicked)
        self.setItemDelegate(delegate)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        heads = self.horizontalHeader()
        heads.setMinimumSectionSize(40)
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        self.setColumnHidden(TYPE, True)
        self._set_widths()
        ThemeSwitch.instance().themeChanged.connect(self._set_widths)
        self.doubleClicked.connect(lambda index: self.rowActivated.emit(index.row()))

    def select(self, row: int) -> None:
        """Selects a row and brings it into view; -1 clears the selection."""
        if row < 0:
            self.setCurrentIndex(QModelIndex())
            self.clearSelection()
        elif self.currentIndex().row() != row:
            self.selectRow(row)
            self.scrollTo(self.model().index(row, 0))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.rowSelected.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.rowActivated.emit(self.currentIndex().row())
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            listed = [r for r in range(self.model().rowCount()) if not self.isRowHidden(r)]
            if listed:
                self.select(listed[0 if event.key() == Qt.Key.Key_Home else -1])
        else:
            super().keyPressEvent(event)

    def _set_widths(self) -> None:
        for column, pixels in self.widths.items():
            self.setColumnWidth(column, scaled(pixels))


class AttributeTable(PlanTable):
    """The attributes of the survey."""

    title = N_("Attributes")
    told = N_("A row for each column: its mechanism, its epsilon, and the error it costs.")
    # At 10 pt, measured with a lock before "20.00" and "± 1,200 pp"; the first column takes the
    # rest.
    widths: ClassVar[dict[int, int]] = {MECHANISM: 104, EPSILON: 70, ERROR: 96}


_FOLDED_FROM = 4
"""Fewer dropped columns take no more room than the line that says how many there are."""


class DroppedFold(QPushButton):
    """The line below the attributes that says how many columns are dropped, and lists them.

    The selected column stays listed. Whether all are is kept in the settings.

    Args:
        table: The attributes.
        model: Its model.
        settings: Where it is remembered.
    """

    def __init__(
        self,
        table: AttributeTable,
        model: AttributeModel,
        settings: Settings,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._table, self._model, self._settings = table, model, settings
        self._hidden: frozenset[int] = frozenset()
        self._followed: tuple[frozenset[int], int, bool] | None = None
        self.setProperty("look", "link")
        self.setCheckable(True)
        self.setChecked(settings.shows_dropped())
        self._icon = IconBond(self, "chevron-right", "muted")
        self.toggled.connect(self._toggle)
        # A view forgets which rows are hidden when its model is reset.
        model.modelReset.connect(self._follow_reset)
        table.rowSelected.connect(lambda _row: self.follow())
        self.follow()

    def follow(self) -> None:
        """Hides the rows of the dropped columns, or lists them."""
        dropped = self._model.dropped()
        shown = (dropped, self._table.currentIndex().row(), self.isChecked())
        if shown == self._followed:
            return
        self._followed = shown
        folds = len(dropped) >= _FOLDED_FROM
        hidden = dropped - {shown[1]}
        if not folds or self.isChecked():
            hidden = frozenset()
        for row in self._hidden ^ hidden:
            self._table.setRowHidden(row, row in hidden)
        self._hidden = hidden
        self.setVisible(folds)
        self._icon.set_icon("chevron-down" if self.isChecked() else "chevron-right", "muted")
        count = f"{len(dropped):,}"
        self.setText(self.tr("{count} dropped columns").format(count=count))
        self.setToolTip(
            self.tr("Dropped columns are listed; click to leave them out of the list")
            if self.isChecked()
            else self.tr("Dropped columns are not listed; click to list them")
        )

    def _toggle(self, listed: bool) -> None:
        self._settings.set_shows_dropped(listed)
        self.follow()

    def _follow_reset(self) -> None:
        for row in range(self._model.rowCount()):
            self._table.setRowHidden(row, False)
        self._hidden, self._followed = frozenset(), None
        self.follow()


class QueryTable(PlanTable):
    """The statistics."""

    title = N_("Statistics")
    # Measured with a lock before "0.8889" and "± 16.3 pp rank".
    widths: ClassVar[dict[int, int]] = {MECHANISM: 86, EPSILON: 70, ERROR: 122}
