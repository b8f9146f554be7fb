"""Tables to read: cells padded as their heads, rows of equal height, no grid, no editing."""

from __future__ import annotations

from typing import Any, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QAction,
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QKeySequence,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from dpdesk.gui.theme import Theme, theme_in_force
from dpdesk.gui.widgets.plain_text import (
    bold_font,
    elided,
    literal_line,
    whole_tooltip,
)
from dpdesk.gui.widgets.row_model import Index, RowModel

PADDING = 8
"""The padding of a head in the style sheet."""

# A view paints dozens of cells while a slider moves: the roles are compared as numbers.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_FONT = int(Qt.ItemDataRole.FontRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_ONE_LINE = int(Qt.TextFlag.TextSingleLine)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter) | _ONE_LINE


class PaddedDelegate(QStyledItemDelegate):
    """Paints a literal line of text over a hairline, elided where it has no room."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 2 * PADDING, hint.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        # Qt's own option asks the model for a dozen roles, of which four are painted here; asked by
        # way of the index, each answer would be converted for Qt and back.
        data = index.model().data
        theme, rect = theme_in_force(), option.rect
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        colour = data(index, _FOREGROUND) or QColor(theme.text)
        own = data(index, _FONT)
        font = option.font if own is None else own.resolve(option.font)
        room = rect.adjusted(PADDING, 0, -PADDING, 0)
        text = str(data(index, _DISPLAY) or "")
        shown = elided(text, font, room.width())
        alignment = data(index, _ALIGNMENT)
        flags = _LEFT if alignment is None else int(alignment) | _ONE_LINE
        painter.save()
        paint_ground(painter, rect, theme, selected=selected)
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(room, flags, shown)
        painter.restore()

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        if event.type() != QEvent.Type.ToolTip or not index.isValid():
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), self.tooltip(option, index), view)
        return True

    def tooltip(self, option: QStyleOptionViewItem, index: Index) -> str:
        """The tooltip of a cell in the room and the font of `option`."""
        own, text = index.data(_FONT), literal_line(str(index.data() or ""))
        font = option.font if own is None else own.resolve(option.font)
        shown = elided(text, font, option.rect.width() - 2 * PADDING)
        return whole_tooltip(text, shown, str(index.data(_TOOLTIP) or ""))


_INSET = PADDING - 3
"""What is left of the padding beside the margin that Qt's own delegate keeps."""


class WrappedDelegate(QStyledItemDelegate):
    """Paints text in as many lines as it needs; the rows of its view follow their contents."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        option.rect = option.rect.adjusted(_INSET, 0, -_INSET, 0)
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 2 * _INSET, hint.height() + PADDING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        state = QStyle.StateFlag
        selected = bool(option.state & state.State_Selected)
        painter.save()
        paint_ground(painter, option.rect, theme_in_force(), selected=selected)
        painter.restore()
        option.rect = option.rect.adjusted(_INSET, 0, -_INSET, 0)
        # The ground says what is selected.
        option.state &= ~(state.State_Selected | state.State_HasFocus | state.State_MouseOver)
        super().paint(painter, option, index)


def paint_ground(painter: QPainter, rect: QRect, theme: Theme, *, selected: bool) -> None:
    """Fills a cell as its row is selected or not, with the hairline that parts it from the next."""
    painter.fillRect(rect, QColor(theme.selection if selected else theme.surface))
    painter.setPen(QPen(QColor(theme.hairline), 1))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())


def paint_lines(
    painter: QPainter,
    room: QRect,
    *lines: tuple[str, QFont, str],
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """Paints literal lines below each other in the middle of a room, elided at its right end.

    Args:
        painter: The painter; its pen and font are changed.
        room: Where they stand.
        lines: Text, font and colour of each.
        align: At which side they stand.
    """
    heights = [QFontMetrics(font).height() for _, font, _ in lines]
    top = room.top() + (room.height() - sum(heights)) // 2
    for (text, font, colour), height in zip(lines, heights, strict=True):
        painter.setFont(font)
        painter.setPen(QColor(colour))
        line = QRect(room.left(), top, room.width(), height)
        painter.drawText(line, int(align) | _ONE_LINE, elided(text, font, room.width()))
        top += height


class CopyTable(QAction):
    """Puts the whole table, with its heads, on the clipboard as a spreadsheet takes it.

    Args:
        model: What is copied.
        view: The view that shows it; the action is in its context menu.
    """

    def __init__(self, model: RowModel[Any], view: QAbstractItemView) -> None:
        super().__init__(view)
        self._model = model
        self.setText(self.tr("&Copy table"))
        self.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
        self.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.triggered.connect(lambda _checked=False: self.copy())
        view.addAction(self)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    def copy(self) -> None:
        """Puts the table on the clipboard."""
        QGuiApplication.clipboard().setText(self._model.table().tab_separated())


class PlainHeader(QHeaderView):
    """Heads of columns that end in "…" where they have no room.

    Qt's own elision leaves the padding of the style sheet out: it cuts a letter, and of a head
    that stands at the right the first one.

    Args:
        view: The table.
    """

    def __init__(self, view: QTableView) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)

    def shown(self, section: int) -> str:
        """As much of a head as there is room for."""
        text = str(self.model().headerData(section, self.orientation()) or "")
        return elided(text, bold_font(self.font()), self.sectionSize(section) - 2 * PADDING)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        option.text = self.shown(section)


_SEEN = 40
"""Rows whose texts set the width of a column, as many as a window shows at once."""
_MOST = 0.34
"""Part of the table that one column may take: what is longer is elided."""


class TableView(QTableView):
    """What the tables of the window share: rows of equal height, no grid, heads that elide.

    Columns are as wide as their texts and scroll; `stretch` gives one the width that is left.

    Args:
        model: What is shown.
        name: Accessible name.
        row_height: Height of a row in pixels.
    """

    _stretched: tuple[int, int] | None = None

    def __init__(
        self,
        model: QAbstractItemModel,
        name: str,
        *,
        row_height: int = 30,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setHorizontalHeader(PlainHeader(self))
        # The style draws a frame where both scroll bars meet; an empty widget draws nothing.
        self.setCornerWidget(QWidget(self))
        self.setModel(model)
        self.setItemDelegate(PaddedDelegate(self))
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        # Tab leaves the table; the arrows move inside.
        self.setTabKeyNavigation(False)
        rows = self.verticalHeader()
        rows.hide()
        # Fixed: to measure the rows of a wide survey would cost more than to paint them.
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(row_height)
        self._prepare()

    def stretch(self, column: int, least: int = 120) -> None:
        """Gives a column the width that the others leave, which have that of their texts.

        Args:
            column: The column.
            least: Its least width in pixels; a narrower table scrolls.
        """
        self._stretched = column, least
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        heads.setResizeContentsPrecision(_SEEN)
        # Qt's own stretched section has no least width of its own.
        heads.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        heads.sectionResized.connect(self._follow)
        self._stretch()

    def sizeHintForColumn(self, column: int) -> int:
        hint = super().sizeHintForColumn(column)
        return hint if self._stretched is None else min(hint, int(_MOST * self.viewport().width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stretch()

    def _follow(self, resized: int) -> None:
        if self._stretched is not None and resized != self._stretched[0]:
            self._stretch()

    def _stretch(self) -> None:
        heads = self.horizontalHeader()
        if self._stretched is not None and self._stretched[0] < heads.count():
            column, least = self._stretched
            others = heads.length() - heads.sectionSize(column)
            heads.resizeSection(column, max(self.viewport().width() - others, least))

    def _prepare(self) -> None:
        """Adds what a kind of table has of its own."""


class ReadTable(TableView):
    """A table to read, over a `RowModel`: one row can be selected, and the whole be copied."""

    def _prepare(self) -> None:
        self.copy_table = CopyTable(cast("RowModel[Any]", self.model()), self)

    def wrap(self) -> None:
        """Breaks texts that are wider than their column into lines, in rows as high as these."""
        self.setItemDelegate(WrappedDelegate(self))
        self.setWordWrap(True)
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(rows.defaultSectionSize())
        rows.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)


_ROWS_HINTED = 4


class PlainTable(ReadTable):
    """A table to read whose first column takes the width that the others leave."""

    def _prepare(self) -> None:
        super()._prepare()
        self.stretch(0, 80)

    def sizeHint(self) -> QSize:
        rows = self.verticalHeader().defaultSectionSize() * _ROWS_HINTED
        height = self.horizontalHeader().sizeHint().height() + rows
        return QSize(super().sizeHint().width(), height)
