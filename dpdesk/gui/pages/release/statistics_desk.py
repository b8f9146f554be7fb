"""The Release page's other half: statistics before, while and after they are released."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import (
    QAction,
    QDesktopServices,
    QGuiApplication,
    QKeySequence,
    QShowEvent,
)
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from dpdesk.engine import Job
from dpdesk.errors import DpdeskError
from dpdesk.gui.document import Document
from dpdesk.gui.icons import IconBond
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.release.account_watch import AccountWatch
from dpdesk.gui.pages.release.empty_view import EmptyView
from dpdesk.gui.pages.release.kind_row import KindRow
from dpdesk.gui.pages.release.running_view import RunningView
from dpdesk.gui.pages.release.statistics_before import StatisticsBefore
from dpdesk.gui.pages.release.statistics_results import StatisticsResults
from dpdesk.gui.pages.release.statistics_tasks import statistics_task
from dpdesk.gui.places import place_of_path
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.budget_bar import BudgetBar, BudgetSegment
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.page_header import PageHeader
from dpdesk.ledger import Charge
from dpdesk.plan import errors_of
from dpdesk.release.release import Release
from dpdesk.release.statistics import STATISTICS
from dpdesk.report.number_text import epsilon_text

_REPORT = "report.html"


class StatisticsDesk(QWidget):
    """Shows what statistics would be released, releases them, and shows the results.

    Args:
        document: What is released.
        account: What the ledger says of the data.
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        goTo: Emitted with the key of a page and a path in the plan.
        ledgerAsked: The user wants to see the ledger.
        saveAsked: The user wants to save the plan.
    """

    goTo = Signal(str, str)
    ledgerAsked = Signal()
    saveAsked = Signal()

    def __init__(
        self,
        document: Document,
        account: AccountWatch,
        theme: ThemeSwitch,
        *,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._account = account
        self._charges: list[Charge] = []
        self.watch = JobWatch(self)
        self.header = PageHeader(parent=self)
        self.budget = BudgetBar(theme, parent=self)
        self.release = QPushButton(self.tr("Rele&ase"), self)
        self.release.setProperty("look", "primary")
        IconBond(self.release, theme, "play", "accent_text")
        self.last = QPushButton(self.tr("Last &results"), self)
        for widget in (self.budget, self.last, self.release):
            self.header.add_widget(widget)
        sentence = self.tr("The file is trusted; every statistic of it gets noise once.")
        self.kind = KindRow(document, sentence, parent=self)
        self.notice = NoticeBar(theme, parent=self)
        self.empty = EmptyView(theme, parent=self)
        self.before = StatisticsBefore(document, account, theme, parent=self)
        self.running = RunningView(parent=self)
        self.results = StatisticsResults(theme, parent=self)
        self._stack = QStackedWidget(self)
        for view in (self.empty, self.before, self.running, self.results):
            self._stack.addWidget(view)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(12)
        whole.addWidget(self.header)
        whole.addWidget(self.kind)
        whole.addWidget(self.notice)
        whole.addWidget(self._stack, 1)
        self._actions = self._make_actions()
        self._connect()
        self._take_table()

    def view(self) -> QWidget | None:
        """The view that is shown: empty, before, running or results."""
        return self._stack.currentWidget()

    def panes(self) -> list[QWidget]:
        """Head, then the cards of the view that is shown."""
        if self.view() is self.before:
            view = self.before
            return [self.header, view.promise, view.destination, view.checks, view.details]
        if self.view() is self.results:
            return [self.header, self.results.queries, self.results.table]
        return [self.header, self.running if self.view() is self.running else self.empty]

    def actions_listed(self) -> list[QAction]:
        """Everything that the buttons do, for the menu."""
        return list(self._actions)

    def focus(self) -> None:
        """Gives the focus to the button of the release."""
        self.release.setFocus()

    def cancel(self) -> bool:
        """Cancels the release that runs."""
        if not self.watch.is_running:
            return False
        self.running.show_cancelling()
        self.watch.cancel()
        return True

    def shut_down(self) -> None:
        """Cancels and joins what runs; a half-written release is removed by its own thread."""
        self.watch.shut_down()

    def start(self) -> None:
        """Releases the statistics of the plan in force, if nothing stands in the way."""
        table = self._document.table
        if table is None or not self._may_start():
            return
        self._document.end_gesture()
        self.notice.clear()
        folder = self.before.destination.folder()
        plan = self._document.plan
        self._charges = []
        to = self.before.promise.people.charge_to(charged=self._charges.append)
        self._show_view(self.running)
        count = len(plan.statistics.queries)
        asked = self.tr("Releasing {count} statistics of {rows} rows")
        title = asked.format(count=f"{count:,}", rows=f"{table.rows:,}")
        self.running.start(table.rows, folder.name, title)
        task = partial(statistics_task, table, plan, folder, to)
        self.watch.start(Job(self.tr("Releasing statistics"), task))
        self._refresh()

    def _make_actions(self) -> tuple[QAction, ...]:
        listed = (
            (self.tr("Rele&ase"), "Ctrl+Return", self.start),
            (self.tr("&Cancel the release"), "Ctrl+.", self.cancel),
            (
                self.tr("Choose the &place…"),
                "Ctrl+Shift+L",
                self.before.destination.choose_parent,
            ),
            (self.tr("Last &results"), "Ctrl+Shift+R", self._show_results),
            (self.tr("&Open folder"), "Ctrl+Shift+F", lambda: self._open(Path())),
            (self.tr("Open repor&t"), "Ctrl+Shift+E", lambda: self._open(Path(_REPORT))),
            (self.tr("Cop&y path"), "Ctrl+Shift+C", self._copy_path),
            (self.tr("Release a&gain…"), "Ctrl+Shift+G", self._show_before),
            (self.tr("&Ledger…"), "Ctrl+L", self.ledgerAsked.emit),
        )
        actions = []
        for text, shortcut, run in listed:
            action = QAction(text, self)
            action.setShortcut(QKeySequence(shortcut))
            action.triggered.connect(lambda _checked=False, run=run: run())
            actions.append(action)
        return tuple(actions)

    def _connect(self) -> None:
        document, before, results = self._document, self.before, self.results
        document.planChanged.connect(lambda _old, _new: self._refresh())
        document.problemsChanged.connect(lambda _problems: self._refresh())
        document.releaseKindChanged.connect(lambda _kind: self._refresh())
        document.tableChanged.connect(self._take_table)
        document.pathChanged.connect(self._refresh)
        self.watch.progressed.connect(self.running.show_progress)
        self.watch.finished.connect(self._take_result)
        self.watch.failed.connect(self._tell_failure)
        self.watch.stopped.connect(self._tell_stop)
        self.running.cancelAsked.connect(self.cancel)
        self.release.clicked.connect(self.start)
        self.last.clicked.connect(self._show_results)
        self.empty.openAsked.connect(lambda: self.goTo.emit("data", ""))
        self.empty.planAsked.connect(lambda: self.goTo.emit("plan", ""))
        self.empty.saveAsked.connect(self.saveAsked)
        before.promise.queryActivated.connect(lambda path: self.goTo.emit("plan", path))
        before.promise.people.ledgerAsked.connect(self.ledgerAsked)
        before.promise.people.changed.connect(self._refresh)
        before.checks.problemActivated.connect(self._go_to_cause)
        before.destination.changed.connect(self._refresh)
        results.againAsked.connect(self._show_before)
        results.open_folder.clicked.connect(lambda: self._open(Path()))
        results.open_report.clicked.connect(lambda: self._open(Path(_REPORT)))
        results.copy_path.clicked.connect(self._copy_path)

    def _take_table(self) -> None:
        if not self.watch.is_running:
            self._show_view(self.empty if self._document.table is None else self.before)
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Shows what was edited meanwhile."""
        super().showEvent(event)
        self._refresh()

    def _refresh(self) -> None:
        if not self.isVisible():
            # A slider of another page moves: what nobody sees can wait.
            return
        plan, table = self._document.plan, self._document.table
        source = "" if table is None else table.name
        name = plan.details.title or source
        self.header.set_title(name or self.tr("Release"))
        self.header.set_subtitle(self._facts())
        segments = tuple(
            BudgetSegment(query.heading, query.epsilon, series)
            for series, query in enumerate(plan.statistics.queries)
        )
        self.budget.set_budget(segments, plan.statistics.budget)
        self.budget.setVisible(bool(plan.columns))
        self.empty.show_questionnaire(bool(plan.columns))
        self.before.promise.show_plan(plan)
        statistics = self.tr("{survey} statistics")
        self.before.destination.set_survey(statistics.format(survey=name) if name else "")
        if self._document.release_kind is STATISTICS:
            held = bool(self.before.promise.people.objection())
            self.before.show_problems(self._document.problems, is_held=held)
        self.release.setVisible(self.view() is self.before)
        self.release.setEnabled(self._may_start())
        self.release.setToolTip(self._tip())
        self.last.setVisible(self.view() is self.before and self.results.result() is not None)
        self._enable_actions()

    def _facts(self) -> str:
        table = self._document.table
        if table is None:
            return self.tr("No data are open")
        words = self.tr("{rows} rows · {count} statistics · central model")
        count = len(self._document.plan.statistics.queries)
        return words.format(rows=f"{table.rows:,}", count=f"{count:,}")

    def _may_start(self) -> bool:
        return (
            self._document.table is not None
            and self._document.release_kind is STATISTICS
            and self.view() is self.before
            and not self.watch.is_running
            and not errors_of(self._document.problems)
            and not self.before.promise.people.objection()
            and self.before.destination.is_possible()
        )

    def _tip(self) -> str:
        if errors_of(self._document.problems):
            return self.tr("Blocked: see Checks")
        if self.before.promise.people.objection():
            return self.before.promise.people.reason()
        if not self.before.destination.is_possible():
            return self.before.destination.problem.sentence()
        return self.tr("Draw the noise and write the folder (Ctrl+Return)")

    def _enable_actions(self) -> None:
        running, has_result = self.watch.is_running, self.results.result() is not None
        on_results, can_open = self.view() is self.results, has_result and not running
        possible = (
            self._may_start(),
            running,
            self.view() is self.before,
            can_open and not on_results,
            can_open,
            can_open,
            can_open,
            on_results,
            True,
        )
        for action, enabled in zip(self._actions, possible, strict=True):
            action.setEnabled(enabled)

    def _show_view(self, view: QWidget) -> None:
        self._stack.setCurrentWidget(view)

    def _show_before(self) -> None:
        self.before.destination.suggest_next()
        self._show_view(self.empty if self._document.table is None else self.before)
        self._refresh()
        self.release.setFocus()

    def _show_results(self) -> None:
        if self.results.result() is not None and not self.watch.is_running:
            self.notice.clear()
            self._show_view(self.results)
            self._refresh()
            self.results.queries.setFocus()

    def _take_result(self, result: Release[Any, Any]) -> None:
        self._account.ask_again()
        self.results.show_result(result)
        if result.folder is not None:
            self._document.set_last_release(result.folder)
        self._show_results()
        if not result.is_kept:
            lost = self.tr("The ledger could not keep these answers; the folder has them.")
            self.notice.show_notice("warning", lost)

    def _tell_failure(self, error: DpdeskError) -> None:
        self._end_without_result()
        what = self.tr("The release failed, and nothing of it is left behind. {error}")
        said = what.format(error=str(error))
        self.notice.show_notice("error", f"{said}{self._still_charged()}")

    def _tell_stop(self) -> None:
        self._end_without_result()
        if self._charges:
            what = self.tr("The release was cancelled. Nothing was written.")
        else:
            what = self.tr("The release was cancelled. Nothing was written, nothing was spent.")
        self.notice.show_notice("info", f"{what}{self._still_charged()}")

    def _still_charged(self) -> str:
        """That a release whose draw had begun is not refunded; empty if it was not charged."""
        if not self._charges:
            return ""
        self._account.ask_again()
        charge = self._charges[0]
        words = self.tr("The draw had begun, so that ε = {epsilon} stays charged to {name}.")
        cost = sum((cost.epsilon for cost in charge.costs), Decimal(0))
        said = words.format(epsilon=epsilon_text(cost), name=charge.population.name)
        return f" {said}"

    def _end_without_result(self) -> None:
        self._show_view(self.empty if self._document.table is None else self.before)
        self._refresh()
        self.release.setFocus()

    def _go_to_cause(self, path: str) -> None:
        self.goTo.emit(place_of_path(path), path)

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
        if result is not None and result.folder is not None:
            QGuiApplication.clipboard().setText(str(result.folder))
            self.notice.show_notice("info", self.tr("The path of the release was copied."))
