"""The base class of the sections of the column editor, and the problems shown in them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from dpdesk.gui.pages.data.column_selection import ColumnSelection
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.problem_list import ProblemLine
from dpdesk.plan import Problem

_LINES = 2


class FieldProblems(QWidget):
    """Up to two problems with their remedies; hidden if there are none.

    Args:
        parent: Qt's owner.
    """

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
                line.set_problem(_here(problem))
        self.setVisible(bool(problems))


def _here(problem: Problem) -> Problem:
    return Problem("", problem.severity, problem.code, problem.message, problem.remedy)


class ColumnSection(QWidget):
    """Edits some properties of the chosen column; subclasses fill it and keep this constructor.

    Args:
        selection: The chosen column.
        parent: Qt's owner.
    """

    def __init__(self, selection: ColumnSelection, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = selection
        self._fill()

    def _fill(self) -> None:
        """Makes the widgets of the section."""
        raise NotImplementedError
