"""The left card: the variable view, what still waits, and what can be done with all columns."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.gui.pages.data.action_button import ActionButton, ActionIcon
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.pages.data.variable_view import VariableView
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import Plan


class VariableCard(Card):
    """Shows the columns of a plan.

    Args:
        commands: What the buttons do.
        theme: The switch that colours follow.
        parent: Qt's owner.
    """

    def __init__(
        self, commands: PageCommands, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(margin=4, parent=parent)
        self.view = VariableView(theme, parent=self)
        self._mark = SeverityMark(theme, size=16, parent=self)
        self._state = PlainLabel("", "muted", wrap=True, parent=self)
        state = QHBoxLayout()
        state.setContentsMargins(8, 2, 8, 0)
        state.setSpacing(6)
        state.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        state.addWidget(self._state, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(8, 2, 8, 6)
        buttons.setSpacing(8)
        self.confirm_button = ActionButton(commands.confirm_all, parent=self)
        buttons.addWidget(self.confirm_button)
        buttons.addWidget(ActionButton(commands.protect_all, parent=self))
        buttons.addWidget(ActionButton(commands.add_columns, parent=self))
        buttons.addStretch(1)
        # Rows of their own: both together are wider than half of a small window.
        questions = QHBoxLayout()
        questions.setContentsMargins(8, 2, 8, 0)
        questions.setSpacing(4)
        questions.addWidget(ActionButton(commands.add, parent=self))
        for action, icon_name in (
            (commands.remove, "delete"),
            (commands.move_up, "arrow-up"),
            (commands.move_down, "arrow-down"),
        ):
            questions.addWidget(ActionIcon(action, theme, icon_name, parent=self))
        questions.addStretch(1)
        self.body.addWidget(self.view, 1)
        self.body.addLayout(questions)
        self.body.addLayout(state)
        self.body.addLayout(buttons)

    def state_text(self) -> str:
        """What still waits, in words."""
        return self._state.text()

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan."""
        self.view.set_plan(plan)
        domains = sum(
            column.domain is not None and not column.confirmed and column.role != "drop"
            for column in plan.columns
        )
        roles = sum(column.role == "unassigned" for column in plan.columns)
        kept = sum(c.role == "keep" and not c.keep_confirmed for c in plan.columns)
        waiting = [
            (one if count == 1 else many).format(count=f"{count:,}")
            for count, one, many in (
                (domains, self.tr("1 domain to confirm"), self.tr("{count} domains to confirm")),
                (roles, self.tr("1 column unassigned"), self.tr("{count} columns unassigned")),
                (
                    kept,
                    self.tr("1 kept column to confirm"),
                    self.tr("{count} kept columns to confirm"),
                ),
            )
            if count
        ]
        if plan.reading is not None and not plan.reading_confirmed:
            waiting.append(self.tr("the reading of the file to confirm"))
        self._mark.set_severity("warning" if waiting else "success")
        done = self.tr("Every domain is confirmed and every column has a role.")
        self._state.setText(" · ".join(waiting) if waiting else done)
        for widget in (self._mark, self._state):
            widget.setVisible(bool(plan.columns))
