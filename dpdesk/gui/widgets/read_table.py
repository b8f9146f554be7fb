"""Tables to read: cells padded as their heads, rows of equal height, no grid, no editing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QCoreApplication,
    QEvent,
    QPointF,
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
    QPaintEvent,
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
    elided,
    elided_lines,
    line_count,
    literal,
    literal_line,
    plain_tooltip,
    whole_tooltip,
)
from dpdesk.gui.widgets.row_model import Index, RowModel
from dpdesk.gui.widgets.throttle import Throttle

PADDING = 8
"""The padding of a head in the style sheet."""

# A view paints dozens of cells while a slider moves: the roles are compared as numbers.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_FONT = int(Qt.ItemDataRole.FontRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_ONE_LINE = int(Qt.TextFlag.TextSingleLine)
_WRAPPED = int(Qt.TextFlag.TextWordWrap)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter) | _ONE_LINE


class PaddedDelegate(QStyledItemDelegate):
    """Paints literal text over a hairline, elided where it has no room.

    Attributes:
        lines: How many lines a cell may have; its table makes a row as high as they need.
    """

    lines = 1

    def shown(self, text: str, font: QFont, width: int) -> str:
        """As much of a text as there is room for, in one line or in several."""
        one = elided(text, font, width)
        return (
            one
            if self.lines == 1 or one == literal_line(text)
            else elided_lines(text, font, width, self.lines)
        )

    def lines_of(self, text: str, font: QFont, width: int) -> int:
        """How many lines a text takes."""
        is_short = self.lines == 1 or QFontMetrics(font).horizontalAdvance(literal(text)) <= width
        return 1 if is_short else line_count(text, font, width, self.lines)

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
        shown = self.shown(text, font, room.width())
        alignment = data(index, _ALIGNMENT)
        flags = _LEFT if alignment is None else int(alignment) | _ONE_LINE
        if self.lines > 1:
            flags = flags & ~_ONE_LINE | _WRAPPED
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
        shown = self.shown(text, font, option.rect.width() - 2 * PADDING)
        return whole_tooltip(text, shown, str(index.data(_TOOLTIP) or ""))


def paint_ground(painter: QPainter, rect: QRect, theme: Theme, *, selected: bool) -> None:
    """Fills a cell as its row is selected or not, with the hairline that parts it from the next."""
    painter.fillRect(rect, QColor(theme.selection if selected else theme.surface))
    painter.setPen(QPen(QColor(theme.hairline), 1))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())


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
    """Heads of columns that end in "…" where they have no room, and then tell the whole.

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
        font = QFont(self.font())
        font.setBold(True)
        return elided(text, font, self.sectionSize(section) - 2 * PADDING)

    def tooltip(self, section: int) -> str:
        """The whole head where it is cut, then what it means."""
        told = self.model().headerData(
            section, self.orientation(), int(Qt.ItemDataRole.ToolTipRole)
        )
        text = str(self.model().headerData(section, self.orientation()) or "")
        return whole_tooltip(text, self.shown(section), str(told or ""))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        option.text = self.shown(section)

    def viewportEvent(self, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        section = self.logicalIndexAt(event.pos())
        QToolTip.showText(event.globalPos(), self.tooltip(section) if section >= 0 else "", self)
        return True


_MARK_WIDTH, _DOT = 4, 2.0
"""Within the padding of the last head, as far from its letters as there is room."""


class _LeftOutMark(QWidget):
    """Three dots at the end of the heads: columns for which there is no room."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme_in_force().muted))
        middle = QPointF(self.width() / 2, self.height() / 2)
        for step in (-2.5, 0.0, 2.5):
            painter.drawEllipse(middle + QPointF(0, step * _DOT), _DOT / 2, _DOT / 2)


class TableView(QTableView):
    """What the tables of the window share: rows of equal height, no grid, heads that elide.

    Args:
        model: What is shown.
        name: Accessible name.
        row_height: Height of a row in pixels.

    Attributes:
        left_out: The mark of columns that have no room, at the end of the heads.
    """

    def __init__(
        self,
        model: QAbstractItemModel,
        name: str,
        *,
        row_height: int = 30,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        # On the table, since some have heads of their own.
        self.left_out = _LeftOutMark(self)
        self.left_out.hide()
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

    def leave_out(self, columns: Collection[int], of: Iterable[int] = ()) -> None:
        """Hides columns for which there is no room, and says so at the end of the heads.

        Args:
            columns: The columns.
            of: Those that give way at all; the others of them are shown.
        """
        for column in (*of, *columns):
            self.setColumnHidden(column, column in columns)
        heads = (self.model().headerData(c, Qt.Orientation.Horizontal) for c in columns)
        names = [str(head or "") for head in heads]
        told = QCoreApplication.translate("TableView", "No room here for: {names}.")
        wider = QCoreApplication.translate("TableView", "A wider window shows them.")
        words = f"{told.format(names=', '.join(names))} {wider}"
        self.left_out.setToolTip(plain_tooltip(words) if names else "")
        self.left_out.setAccessibleName(words if names else "")
        self.left_out.setVisible(bool(names))
        self._place_mark()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self._place_mark()

    def _place_mark(self) -> None:
        heads = self.horizontalHeader().geometry()
        left = heads.right() + 1 - _MARK_WIDTH
        self.left_out.setGeometry(left, heads.top(), _MARK_WIDTH, heads.height())
        self.left_out.raise_()

    def _prepare(self) -> None:
        """Adds what a kind of table has of its own."""


_MEASURED = 300
"""Rows that are measured where texts break into lines; those behind them have one line."""


class ReadTable(TableView):
    """A table to read, over a `RowModel`: one row can be selected, and the whole be copied."""

    def _prepare(self) -> None:
        self.copy_table = CopyTable(cast("RowModel[Any]", self.model()), self)

    def break_lines(self, most: int) -> None:
        """Breaks texts that are wider than their column into lines, in rows as high as these.

        Args:
            most: How many lines a cell may have.
        """
        delegate = PaddedDelegate(self)
        delegate.lines = most
        self.setItemDelegate(delegate)
        fit = partial(self._fit_rows, delegate, self.verticalHeader().defaultSectionSize())
        self.horizontalHeader().sectionResized.connect(lambda *_: fit())
        self.model().modelReset.connect(fit)
        # While a slider moves, the rows are announced one by one at every step.
        fitting = Throttle(fit, self)
        self.model().dataChanged.connect(lambda *_: fitting.request())

    def _fit_rows(self, delegate: PaddedDelegate, height: int) -> None:
        heads, rows, model = self.horizontalHeader(), self.verticalHeader(), self.model()
        spacing = self.fontMetrics().lineSpacing()
        shown = (i for i in range(heads.count()) if not heads.isSectionHidden(i))
        widths = {i: heads.sectionSize(i) - 2 * PADDING for i in shown}
        for row in range(min(model.rowCount(), _MEASURED)):
            lines = 1
            for column, width in widths.items():
                index = model.index(row, column)
                own, text = index.data(_FONT), str(index.data() or "")
                font = self.font() if own is None else own.resolve(self.font())
                lines = max(lines, delegate.lines_of(text, font, width))
            wanted = height + (lines - 1) * spacing
            if rows.sectionSize(row) != wanted:
                rows.resizeSection(row, wanted)


_ROWS_HINTED = 4
_SEEN = 40
"""Rows of a hidden table that set its widths, as many as a window shows at once."""
_LEAST_FIRST = 0.22
"""Part of the table up to which the first column is as wide as its texts, with or without room."""
_MOST = 0.45
"""Part of the table that one column may take: what is longer is elided."""


class PlainTable(ReadTable):
    """A table to read whose first column takes the width that the others leave.

    The others take the width of their texts; a table wider than its view scrolls, unless some of
    its columns give way.
    """

    _give_way: tuple[int, ...] = ()
    _is_fitting = False
    _heads: dict[int, int]

    def let_give_way(self, *columns: int) -> None:
        """Says which columns are left out, the first ones first, where not all have room."""
        self._give_way = columns
        self._fit_first()

    def _prepare(self) -> None:
        self._heads = {}
        super()._prepare()
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        # Of a thousand rows the visible ones set the width.
        heads.setResizeContentsPrecision(0)
        # Qt's own stretched section keeps the width it has when the others leave it none.
        heads.geometriesChanged.connect(self._fit_first)
        heads.sectionResized.connect(self._follow)
        self.model().modelReset.connect(self._fit_first)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_first()

    def sizeHintForColumn(self, column: int) -> int:
        most = int(_MOST * self.viewport().width())
        if self.isVisible():
            return min(super().sizeHintForColumn(column), most)
        # Qt would measure every row of a table that is hidden.
        option, model = QStyleOptionViewItem(), self.model()
        self.initViewItemOption(option)
        cells = (model.index(row, column) for row in range(min(model.rowCount(), _SEEN)))
        hints = (self.itemDelegate().sizeHint(option, cell).width() for cell in cells)
        return min(max(hints, default=0), most)

    def sizeHint(self) -> QSize:
        rows = self.verticalHeader().defaultSectionSize() * _ROWS_HINTED
        height = self.horizontalHeader().sizeHint().height() + rows
        return QSize(super().sizeHint().width(), height)

    def _follow(self, section: int) -> None:
        if section:
            self._fit_first()

    def _fit_first(self) -> None:
        heads = self.horizontalHeader()
        # A column that is hidden or shown meanwhile tells of its width, in the middle of the work.
        if self._is_fitting or not heads.count():
            return
        self._is_fitting = True
        try:
            self._fit(heads)
        finally:
            self._is_fitting = False

    def _fit(self, heads: QHeaderView) -> None:
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        room = self.viewport().width()
        # A head that was hidden may have become wider, which shows once it is there.
        for _ in self._give_way:
            if not self._leave_out_for(room):
                break
        others = heads.length() - heads.sectionSize(0)
        texts = min(self.sizeHintForColumn(0), int(_LEAST_FIRST * room))
        width = max(room - others, texts, heads.sectionSizeHint(0))
        if width != heads.sectionSize(0):
            heads.resizeSection(0, width)

    def _leave_out_for(self, room: int) -> bool:
        """Hides and shows columns so that the others fit; returns whether it changed one."""
        left_out = list[int]()
        widths = [self._wanted(column) for column in range(self.horizontalHeader().count())]
        for column in self._give_way:
            if sum(widths) <= room:
                break
            left_out.append(column)
            widths[column] = 0
        if left_out == [column for column in self._give_way if self.isColumnHidden(column)]:
            return False
        self.leave_out(left_out, self._give_way)
        return True

    def _wanted(self, column: int) -> int:
        """Room for the texts of a column and its head, also of one that is hidden."""
        # Of a hidden section Qt gives no hint.
        if not self.isColumnHidden(column):
            self._heads[column] = self.horizontalHeader().sectionSizeHint(column)
        return max(self.sizeHintForColumn(column), self._heads.get(column, 0))
