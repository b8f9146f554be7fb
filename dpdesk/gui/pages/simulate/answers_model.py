"""The answers of a design as rows: who gives them, and what they make of a belief."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.designs.base import CARRIER
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.preview import belief_text, share_text, significant
from dpdesk.preview.survey.betrayal import AnswerShown, BetrayalView

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
ANSWER, GIVEN, LIKELIER, BELIEF = range(4)
COLUMN_COUNT = 4
_HALF = 0.5


class AnswersModel(QAbstractTableModel):
    """One row for each answer that can occur.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers: tuple[AnswerShown, ...] = ()

    def show_view(self, view: BetrayalView) -> None:
        """Shows the answers of a view."""
        if len(view.answers) == len(self._answers):
            self._answers = view.answers
            last = self.index(len(self._answers) - 1, COLUMN_COUNT - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            return
        self.beginResetModel()
        self._answers = view.answers
        self.endResetModel()

    def heads(self) -> tuple[str, ...]:
        """The heads of the columns."""
        return (
            self.tr("Answer"),
            self.tr("Given by"),
            self.tr("Likelier of"),
            self.tr("Carriers among them"),
        )

    def proven(self, answer: AnswerShown) -> str:
        """What an answer that is a proof proves, in words."""
        if answer.jeopardy.rules_out == CARRIER:
            return self.tr("no carrier")
        return self.tr("a carrier")

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """All cells as texts."""
        return tuple(
            tuple(self._text(answer, column) for column in range(COLUMN_COUNT))
            for answer in self._answers
        )

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row for each answer."""
        return 0 if parent.isValid() else len(self._answers)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Answer, share, jeopardy and belief."""
        return 0 if parent.isValid() else COLUMN_COUNT

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell."""
        if not index.isValid():
            return None
        text = self._text(self._answers[index.row()], index.column())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(text)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The heads of the columns."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < COLUMN_COUNT:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.heads()[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def _text(self, answer: AnswerShown, column: int) -> str:
        if column == ANSWER:
            said = f"“{answer.spoken}”"
            return f"{said} ({answer.group})" if answer.group else said
        if column == GIVEN:
            return share_text(answer.chance)
        if column == LIKELIER:
            return self._likelier(answer)
        return belief_words(answer.belief)

    def _likelier(self, answer: AnswerShown) -> str:
        jeopardy = answer.jeopardy
        if jeopardy.ratio is None:
            return self.tr("a proof: {what}").format(what=self.proven(answer))
        if jeopardy.ratio == 1:
            return self.tr("nobody")
        return self.tr("{state}, {ratio} ×").format(
            state=self.tr(jeopardy.points_to), ratio=significant(float(jeopardy.ratio), 3)
        )


def belief_words(belief: float) -> str:
    """A belief in per cent; the certainty that a proof gives is printed as such."""
    if belief in {0.0, 1.0}:
        return f"{100 * belief:.0f} %"
    return belief_text(belief) if belief > _HALF else f"{significant(100 * belief, 2)} %"


def _alignment(column: int) -> Qt.AlignmentFlag:
    right = column in (GIVEN, BELIEF)
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
