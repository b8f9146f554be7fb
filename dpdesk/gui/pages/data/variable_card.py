"""The left card: a table of the plan's columns, the open decisions, and actions for all columns."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dpdesk.gui.actions import ActionButton, ActionIcon
from dpdesk.gui.icons import icon_image
from dpdesk.gui.pages.data.column_words import (
    domain_words,
    kind_word,
    missing_words,
    origin_words,
    role_word,
)
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.read_table import PlainHeader, paint_ground
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import ColumnPlan, Plan

COLUMN, KIND, DOMAIN, MISSING, ROLE = range(5)

DetailRole = int(Qt.ItemDataRole.UserRole)
"""The second line of a cell."""
SignRole = DetailRole + 1
"""The sign of the second line: "warning", "success" or ""."""

_Index = QModelIndex | QPersistentModelIndex


class VariableModel(QAbstractTableModel):
    """One row per column of the plan; read only, edits go through the editor beside it.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[ColumnPlan, ...] = ()

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan; if only some rows changed, only those are drawn again."""
        old, new = self._columns, plan.columns
        if [column.name for column in old] != [column.name for column in new]:
            self.beginResetModel()
            self._columns = new
            self.endResetModel()
            return
        self._columns = new
        for row, (before, after) in enumerate(zip(old, new, strict=True)):
            if before is not after:
                self.dataChanged.emit(self.index(row, 0), self.index(row, ROLE))

    def column_plan(self, row: int) -> ColumnPlan:
        """The column of the plan in a row."""
        return self._columns[row]

    def row_of(self, name: str) -> int:
        """The row of a column; -1 if there is none of this name."""
        names = (row for row, column in enumerate(self._columns) if column.name == name)
        return next(names, -1)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Number of columns of the plan."""
        return 0 if parent.isValid() else len(self._columns)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Number of properties shown."""
        return 0 if parent.isValid() else ROLE + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The headers."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            words = (
                self.tr("Column"),
                self.tr("Kind"),
                self.tr("Domain"),
                self.tr("Missing"),
                self.tr("Role"),
            )
            return words[section]
        if orientation == Qt.Orientation.Horizontal and (role == Qt.ItemDataRole.TextAlignmentRole):
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The two lines of a cell, its sign, and its accessible text."""
        if not index.isValid() or index.row() >= len(self._columns):
            return None
        plan, place = self._columns[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _first_line(plan, place)
        if role == DetailRole:
            return self._second_line(plan, place)
        if role == SignRole:
            return _sign(plan, place)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            lines = (_first_line(plan, place), self._second_line(plan, place))
            return ", ".join(line for line in lines if line)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = (_first_line(plan, place), self._second_line(plan, place))
            return plain_tooltip("\n".join(line for line in lines if line))
        return None

    def _second_line(self, plan: ColumnPlan, place: int) -> str:
        if place == COLUMN:
            return plan.label
        if place == DOMAIN:
            return origin_words(plan)
        if place == ROLE and plan.role == "keep":
            return self.tr("confirmed") if plan.keep_confirmed else self.tr("to confirm")
        if place == ROLE and plan.role == "unassigned":
            return self.tr("choose one")
        return ""


def _first_line(plan: ColumnPlan, place: int) -> str:
    if place == COLUMN:
        return plan.name
    if place == KIND:
        return kind_word(plan.kind)
    if place == DOMAIN:
        return domain_words(plan)
    return missing_words(plan) if place == MISSING else role_word(plan.role)


def _sign(plan: ColumnPlan, place: int) -> str:
    if place == DOMAIN and plan.domain is not None and plan.role != "drop":
        return "success" if plan.confirmed else "warning"
    if place == ROLE and plan.role == "unassigned":
        return "warning"
    if place == ROLE and plan.role == "keep":
        return "success" if plan.keep_confirmed else "warning"
    return ""


ROW_HEIGHT = 50
_MARGIN = 8
_SIGN_EDGE = 14
_CAPTION = 0.85
_SIGNS = {"warning": "alert", "success": "check-circle"}


class VariableDelegate(QStyledItemDelegate):
    """Paints literal text only; rows are separated by hairlines.

    Args:
        parent: Qt's owner.
    """

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """The height of two lines."""
        width = QFontMetrics(option.font).horizontalAdvance(str(index.data()))
        return QSize(width + 2 * _MARGIN, ROW_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paints one cell."""
        theme = theme_in_force()
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_ground(painter, option.rect, theme, selected=chosen)
        if option.state & QStyle.StateFlag.State_HasFocus and index.column() == COLUMN:
            painter.fillRect(
                QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                QColor(theme.accent),
            )
        plan = index.model().column_plan(index.row())  # type: ignore[attr-defined]
        muted = plan.role == "drop"
        self._paint_lines(painter, option, index, theme.muted if muted else theme.text)
        painter.restore()

    def _paint_lines(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
        colour: str,
    ) -> None:
        theme = theme_in_force()
        detail, sign = str(index.data(DetailRole) or ""), str(index.data(SignRole) or "")
        place = option.rect.adjusted(_MARGIN, 0, -_MARGIN, 0)
        font = QFont(option.font)
        font.setBold(index.column() == COLUMN)
        small = QFont(option.font)
        small.setPointSizeF(option.font.pointSizeF() * _CAPTION)
        first = place
        if detail:
            middle = place.center().y() + 1
            first = QRect(place.left(), middle - 19, place.width(), 19)
            second = QRect(place.left(), middle, place.width(), 17)
            if sign:
                self._paint_sign(painter, second, sign, muted=False)
                second = second.adjusted(_SIGN_EDGE + 4, 0, 0, 0)
            painter.setFont(small)
            painter.setPen(QColor(theme.warning if sign == "warning" else theme.muted))
            _draw(painter, second, detail)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        _draw(painter, first, str(index.data() or ""))

    def _paint_sign(self, painter: QPainter, place: QRect, sign: str, *, muted: bool) -> None:
        theme = theme_in_force()
        ratio = painter.device().devicePixelRatioF()
        colour = theme.muted if muted else theme.colour(sign)
        image = icon_image(_SIGNS[sign], colour, round(_SIGN_EDGE * ratio))
        top = place.top() + (place.height() - _SIGN_EDGE) // 2
        painter.drawImage(QRect(place.left(), top, _SIGN_EDGE, _SIGN_EDGE), image)


def _draw(painter: QPainter, place: QRect, text: str) -> None:
    one_line = " ".join(text.split("\n"))
    shown = painter.fontMetrics().elidedText(
        one_line, Qt.TextElideMode.ElideRight, max(place.width(), 0)
    )
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


_FIELDS = {COLUMN: "label", KIND: "kind", DOMAIN: "domain", MISSING: "missing", ROLE: "role"}
_WIDTHS = {KIND: 80, DOMAIN: 206, MISSING: 90, ROLE: 112}
_NARROW = 600


class VariableView(QTableView):
    """The table of columns; chooses the column to edit.

    Args:
        parent: Qt's owner.

    Attributes:
        chosen: Emitted with the name of the chosen column; "" for none.
        editAsked: Emitted with the field to edit, on Enter, F2 or a double click.
    """

    chosen = Signal(str)
    editAsked = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = VariableModel(self)
        self.setHorizontalHeader(PlainHeader(self))
        self.setModel(self._model)
        self.setItemDelegate(VariableDelegate(self))
        self.setAccessibleName(self.tr("Columns"))
        self.setAccessibleDescription(self.tr("Enter edits the chosen column."))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows = self.verticalHeader()
        rows.setVisible(False)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        columns = self.horizontalHeader()
        columns.setMinimumSectionSize(70)
        columns.setSectionResizeMode(COLUMN, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.setColumnWidth(column, width)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self._model.modelReset.connect(self._keep)
        self.doubleClicked.connect(self._ask)
        self._name = ""
        self._row = 0

    def variables(self) -> VariableModel:
        """The model."""
        return self._model

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan; the chosen column stays chosen if it still exists."""
        self._model.set_plan(plan)

    def name(self) -> str:
        """The name of the chosen column; "" for none."""
        return self._name

    def choose(self, name: str) -> bool:
        """Chooses a column; returns whether there is one of this name."""
        row = self._model.row_of(name)
        if row < 0:
            return False
        if row != self.currentIndex().row():
            self.setCurrentIndex(self._model.index(row, max(self.currentIndex().column(), 0)))
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and F2 go to the editor."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self._ask(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: object) -> None:
        """Hides columns that the editor shows too, if there is no room."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        for column in (KIND, MISSING):
            self.setColumnHidden(column, self.width() < _NARROW)

    def _ask(self, index: QModelIndex) -> None:
        if index.isValid():
            self.editAsked.emit(_FIELDS[index.column()])

    def _tell(self, current: QModelIndex) -> None:
        row = current.row()
        name = self._model.column_plan(row).name if current.isValid() else ""
        self._row = max(row, 0)
        if name != self._name:
            self._name = name
            self.chosen.emit(name)

    def _keep(self) -> None:
        row = self._model.row_of(self._name)
        if row < 0:
            # Renamed or removed: choose the column at its position.
            row = min(self._row, self._model.rowCount() - 1)
        if row >= 0:
            self.setCurrentIndex(self._model.index(row, COLUMN))
        else:
            self._tell(QModelIndex())


class VariableCard(Card):
    """The columns of a plan with the actions for all of them.

    Args:
        commands: The actions of the page.
        parent: Qt's owner.
    """

    def __init__(self, commands: PageCommands, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=4, parent=parent)
        self.view = VariableView(parent=self)
        self._mark = SeverityMark(size=16, parent=self)
        self._state = PlainLabel("", "muted", wrap=True, parent=self)
        state = lay_row(
            (self._mark, 0, Qt.AlignmentFlag.AlignTop),
            (self._state, 1),
            spacing=6,
            margins=(8, 2, 8, 0),
        )
        buttons = lay_row(spacing=8, margins=(8, 2, 8, 6))
        self.confirm_button = ActionButton(commands.confirm_all, parent=self)
        buttons.addWidget(self.confirm_button)
        buttons.addWidget(ActionButton(commands.protect_all, parent=self))
        buttons.addWidget(ActionButton(commands.add_columns, parent=self))
        buttons.addStretch(1)
        # On separate rows: together they are wider than half of a small window.
        questions = lay_row(
            ActionButton(commands.add, parent=self), spacing=4, margins=(8, 2, 8, 0)
        )
        for action, icon_name in (
            (commands.remove, "delete"),
            (commands.move_up, "arrow-up"),
            (commands.move_down, "arrow-down"),
        ):
            questions.addWidget(ActionIcon(action, icon_name, parent=self))
        questions.addStretch(1)
        self.body.addWidget(self.view, 1)
        self.body.addLayout(questions)
        self.body.addLayout(state)
        self.body.addLayout(buttons)

    def state_text(self) -> str:
        """The open decisions, in words."""
        return self._state.text()

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan."""
        self.view.set_plan(plan)
        domains = sum(
            column.domain is not None and not column.confirmed and column.role != "drop"
            for column in plan.columns
        )
        roles = sum(column.role == "unassigned" for column in plan.columns)
        kept = sum(c.role == "keep" and not c.keep_confirmed for c in plan.columns)
        waiting = [
            (one if count == 1 else many).format(count=f"{count:,}")
            for count, one, many in (
                (domains, self.tr("1 domain to confirm"), self.tr("{count} domains to confirm")),
                (roles, self.tr("1 column unassigned"), self.tr("{count} columns unassigned")),
                (
                    kept,
                    self.tr("1 kept column to confirm"),
                    self.tr("{count} kept columns to confirm"),
                ),
            )
            if count
        ]
        if plan.reading is not None and not plan.reading_confirmed:
            waiting.append(self.tr("the reading of the file to confirm"))
        self._mark.set_severity("warning" if waiting else "success")
        done = self.tr("Every domain is confirmed and every column has a role.")
        self._state.setText(" · ".join(waiting) if waiting else done)
        for widget in (self._mark, self._state):
            widget.setVisible(bool(plan.columns))
