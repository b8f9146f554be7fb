"""The table of the plan's columns: what each is, and what was answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from PySide6.QtCore import (
    QItemSelectionModel,
    QModelIndex,
    QObject,
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
    QWidget,
)

from dpdesk.gui.answers_watch import AnswersWatch
from dpdesk.gui.icons import icon_image
from dpdesk.gui.pages.data.answers_picture import (
    answers_words,
    different_words,
    paint_answers,
)
from dpdesk.gui.pages.data.column_words import (
    domain_words,
    kept_word,
    kind_word,
    missing_words,
    open_words,
    origin_words,
)
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.plain_text import caption_font, elided
from dpdesk.gui.widgets.read_table import TableView, paint_ground
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.given_answers import GivenAnswers
from dpdesk.plan.open_question import OpenQuestion

COLUMN, ANSWERS, KIND, DOMAIN, MISSING, ROLE = range(6)

DetailRole = int(Qt.ItemDataRole.UserRole)
"""The second line of a cell."""
SignRole = DetailRole + 1
"""The sign of the second line: "warning", "success" or ""."""
AskedRole = SignRole + 1
"""Whether something is to be decided about the answers of the column, at its name."""


class VariableModel(RowModel[ColumnPlan]):
    """One row per column of the plan; read only, edits go through the editor beside it.

    Args:
        answers: The counted answers of the columns; None without data.
    """

    def __init__(self, answers: AnswersWatch | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = answers

    def given(self, column: ColumnPlan) -> GivenAnswers | None:
        """The counted answers of a column; None while they are not known."""
        return None if self._answers is None else self._answers.of(column)

    def open_of(self, column: ColumnPlan) -> tuple[OpenQuestion, ...]:
        """What is to be decided about the answers of a column, as far as it is known."""
        return () if self._answers is None else self._answers.open_of(column)

    def asked(self) -> tuple[str, ...]:
        """The names of the columns about whose answers something is to be decided."""
        return tuple(column.name for column in self.rows if self.open_of(column))

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
        if column != ANSWERS:
            return _first_line(row, column)
        given = self.given(row)
        return "" if given is None or given.labels else f"{given.distinct:,}"

    def holds(self, row: ColumnPlan, words: Sequence[str]) -> bool:
        """Whether every word stands in one of the lines of a row, whatever its case."""
        if not words:
            return True
        places = (COLUMN, KIND, DOMAIN, MISSING, ROLE)
        said = "\n".join(line for place in places for line in self._lines(row, place)).casefold()
        return all(word in said for word in words)

    def tell_answers(self) -> None:
        """Has the pictures of the answers drawn again, and what is to be decided about them."""
        if self.rows:
            self.announce(0, len(self.rows) - 1)

    def tooltip(self, row: ColumnPlan, column: int) -> str:
        return "\n".join((*self._lines(row, column), *self._asked(row, column)))

    def spoken(self, row: ColumnPlan, column: int) -> str:
        return ", ".join((*self._lines(row, column), *self._asked(row, column)))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == DetailRole:
            return self._second_line(self.row(index.row()), index.column())
        if role == SignRole:
            return self._sign(self.row(index.row()), index.column())
        if role == AskedRole:
            return index.column() == COLUMN and bool(self.open_of(self.row(index.row())))
        return super().data(index, role)

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Column")),
            Head(
                self.tr("Answers"),
                self.tr(
                    "What was answered: true counts, shown here only. A dotted bar is missing "
                    "answers, an orange one is answers outside the domain."
                ),
            ),
            Head(self.tr("Kind")),
            Head(self.tr("Domain")),
            Head(self.tr("Missing")),
            Head(self.tr("Role")),
        )

    def _lines(self, plan: ColumnPlan, place: int) -> list[str]:
        if place == ANSWERS:
            given = self.given(plan)
            return [] if given is None else answers_words(given).splitlines()
        return [line for line in (_first_line(plan, place), self._second_line(plan, place)) if line]

    def _asked(self, plan: ColumnPlan, place: int) -> list[str]:
        found = self.open_of(plan)
        asked_here = place == COLUMN or self._is_asked_at(plan, place)
        return [open_words(found[0])] if found and asked_here else []

    def _is_asked_at(self, plan: ColumnPlan, place: int) -> bool:
        """Whether a question is open about the part of the plan that a cell shows."""
        part = {MISSING: "missing", DOMAIN: "domain"}.get(place)
        return any(question.place == part for question in self.open_of(plan))

    def _sign(self, plan: ColumnPlan, place: int) -> str:
        # The view leaves the column of missing answers out.
        if self._is_asked_at(plan, MISSING if place == COLUMN else place):
            return "warning"
        return "" if place == MISSING else _sign(plan, place)

    def _second_line(self, plan: ColumnPlan, place: int) -> str:
        if place == COLUMN:
            asked = self._is_asked_at(plan, MISSING)
            return self.tr("missing answers to decide") if asked else plan.label
        if self._is_asked_at(plan, place):
            return self.tr("to decide")
        if place == DOMAIN:
            return origin_words(plan)
        if place == ANSWERS:
            given = self.given(plan)
            return "" if given is None or given.labels else different_words(given)
        if place == ROLE and plan.role == "keep":
            return self.tr("confirmed") if plan.keep_confirmed else self.tr("to confirm")
        if place == ROLE and plan.role == "unassigned":
            return self.tr("choose one")
        return ""


def _first_line(plan: ColumnPlan, place: int) -> str:
    if place == COLUMN:
        return plan.name
    if place == ANSWERS:
        return ""
    if place == KIND:
        return kind_word(plan.kind)
    if place == DOMAIN:
        return domain_words(plan)
    return missing_words(plan) if place == MISSING else kept_word(plan)


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
_SIGNS = {
    "warning": ("alert", "warning"),
    "success": ("check-circle", "success"),
    "asked": ("help-circle", "warning"),
}


class VariableDelegate(QStyledItemDelegate):
    """Paints literal text only; rows are separated by hairlines."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        width = QFontMetrics(option.font).horizontalAdvance(str(index.data()))
        return QSize(width + 2 * _MARGIN, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = theme_in_force()
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_ground(painter, option.rect, theme, selected=chosen)
        if option.state & QStyle.StateFlag.State_HasFocus and index.column() == COLUMN:
            painter.fillRect(
                QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                QColor(theme.accent),
            )
        model = cast("VariableModel", index.model())
        plan = model.row(index.row())
        if index.column() == ANSWERS:
            given = model.given(plan)
            if given is not None and not given.labels:
                self._paint_lines(painter, option, index, theme.muted)
            elif given is not None:
                place = option.rect.adjusted(_MARGIN, 9, -_MARGIN, -9)
                paint_answers(painter, place, given, theme)
        else:
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
        if index.data(AskedRole):
            spot = QRect(place.right() - _SIGN_EDGE + 1, place.top(), _SIGN_EDGE, place.height())
            self._paint_sign(painter, spot, "asked")
            place.setRight(spot.left() - 6)
        font = QFont(option.font)
        font.setBold(index.column() == COLUMN)
        small = caption_font(option.font)
        first = place
        if detail:
            middle = place.center().y() + 1
            first = QRect(place.left(), middle - 19, place.width(), 19)
            second = QRect(place.left(), middle, place.width(), 17)
            if sign:
                self._paint_sign(painter, second, sign)
                second = second.adjusted(_SIGN_EDGE + 4, 0, 0, 0)
            painter.setFont(small)
            painter.setPen(QColor(theme.warning if sign == "warning" else theme.muted))
            if index.column() == DOMAIN and sign == "warning":
                # Where the domain is from is told by the tooltip.
                detail = self.tr("to confirm")
            _draw(painter, second, detail)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        _draw(painter, first, str(index.data() or ""))

    def _paint_sign(self, painter: QPainter, place: QRect, sign: str) -> None:
        theme = theme_in_force()
        ratio = painter.device().devicePixelRatioF()
        name, colour = _SIGNS[sign]
        image = icon_image(name, theme.colour(colour), round(_SIGN_EDGE * ratio))
        top = place.top() + (place.height() - _SIGN_EDGE) // 2
        painter.drawImage(QRect(place.left(), top, _SIGN_EDGE, _SIGN_EDGE), image)


def _draw(painter: QPainter, place: QRect, text: str) -> None:
    shown = elided(text, painter.font(), place.width())
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


_FIELDS = {
    COLUMN: "label",
    ANSWERS: "domain",
    KIND: "kind",
    DOMAIN: "domain",
    MISSING: "missing",
    ROLE: "role",
}
_WIDTHS = {ANSWERS: 84, DOMAIN: 140, ROLE: 106}


class VariableView(TableView):
    """The table of columns; chooses the column to edit, or several of them.

    Args:
        answers: The counted answers of the columns; None without data.

    Attributes:
        chosen: Emitted with the name of the chosen column; "" for none.
        severalChosen: Emitted when other columns are chosen together.
        editAsked: Emitted with the field to edit, on Enter, F2 or a double click.
    """

    chosen = Signal(str)
    severalChosen = Signal()
    editAsked = Signal(str)

    def __init__(
        self, answers: AnswersWatch | None = None, *, parent: QWidget | None = None
    ) -> None:
        self._model = VariableModel(answers)
        super().__init__(self._model, self.tr("Columns"), row_height=ROW_HEIGHT, parent=parent)
        self._model.setParent(self)
        self.setItemDelegate(VariableDelegate(self))
        self.setAccessibleDescription(self.tr("Enter edits the chosen column."))
        self.setFrameShape(QFrame.Shape.NoFrame)
        columns = self.horizontalHeader()
        columns.setMinimumSectionSize(70)
        columns.setSectionResizeMode(COLUMN, QHeaderView.ResizeMode.Stretch)
        for column in (KIND, MISSING):
            self.setColumnHidden(column, True)
        for column, width in _WIDTHS.items():
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.setColumnWidth(column, width)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.selectionModel().currentRowChanged.connect(self._tell)
        self.selectionModel().selectionChanged.connect(lambda *_: self.severalChosen.emit())
        if answers is not None:
            answers.found.connect(self._model.tell_answers)
        self._words: tuple[str, ...] = ()
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
        if self._words:
            self.filter(self._words)

    def names(self) -> tuple[str, ...]:
        """The names of the chosen columns that are listed, in order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return tuple(self._model.row(row).name for row in rows if not self.isRowHidden(row))

    def filter(self, words: Sequence[str]) -> int:
        """Lists only the columns that hold every word; returns how many there are."""
        self._words = tuple(words)
        self.setUpdatesEnabled(False)
        listed = 0
        for row, column in enumerate(self._model.rows):
            fits = self._model.holds(column, self._words)
            listed += fits
            if self.isRowHidden(row) == fits:
                self.setRowHidden(row, not fits)
        self.setUpdatesEnabled(True)
        self.severalChosen.emit()
        return listed

    def name(self) -> str:
        """The name of the chosen column; "" for none."""
        return self._name

    def choose(self, name: str) -> bool:
        """Chooses a column; returns whether there is one of this name."""
        row = self._model.row_of(name)
        if row < 0:
            return False
        if row != self.currentIndex().row():
            self.go_to_row(row, max(self.currentIndex().column(), 0))
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self._ask(self.currentIndex())
        else:
            super().keyPressEvent(event)

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
            self.go_to_row(row)
        else:
            self._tell(QModelIndex())

    def go_to_row(self, row: int, column: int = COLUMN) -> None:
        """Chooses a row alone, whatever keys are held: a view would take Ctrl for one row more."""
        flag = QItemSelectionModel.SelectionFlag
        index = self._model.index(row, column)
        self.selectionModel().setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
