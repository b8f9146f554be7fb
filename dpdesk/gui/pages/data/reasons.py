"""Why columns were taken for what they are; found in the background."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from dpdesk.data.suggest import suggest_column
from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Job, Tracker
from dpdesk.gui.job_watch import JobWatch
from dpdesk.plan import ColumnPlan


class SuggestionReasons(QObject):
    """The reason of the suggestion for each column of a table.

    A column of a million different answers takes most of a second: too long for a click on it.

    Args:
        parent: Qt's owner.

    Attributes:
        found: Emitted when the reasons of a table are known.
    """

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reasons: dict[str, str] = {}
        self._watch = JobWatch(self)
        self._watch.finished.connect(self._take)

    def set_table(self, table: SurveyTable | None) -> None:
        """Forgets the reasons known, and finds those of a table."""
        self._watch.shut_down()
        self._reasons = {}
        if table is not None:
            self._watch.start(Job("Reasons", partial(_find, table)))

    def reason_of(self, column: ColumnPlan) -> str:
        """The reason of the suggestion that a column still follows, as a sentence; else ""."""
        return self._reasons.get(column.name, "") if column.provenance == "suggested" else ""

    def shut_down(self) -> None:
        """Cancels and joins the search."""
        self._watch.shut_down()

    def _take(self, reasons: dict[str, str]) -> None:
        self._reasons = reasons
        self.found.emit()


def _find(table: SurveyTable, tracker: Tracker) -> dict[str, str]:
    reasons = {}
    for column in table.columns:
        tracker.tick()
        reasons[column.name] = suggest_column(column, table.reading).reason
    return reasons
