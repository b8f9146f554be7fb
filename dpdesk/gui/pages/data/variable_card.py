"""The left card: a table of the plan's columns, the open decisions, and actions for all columns."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
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
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.gui.widgets.read_table import TableView, paint_ground
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import ColumnPlan, Plan

COLUMN, KIND, DOMAIN, MISSING, ROLE = range(5)

DetailRole = int(Qt.ItemDataRole.UserRole)
"""The second line of a cell."""
SignRole = DetailRole + 1
"""The sign of the second line: "warning", "success" or ""."""


class VariableModel(RowModel[ColumnPlan]):
    """One row per column of the plan; read only, edits go through the editor beside it."""

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan; if only some rows changed, only those are drawn again."""
        old, new = self.rows, plan.columns
        if [column.name for column in old] != [column.name for column in new]:
            self.show_rows(new)
            return
        self.rows = new
        for row, (before, after) in enumerate(zip(old, new, strict=True)):
            if before is not after:
                self.announce(row, row)

    def row_of(self, name: str) -> int:
        """The row of a column; -1 if there is none of this name."""
        names = (row for row, column in enumerate(self.rows) if column.name == name)
        return next(names, -1)

    def text(self, row: ColumnPlan, column: int) -> str:
        """The first line of a cell."""
        return _first_line(row, column)

    def tooltip(self, row: ColumnPlan, column: int) -> str:
        """Both lines."""
        return "\n".join(self._lines(row, column))

    def spoken(self, row: ColumnPlan, column: int) -> str:
        """Both lines."""
        return ", ".join(self._lines(row, column))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The two lines of a cell, its sign, and its accessible text."""
        if role == DetailRole:
            return self._second_line(self.row(index.row()), index.column())
        if role == SignRole:
            return _sign(self.row(index.row()), index.column())
        return super().data(index, role)

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Column")),
            Head(self.tr("Kind")),
            Head(self.tr("Domain")),
            Head(self.tr("Missing")),
            Head(self.tr("Role")),
        )

    def _lines(self, plan: ColumnPlan, place: int) -> list[str]:
        return [line for line in (_first_line(plan, place), self._second_line(plan, place)) if line]

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

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The height of two lines."""
        width = QFontMetrics(option.font).horizontalAdvance(str(index.data()))
        return QSize(width + 2 * _MARGIN, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
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
        plan = index.model().row(index.row())  # type: ignore[attr-defined]
        muted = plan.role == "drop"
        self._paint_lines(painter, option, index, theme.muted if muted else theme.text)
        painter.restore()

    def _paint_lines(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
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


class VariableView(TableView):
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
        self._model = VariableModel()
        super().__init__(self._model, self.tr("Columns"), row_height=ROW_HEIGHT, parent=parent)
        self._model.setParent(self)
        self.setItemDelegate(VariableDelegate(self))
        self.setAccessibleDescription(self.tr("Enter edits the chosen column."))
        self.setFrameShape(QFrame.Shape.NoFrame)
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
        name = self._model.row(row).name if current.isValid() else ""
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
            ActionButton(commands.add, parent=self),
            ActionButton(commands.part, parent=self),
            spacing=4,
            margins=(8, 2, 8, 0),
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
            counted(count, one, many)
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
