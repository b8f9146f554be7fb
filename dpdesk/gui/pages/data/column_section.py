"""The chosen column, and the base class of the sections that edit it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.suggest import suggest_column
from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Job, Tracker
from dpdesk.gui.document import Document
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.problem_list import ProblemLine
from dpdesk.plan import ColumnPlan, Plan, Problem
from dpdesk.plan.missing import MissingPolicy
from dpdesk.plan.missing_changes import suggestion_of


class SuggestionReasons(QObject):
    """The reason of the suggestion for each column of a table, found in the background.

    A column of a million different answers takes most of a second: too long for a click. Once its
    codes of no answer are decided on, another reason holds, which is found when it is asked for.

    Attributes:
        found: Emitted when the reasons of a table, or another one of a column, are known.
    """

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: SurveyTable | None = None
        self._reasons: dict[_Asked, str] = {}
        self._again: _Asked | None = None
        self._watches = JobWatch(self), JobWatch(self)
        for watch in self._watches:
            watch.finished.connect(self._take)

    def set_table(self, table: SurveyTable | None) -> None:
        """Clears the reasons, and finds those of a table."""
        self.shut_down()
        self._table, self._reasons, self._again = table, {}, None
        if table is not None:
            self._watches[0].start(Job("Reasons", partial(_find, table)))

    def reason_of(self, column: ColumnPlan) -> str:
        """The reason of a column's suggestion as a sentence; "" if the column departs from it."""
        table, asked = self._table, _asked(column.name, column.missing)
        if column.provenance != "suggested" or table is None or column.name not in table.names:
            return ""
        if asked not in (*self._reasons, self._again, _asked(column.name, MissingPolicy())):
            self._again = asked
            self._watches[1].start_instead(lambda: Job("Reason", partial(_find_one, column, table)))
        return self._reasons.get(asked, "")

    def shut_down(self) -> None:
        """Cancels and joins the search."""
        for watch in self._watches:
            watch.shut_down()

    def _take(self, reasons: dict[_Asked, str]) -> None:
        self._reasons |= reasons
        self.found.emit()


_Asked = tuple[object, ...]
"""A column's name, and what is decided on its codes of no answer."""


def _asked(name: str, missing: MissingPolicy) -> _Asked:
    return name, missing.tokens, missing.ranges, missing.answers


def _find(table: SurveyTable, tracker: Tracker) -> dict[_Asked, str]:
    reasons = {}
    for column in table.columns:
        tracker.tick()
        asked = _asked(column.name, MissingPolicy())
        said = table.described.get(column.name)
        reasons[asked] = suggest_column(column, table.reading, said=said).reason
    return reasons


def _find_one(column: ColumnPlan, table: SurveyTable, _tracker: Tracker) -> dict[_Asked, str]:
    asked = _asked(column.name, column.missing)
    return {asked: suggestion_of(column, table).reason}


class ColumnSelection(QObject):
    """The chosen column of the Data page, and edits of it as steps of undo.

    Args:
        document: The document that is edited.

    Attributes:
        chosen: Emitted when a column was chosen or changed.
        reasons: The reasons of the suggestions for the data's columns.
    """

    chosen = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.reasons = SuggestionReasons(self)
        self._name: str | None = None
        self._several: tuple[str, ...] = ()

    @property
    def name(self) -> str | None:
        """The name of the chosen column, or None."""
        return self._name

    @property
    def column(self) -> ColumnPlan | None:
        """The chosen column, or None."""
        columns = self.document.plan.columns
        return next((column for column in columns if column.name == self._name), None)

    @property
    def several(self) -> tuple[ColumnPlan, ...]:
        """The columns that are edited together, in the order of the plan."""
        names = set(self._several)
        return tuple(column for column in self.document.plan.columns if column.name in names)

    def choose_several(self, names: Sequence[str]) -> None:
        """Chooses the columns that are edited together."""
        self._several = tuple(names)

    @property
    def table(self) -> SurveyTable | None:
        """The data, or None."""
        return self.document.table

    def choose(self, name: str | None) -> None:
        """Chooses a column; None chooses none."""
        self._name = name
        self.chosen.emit()

    def problems(self, *fields: str) -> list[Problem]:
        """The problems of these fields of the chosen column, errors first."""
        paths = {f"columns.{self._name}.{field}" for field in fields}
        return [problem for problem in self.document.problems if problem.path in paths]

    def edit(self, text: str, change: Callable[[Plan, str], Plan]) -> str:
        """Applies a change of the chosen column as a step of undo.

        Args:
            text: Name of the edit, for the Edit menu.
            change: Returns the changed plan from the plan and the column's name.

        Returns:
            Why the change was refused, as a sentence; empty if it was made.
        """
        if self.column is None or self._name is None:
            return ""
        try:
            changed = change(self.document.plan, self._name)
        except Refused as error:
            return refusal_of(error)
        if changed == self.document.plan:
            # The input means the same value as before: it is shown in its stored form.
            self.chosen.emit()
        else:
            self.document.edit(text, changed)
        return ""


_LINES = 2


class FieldProblems(QWidget):
    """Up to two problems with their remedies; hidden if there are none."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = lay_column(spacing=0, on=self)
        self._lines = [ProblemLine(parent=self) for _ in range(_LINES)]
        for line in self._lines:
            column.addWidget(line)
        self.set_problems(())

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Shows these problems, without a link: their cause is right here."""
        for line, problem in zip(self._lines, [*problems, None, None], strict=False):
            line.setVisible(problem is not None)
            if problem is not None:
                line.set_problem(replace(problem, path=""))
        self.setVisible(bool(problems))


class ColumnSection(QWidget):
    """Edits some properties of the chosen column; subclasses fill it and keep this constructor.

    Args:
        selection: The chosen column.
    """

    def __init__(self, selection: ColumnSelection, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._fill()

    def _fill(self) -> None:
        """Makes the widgets of the section."""
        raise NotImplementedError
