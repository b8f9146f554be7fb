"""Combinations of answers that no synthetic row may have: typed, listed and taken out."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from dpdesk.errors import ParameterError
from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.boxes import lay_column, lay_row
from dpdesk.gui.widgets.commit_line import CommitLine, RefusalLabel
from dpdesk.gui.widgets.read_table import PlainTable
from dpdesk.gui.widgets.row_model import Head, RowModel
from dpdesk.plan import Plan
from dpdesk.plan.impossible import declare_impossible
from dpdesk.plan.synthesis import Impossible
from dpdesk.plan.synthetic_columns import says_who_was_asked

_ROWS_SHOWN, _ROW = 3, 30


class ImpossibleModel(RowModel[tuple[str, Impossible | None]]):
    """One row per combination; those that follow from who was asked have nothing to take out."""

    def text(self, row: tuple[str, Impossible | None], column: int) -> str:
        return row[0]

    def show_plan(self, plan: Plan) -> None:
        """Shows what a plan declares, then what follows from who was asked."""
        asked = self.tr("{name}: an answer of somebody who was not asked (only where {condition})")
        rows: list[tuple[str, Impossible | None]] = [
            (one.description, one) for one in plan.synthesis.impossible
        ]
        rows += [
            (asked.format(name=column.name, condition=column.missing.asked.condition()), None)
            for column in plan.synthetic
            if column.missing.asked is not None and says_who_was_asked(plan, column)
        ]
        if tuple(rows) != self.rows:
            self.show_rows(rows)

    def _make_heads(self) -> tuple[Head, ...]:
        return (Head(self.tr("No synthetic row has")),)


class ImpossibleField(QWidget):
    """A line to type a combination in, over the list of those that are declared.

    Args:
        document: What is edited.

    Attributes:
        line: Where a combination is typed.
        table: The combinations.
        take_out: Takes the selected one out.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.line = CommitLine(self.tr("A combination of answers that cannot be"), parent=self)
        self.line.setWhatsThis(self.tr("Rows that hold it are not made up."))
        self.line.setPlaceholderText(
            self.tr("such as: age is at most 14 and status is married; Enter adds it")
        )
        label = QLabel(self.tr("Ca&nnot be"), self)
        label.setBuddy(self.line)
        self._model = ImpossibleModel(self)
        self.table = PlainTable(
            self._model, self.tr("Combinations that no synthetic row has"), parent=self
        )
        self.take_out = QPushButton(self.tr("Take &out"), self)
        IconBond(self.take_out, "minus", "text")
        self.take_out.clicked.connect(self._take_out)
        refusal = RefusalLabel(parent=self)
        row = lay_row(label, (self.line, 1), self.take_out, spacing=9)
        lay_column(row, refusal, self.table, spacing=5, on=self)
        self.line.refused.connect(refusal.show_sentence)
        self.line.committed.connect(self._add)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._take_out)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self._model.modelReset.connect(self._enable)

    def follow(self) -> None:
        """Shows what the document now says."""
        self._model.show_plan(self._document.plan)
        rows = len(self._model.rows)
        self.table.setVisible(rows > 0)
        self.take_out.setVisible(bool(self._document.plan.synthesis.impossible))
        height = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(height + _ROW * min(rows, _ROWS_SHOWN) + 4)
        self._enable()

    def _enable(self) -> None:
        self.take_out.setEnabled(self._selected() is not None)

    def _selected(self) -> Impossible | None:
        chosen = self.table.selectionModel().selectedRows()
        return self._model.row(chosen[0].row())[1] if chosen else None

    def _add(self, typed: str) -> None:
        if not typed.strip():
            self.line.set_value("")
            return
        try:
            changed = declare_impossible(self._document.plan, typed)
        except ParameterError as error:
            self.line.refuse(str(error))
            return
        self.line.set_value("")
        self._document.edit(self.tr("Declare what cannot be"), changed)

    def _take_out(self) -> None:
        chosen, plan = self._selected(), self._document.plan
        if chosen is None:
            return
        left = tuple(one for one in plan.synthesis.impossible if one != chosen)
        changed = plan.with_fields(synthesis=plan.synthesis.with_fields(impossible=left))
        self._document.edit(self.tr("Take out what cannot be"), changed)
