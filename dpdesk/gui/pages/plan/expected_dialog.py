"""How the answers to a question are expected to be spread: a weight for each category."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from dpdesk.domains import Categorical
from dpdesk.gui.pages.plan.parameter_fields import parameter_text
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.commit_line import RefusalLabel
from dpdesk.gui.widgets.padded_delegate import PaddedDelegate
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip

Index = QModelIndex | QPersistentModelIndex

CATEGORY, WEIGHT = range(2)
_NOWHERE = QModelIndex()
_ROW_HEIGHT = 28


class ExpectedModel(QAbstractTableModel):
    """Categories with their weights as typed.

    Args:
        domain: The domain that the mechanism sees.
        weights: A weight for each category; none where nothing is expected.
        parent: Qt's owner.
    """

    def __init__(
        self, domain: Categorical, weights: Sequence[Decimal], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._domain = domain
        known = len(weights) == domain.size
        self.texts = [parameter_text(w) for w in weights] if known else [""] * domain.size

    def clear(self) -> None:
        """Takes every weight away."""
        self.texts = [""] * self._domain.size
        last = self.index(self.rowCount() - 1, WEIGHT)
        self.dataChanged.emit(self.index(0, WEIGHT), last)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row per category."""
        return 0 if parent.isValid() else self._domain.size

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """The category and its weight."""
        return 0 if parent.isValid() else 2

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Weights can be typed."""
        flags = super().flags(index)
        editable = index.isValid() and index.column() == WEIGHT
        return flags | Qt.ItemFlag.ItemIsEditable if editable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell."""
        if not index.isValid():
            return None
        if index.column() == CATEGORY:
            label = self._domain.label(index.row())
            if role == Qt.ItemDataRole.DisplayRole:
                return label
            return plain_tooltip(label) if role == Qt.ItemDataRole.ToolTipRole else None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self.texts[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Takes what was typed as it is; the dialog tries all weights together."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or index.column() != WEIGHT:
            return False
        self.texts[index.row()] = str(value).strip()
        self.dataChanged.emit(index, index)
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The heads of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Answer"), self.tr("Weight"))[section] if section < 2 else None
        return None


class ExpectedDialog(QDialog):
    """Declares an expected distribution; wrong weights stay in the dialog to be mended.

    Args:
        title: The attribute.
        domain: The domain that its mechanism sees.
        weights: The weights in force; none where nothing is expected.
        replace: Tries other weights, as typed, and returns why they were refused, or "".
        theme: The switch that the colours follow.
        parent: The window it belongs to.
    """

    def __init__(
        self,
        title: str,
        domain: Categorical,
        weights: Sequence[Decimal],
        replace: Callable[[tuple[str, ...]], str],
        theme: ThemeSwitch,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._replace = replace
        self.setWindowTitle(self.tr("Expected answers"))
        self.resize(460, 480)
        self.model = ExpectedModel(domain, weights, self)
        self.table = QTableView(self)
        self.table.setModel(self.model)
        self.table.setItemDelegate(PaddedDelegate(theme, self.table))
        self.table.setAccessibleName(self.tr("Weights of the answers"))
        triggers = QAbstractItemView.EditTrigger
        self.table.setEditTriggers(
            triggers.CurrentChanged | triggers.AnyKeyPressed | triggers.DoubleClicked
        )
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        heads = self.table.horizontalHeader()
        heads.setSectionResizeMode(CATEGORY, QHeaderView.ResizeMode.Stretch)
        heads.setHighlightSections(False)
        meaning = self.tr(
            "How often do you expect each answer? Any weights will do, such as 60, 30 and 10. "
            "Declare what is known beforehand, never what the data say: the choice of a "
            "mechanism, and realistic fakes, depend on it."
        )
        self._refusal = RefusalLabel(parent=self)
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel, parent=self)
        self.none = self.buttons.addButton(
            self.tr("Expect &nothing"), QDialogButtonBox.ButtonRole.ResetRole
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.none.clicked.connect(self.model.clear)
        self.model.dataChanged.connect(lambda *_: self._refusal.show_sentence(""))
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addWidget(PlainLabel(title, "heading", wrap=True, parent=self))
        column.addWidget(PlainLabel(meaning, "muted", wrap=True, parent=self))
        column.addWidget(self.table, 1)
        column.addWidget(self._refusal)
        column.addWidget(self.buttons)
        self.table.setCurrentIndex(self.model.index(0, WEIGHT))

    def refusal(self) -> str:
        """Why the weights were refused; empty while they were not."""
        return self._refusal.text()

    def accept(self) -> None:
        """Closes if the weights are taken; without any, nothing is expected."""
        texts = tuple(text.replace(",", ".") for text in self.model.texts)
        sentence = self._replace(tuple(text or "0" for text in texts) if any(texts) else ())
        self._refusal.show_sentence(sentence)
        if not sentence:
            super().accept()
