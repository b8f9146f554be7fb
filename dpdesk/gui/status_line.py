"""The status line: what stands in the way of a release, work going on, what is saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from dpdesk.gui.widgets.boxes import STRETCH, lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel, PlainLabel, plain_tooltip, short_name
from dpdesk.gui.widgets.severity_mark import SeverityMark

if TYPE_CHECKING:
    from dpdesk.engine.jobs import Progress
    from dpdesk.gui.document import Document


class StatusLine(QWidget):
    """The worst problem of the plan with a link on the left, the state of saving on the right.

    While data are read, the left side shows the progress, with Cancel. It is empty on a page that
    does not show the plan, and beside results: its sentences are about a release to come.

    Args:
        document: The document.

    Attributes:
        problemActivated: Emitted with the path of the problem that is shown.
    """

    problemActivated = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._path = ""
        self._shows_plan = True
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Status"))
        self._mark = SeverityMark(size=16, parent=self)
        self._message = ElidedLabel("", "muted", parent=self)
        self._message.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._link = QPushButton(self)
        self._link.setProperty("look", "link")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._link.clicked.connect(self._follow_link)
        self._saved = PlainLabel("", "muted", parent=self)
        lay_row(
            self._mark, (self._message, 100), self._link, STRETCH, self._saved, spacing=6, on=self
        )
        for change in (
            document.problemsChanged,
            document.tableChanged,
            document.releaseKindChanged,
            document.loading.ended,
        ):
            change.connect(self._show_problem)
        for change in (
            document.planChanged,
            document.dirtyChanged,
            document.pathChanged,
            document.releaseChanged,
        ):
            change.connect(self._show_saved)
        document.loading.started.connect(self._show_loading)
        document.loading.progressed.connect(self._show_progress)
        self._show_problem()
        self._show_saved()

    def message(self) -> str:
        """The sentence on the left."""
        return self._message.full_text()

    def tell(self, sentence: str) -> None:
        """Shows a sentence on the left until something else is to be told there."""
        if not self._document.loading.is_running:
            self._show("info", sentence, "", path="")

    def set_plan_shown(self, shown: bool) -> None:
        """Says whether the page in front shows the plan, so that its problems are told."""
        if shown != self._shows_plan:
            self._shows_plan = shown
            self._show_problem()

    def saved_text(self) -> str:
        """The text on the right."""
        return self._saved.text()

    def _show_problem(self) -> None:
        # The first paint of the frame does not wait for them.
        from dpdesk.gui.widgets.problem_list import ProblemCounts
        from dpdesk.plan import grouped

        if self._document.loading.is_running:
            return
        if not self._shows_plan:
            self._show("", "", "", path="")
            return
        problems = grouped(self._document.problems)
        empty = self._document.table is None and not self._document.plan.columns
        if empty or not problems:
            ready = self.tr("Open a data file, or drop one on the window.")
            fine = self.tr("The plan has no problems.")
            if self._document.worth is not None:
                every = self._document.release_kind.usefulness(self._document.plan).counts
                fine = self.tr("Ready to release. {count} of {all} estimates will be useful.")
                fine = fine.format(count=f"{every.useful:,}", all=f"{sum(every):,}")
            said = ready if empty else self._named(fine)
            self._show("info" if empty else "success", said, "", path="")
            return
        worst = problems[0]
        counts = ProblemCounts.of(problems)
        of_kind = worst.path.partition(".")[0] == self._document.release_kind.plan_part
        said = self._named(worst.message) if of_kind else worst.message
        self._show(worst.severity, said, counts.link, path=worst.path)
        to_cause = self.tr("{counts}: go to the cause of this one")
        self._link.setToolTip(to_cause.format(counts=counts.words))

    def _named(self, sentence: str) -> str:
        """A sentence on the plan, after the kind of release that it is about if not the records.

        The kind is remembered from the last plan, and most pages do not show it.
        """
        kind = self._document.release_kind
        if not kind.plan_part:
            return sentence
        title = QCoreApplication.translate("ReleaseKind", kind.title)
        return self.tr("{kind}: {sentence}").format(kind=title, sentence=sentence)

    def _show_loading(self, title: str) -> None:
        self._show("info", f"{title} …", self.tr("Cancel"), path="")
        self._link.setToolTip(self.tr("Cancel reading (Esc)"))

    def _show_progress(self, progress: Progress) -> None:
        share = self.tr("{title}: {percent} %").format(
            title=self._document.loading.title, percent=round(100 * progress.done)
        )
        self._message.set_text(share)

    def _show(self, severity: str, message: str, link: str, *, path: str) -> None:
        self._path = path
        self._mark.set_severity(severity)
        self._mark.setVisible(bool(severity))
        self._message.set_text(message)
        self._link.setText(link)
        self._link.setVisible(bool(link))
        self._link.setAccessibleName(f"{link}: {message}")

    def _follow_link(self) -> None:
        if self._document.loading.is_running:
            self._document.loading.cancel()
        else:
            self.problemActivated.emit(self._path)

    def _show_saved(self) -> None:
        if self._document.is_dirty:
            saved = self.tr("Unsaved changes")
        elif self._document.plan_path is not None:
            saved = self.tr("Plan saved")
        else:
            saved = self.tr("Plan not saved yet") if self._document.plan.columns else ""
        folder = self._document.last_release
        name = self.tr("none") if folder is None else short_name(folder.name)
        release = self.tr("last release: {name}").format(name=name)
        self._saved.setToolTip("" if folder is None else plain_tooltip(folder.name))
        self._saved.setText(" · ".join(part for part in (saved, release) if part))
