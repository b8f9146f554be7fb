"""Codes that may mean no answer, a row each: one tick decides for every column that has it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QPushButton, QStyledItemDelegate, QWidget

from dpdesk.data.missing_codes import TypedCodes, codes_text
from dpdesk.gui.reading_order import ReadDialog
from dpdesk.gui.widgets.boxes import STRETCH, Button, dialog_buttons, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import TableView
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.i18n import first_names
from dpdesk.plan.code_decisions import SuspectedCode

CODE, MEANING, COLUMNS, ANSWERS = range(4)
_CHECK = int(Qt.ItemDataRole.CheckStateRole)
_NAMED = 40


class CodesModel(RowModel[SuspectedCode]):
    """One row per code, with a tick.

    Attributes:
        ticked: Emitted when a tick changes.
    """

    ticked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._left: set[str] = set()

    def text(self, row: SuspectedCode, column: int) -> str:
        if column == CODE:
            return codes_text((row.code,))
        if column == MEANING:
            return " / ".join(row.labels)
        if column == COLUMNS:
            return f"{len(row.columns):,}: {first_names(row.columns, _NAMED)}"
        return f"{row.answers:,}"

    def tooltip(self, row: SuspectedCode, column: int) -> str:
        return self.text(row, column)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The codes that are ticked."""
        return tuple(row.code for row in self.rows if row.code not in self._left)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == _CHECK and index.column() == CODE:
            on = self.row(index.row()).code not in self._left
            return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != _CHECK or index.column() != CODE:
            return False
        self._left ^= {self.row(index.row()).code}
        self.announce(index.row(), index.row())
        self.ticked.emit()
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        ticks = index.column() == CODE
        own = Qt.ItemFlag.ItemIsUserCheckable if ticks else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | own

    def _make_heads(self) -> tuple[Head, ...]:
        return (
            Head(self.tr("Code")),
            Head(self.tr("Meaning")),
            Head(self.tr("Columns")),
            Head(self.tr("Answers"), number=True),
        )


class CodesDialog(ReadDialog):
    """Lists the codes that may mean no answer, and asks which of them do.

    Args:
        codes: The codes.
        parent: The window it belongs to.

    Attributes:
        decided: Emitted with the ticked codes, and whether they mean no answer.
    """

    decided = Signal(object, bool)

    def __init__(self, codes: tuple[SuspectedCode, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Codes of no answer"))
        self.codes = CodesModel()
        self.view = TableView(self.codes, self.tr("Codes that may mean no answer"), parent=self)
        self.codes.setParent(self.view)
        self.view.setItemDelegateForColumn(CODE, QStyledItemDelegate(self.view))
        heads = self.view.horizontalHeader()
        heads.setSectionResizeMode(COLUMNS, QHeaderView.ResizeMode.Stretch)
        self.view.setColumnWidth(MEANING, 180)
        self.mean_missing = QPushButton(self.tr("These mean no answe&r"), self)
        self.are_answers = QPushButton(self.tr("They are &answers"), self)
        self.mean_missing.clicked.connect(lambda _checked: self._decide(first=True))
        self.are_answers.clicked.connect(lambda _checked: self._decide(first=False))
        self.codes.ticked.connect(self._follow)
        words = self.tr("What is decided on a ticked code holds in every column of its row.")
        lay_column(
            PlainLabel(words, wrap=True, parent=self),
            (self.view, 1),
            lay_row(self.mean_missing, self.are_answers, STRETCH, spacing=8),
            dialog_buttons(self, kinds=Button.Close),
            spacing=10,
            on=self,
        )
        self.resize(720, 420)
        self.show_codes(codes)

    def show_codes(self, codes: tuple[SuspectedCode, ...]) -> None:
        """Shows the codes that are left to decide on; without any it closes."""
        self.codes.show_rows(codes)
        self._follow()
        if codes:
            self.view.setCurrentIndex(self.codes.index(0, CODE))
        else:
            self.accept()

    def _follow(self) -> None:
        for button in (self.mean_missing, self.are_answers):
            button.setEnabled(bool(self.codes.chosen))

    def _decide(self, *, first: bool) -> None:
        self.decided.emit(TypedCodes(self.codes.chosen), first)
