"""The left card: the table of the plan's columns, the open decisions, and actions for columns."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.actions import ActionButton, ActionIcon
from dpdesk.gui.pages.data.many_columns import ColumnFilter, SeveralStrip
from dpdesk.gui.pages.data.page_commands import PageCommands
from dpdesk.gui.pages.data.variable_table import VariableView
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.plain_text import PlainLabel, counted
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.plan import Plan
from dpdesk.plan.checks.reading import has_doubtful_names


class VariableCard(Card):
    """The columns of a plan with the actions for all of them.

    Args:
        commands: The actions of the page.

    Attributes:
        decideAsked: Emitted with the name of a column about whose answers something is to be
            decided, when the user wants to decide it.
    """

    decideAsked = Signal(str)

    def __init__(self, commands: PageCommands, *, parent: QWidget | None = None) -> None:
        super().__init__(margin=4, parent=parent)
        self.view = VariableView(commands.answers, parent=self)
        self.filter = ColumnFilter(parent=self)
        self._listed = PlainLabel("", "muted", parent=self)
        self.filter.textChanged.connect(self._filter)
        self.filter.leftDown.connect(self._go_to_list)
        self.strip = SeveralStrip(commands.several, parent=self)
        head = lay_row((self.filter, 1), self._listed, STRETCH, spacing=8, margins=(8, 6, 8, 2))
        self._mark = SeverityMark(size=16, parent=self)
        self._state = PlainLabel("", "muted", wrap=True, parent=self)
        state = lay_row(
            (self._mark, 0, Qt.AlignmentFlag.AlignTop),
            (self._state, 1),
            spacing=6,
            margins=(8, 2, 8, 0),
        )
        self.decide = QPushButton(self)
        self.decide.setProperty("look", "link")
        self.decide.clicked.connect(lambda _checked: self._go_to_next_asked())
        self.decide.hide()
        self.codes = ActionButton(commands.codes, letter=False, parent=self)
        self.people = ActionButton(commands.people, letter=False, parent=self)
        for button in (self.codes, self.people):
            button.setProperty("look", "link")
        decide = lay_row(self.decide, STRETCH, margins=(30, 0, 8, 0))
        by_code = lay_row(self.codes, self.people, STRETCH, spacing=12, margins=(30, 0, 8, 0))
        commands.answers.found.connect(self._show_asked)
        self.confirm_button = ActionButton(commands.confirm_all, parent=self)
        protect = ActionButton(commands.protect_all, parent=self)
        # Below each other: at large type they are wider than half of a small window.
        both = (lay_row(button, STRETCH) for button in (self.confirm_button, protect))
        buttons = lay_column(*both, spacing=4, margins=(8, 2, 8, 6))
        # On separate rows: together they are wider than half of a small window.
        questions = lay_row(
            ActionButton(commands.add, parent=self),
            ActionButton(commands.add_columns, parent=self),
            ActionButton(commands.part, parent=self),
            spacing=4,
            margins=(8, 2, 8, 0),
        )
        for action, icon_name in (
            (commands.remove, "delete"),
            (commands.move_up, "arrow-up"),
            (commands.move_down, "arrow-down"),
        ):
            questions.addWidget(ActionIcon(action, icon_name, parent=self))
        questions.addStretch(1)
        self.body.addLayout(head)
        self.body.addWidget(self.view, 1)
        self.body.addWidget(self.strip)
        self.body.addLayout(questions)
        self.body.addLayout(state)
        self.body.addLayout(decide)
        self.body.addLayout(by_code)
        self.body.addLayout(buttons)

    def focus_filter(self) -> None:
        """Sets the focus on the filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def listed_text(self) -> str:
        """How many columns are listed while there is a filter; else empty."""
        return self._listed.text()

    def _filter(self) -> None:
        words = self.filter.words()
        listed, total = self.view.filter(words), self.view.variables().rowCount()
        told = self.tr("{listed} of {total}").format(listed=f"{listed:,}", total=f"{total:,}")
        self._listed.setText(told if words else "")

    def _go_to_list(self) -> None:
        view = self.view
        rows = (r for r in range(view.variables().rowCount()) if not view.isRowHidden(r))
        if view.isRowHidden(view.currentIndex().row()) and (row := next(rows, None)) is not None:
            view.go_to_row(row)
        view.setFocus(Qt.FocusReason.TabFocusReason)

    def state_text(self) -> str:
        """The open decisions, in words."""
        return self._state.text()

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan."""
        self.view.set_plan(plan)
        domains = sum(column.waits for column in plan.columns)
        unassigned = [column for column in plan.columns if column.role == "unassigned"]
        # Weights are counted apart, as in the list of problems: they cannot be protected.
        weights = sum(column.kind == "weight" for column in unassigned)
        roles = len(unassigned) - weights
        kept = sum(c.keep_waits for c in plan.columns)
        waiting = [
            counted(count, one, many)
            for count, one, many in (
                (domains, self.tr("1 domain to confirm"), self.tr("{count} domains to confirm")),
                (roles, self.tr("1 column unassigned"), self.tr("{count} columns unassigned")),
                (
                    weights,
                    self.tr("1 column of weights unassigned"),
                    self.tr("{count} columns of weights unassigned"),
                ),
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
        if has_doubtful_names(plan):
            waiting.append(self.tr("the names of the columns to confirm"))
        self._show_asked()
        self._mark.set_severity("warning" if waiting else "success")
        done = self.tr("Every domain is confirmed and every column has a role.")
        self._state.setText(" · ".join(waiting) if waiting else done)
        for widget in (self._mark, self._state):
            widget.setVisible(bool(plan.columns))

    def _show_asked(self) -> None:
        asked = len(self.view.variables().asked())
        one = self.tr("1 colu&mn with answers to decide about")
        many = self.tr("{count} colu&mns with answers to decide about")
        self.decide.setText(counted(asked, one, many))
        self.decide.setToolTip(
            self.tr("Codes or blanks that may mean no answer: goes to the next such column")
        )
        self.decide.setVisible(bool(asked))

    def _go_to_next_asked(self) -> None:
        asked = self.view.variables().asked()
        row_of = self.view.variables().row_of
        here = self.view.currentIndex().row()
        following = (name for name in asked if row_of(name) > here)
        name = next(following, asked[0] if asked else "")
        if name:
            self.decideAsked.emit(name)
