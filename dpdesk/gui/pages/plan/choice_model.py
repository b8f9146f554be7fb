"""The mechanisms that fit an attribute, side by side, as a table model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont

from dpdesk.gui.strategy_words import tr_plan
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.mechanisms import Candidate, Mechanism
from dpdesk.preview import PreviewRequest, error_text, significant

MECHANISM, ERROR, VAR_STAR, BITS, LOST = range(5)
_IN_FORCE = "✓ "


class ChoiceModel(RowModel[Candidate]):
    """One row per mechanism, the best one first; the one in force is marked.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._request: PreviewRequest | None = None
        variance = self.tr("Noise variance of a rare category, times the number of reports")
        self.heads = (
            Head(self.tr("Mechanism"), self.tr("Enter or a double click puts it in force.")),
            Head(
                self.tr("95 % error"),
                self.tr("Noise and sampling, over the expected answers"),
                number=True,
            ),
            Head(self.tr("n Var*"), variance, number=True),
            Head(self.tr("Bits"), self.tr("Size of one report"), number=True),
            Head(self.tr("Lost"), self.tr("Against reports that look like answers")),
        )

    def show_candidates(
        self, candidates: tuple[Candidate, ...], request: PreviewRequest | None
    ) -> None:
        """Shows other candidates; the rows stay where the mechanisms are the same ones."""
        kinds = [judged.mechanism.kind for judged in candidates]
        same = kinds == [judged.mechanism.kind for judged in self.rows]
        before = self.row_in_force()
        self._request = request
        self.show_rows(candidates, same=same)
        if same and self.row_in_force() != before:
            # Bold type is no text: all cells of two rows look otherwise.
            self.announce(0, len(candidates) - 1)

    def mechanism(self, row: int) -> Mechanism:
        """The mechanism of a row."""
        return self.rows[row].mechanism

    def row_in_force(self) -> int:
        """The row of the mechanism in force; -1 if there is none."""
        return next((i for i, row in enumerate(self.rows) if self._is_in_force(row)), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What every cell has; the mechanism in force is bold."""
        if role == Qt.ItemDataRole.FontRole and self._is_in_force(self.row(index.row())):
            font = QFont()
            font.setBold(True)
            return font
        return super().data(index, role)

    def text(self, row: Candidate, column: int) -> str:
        """The text of a cell; the mechanism in force has a mark."""
        if column == MECHANISM:
            return f"{_IN_FORCE if self._is_in_force(row) else ''}{row.mechanism.short}"
        if column == ERROR:
            request = self._request
            return error_text(row.error_95(request.respondents), request.unit) if request else ""
        if column == VAR_STAR:
            return significant(row.noise_constant, 3)
        if column == BITS:
            return significant(row.bits_sent, 2 if row.bits_sent < 100 else 4)
        return " ".join(tr_plan(loss) for loss in row.losses) or self.tr("nothing")

    def spoken(self, row: Candidate, column: int) -> str:
        """The mark of the mechanism in force, in words."""
        if column == MECHANISM and self._is_in_force(row):
            return self.tr("{mechanism}, in force").format(mechanism=row.mechanism.short)
        return super().spoken(row, column)

    def tooltip(self, row: Candidate, column: int) -> str:
        """The mechanism in full, or all that is lost."""
        if column == MECHANISM:
            return f"{row.mechanism.title}\n{row.mechanism.summary}"
        return self.text(row, column) if column == LOST else ""

    def _is_in_force(self, row: Candidate) -> bool:
        return self._request is not None and row.mechanism == self._request.mechanism
