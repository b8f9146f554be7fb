"""The counted answers of the columns of a document, found in the background, once per column."""

from __future__ import annotations

from collections import deque
from functools import partial
from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.engine.jobs import Job, Tracker
from dpdesk.gui.job_watch import JobWatch
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.given_answers import GivenAnswers, given_answers

_SLICE = 0.2
"""Seconds of counting after which what is found is shown; the rest follows."""
_PAUSE_MS = 60
"""A drag of a slider changes the plan at every step: it is looked at when it rests."""

_Entry = tuple[ColumnPlan, TextColumn]


class AnswersWatch(QObject):
    """Counts the answers of every column, and again those whose domain or missing codes change.

    Args:
        parent: Qt's owner.

    Attributes:
        found: Emitted when some columns were counted.
    """

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: SurveyTable | None = None
        self._plan = Plan()
        self._known: dict[str, tuple[ColumnPlan, GivenAnswers]] = {}
        self._watch = JobWatch(self)
        self._watch.finished.connect(self._take)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_PAUSE_MS)
        self._rest.timeout.connect(self._count)

    @property
    def is_counting(self) -> bool:
        """Whether some columns are still to be counted."""
        return self._rest.isActive() or self._watch.is_running

    def set_table(self, table: SurveyTable | None) -> None:
        """Forgets what was counted, and counts another table by the plan."""
        self._watch.shut_down()
        self._table, self._known = table, {}
        self.set_plan(self._plan)

    def set_plan(self, plan: Plan) -> None:
        """Takes over a plan; only columns whose answers mean something else are counted again."""
        self._plan = plan
        if self._table is not None:
            self._rest.start()

    def of(self, column: ColumnPlan) -> GivenAnswers | None:
        """The counted answers of a column as it is declared now; None while they are not known."""
        known = self._known.get(column.name)
        return known[1] if known is not None and _same_meaning(known[0], column) else None

    def shut_down(self) -> None:
        """Cancels and joins the counting."""
        self._rest.stop()
        self._watch.shut_down()

    def _count(self) -> None:
        table = self._table
        if table is None or self._watch.is_running:
            return
        names = set(table.names)
        wanted = deque(
            (column, table.column(column.name))
            for column in self._plan.columns
            if column.name in names and self.of(column) is None
        )
        if wanted:
            self._watch.start(Job("Answers", partial(_find, wanted, table.reading)))

    def _take(self, found: list[tuple[ColumnPlan, GivenAnswers]]) -> None:
        self._known |= {column.name: (column, given) for column, given in found}
        self.found.emit()
        self._count()


def _same_meaning(one: ColumnPlan, other: ColumnPlan) -> bool:
    return one is other or (
        (one.kind, one.missing, one.other) == (other.kind, other.missing, other.other)
        and one.domain == other.domain
    )


def _find(
    wanted: deque[_Entry], reading: Reading, tracker: Tracker
) -> list[tuple[ColumnPlan, GivenAnswers]]:
    """Counts column after column, at least one, until the slice of time is over."""
    start = monotonic()
    found: list[tuple[ColumnPlan, GivenAnswers]] = []
    while wanted and (not found or monotonic() - start < _SLICE):
        tracker.tick()
        column, texts = wanted.popleft()
        found.append((column, given_answers(column, texts, reading)))
    return found
