"""The actions of the Data page, each with a menu entry, a shortcut and a button.

The edits of the list of questions stand beside them: add, remove, move.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction

from dpdesk.data.table import SurveyTable
from dpdesk.gui.actions import new_action
from dpdesk.gui.pages.data.column_section import ColumnSelection
from dpdesk.gui.pages.data.many_columns import SeveralEdits
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.plan import ColumnPlan, Plan, draft_table
from dpdesk.plan.checks.reading import has_doubtful_names
from dpdesk.plan.column_changes import starting_domain
from dpdesk.plan.draft import part_columns
from dpdesk.plan.open_questions import SuspectedCodes
from dpdesk.plan.protection import protect_all


def add_question(plan: Plan, after: str | None = None) -> tuple[Plan, str]:
    """Returns the plan with a new question, and the question's name.

    Args:
        plan: The plan.
        after: The column before it; None puts it last.
    """
    names = {column.name for column in plan.columns}
    number = len(names) + 1
    while f"question_{number}" in names:
        number += 1
    question = ColumnPlan(
        name=f"question_{number}", kind="binary", domain=starting_domain("binary")
    )
    place = len(plan.columns) if after is None else plan.index_of(after) + 1
    columns = (*plan.columns[:place], question, *plan.columns[place:])
    return plan.with_columns(columns), question.name


def remove_column(plan: Plan, name: str) -> Plan:
    """Returns the plan without a column."""
    return plan.with_columns(tuple(column for column in plan.columns if column.name != name))


def move_column(plan: Plan, name: str, steps: int) -> Plan:
    """Returns the plan with a column moved down by `steps`, or up if negative, within the list."""
    columns = list(plan.columns)
    index = plan.index_of(name)
    target = min(max(index + steps, 0), len(columns) - 1)
    columns.insert(target, columns.pop(index))
    return plan.with_columns(tuple(columns))


def add_missing_columns(plan: Plan, table: SurveyTable) -> Plan:
    """Returns the plan with a draft of every column of the data that it lacks.

    Columns are in the order of the file; those that the file lacks follow.
    """
    planned = {column.name: column for column in plan.columns}
    absent = tuple(column for column in table.columns if column.name not in planned)
    if not absent:
        return plan
    drafted = draft_table(SurveyTable(absent, table.rows, table.reading)).columns
    known = planned | {column.name: column for column in drafted}
    ordered = [known.pop(name) for name in table.names]
    return plan.with_columns((*ordered, *known.values()))


class PageCommands(QObject):
    """Edits of the plan as a whole, and of the list of its columns.

    Args:
        selection: The document and the chosen column.

    Attributes:
        refused: Emitted with the reason of a command that was refused.
        confirmAsked: Emitted when the user wants to confirm all domains.
        peopleAsked: Emitted when the user wants to say what of people in several rows counts.
        codesAsked: Emitted when the user wants to decide on codes of no answer.
        filterAsked: Emitted when the user wants to filter the list of columns.
        readingAsked: Emitted when the user wants the reading options.
        allowAsked: Emitted when the user wants to change how many answers may not fit.
        added: Emitted with the name of a new question.
        several: The edits of the chosen columns.
        answers: The counted answers of the columns.
    """

    refused = Signal(str)
    confirmAsked = Signal()
    codesAsked = Signal()
    peopleAsked = Signal()
    filterAsked = Signal()
    readingAsked = Signal()
    allowAsked = Signal()
    added = Signal(str)

    def __init__(self, selection: ColumnSelection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self.answers = selection.document.answers
        self.several = SeveralEdits(selection, self)
        self.several.refused.connect(self.refused)
        self.filter = self._action(self.tr("Filter &columns"), "Ctrl+F", self.filterAsked.emit)
        self.confirm_all = self._action(
            self.tr("&Confirm all…"), "Ctrl+Shift+C", self.confirmAsked.emit
        )
        self.confirm_all.setWhatsThis(
            self.tr("Lists every domain that is not confirmed, rare answers first.")
        )
        self.codes = self._action(
            self.tr("Codes of no ans&wer…"), "Ctrl+Shift+N", self.codesAsked.emit
        )
        self.codes.setWhatsThis(self.tr("Decides on each code once, for every column that has it."))
        self.answers.found.connect(self._follow_codes)
        self.people = self._action(
            self.tr("People in several ro&ws…"), "Ctrl+Shift+W", self.peopleAsked.emit
        )
        self.people.setWhatsThis(self.tr("Says whose row each is, and what of a person counts."))
        self.protect_all = self._action(
            self.tr("Pr&otect all unassigned"), "Ctrl+Shift+P", self._protect_all
        )
        self.protect_all.setWhatsThis(
            self.tr("Gives each column without a role the best mechanism that fits.")
        )
        self.add_columns = self._action(
            self.tr("Add the &file's other columns"), "Ctrl+Shift+F", self._add_columns
        )
        self.add = self._action(self.tr("&Add question"), "Ctrl+Shift+A", self._add, "plus")
        self.remove = self._action(
            self.tr("&Remove question"), "Ctrl+Shift+Del", self._remove, "delete"
        )
        self.move_up = self._action(
            self.tr("Move &up"), "Alt+Up", lambda: self._move(-1), "arrow-up"
        )
        self.move_down = self._action(
            self.tr("Move &down"), "Alt+Down", lambda: self._move(1), "arrow-down"
        )
        self.part = self._action(self.tr("Ta&ke the question apart"), "Ctrl+Shift+Q", self._part)
        self.reading = self._action(
            self.tr("&Reading options…"), "Ctrl+Shift+R", self.readingAsked.emit, "cog"
        )
        self.allow_unfit = self._action(
            self.tr("A&nswers that may not fit…"), "Ctrl+Shift+U", self.allowAsked.emit
        )

    def actions(self) -> list[QAction]:
        """All actions, in the order of the menu."""
        return [
            self.filter,
            *self.several.actions(),
            self.confirm_all,
            self.codes,
            self.people,
            self.protect_all,
            self.add_columns,
            self.add,
            self.remove,
            self.move_up,
            self.move_down,
            self.part,
            self.reading,
            self.allow_unfit,
        ]

    def follow(self) -> None:
        """Enables the actions that are possible now."""
        plan, table, column = (
            self._selection.document.plan,
            self._selection.table,
            self._selection.column,
        )
        self.several.follow()
        self._follow_codes()
        # A column that names people is known by its own name alone: it may have another.
        self.people.setVisible(bool(plan.columns))
        waiting = any(column.waits or column.keep_waits for column in plan.columns)
        unread = plan.reading is not None and not plan.reading_confirmed
        self.confirm_all.setEnabled(waiting or unread or has_doubtful_names(plan))
        unassigned = (c for c in plan.columns if c.role == "unassigned")
        self.protect_all.setEnabled(any(c.domain is not None for c in unassigned))
        planned = {c.name for c in plan.columns}
        known = set() if table is None else set(table.names)
        self.add_columns.setVisible(bool(known - planned) and bool(planned))
        questionnaire = table is None
        for action in (self.add, self.move_up, self.move_down):
            action.setVisible(questionnaire)
        # A column that the file does not have must be removable: that is the remedy of its problem.
        stray = column is not None and table is not None and column.name not in known
        self.remove.setVisible(questionnaire or stray)
        self.remove.setEnabled(column is not None)
        row = plan.columns.index(column) if column is not None else -1
        self.move_up.setEnabled(row > 0)
        self.move_down.setEnabled(0 <= row < len(plan.columns) - 1)
        questions = () if plan.reading is None else plan.reading.questions
        joined = any(column is not None and one.name == column.name for one in questions)
        self.part.setVisible(joined and table is not None)
        # The bundled sample is read as it was written.
        self.reading.setVisible(self._selection.document.table_path is not None)

    def _follow_codes(self) -> None:
        self.codes.setVisible(any(map(self._has_codes, self._selection.document.plan.columns)))

    def _has_codes(self, column: ColumnPlan) -> bool:
        return any(isinstance(one, SuspectedCodes) for one in self.answers.open_of(column))

    def _protect_all(self) -> None:
        try:
            plan = protect_all(self._selection.document.plan)
        except Refused as error:
            self.refused.emit(refusal_of(error))
            return
        self._selection.document.edit(self.tr("Protect all unassigned columns"), plan)

    def _add_columns(self) -> None:
        table = self._selection.table
        if table is not None:
            plan = add_missing_columns(self._selection.document.plan, table)
            self._selection.document.edit(self.tr("Add the file's other columns"), plan)

    def _add(self) -> None:
        plan, name = add_question(self._selection.document.plan, self._selection.name)
        self._selection.document.edit(self.tr("Add a question"), plan)
        self.added.emit(name)

    def _part(self) -> None:
        name, table = self._selection.name, self._selection.table
        if name is not None and table is not None:
            plan, _ = part_columns(self._selection.document.plan, table, name)
            text = self.tr("Take {name} apart").format(name=name)
            self._selection.document.edit(text, plan)

    def _remove(self) -> None:
        name = self._selection.name
        if name is not None:
            text = self.tr("Remove {name}").format(name=name)
            self._selection.edit(text, remove_column)

    def _move(self, steps: int) -> None:
        text = self.tr("Move {name}").format(name=self._selection.name)
        self._selection.edit(text, lambda plan, name: move_column(plan, name, steps))

    def _action(
        self, text: str, keys: str, run: Callable[[], object], icon_name: str = ""
    ) -> QAction:
        return new_action(self, text, keys, run, icon_name)
