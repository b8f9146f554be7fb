"""The box that says what happens to an attribute: a mechanism that fits, or none."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.plan.column_words import mechanism_title
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.mechanisms import AnyDomain, fitting, kind_of
from dpdesk.plan import ColumnPlan

KEEP, DROP, UNASSIGNED = "keep", "drop", "unassigned"
_PROTECT = "protect:"


class AssignmentBox(ChoiceBox):
    """Only mechanisms that fit the domain are listed; keep and drop come after them.

    Args:
        parent: Qt's owner.

    Attributes:
        mechanismChosen: Emitted with the kind of a mechanism, such as "grr".
        roleChosen: Emitted with "keep" or "drop".
    """

    mechanismChosen = Signal(str)
    roleChosen = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._listed: tuple[object, ...] = ()
        self.setAccessibleName(self.tr("Mechanism"))
        self.activated.connect(self._choose)

    def show_column(self, column: ColumnPlan) -> None:
        """Lists what can happen to a column, and shows what does."""
        blocker = QSignalBlocker(self)
        unassigned = column.role == "unassigned" or (
            column.role == "protect" and column.mechanism is None
        )
        listed = (column.name, column.effective_domain, unassigned)
        if listed != self._listed:
            self._listed = listed
            self._fill(column.effective_domain, unassigned=unassigned)
        current = UNASSIGNED if unassigned else column.role
        if not unassigned and column.role == "protect" and column.mechanism is not None:
            current = _PROTECT + column.mechanism.kind
        self.setCurrentIndex(self.findData(current))
        blocker.unblock()

    def _fill(self, domain: AnyDomain | None, *, unassigned: bool) -> None:
        self.clear()
        if unassigned:
            self.addItem(self.tr("Choose…"), UNASSIGNED)
        for mechanism in fitting(domain) if domain is not None else ():
            self.addItem(mechanism_title(mechanism), _PROTECT + kind_of(mechanism))
        self.insertSeparator(self.count())
        self.addItem(self.tr("Not protected — released as it is"), KEEP)
        self.addItem(self.tr("Dropped — not released"), DROP)
        self.updateGeometry()

    def _choose(self, index: int) -> None:
        chosen = self.itemData(index)
        if not isinstance(chosen, str) or chosen == UNASSIGNED:
            return
        if chosen.startswith(_PROTECT):
            self.mechanismChosen.emit(chosen.removeprefix(_PROTECT))
        else:
            self.roleChosen.emit(chosen)
