"""A kind of release whose holder may compare it with the true answers, in private."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from dpdesk.data.table import SurveyTable
from dpdesk.engine import Job, Tracker
from dpdesk.errors import DpdeskError
from dpdesk.gui.job_watch import JobWatch
from dpdesk.gui.pages.release.release_pane import ListedAction, ReleasePane
from dpdesk.gui.pages.release.results_view import ComparedResults
from dpdesk.releases.release import Release
from dpdesk.reports.section import Section


def comparison_task(
    compare: Callable[[SurveyTable, Any], Section],
    table: SurveyTable,
    released: Any,
    tracker: Tracker,
) -> Section:
    """Compares a release with its true answers; runs in a thread."""
    tracker.tick()
    return compare(table, released)


class ComparingPane(ReleasePane):
    """Releases, and reads the truth anew when somebody opens the private panel.

    Attributes:
        compare_watch: Watches the comparison.
    """

    results: ComparedResults

    _released_table: SurveyTable | None = None

    @staticmethod
    def compare(table: SurveyTable, released: Any) -> Section:
        """Returns how a release differs from the true answers of the table."""
        raise NotImplementedError

    def shut_down(self) -> None:
        super().shut_down()
        self.compare_watch.shut_down()

    def save_private(self) -> None:
        """Asks for a file and writes the private comparison to it, never into the release."""
        panel, result = self.results.private, self.results.result()
        if panel.diagnostics() is None or result is None or result.folder is None:
            return
        try:
            path = panel.save_beside(self, result.folder)
        except DpdeskError as error:
            self.notice.show_notice("error", str(error))
            return
        if path is not None:
            saved = self.tr(
                "The private comparison was saved as {name}; only you can read the file."
            )
            self.notice.show_notice("success", saved.format(name=path.name))

    def _connect(self) -> None:
        super()._connect()
        private = self.results.private
        self.compare_watch = JobWatch(self)
        self.compare_watch.finished.connect(self._take_comparison)
        self.compare_watch.failed.connect(lambda error: private.show_state(str(error)))
        self.results.privateShown.connect(self._compare)
        private.save.clicked.connect(self.save_private)

    def _listed(self) -> list[ListedAction]:
        def can_save() -> bool:
            has_comparison = self.results.private.diagnostics() is not None
            return self.view() is self.results and has_comparison

        *others, ledger = super()._listed()
        text = self.tr("Save the pri&vate comparison…")
        return [*others, (text, "Ctrl+Shift+P", self.save_private, can_save), ledger]

    def _take_released(self, result: Release[Any, Any]) -> None:
        self._released_table, self._running_table = self._running_table, None
        if self._released_table is self.document.table:
            self.results.private.show_state(self.tr("Comparing …"))
        else:
            self._forget_truth()

    def _data_changed(self) -> None:
        if self.document.table is not self._released_table:
            self._forget_truth()

    def _forget_truth(self) -> None:
        self._released_table = None
        self.compare_watch.shut_down()
        self.results.private.show_state(
            self.tr("The data of this release are closed. Open them and release again to compare.")
        )

    def _compare(self) -> None:
        result, table = self.results.result(), self._released_table
        if result is None or table is None or self.compare_watch.is_running:
            return
        if self.results.private.diagnostics() is None:
            task = partial(comparison_task, self.compare, table, result.released)
            self.compare_watch.start(Job(self.tr("Comparing"), task))

    def _take_comparison(self, diagnostics: Section) -> None:
        self.results.private.show_diagnostics(diagnostics)
        self._show_start()
