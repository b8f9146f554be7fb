"""The document: the only thing in the window that changes. Pages read it and send it edits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Job
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.open_table import OpenedTable, ReadingWish, fits, read_sample, read_table
from dpdesk.gui.plan_problems import PlanProblems
from dpdesk.gui.save_dialog import note_open_data
from dpdesk.plan import Plan, Problem, load_plan, save_plan
from dpdesk.release.kind import ReleaseKind
from dpdesk.release.kinds import KINDS

_MERGEABLE = 1


class PlanEdit(QUndoCommand):
    """Replaces a plan by another; edits of one gesture merge into one step.

    Args:
        text: What the edit does, for the Edit menu.
        old: The plan before.
        new: The plan after.
        apply: Receives the plan that is in force from now on.
        gesture: Equal for edits of one gesture; None for an edit by itself.
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
        """Qt asks only steps of equal number to merge."""
        return -1 if self._gesture is None else _MERGEABLE

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Takes in the next edit of the same gesture; a gesture that comes back is no step."""
        if not isinstance(other, PlanEdit) or other._gesture != self._gesture:
            return False
        self._new = other._new
        self.setObsolete(self._new == self._old)
        return True

    def redo(self) -> None:
        """Puts the new plan in force."""
        self._apply(self._new)

    def undo(self) -> None:
        """Puts the old plan in force."""
        self._apply(self._old)


class Document(QObject):
    """The plan in force, the data, their files, their problems, and the steps of undo.

    Args:
        parent: Qt's owner.

    Attributes:
        planChanged: Emitted with the old and the new `Plan` at every edit, undo and redo.
        tableChanged: Emitted when other data were opened or closed.
        problemsChanged: Emitted with the tuple of problems when they differ from before.
        dirtyChanged: Emitted with whether there are unsaved changes.
        pathChanged: Emitted when the file of the plan or of the data is another one.
        releaseChanged: Emitted when a release was written.
        releaseKindChanged: Emitted with the `ReleaseKind` that is planned from now on.
        failed: Emitted with the `DpdeskError` of data that could not be opened.
        loading: The watch of the job that reads data; connect to its signals for progress.
    """

    planChanged = Signal(object, object)
    tableChanged = Signal()
    problemsChanged = Signal(object)
    dirtyChanged = Signal(bool)
    pathChanged = Signal()
    releaseChanged = Signal()
    releaseKindChanged = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan = Plan()
        self._table: SurveyTable | None = None
        self._plan_path: Path | None = None
        self._table_path: Path | None = None
        self._asked_path: Path | None = None
        self._last_release: Path | None = None
        self._release_kind: ReleaseKind[Any, Any] = KINDS[0]
        self._finder = PlanProblems()
        self._problems: tuple[Problem, ...] = self._finder.find(self._plan, None)
        self._gesture = 0
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._tell_dirty)
        self.loading = JobWatch(self)
        self.loading.finished.connect(self._take_table)
        self.loading.failed.connect(self.failed)

    @property
    def plan(self) -> Plan:
        """The plan in force."""
        return self._plan

    @property
    def table(self) -> SurveyTable | None:
        """The data, or None while there are none."""
        return self._table

    @property
    def plan_path(self) -> Path | None:
        """The file of the plan, or None while it was not saved."""
        return self._plan_path

    @property
    def table_path(self) -> Path | None:
        """The file of the data; None without data and for the bundled sample."""
        return self._table_path

    @property
    def asked_path(self) -> Path | None:
        """The data file that was asked for last, read or not; None for the sample."""
        return self._asked_path

    @property
    def last_release(self) -> Path | None:
        """The folder of the last release since the window was opened, or None."""
        return self._last_release

    @property
    def release_kind(self) -> ReleaseKind[Any, Any]:
        """The kind of release that the window plans."""
        return self._release_kind

    def set_release_kind(self, kind: ReleaseKind[Any, Any]) -> None:
        """Goes on with another kind of release of the same plan; no step of undo."""
        if kind is not self._release_kind:
            self._release_kind = kind
            self._refresh_problems()
            self.releaseKindChanged.emit(kind)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the kind of release that is planned, with those that the data add."""
        return self._problems

    @property
    def is_dirty(self) -> bool:
        """Whether there are unsaved changes."""
        return not self.undo_stack.isClean()

    def edit(self, text: str, new_plan: Plan, merge_key: str | None = None) -> None:
        """Puts another plan in force as a step of undo; an equal plan is no step.

        Args:
            text: What the edit does, for the Edit menu.
            new_plan: The plan from now on.
            merge_key: Edits in a row with one key are one step until `end_gesture`: a drag of a
                slider, say "epsilon:age".
        """
        if new_plan == self._plan:
            return
        gesture = None if merge_key is None else (merge_key, self._gesture)
        self.undo_stack.push(PlanEdit(text, self._plan, new_plan, self._apply, gesture))

    def end_gesture(self) -> None:
        """Ends a gesture: the next edit is a step of its own, even with the same merge key."""
        self._gesture += 1

    def new(self) -> None:
        """Starts anew with neither plan nor data."""
        self._set_table(None, None)
        self.reset(Plan())

    def reset(self, plan: Plan, path: Path | None = None) -> None:
        """Puts a plan in force without a way back, as it is when a file was opened.

        Args:
            plan: The plan.
            path: Its file, if it has one.
        """
        self.undo_stack.clear()
        self._apply(plan)
        self._set_plan_path(path)

    def open_plan(self, path: Path) -> None:
        """Opens a plan; the data stay.

        Raises:
            PlanError: The file is no plan; nothing was changed.
        """
        self.reset(load_plan(path), path)

    def save_plan(self, path: Path | None = None) -> None:
        """Saves the plan.

        Args:
            path: The file; the plan's own if not given.

        Raises:
            ReleaseError: The file cannot be written.
            ValueError: There is no path, neither given nor of the plan.
        """
        target = path or self._plan_path
        if target is None:
            raise ValueError("A plan without a file needs a path.")
        save_plan(self._plan, target)
        self.undo_stack.setClean()
        self._set_plan_path(target)

    def open_table(
        self,
        path: Path,
        *,
        redraft: bool = False,
        is_confirmed: bool = False,
        **parts: Any,
    ) -> None:
        """Reads data in the background; `tableChanged` or `failed` follows.

        A plan stays where these data have at least half of its columns, and then says how they
        are read; otherwise one is drafted from them.

        Args:
            path: The file.
            redraft: Whether the plan is drafted anew in any case.
            is_confirmed: Whether the parts are confirmed to be public knowledge.
            **parts: Parts of a `Reading` that were chosen, None for those to be found out.
        """
        title = self.tr("Reading {name}").format(name=path.name)
        self._asked_path = path
        wish = ReadingWish(parts, is_confirmed, redraft)
        self._read(Job(title, partial(read_table, path, wish, self._plan)))

    def open_sample(self) -> None:
        """Reads the bundled sample in the background; a plan is drafted from its codebook."""
        self._asked_path = None
        self._read(Job(self.tr("Reading the sample"), read_sample))

    def set_last_release(self, folder: Path) -> None:
        """Notes the folder of a release that was written."""
        self._last_release = folder
        self.releaseChanged.emit()

    def shut_down(self) -> None:
        """Cancels and joins what runs in the background."""
        self.loading.shut_down(timeout=5.0)

    def _tell_dirty(self, clean: bool) -> None:
        self.dirtyChanged.emit(not clean)

    def _read(self, job: Job) -> None:
        # The file that was asked for last is the one that is wanted; the thread of the one
        # before ends by itself at its next tick.
        self.loading.shut_down(timeout=0.0)
        self.loading.start(job)

    def _take_table(self, opened: OpenedTable) -> None:
        keep = fits(self._plan, opened.table) and not opened.replaces_plan
        self._set_table(opened.table, opened.path)
        if keep:
            self._take_reading(opened)
            self._refresh_problems()
        elif self.is_dirty:
            # The plan before is work that may be wanted back.
            text = self.tr("Draft a plan for {name}").format(name=opened.table.name)
            self.edit(text, opened.draft)
            self._set_plan_path(None)
        else:
            self.reset(opened.draft)

    def _take_reading(self, opened: OpenedTable) -> None:
        """Takes over how data were read, into a plan that says nothing or less of it."""
        reading = opened.table.reading
        if opened.sets_reading or self._plan.reading is None:
            changed = self._plan.with_fields(reading=reading, reading_confirmed=opened.is_confirmed)
            self.edit(self.tr("Take over how the file is read"), changed)

    def _set_table(self, table: SurveyTable | None, path: Path | None) -> None:
        self._table, self._table_path = table, path
        note_open_data([] if path is None else [path])
        self.tableChanged.emit()
        self.pathChanged.emit()

    def _set_plan_path(self, path: Path | None) -> None:
        self._plan_path = path
        self.pathChanged.emit()

    def _apply(self, plan: Plan) -> None:
        old, self._plan = self._plan, plan
        self.planChanged.emit(old, plan)
        self._refresh_problems()

    def _refresh_problems(self) -> None:
        found = self._finder.find(self._plan, self._table, self._release_kind)
        if found != self._problems:
            self._problems = found
            self.problemsChanged.emit(found)
