"""The document: the state of the window. Pages read it and send it edits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from dpdesk.data.table import SurveyTable
from dpdesk.designs import YesNoDesign
from dpdesk.engine.jobs import Job
from dpdesk.gui.answers_watch import AnswersWatch
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.open_table import (
    OpenedTable,
    PlanDefaults,
    ReadingWish,
    as_read,
    differences,
    fits,
    read_sample,
    read_table,
)
from dpdesk.gui.plan_edit import OpeningEdit, PlanEdit, PlanFiles
from dpdesk.gui.plan_problems import PlanProblems
from dpdesk.gui.save_dialog import note_open_data
from dpdesk.gui.settings import Settings
from dpdesk.gui.widgets.throttle import Rest
from dpdesk.i18n import AND_MORE, first_names
from dpdesk.plan import Plan, Problem, load_plan, save_plan
from dpdesk.plan.draft import merge_draft
from dpdesk.plan.given_answers import with_counts
from dpdesk.plan.persons import counted_rows_in
from dpdesk.plan.problem import errors_first
from dpdesk.plan.verdicts import Verdict
from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.kinds import KINDS

_NAMED = 6  # most columns that a sentence names


class Document(QObject):
    """The current plan, the data, their files, their problems, and the steps of undo.

    Attributes:
        planChanged: Emitted with the old and the new `Plan` at every edit, undo and redo.
        tableChanged: Emitted when data were opened or closed.
        problemsChanged: Emitted with the tuple of problems when they were found anew.
        dirtyChanged: Emitted with whether there are unsaved changes.
        pathChanged: Emitted when the file of the plan or of the data changes.
        releaseChanged: Emitted when a release was written, and when another document has none yet.
        releaseKindChanged: Emitted with the new `ReleaseKind` that is planned.
        surveyDesigned: Emitted when Simulate supposes another `survey_design` or `survey_device`.
        planReady: Emitted when data were opened with a plan that needs no decision.
        failed: Emitted with the `DpdeskError` of data that could not be opened.
        noticeRaised: Emitted with a sentence about a file that is no data.
        planKept: Emitted with sentences on how opened data differ from the plan, which stays.
        replaced: Emitted before another plan is opened or begun.
        loading: The watch of the job that reads data; connect to its signals for progress.
        answers: The counted answers of the data's columns.
        defaults: What a new plan begins with.
        settings: The settings of the window that shows it; the user's own without one.
        releaseAsked: Emit it with the folder of a release to look at; with None to ask for it.
        ledgerMoved: Emitted when the ledger of another folder is used from now on.
        confirm_leaving: Asks whether an unsaved plan may give way to that of other data.
    """

    planChanged = Signal(object, object)
    tableChanged = Signal()
    problemsChanged = Signal(object)
    dirtyChanged = Signal(bool)
    pathChanged = Signal()
    releaseChanged = Signal()
    releaseKindChanged = Signal(object)
    surveyDesigned = Signal()
    planReady = Signal()
    releaseAsked = Signal(object)
    ledgerMoved = Signal()
    failed = Signal(object)
    noticeRaised = Signal(str)
    planKept = Signal(str)
    replaced = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan = Plan()
        self._drafted = Plan()
        self.confirm_leaving: Callable[[], bool] = lambda: True
        self._table: SurveyTable | None = None
        self._plan_path: Path | None = None
        self._table_path: Path | None = None
        self._asked_path: Path | None = None
        self._last_release: Path | None = None
        self._release_kind: ReleaseKind[Any, Any] = KINDS[0]
        self._finder = PlanProblems()
        self._of_ledger: tuple[Problem, ...] = ()
        self._problems: tuple[Problem, ...] = self._finder.find(self._plan, None)
        self._gesture = 0
        self._resting = Rest(self._refresh_problems, self)
        self._before = self._files
        self.defaults = PlanDefaults()
        self.settings = Settings()
        self.survey_design: YesNoDesign | None = None
        self.survey_device = ""
        self.answers = AnswersWatch(self)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._tell_dirty)
        self.loading = JobWatch(self)
        self.loading.finished.connect(self._take_table)
        self.loading.failed.connect(self.failed)
        self.answers.found.connect(self._take_counts)

    @property
    def plan(self) -> Plan:
        """The current plan."""
        return self._plan

    @property
    def table(self) -> SurveyTable | None:
        """The data, or None."""
        return self._table

    @property
    def plan_path(self) -> Path | None:
        """The file of the plan; None if it was never saved."""
        return self._plan_path

    @property
    def table_path(self) -> Path | None:
        """The file of the data; None without data and for the bundled sample."""
        return self._table_path

    @property
    def asked_path(self) -> Path | None:
        """The data file that was requested last, read or not; None for the sample."""
        return self._asked_path

    @property
    def last_release(self) -> Path | None:
        """The folder of the last release of this plan and these data, or None."""
        return self._last_release

    @property
    def release_kind(self) -> ReleaseKind[Any, Any]:
        """The kind of release that the window plans."""
        return self._release_kind

    def set_release_kind(self, kind: ReleaseKind[Any, Any]) -> None:
        """Switches to another kind of release, which is shown before it is judged."""
        if kind is not self._release_kind:
            self._release_kind = kind
            self._resting.start()
            self.releaseKindChanged.emit(kind)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the planned kind of release: of the plan, the data and the ledger."""
        return self._problems

    def set_ledger_problems(self, problems: tuple[Problem, ...]) -> None:
        """Sets what the ledger has against the planned release, which the list then includes."""
        if problems != self._of_ledger:
            self._of_ledger = problems
            self._refresh_problems()

    @property
    def is_judged(self) -> bool:
        """Whether the problems are those of plan and kind: after a change of these they wait."""
        return not self._resting.isActive()

    @property
    def worth(self) -> Verdict | None:
        """Whether the planned kind of release will be useful; None if it releases nothing."""
        return self._release_kind.usefulness(self._plan).verdict

    @property
    def is_dirty(self) -> bool:
        """Whether there are unsaved changes."""
        return not self.undo_stack.isClean()

    @property
    def has_decisions(self) -> bool:
        """Whether somebody decided on the plan: it has a file, or was edited."""
        return self._plan_path is not None or self.undo_stack.count() > 0

    def edit(self, text: str, new_plan: Plan, merge_key: str | None = None) -> None:
        """Replaces the plan as a step of undo; an equal plan is not a step.

        Args:
            text: Name of the edit, for the Edit menu.
            new_plan: The new plan.
            merge_key: Edits in a row with one key are one step until `end_gesture`: a drag of a
                slider, say "epsilon:age".
        """
        if new_plan == self._plan:
            return
        gesture = None if merge_key is None else (merge_key, self._gesture)
        self._resting.stop() if gesture is None else self._resting.start()
        self.undo_stack.push(PlanEdit(text, self._plan, new_plan, self._apply, gesture))

    def _edit_opened(self, text: str, new_plan: Plan, draft: Plan) -> None:
        """Edits by data that were opened; undo brings plan and data before them back."""
        self._drafted = draft
        if new_plan != self._plan:
            before, self._before = self._before, replace(self._files, drafted=draft)
            self.undo_stack.push(
                OpeningEdit(text, self._plan, new_plan, self._apply, before, self._exchange)
            )

    @property
    def _files(self) -> PlanFiles:
        return PlanFiles(
            self._table, self._table_path, self._plan_path, self._drafted, self._last_release
        )

    def _exchange(self, files: PlanFiles) -> PlanFiles:
        """Opens the files of another plan; returns those that were open."""
        before, self._drafted = self._files, files.drafted
        if files.table is not before.table:
            self._set_table(files.table, files.table_path)
        self._set_plan_path(files.plan_path)
        self.set_last_release(files.last_release)
        return before

    def end_gesture(self) -> None:
        """Ends a gesture: the next edit is a new step, even with the same merge key."""
        self._gesture += 1
        self._resting.flush()

    def new(self) -> None:
        """Starts over without plan and data."""
        self._set_table(None, None)
        self.reset(Plan())

    def reset(self, plan: Plan, path: Path | None = None) -> None:
        """Replaces the plan, and its file if any, and clears the steps of undo."""
        self.undo_stack.clear()
        self._resting.stop()
        self.replaced.emit()
        self._drafted = Plan()
        self._apply(plan)
        self._set_plan_path(path)
        self.set_last_release(None)

    def open_plan(self, path: Path) -> None:
        """Opens a plan; the data stay.

        Raises:
            PlanError: The file is not a plan; nothing was changed.
        """
        self.reset(load_plan(path), path)

    def save_plan(self, path: Path | None = None) -> None:
        """Saves the plan.

        Args:
            path: The file; the plan's own if None.

        Raises:
            ReleaseError: The file cannot be written.
            ValueError: Neither a path is given nor has the plan one.
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

        The plan stays if these data have at least half of its columns, and then says how they are
        read; otherwise a plan is drafted from them. A plan that nobody decided on stays only if
        they have exactly its columns.

        Args:
            path: The file.
            redraft: Whether to draft a new plan in any case.
            is_confirmed: Whether the parts are confirmed to be public knowledge.
            **parts: Chosen parts of a `Reading`; None for those to be detected.
        """
        title = self.tr("Reading {name}").format(name=path.name)
        self._asked_path = path
        is_draft = self._plan == self._drafted and not self.has_decisions
        decided = path == self._table_path or not is_draft
        wish = ReadingWish(parts, is_confirmed, redraft, self.defaults, decided=decided)
        self._read(Job(title, partial(read_table, path, wish, self._plan)))

    def begin_plan(self) -> None:
        """Reads the open data again in the background, and drafts a plan as if there was none."""
        if self._table_path is not None:
            title = self.tr("Reading {name}").format(name=self._table_path.name)
            wish = ReadingWish({}, defaults=self.defaults, anew=True)
            self._read(Job(title, partial(read_table, self._table_path, wish, self._plan)))

    def open_sample(self) -> None:
        """Reads the bundled sample in the background; a plan is drafted from its codebook."""
        self._asked_path = None
        self._read(Job(self.tr("Reading the sample"), read_sample))

    def set_last_release(self, folder: Path | None) -> None:
        """Sets the folder of the last release of this document; None where it has none."""
        self._last_release = folder
        self.releaseChanged.emit()

    def shut_down(self) -> None:
        """Cancels background jobs and waits for them; no step can be undone afterwards."""
        self._resting.stop()
        self.loading.shut_down(timeout=5.0)
        self.answers.shut_down()
        # Its steps know the document: whoever collects all of them at once deletes them twice.
        self.undo_stack.blockSignals(True)
        self.undo_stack.clear()

    def _tell_dirty(self, clean: bool) -> None:
        self.dirtyChanged.emit(not clean)

    def _read(self, job: Job) -> None:
        # The file requested last is read; the thread of the one before ends at its next tick.
        self.loading.shut_down(timeout=0.0)
        self.loading.start(job)

    def _take_table(self, opened: OpenedTable) -> None:
        if not (opened.replaces_plan or opened.sets_reading):
            # A join of columns may have been made or undone while the file was being read.
            table = as_read(opened.table, self._plan)
            opened = opened if table is None else replace(opened, table=table)
        keep = fits(self._plan, opened.table) and not opened.replaces_plan
        same_file = opened.path is not None and opened.path == self._table_path
        gives_way = not keep and not opened.replaces_plan and not same_file
        if gives_way and not self.confirm_leaving():
            return
        self._before = self._files
        if opened.table.rows == 0:
            self._take_names(opened, keep=keep)
            return
        is_second = self._table is not None and opened.path != self._table_path
        if opened.path != self._table_path:
            self.set_last_release(None)
        self._set_table(opened.table, opened.path)
        if keep:
            self._take_reading(opened)
            anew = self._take_suggestions(opened)
            self._refresh_problems()
            self._tell_kept(opened.table, anew, is_second=is_second)
        elif same_file and self.has_decisions and not opened.begins_plan:
            # The same plan of the same file, with new suggestions.
            said = self.tr("Suggest kinds and domains anew")
            self._edit_opened(said, opened.draft, opened.draft)
        elif left := self._take_draft(opened):
            self.noticeRaised.emit("\n".join((left, *opened.table.notices)))
        if opened.is_ready:
            self.planReady.emit()

    def _take_draft(self, opened: OpenedTable) -> str:
        """Begins a drafted plan; returns what became of the one before that somebody decided on."""
        before, path, name = self._plan, self._plan_path, opened.table.name
        if self.is_dirty:
            # The user may want the previous plan back.
            said = self.tr("Draft a plan for {name}").format(name=name)
            self._set_plan_path(None)
            self._edit_opened(said, opened.draft, opened.draft)
            back = self.tr("Undo (Ctrl+Z) brings the plan before it back.")
        else:
            self.reset(opened.draft)
            words = self.tr("The plan before it is saved: open {file} to have it back.")
            back = "" if path is None else words.format(file=path.name)
            self._drafted = opened.draft
        if opened.replaces_plan or not back or not before.columns:
            return ""
        known = len({column.name for column in before.columns} & set(opened.table.names))
        told = self.tr(
            "{name} has {known:,} of the {count:,} columns of the plan, less than half, so a new "
            "plan was begun for it."
        ).format(name=name, known=known, count=len(before.columns))
        return f"{told} {back}"

    def _take_names(self, opened: OpenedTable, *, keep: bool) -> None:
        """Begins a questionnaire with the names of a file's columns, unless the plan has them."""
        said = self.tr("{name} holds the names of its columns and no answers.")
        if keep:
            done = self.tr("The plan has these columns already; nothing was changed.")
        else:
            done = self.tr("They are open as a questionnaire without data.")
            self._set_table(None, None)
            done = f"{done} {self._take_draft(opened)}".strip()
        self.noticeRaised.emit(f"{said.format(name=opened.table.name)} {done}")

    def _take_suggestions(self, opened: OpenedTable) -> str:
        """Drafts anew for other data what nobody decided on; says which columns of an edited plan.

        A plan that has a file, or whose reading was chosen for these data, was decided on.
        """
        before, plan = self._plan, merge_draft(self._plan, self._drafted, opened.draft)
        if self._plan_path is not None or opened.sets_reading or plan == before:
            return ""
        if not self.has_decisions:
            self.reset(plan)
            self._drafted = plan
            return ""
        self._edit_opened(self.tr("Suggest kinds and domains anew"), plan, opened.draft)
        anew = [column.name for column in plan.columns if column not in before.columns]
        told = self.tr(
            "Suggested anew from {name}, since nothing was decided on them: {columns}. Undo "
            "(Ctrl+Z) takes it back."
        )
        names = first_names(anew, _NAMED, more=self.tr(AND_MORE))
        return told.format(name=opened.table.name, columns=names) if anew else ""

    def _tell_kept(self, table: SurveyTable, anew: str, *, is_second: bool) -> None:
        """Tells how data differ from the plan that stays, and what was suggested anew from them."""
        if differing := differences(self._plan, table):
            planned = {column.name for column in self._plan.columns}
            told = self.tr("The plan stays: {name} has {known:,} of its {count:,} columns.").format(
                name=table.name, known=len(planned & set(table.names)), count=len(planned)
            )
            self.planKept.emit(" ".join((told, *differing, anew)).strip())
            return
        if is_second and self.has_decisions and not anew:
            words = self.tr("The plan stays: its decisions are used for {name}.")
            anew = words.format(name=table.name)
        if anew:
            self.noticeRaised.emit("\n".join((anew, *table.notices)))

    def _take_reading(self, opened: OpenedTable) -> None:
        """Adds how the data were read to a plan that does not say it, or not as confirmed."""
        reading = opened.table.reading
        if opened.sets_reading or self._plan.reading is None:
            changed = self._plan.with_fields(
                reading=reading, reading_confirmed=opened.is_confirmed, names_confirmed=False
            )
            said = self.tr("Take over how the file is read")
            if self._before.table is None:
                # A step like any other: undo leaves the plan its first data.
                self._before = self._files
            self._edit_opened(said, changed, self._drafted)

    def _set_table(self, table: SurveyTable | None, path: Path | None) -> None:
        self._table, self._table_path = table, path
        note_open_data([] if path is None else [path])
        self.answers.set_table(table)
        self.tableChanged.emit()
        self.pathChanged.emit()
        self._take_counts()

    def _set_plan_path(self, path: Path | None) -> None:
        self._plan_path = path
        self.pathChanged.emit()

    def _apply(self, plan: Plan) -> None:
        # By the rows of persons as the plan joins them.
        table, self._table = self._table, as_read(self._table, plan)
        plan = with_counts(plan, self.answers.of, self._rows_of(plan), self._plan)
        old, self._plan = self._plan, plan
        self.answers.set_plan(plan)
        if self._table is not table:
            self.answers.set_table(self._table)
        # Computed before planChanged, so that views draw once.
        has_other_problems = self.is_judged and self._find_problems()
        self.planChanged.emit(old, plan)
        if self._table is not table:
            self.tableChanged.emit()
        if has_other_problems:
            self.problemsChanged.emit(self._problems)

    def _rows_of(self, plan: Plan) -> int | None:
        return None if self._table is None else counted_rows_in(plan, self._table)

    def _take_counts(self) -> None:
        """Judges the plan by what was counted; no decision changes, so it is no step of undo."""
        plan = with_counts(self._plan, self.answers.of, self._rows_of(self._plan))
        if plan is not self._plan:
            self._apply(plan)

    def _refresh_problems(self) -> None:
        self._find_problems()
        self.problemsChanged.emit(self._problems)

    def _find_problems(self) -> bool:
        """Finds the problems; returns whether they are others than before."""
        found = self._finder.find(self._plan, self._table, self._release_kind)
        before, self._problems = self._problems, errors_first((*self._of_ledger, *found))
        return self._problems != before
