"""A step of undo: a plan that replaces another."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

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
        """Merges the next edit of the same gesture; one that ends where it began is no step."""
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
