"""A step of undo: a plan that replaces another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QUndoCommand

from dpdesk.data.table import SurveyTable
from dpdesk.plan import Plan

_MERGEABLE = 1


class PlanEdit(QUndoCommand):
    """Replaces a plan by another; edits of one gesture merge into one step.

    Args:
        text: What the edit does, for the Edit menu.
        old: The plan before.
        new: The plan after.
        apply: Receives the new current plan.
        gesture: Equal for edits of one gesture; None for a single edit.
    """

    def __init__(
        self,
        text: str,
        old: Plan,
        new: Plan,
        apply: Callable[[Plan], None],
        gesture: tuple[str, int] | None,
    ) -> None:
        super().__init__(text)
        self._old = old
        self._new = new
        self._apply = apply
        self._gesture = gesture

    def id(self) -> int:
        """Qt merges only steps with equal numbers."""
        return -1 if self._gesture is None else _MERGEABLE

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, PlanEdit) or other._gesture != self._gesture:
            return False
        self._new = other._new
        self.setObsolete(self._new == self._old)
        return True

    def redo(self) -> None:
        """Makes the new plan the current one."""
        self._apply(self._new)

    def undo(self) -> None:
        """Makes the old plan the current one."""
        self._apply(self._old)


@dataclass(frozen=True)
class PlanFiles:
    """What a plan belongs to.

    Attributes:
        table: The data.
        table_path: Their file.
        plan_path: The file of the plan.
        drafted: What was drafted from the data.
        last_release: The folder of the last release.
    """

    table: SurveyTable | None
    table_path: Path | None
    plan_path: Path | None
    drafted: Plan
    last_release: Path | None


class OpeningEdit(PlanEdit):
    """Replaces a plan by that of data that were opened; undo brings both back.

    Args:
        text: What the edit does, for the Edit menu.
        old: The plan before.
        new: The plan after; its files are open already.
        apply: Receives the new current plan.
        before: The files of the plan before.
        exchange: Opens files, and returns those that were open.
    """

    def __init__(
        self,
        text: str,
        old: Plan,
        new: Plan,
        apply: Callable[[Plan], None],
        before: PlanFiles,
        exchange: Callable[[PlanFiles], PlanFiles],
    ) -> None:
        super().__init__(text, old, new, apply, None)
        self._others = before
        self._exchange = exchange
        self._was_undone = False

    def redo(self) -> None:
        if self._was_undone:
            self._others = self._exchange(self._others)
        super().redo()

    def undo(self) -> None:
        self._others = self._exchange(self._others)
        self._was_undone = True
        super().undo()
