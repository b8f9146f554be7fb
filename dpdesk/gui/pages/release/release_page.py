"""The Release page: before, while and after a release."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QAction,
    QDesktopServices,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QShowEvent,
    Qt,
)
from PySide6.QtWidgets import QPushButton, QStackedLayout, QStackedWidget, QVBoxLayout, QWidget

from dpdesk.data.table import SurveyTable
from dpdesk.engine import Job
from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.release.account_watch import AccountWatch
from dpdesk.gui.pages.release.before_view import BeforeView
from dpdesk.gui.pages.release.empty_view import EmptyView
from dpdesk.gui.pages.release.kind_row import KindRow
from dpdesk.gui.pages.release.ledger_dialog import LedgerDialog
from dpdesk.gui.pages.release.private_file import save_private_file
from dpdesk.gui.pages.release.release_tasks import compare_task, release_task
from dpdesk.gui.pages.release.results_view import ResultsView
from dpdesk.gui.pages.release.running_view import RunningView
from dpdesk.gui.pages.release.statistics_desk import StatisticsDesk
from dpdesk.gui.places import place_of_path
from dpdesk.gui.save_dialog import asked_path
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.i18n import N_
from dpdesk.ledger import Charge
from dpdesk.plan import errors_of
from dpdesk.release.private import PrivateDiagnostics
from dpdesk.release.release import Release
from dpdesk.release.statistics import STATISTICS
from dpdesk.report.number_text import epsilon_text

_REPORT = "report.html"
_DETAILS = "details."


class ReleasePage(Page):
    """Shows what a release would be, runs it, and shows what it gave.

    Args:
        document: What is released.
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    key: ClassVar[str] = "release"
    title: ClassVar[str] = N_("Release")
    icon_name: ClassVar[str] = "export-variant"

    def __init__(
        self, document: Document, theme: ThemeSwitch, parent: QWidget | None = None
    ) -> None:
        super().__init__(document, theme, parent)
        # What the release that runs, or ran last, was charged.
        self._charges: list[Charge] = []
        self._known_table: SurveyTable | None = None
        self._running_table: SurveyTable | None = None
        self._released_table: SurveyTable | None = None
        self.release_watch = JobWatch(self)
        self.compare_watch = JobWatch(self)
        self.account = AccountWatch(self)
        self._ledger_dialog: LedgerDialog | None = None
        self.records = QWidget(self)
        self.statistics = StatisticsDesk(document, self.account, theme, parent=self)
        sentence = self.tr("Every answer gets noise of its own before it is released.")
        self.kind = KindRow(document, sentence, parent=self)
        self.header = PageHeader(parent=self)
        self.budget = BudgetBar(theme, parent=self)
        self.sanitize = QPushButton(self.tr("Saniti&ze"), self)
        self.sanitize.setProperty("look", "primary")
        IconBond(self.sanitize, theme, "play", "accent_text")
        self.notice = NoticeBar(theme, parent=self)
        self.empty = EmptyView(theme, parent=self)
        self.before = BeforeView(document, self.account, theme, parent=self)
        self.running = RunningView(parent=self)
        self.results = ResultsView(theme, parent=self)
        self.last = QPushButton(self.tr("Last &results"), self)
        self.header.add_widget(self.budget)
        self.header.add_widget(self.last)
        self.header.add_widget(self.sanitize)
        self._stack = QStackedWidget(self)
        for view in (self.empty, self.before, self.running, self.results):
            self._stack.addWidget(view)
        whole = QVBoxLayout(self.records)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(self.header)
        whole.addWidget(self.kind)
        whole.addWidget(self.notice)
        whole.addWidget(self._stack, 1)
        self._kinds = QStackedLayout(self)
        self._kinds.addWidget(self.records)
        self._kinds.addWidget(self.statistics)
        self._make_actions()
        self._connect()
        self._show_kind()
        self._take_table()

    def view(self) -> QWidget | None:
        """The view that is shown: empty, before, running or results."""
        return self._stack.currentWidget()

    def show_path(self, path: str) -> None:
        """Shows the details that a path names, or the page before a release."""
        if self._shows_statistics:
            self.statistics.focus()
            return
        if path.startswith(_DETAILS) and self.view() in (self.before, self.results):
            self._stack.setCurrentWidget(self.before)
            self.before.details.focus_field(path.removeprefix(_DETAILS))
        else:
            self.sanitize.setFocus()
        self._refresh()

    def panes(self) -> list[QWidget]:
        """Head, then the cards of the view that is shown."""
        if self._shows_statistics:
            return self.statistics.panes()
        if self.view() is self.before:
            view = self.before
            return [self.header, view.promise, view.destination, view.checks, view.details]
        if self.view() is self.results:
            shown = self.results
            return [self.header, shown.attributes, shown.tabs, shown.estimates, shown.private]
        return [self.header, self.running if self.view() is self.running else self.empty]

    def page_actions(self) -> list[QAction]:
        """Everything that the buttons do."""
        if self._shows_statistics:
            return self.statistics.actions_listed()
        return list(self._actions)

    def cancel(self) -> bool:
        """Cancels the release that runs."""
        if self._shows_statistics:
            return self.statistics.cancel()
        if not self.release_watch.is_running:
            return False
        self.running.show_cancelling()
        self.release_watch.cancel()
        return True

    def unfinished_work(self) -> str:
        """That a release runs, and what stopping it would cost."""
        if not (self.release_watch.is_running or self.statistics.watch.is_running):
            return ""
        return self.tr(
            "A release is being made. If it is stopped now, nothing of it is written; what was "
            "charged stays charged."
        )

    def shut_down(self) -> None:
        """Cancels and joins what runs; a half-written release is removed by its own thread."""
        self.release_watch.shut_down()
        self.statistics.shut_down()
        self.compare_watch.shut_down()
        self.account.shut_down()

    def showEvent(self, event: QShowEvent) -> None:
        """Asks the ledger of the data: not before somebody looks, since it takes its time."""
        super().showEvent(event)
        self.account.look_at(self.document.table)

    def show_ledger(self) -> None:
        """Shows what was released before, of these people or of all."""
        if self._ledger_dialog is None:
            self._ledger_dialog = LedgerDialog(self.theme, self.window())
            self._ledger_dialog.view.changed.connect(self.account.ask_again)
        desk = self.statistics if self._shows_statistics else self
        people = desk.before.promise.people.known()
        self._ledger_dialog.show_ledger("" if people is None else people.name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc cancels."""
        if event.key() == Qt.Key.Key_Escape and self.cancel():
            return
        super().keyPressEvent(event)

    def start_release(self) -> None:
        """Releases the data by the plan in force, if nothing stands in the way."""
        table = self.document.table
        if table is None or not self._may_start():
            return
        self.document.end_gesture()
        self.notice.clear()
        folder = self.before.destination.folder()
        plan = self.document.plan
        self._running_table = table
        self._show_view(self.running)
        self.running.start(table.rows, folder.name)
        title = self.tr("Sanitizing")
        self._charges = []
        to = self.before.promise.people.charge_to(charged=self._charges.append)
        self.release_watch.start(Job(title, partial(release_task, table, plan, folder, to)))
        self._refresh()

    def save_private(self) -> None:
        """Asks for a file and writes the private comparison to it, never into the release."""
        diagnostics, result = self.results.private.diagnostics(), self.results.result()
        if diagnostics is None or result is None or result.folder is None:
            return
        try:
            path = save_private_file(self, diagnostics, result.folder)
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        if path is not None:
            saved = self.tr(
                "The private comparison was saved as {name}; only you can read the file."
            )
            self.notice.show_notice("success", saved.format(name=path.name))

    def _make_actions(self) -> None:
        listed = (
            (self.tr("Saniti&ze"), "Ctrl+Return", self.start_release),
            (self.tr("&Cancel the release"), "Ctrl+.", self.cancel),
            (
                self.tr("Choose the &place…"),
                "Ctrl+Shift+L",
                self.before.destination.choose_parent,
            ),
            (self.tr("Last &results"), "Ctrl+Shift+R", self._show_results),
            (self.tr("&Open folder"), "Ctrl+Shift+F", self._open_folder),
            (self.tr("Open &report"), "Ctrl+Shift+E", self._open_report),
            (self.tr("Cop&y path"), "Ctrl+Shift+C", self._copy_path),
            (self.tr("Release a&gain…"), "Ctrl+Shift+G", self._show_before),
            (self.tr("Save the pri&vate comparison…"), "Ctrl+Shift+P", self.save_private),
            (self.tr("&Ledger…"), "Ctrl+L", self.show_ledger),
        )
        self._actions: list[QAction] = []
        for text, shortcut, run in listed:
            action = QAction(text, self)
            action.setShortcut(QKeySequence(shortcut))
            action.triggered.connect(lambda _checked=False, run=run: run())
            self._actions.append(action)

    @property
    def _shows_statistics(self) -> bool:
        return self.document.release_kind is STATISTICS

    def _show_kind(self) -> None:
        self._kinds.setCurrentWidget(self.statistics if self._shows_statistics else self.records)
        self._refresh()

    def _connect(self) -> None:
        self.document.releaseKindChanged.connect(self._show_kind)
        self.statistics.goTo.connect(self.goTo)
        self.statistics.ledgerAsked.connect(self.show_ledger)
        self.statistics.saveAsked.connect(self._save_plan)
        self.document.planChanged.connect(lambda _old, _new: self._refresh())
        self.document.problemsChanged.connect(lambda _problems: self._refresh())
        self.document.tableChanged.connect(self._take_table)
        self.document.pathChanged.connect(self._refresh)
        self.release_watch.progressed.connect(self.running.show_progress)
        self.release_watch.finished.connect(self._take_result)
        self.release_watch.failed.connect(self._tell_failure)
        self.release_watch.stopped.connect(self._tell_stop)
        self.compare_watch.finished.connect(self._take_comparison)
        self.compare_watch.failed.connect(lambda error: self.results.private.show_state(str(error)))
        self.running.cancelAsked.connect(self.cancel)
        self.sanitize.clicked.connect(self.start_release)
        self.last.clicked.connect(self._show_results)
        self.empty.openAsked.connect(lambda: self.goTo.emit("data", ""))
        self.empty.planAsked.connect(lambda: self.goTo.emit("plan", ""))
        self.empty.saveAsked.connect(self._save_plan)
        self.before.promise.columnActivated.connect(self._go_to_cause)
        self.before.checks.problemActivated.connect(self._go_to_cause)
        self.before.promise.people.ledgerAsked.connect(self.show_ledger)
        self.before.promise.people.changed.connect(self._refresh)
        self.before.destination.changed.connect(self._refresh)
        self.results.againAsked.connect(self._show_before)
        self.results.open_folder.clicked.connect(self._open_folder)
        self.results.open_report.clicked.connect(self._open_report)
        self.results.copy_path.clicked.connect(self._copy_path)
        self.results.privateShown.connect(self._compare)
        self.results.private.saveAsked.connect(self.save_private)

    def _take_table(self) -> None:
        table = self.document.table
        if table is not self._known_table:
            self._known_table = table
            self.notice.clear()
            if self.isVisible():
                self.account.look_at(table)
        if not self.release_watch.is_running:
            if table is not self._released_table:
                self._forget_truth()
            self._show_view(self.empty if table is None else self.before)
        self._refresh()

    def _forget_truth(self) -> None:
        self._released_table = None
        self.compare_watch.shut_down()
        self.results.private.show_state(
            self.tr("The data of this release are closed. Open them and release again to compare.")
        )

    def _refresh(self) -> None:
        plan, table = self.document.plan, self.document.table
        source = "" if table is None else table.name
        name = plan.details.title or source
        self.header.set_title(name or self.tr("Release"))
        self.header.set_subtitle(self._facts())
        segments = tuple(
            BudgetSegment(column.title, column.mechanism.epsilon, series)
            for series, column in enumerate(plan.protected)
            if column.mechanism is not None
        )
        self.budget.set_budget(segments, plan.budget, adds_up=plan.strategy == "spl")
        self.budget.setVisible(bool(plan.columns))
        self.empty.show_questionnaire(bool(plan.columns))
        self.before.promise.show_plan(plan)
        self.before.destination.set_survey(name)
        if not self._shows_statistics:
            held = bool(self.before.promise.people.objection())
            self.before.show_problems(self.document.problems, is_held=held)
        self.sanitize.setVisible(self.view() is self.before)
        self.sanitize.setEnabled(self._may_start())
        self.sanitize.setToolTip(self._sanitize_tip())
        self.last.setVisible(self.view() is self.before and self.results.result() is not None)
        self._enable_actions()

    def _facts(self) -> str:
        table = self.document.table
        if table is None:
            return self.tr("No data are open")
        return self.tr("{rows} respondents · {count} protected attributes · local model").format(
            rows=f"{table.rows:,}", count=len(self.document.plan.protected)
        )

    def _may_start(self) -> bool:
        return (
            self.document.table is not None
            and not self._shows_statistics
            and self.view() is self.before
            and not self.release_watch.is_running
            and not errors_of(self.document.problems)
            and self.before.destination.is_possible()
            and not self.before.promise.people.objection()
        )

    def _sanitize_tip(self) -> str:
        errors = len(errors_of(self.document.problems))
        if errors:
            return self.tr("Blocked: see Checks")
        if not self.before.destination.is_possible():
            return self.before.destination.problem.sentence()
        if self.before.promise.people.objection():
            return self.before.promise.people.reason()
        return self.tr("Randomize the answers and write the folder (Ctrl+Return)")

    def _enable_actions(self) -> None:
        running, has_result = self.release_watch.is_running, self.results.result() is not None
        on_results = self.view() is self.results
        possible = (
            self._may_start(),
            running,
            self.view() is self.before,
            has_result and not running and not on_results,
            has_result and not running,
            has_result and not running,
            has_result and not running,
            on_results,
            on_results and self.results.private.diagnostics() is not None,
            True,
        )
        for action, enabled in zip(self._actions, possible, strict=True):
            action.setEnabled(enabled)

    def _show_view(self, view: QWidget) -> None:
        self._stack.setCurrentWidget(view)

    def _show_before(self) -> None:
        self.before.destination.suggest_next()
        self._show_view(self.empty if self.document.table is None else self.before)
        self._refresh()
        self.sanitize.setFocus()

    def _show_results(self) -> None:
        if self.results.result() is not None and not self.release_watch.is_running:
            self.notice.clear()
            self._show_view(self.results)
            self._refresh()
            self.results.attributes.setFocus()

    def _take_result(self, result: Release[Any, Any]) -> None:
        self._released_table, self._running_table = self._running_table, None
        self.account.ask_again()
        self.results.show_result(result)
        if self._released_table is self.document.table:
            self.results.private.show_state(self.tr("Comparing …"))
        else:
            self._forget_truth()
        if result.folder is not None:
            self.document.set_last_release(result.folder)
        self._show_results()

    def _tell_failure(self, error: DpdeskError) -> None:
        self._end_without_result()
        what = self.tr("The release failed, and nothing of it is left behind. {error}")
        self.notice.show_notice("error", f"{what.format(error=str(error))}{self._still_charged()}")

    def _tell_stop(self) -> None:
        self._end_without_result()
        if self._charges:
            what = self.tr("The release was cancelled. Nothing was written.")
            self.notice.show_notice("info", f"{what}{self._still_charged()}")
            return
        self.notice.show_notice(
            "info", self.tr("The release was cancelled. Nothing was written, nothing was spent.")
        )

    def _still_charged(self) -> str:
        """That a release whose draw had begun is not refunded; empty if it was not charged."""
        if not self._charges:
            return ""
        self.account.ask_again()
        charge = self._charges[0]
        words = self.tr("The draw had begun, so that ε = {epsilon} stays charged to {name}.")
        cost = sum((cost.epsilon for cost in charge.costs), Decimal(0))
        said = words.format(epsilon=epsilon_text(cost), name=charge.population.name)
        return f" {said}"

    def _end_without_result(self) -> None:
        self._show_view(self.empty if self.document.table is None else self.before)
        self._refresh()
        self.sanitize.setFocus()

    def _compare(self) -> None:
        result, table = self.results.result(), self._released_table
        if result is None or table is None or self.compare_watch.is_running:
            return
        if self.results.private.diagnostics() is None:
            task = partial(compare_task, table, result.released)
            self.compare_watch.start(Job(self.tr("Comparing"), task))

    def _take_comparison(self, diagnostics: PrivateDiagnostics) -> None:
        self.results.private.show_diagnostics(diagnostics)
        self._enable_actions()

    def _go_to_cause(self, path: str) -> None:
        self.goTo.emit(place_of_path(path), path)

    def _save_plan(self) -> None:
        path = self.document.plan_path
        if path is None:
            title, kinds = self.tr("Save the plan"), self.tr("Plans (*.json)")
            path = asked_path(self, title, "plan.json", kinds, (".json",))
            if path is None:
                return
        try:
            self.document.save_plan(path)
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        saved = self.tr("The plan was saved as {name}.").format(name=path.name)
        self.notice.show_notice("success", saved)

    def _open_folder(self) -> None:
        self._open(Path())

    def _open_report(self) -> None:
        self._open(Path(_REPORT))

    def _open(self, relative: Path) -> None:
        result = self.results.result()
        if result is None or result.folder is None:
            return
        target = result.folder / relative
        if not target.exists() or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(target))):
            lost = self.tr("{path} cannot be opened. Look for it with your file manager.")
            self.notice.show_notice("warning", lost.format(path=str(target)))

    def _copy_path(self) -> None:
        result = self.results.result()
        if result is not None:
            QGuiApplication.clipboard().setText(str(result.folder))
            self.notice.show_notice("info", self.tr("The path of the release was copied."))
