"""The mechanisms that fit an attribute, side by side, as a table model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from dpdesk.gui.strategy_words import tr_plan
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.mechanisms import Candidate, Mechanism
from dpdesk.preview import PreviewRequest, error_text, significant

Index = QModelIndex | QPersistentModelIndex

MECHANISM, ERROR, VAR_STAR, BITS, LOST = range(5)
COLUMN_COUNT = 5
_IN_FORCE = "✓ "
_NOWHERE = QModelIndex()


class ChoiceModel(QAbstractTableModel):
    """One row per mechanism, the best one first; the one in force is marked.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._candidates: tuple[Candidate, ...] = ()
        self._request: PreviewRequest | None = None

    def show_candidates(
        self, candidates: tuple[Candidate, ...], request: PreviewRequest | None
    ) -> None:
        """Shows other candidates; the rows stay where the mechanisms are the same ones."""
        kinds = [judged.mechanism.kind for judged in candidates]
        if kinds == [judged.mechanism.kind for judged in self._candidates]:
            self._candidates, self._request = candidates, request
            if candidates:
                last = self.index(len(candidates) - 1, COLUMN_COUNT - 1)
                self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._candidates, self._request = candidates, request
        self.endResetModel()

    def mechanism(self, row: int) -> Mechanism:
        """The mechanism of a row."""
        return self._candidates[row].mechanism

    def row_in_force(self) -> int:
        """The row of the mechanism in force; -1 if there is none."""
        if self._request is None:
            return -1
        return next((i for i in range(len(self._candidates)) if self._is_in_force(i)), -1)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row per mechanism that fits."""
        return 0 if parent.isValid() else len(self._candidates)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Mechanism, 95 % error, n Var*, bits and what is lost."""
        return 0 if parent.isValid() else COLUMN_COUNT

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell; the mechanism in force is bold and has a mark."""
        if not index.isValid() or self._request is None:
            return None
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            mark = _IN_FORCE if column == MECHANISM and self._is_in_force(row) else ""
            return mark + self._text(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = self._text(row, column)
            if column == MECHANISM and self._is_in_force(row):
                return self.tr("{mechanism}, in force").format(mechanism=text)
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._tooltip(row, column))
        if role == Qt.ItemDataRole.FontRole and self._is_in_force(row):
            font = QFont()
            font.setBold(True)
            return font
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The heads of the columns, with what they mean."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < COLUMN_COUNT:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            heads = (
                self.tr("Mechanism"),
                self.tr("95 % error"),
                self.tr("n Var*"),
                self.tr("Bits"),
                self.tr("Lost"),
            )
            return heads[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            meanings = (
                self.tr("Enter or a double click puts it in force."),
                self.tr("Noise and sampling, over the expected answers"),
                self.tr("Noise variance of a rare category, times the number of reports"),
                self.tr("Size of one report"),
                self.tr("Against reports that look like answers"),
            )
            return meanings[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def _text(self, row: int, column: int) -> str:
        assert self._request is not None  # noqa: S101 - rows come with a request
        judged = self._candidates[row]
        if column == MECHANISM:
            return judged.mechanism.short
        if column == ERROR:
            return error_text(judged.error_95(self._request.respondents), self._request.unit)
        if column == VAR_STAR:
            return significant(judged.noise_constant, 3)
        if column == BITS:
            return significant(judged.bits_sent, 2 if judged.bits_sent < 100 else 4)
        return " ".join(tr_plan(loss) for loss in judged.losses) or self.tr("nothing")

    def _tooltip(self, row: int, column: int) -> str:
        mechanism = self._candidates[row].mechanism
        if column == MECHANISM:
            return f"{mechanism.title}\n{mechanism.summary}"
        return self._text(row, column) if column == LOST else ""

    def _is_in_force(self, row: int) -> bool:
        chosen = self._request and self._request.mechanism
        return self._candidates[row].mechanism == chosen


def _alignment(column: int) -> Qt.AlignmentFlag:
    right = column in (ERROR, VAR_STAR, BITS)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
