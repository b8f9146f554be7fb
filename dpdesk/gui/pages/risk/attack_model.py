"""How often each attack was right, as a table model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.engine.simulate.attack import AttackOutcome, AttackResult
from dpdesk.preview import significant

Index = QModelIndex | QPersistentModelIndex

VARIANT, NOMINAL, RECORD, RIGHT, INTERVAL, AGAINST = range(6)
COLUMN_COUNT = 6
_NOWHERE = QModelIndex()


class AttackModel(QAbstractTableModel):
    """One row per variant and epsilon.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._outcomes: tuple[AttackOutcome, ...] = ()
        self._baseline = 1.0

    def set_result(self, result: AttackResult | None) -> None:
        """Shows the outcomes of another attack; None for none."""
        self.beginResetModel()
        self._outcomes = () if result is None else result.outcomes
        self._baseline = 1.0 if result is None else result.baseline
        self.endResetModel()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row per attack."""
        return 0 if parent.isValid() else len(self._outcomes)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Variant, both epsilons, the accuracy, its interval and the comparison."""
        return 0 if parent.isValid() else COLUMN_COUNT

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The heads of the columns, with what they mean."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < COLUMN_COUNT:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            heads = (
                self.tr("Variant"),
                self.tr("ε of the papers"),
                self.tr("ε of the record"),
                self.tr("Right"),
                self.tr("95 % interval"),
                self.tr("Against chance"),
            )
            return heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def text(self, row: int, column: int) -> str:
        """Returns the text of a cell."""
        outcome = self._outcomes[row]
        if column == VARIANT:
            return outcome.title
        if column == NOMINAL:
            return significant(outcome.nominal_epsilon, 3)
        if column == RECORD:
            return significant(outcome.record_epsilon, 3)
        if column == RIGHT:
            return percent_text(outcome.accuracy)
        if column == INTERVAL:
            template = self.tr("{lower} to {upper}")
            return template.format(
                lower=percent_text(outcome.lower), upper=percent_text(outcome.upper)
            )
        if outcome.lower <= self._baseline <= outcome.upper:
            return self.tr("no better")
        ratio = significant(outcome.accuracy / self._baseline, 2)
        return self.tr("{ratio} ×").format(ratio=ratio)


def percent_text(share: float) -> str:
    """A share in per cent with one digit, as its error allows for thousands of respondents."""
    return f"{100 * share:.1f}\u00a0%"


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == VARIANT else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
