"""Finding columns by words, and edits of all chosen columns at once, each one step of undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QPushButton, QWidget

from dpdesk.domains import COLUMN_KINDS, ColumnKind
from dpdesk.gui.actions import ActionButton, new_action
from dpdesk.gui.pages.data.column_section import ColumnSelection
from dpdesk.gui.pages.data.column_words import kind_word
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.plan import Plan, Role
from dpdesk.plan.column_changes import set_kind, set_role

Change = Callable[[Plan, str], Plan]
_REASONS_MAX = 2
"""Most reasons that are told at once; those of most columns come first."""


def change_several(
    plan: Plan, names: Sequence[str], change: Change
) -> tuple[Plan, dict[str, list[str]]]:
    """Returns the plan with a change of several columns, and those that refused it.

    Args:
        plan: The plan.
        names: The columns.
        change: Returns the changed plan from the plan and the name of a column.

    Returns:
        The plan, and the names of the refusing columns by the reason of the refusal.
    """
    refused: dict[str, list[str]] = {}
    for name in names:
        try:
            plan = change(plan, name)
        except Refused as error:
            refused.setdefault(refusal_of(error), []).append(name)
    return plan, refused


def refusals_words(refused: dict[str, list[str]], changed: int) -> str:
    """Returns what was refused and why, in one sentence per reason; "" without a refusal."""
    translate = QCoreApplication.translate
    lines = []
    told_first = sorted(refused.items(), key=lambda item: -len(item[1]))[:_REASONS_MAX]
    for reason, names in told_first:
        words = translate("ManyColumns", "{count} columns stay as they are: {reason}")
        one = translate("ManyColumns", "{name} stays as it is: {reason}")
        told = words if len(names) > 1 else one
        lines.append(told.format(count=f"{len(names):,}", name=names[0], reason=reason))
    beyond = sum(map(len, refused.values())) - sum(len(names) for _, names in told_first)
    if beyond:
        lines.append(
            counted(
                beyond,
                translate("ManyColumns", "1 more column stays as it is."),
                translate("ManyColumns", "{count} more columns stay as they are."),
            )
        )
    if lines and changed:
        lines.append(
            counted(
                changed,
                translate("ManyColumns", "1 column was changed."),
                translate("ManyColumns", "{count} columns were changed."),
            )
        )
    return "\n".join(lines)


class SeveralEdits(QObject):
    """The edits of the chosen columns, one or many, as actions.

    Args:
        selection: The chosen columns.

    Attributes:
        refused: Emitted with what some columns refused.
        confirmAsked: Emitted when the user wants to confirm the chosen columns' domains.
        kinds: One action for each kind of answer.
    """

    refused = Signal(str)
    confirmAsked = Signal()

    def __init__(self, selection: ColumnSelection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self.protect = self._action(self.tr("&Protect"), "Ctrl+P", partial(self._role, "protect"))
        self.keep = self._action(self.tr("&Keep as it is"), "Ctrl+K", partial(self._role, "keep"))
        self.drop = self._action(self.tr("&Drop"), "Ctrl+D", partial(self._role, "drop"))
        self.confirm = self._action(
            self.tr("Confirm do&mains…"), "Ctrl+Shift+K", self.confirmAsked.emit
        )
        self.kinds = [self._kind_action(kind) for kind in COLUMN_KINDS]

    def actions(self) -> list[QAction]:
        """The actions of the page's menu."""
        return [self.protect, self.keep, self.drop, self.confirm]

    def follow(self) -> None:
        """Enables the actions that are possible now."""
        chosen = self._selection.several
        for action in (self.protect, self.keep, self.drop):
            action.setEnabled(bool(chosen))
        self.confirm.setEnabled(any(column.waits or column.keep_waits for column in chosen))

    def _role(self, role: Role) -> None:
        text = {
            "protect": self.tr("Protect {columns}"),
            "keep": self.tr("Keep {columns}"),
            "drop": self.tr("Drop {columns}"),
        }[role]
        self._change(text, lambda plan, name: set_role(plan, name, role))

    def _kind_action(self, kind: ColumnKind) -> QAction:
        action = QAction(kind_word(kind), self)
        action.triggered.connect(lambda _checked=False: self._set_kind(kind))
        return action

    def _set_kind(self, kind: ColumnKind) -> None:
        table = self._selection.table
        text = self.tr("Change the kind of {columns}")
        self._change(text, lambda plan, name: set_kind(plan, name, kind, table))

    def _change(self, text: str, change: Change) -> None:
        names = [column.name for column in self._selection.several]
        if not names:
            return
        words = counted(len(names), names[0], self.tr("{count} columns"))
        document = self._selection.document
        plan, refused = change_several(document.plan, names, change)
        document.edit(text.format(columns=words), plan)
        changed = len(names) - sum(map(len, refused.values()))
        self.refused.emit(refusals_words(refused, changed))

    def _action(self, text: str, keys: str, run: Callable[[], object]) -> QAction:
        return new_action(self, text, keys, run)


class SeveralStrip(QWidget):
    """Says how many columns are chosen and offers their edits; hidden for fewer than two.

    Args:
        edits: The edits.
    """

    def __init__(self, edits: SeveralEdits, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = PlainLabel("", "strong", parent=self)
        # Their letters are those of the fields of the column below, which stay; the keys serve.
        *roles, confirm = edits.actions()
        above = ActionButton(confirm, letter=False, parent=self)
        buttons = [ActionButton(action, letter=False, parent=self) for action in roles]
        kinds = QPushButton(self.tr("Kind"), self)
        kinds.setAccessibleName(self.tr("Kind of the chosen columns"))
        menu = QMenu(kinds)
        menu.addActions(edits.kinds)
        kinds.setMenu(menu)
        # A small window has no room for all of them beside each other.
        lay_column(
            lay_row(self._count, STRETCH, above, spacing=6),
            lay_row(*buttons, kinds, STRETCH, spacing=6),
            spacing=4, margins=(8, 2, 8, 0), on=self,
        )  # fmt: skip
        self.show_count(0)

    def text(self) -> str:
        """How many columns are chosen, in words."""
        return self._count.text()

    def show_count(self, count: int) -> None:
        """Shows how many columns are chosen."""
        self._count.setText(self.tr("{count} chosen").format(count=f"{count:,}"))
        self.setVisible(count > 1)


class ColumnFilter(QLineEdit):
    """Words that a column must hold to be listed; Esc lists all columns again, Down goes to them.

    Attributes:
        leftDown: Emitted when the user wants to go on to the list.
    """

    leftDown = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(self.tr("Filter columns"))
        self.setAccessibleName(self.tr("Filter columns"))
        self.setAccessibleDescription(
            self.tr("Lists the columns that hold every word in name, label, kind, domain or role.")
        )
        self.setToolTip(
            self.tr("Every word is looked for in name, label, kind, domain and role (Ctrl+F)")
        )
        self.setClearButtonEnabled(True)
        self.setMaximumWidth(260)

    def words(self) -> tuple[str, ...]:
        """What a column must hold, in lower case."""
        return tuple(self.text().casefold().split())

    def reset(self) -> None:
        """Lists all columns, without a signal."""
        with QSignalBlocker(self):
            self.clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.leftDown.emit()
        else:
            super().keyPressEvent(event)
