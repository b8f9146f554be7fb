"""The counted answers of the columns of a document, and what is to be decided about them.

Both are found in the background, once per column.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.engine.jobs import Job, Tracker
from dpdesk.gui.job_watch import JobWatch
from dpdesk.numbers.arrays import RowNumbers
from dpdesk.plan import ColumnPlan, Plan
from dpdesk.plan.given_answers import GivenAnswers, given_answers, weights_in
from dpdesk.plan.open_question import OpenQuestion
from dpdesk.plan.open_questions import open_questions

_SLICE = 0.2
"""Seconds of counting after which what is found is shown; the rest follows."""
_PAUSE_MS = 60
"""A drag of a slider changes the plan at every step: it is looked at when it rests."""

_ASKED = ("protect", "unassigned")
"""Roles whose answers are encoded, so that it matters which of them are no answer."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be decided about the answers of a column as it was declared."""

    column: ColumnPlan
    open: tuple[OpenQuestion, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """The counted answers of a column as it was declared, with the name of their weights."""

    asked: _Asked
    given: GivenAnswers
    weight: str


_Entry = tuple[ColumnPlan, TextColumn, _Asked | None]
_Weights = Callable[[], tuple[str, RowNumbers] | None]


class AnswersWatch(QObject):
    """Counts the answers of every column, and again those whose domain or missing codes change.

    Attributes:
        found: Emitted when some columns were counted.
    """

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: SurveyTable | None = None
        self._plan = Plan()
        self._known: dict[str, _Known] = {}
        self._asked: dict[str, _Asked] = {}
        self._weight = ""
        self._weights: _Weights = _no_weights
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
        self._table, self._known, self._asked = table, {}, {}
        self._weight, self._weights = "", _no_weights
        self.set_plan(self._plan)

    def set_plan(self, plan: Plan) -> None:
        """Takes over a plan; only columns whose answers mean something else are counted again."""
        self._plan = plan
        if self._table is not None:
            self._rest.start()

    def of(self, column: ColumnPlan) -> GivenAnswers | None:
        """The counted answers of a column as it is declared now; None while they are not known."""
        known = self._known.get(column.name)
        if known is None or not _same_meaning(known.asked.column, column):
            return None
        return known.given

    def open_of(self, column: ColumnPlan) -> tuple[OpenQuestion, ...]:
        """What is to be decided about the answers of a column, as far as it is known.

        Nothing is for a column of which no answer is encoded: one that is kept or dropped.
        """
        asked = self._asked_of(column)
        return asked.open if asked is not None and column.role in _ASKED else ()

    def find_open(self, column: ColumnPlan) -> tuple[OpenQuestion, ...]:
        """What is to be decided about the answers of a column of any role, found now if need be.

        A column can have a million different answers: the column that is looked at does not wait
        for the others, and what was found for one serves the other.
        """
        asked, table = self._asked_of(column), self._table
        if asked is None and table is not None and column.name in table.names:
            texts = table.column(column.name)
            column = column.labelled_by(table.described.get(column.name))
            asked = _Asked(column, open_questions(column, texts, table.reading))
            self._asked[column.name] = asked
        return () if asked is None else asked.open

    def shut_down(self) -> None:
        """Cancels and joins the counting."""
        self._rest.stop()
        self._watch.shut_down()

    def _count(self) -> None:
        table = self._table
        if table is None or self._watch.is_running:
            return
        names = set(table.names)
        weight = self._plan.weight_column
        name = weight.name if weight is not None and weight.name in names else ""
        if name != self._weight:
            self._weight = name
            self._weights = cache(partial(weights_in, table, name)) if name else _no_weights
        wanted = deque(
            (
                column.labelled_by(table.described.get(column.name)),
                table.column(column.name),
                self._asked_of(column),
            )
            for column in self._plan.columns
            if column.name in names and not self._is_known(column)
        )
        if wanted:
            self._watch.start(
                Job("Answers", partial(_find, wanted, table.reading, name, self._weights))
            )

    def _is_known(self, column: ColumnPlan) -> bool:
        known = self._known.get(column.name)
        return (
            known is not None
            and known.weight == self._weight
            and _same_questions(known.asked.column, column)
        )

    def _asked_of(self, column: ColumnPlan) -> _Asked | None:
        """What was found for a column as it is declared now; None where it is not known."""
        asked = self._asked.get(column.name)
        return asked if asked is not None and _same_questions(asked.column, column) else None

    def _take(self, found: list[_Known]) -> None:
        # A column that was declared otherwise in the meantime may have been looked at since.
        kept = {column.name for column in self._plan.columns if self._asked_of(column) is not None}
        for known in found:
            name = known.asked.column.name
            self._known[name] = known
            if name not in kept:
                self._asked[name] = known.asked
        self.found.emit()
        self._count()


def _same_meaning(one: ColumnPlan, other: ColumnPlan) -> bool:
    return one is other or (
        (one.kind, one.missing, one.other) == (other.kind, other.missing, other.other)
        and one.domain == other.domain
    )


def _same_questions(one: ColumnPlan, other: ColumnPlan) -> bool:
    # Bounds that somebody declared decide on codes between them.
    return one.provenance == other.provenance and _same_meaning(one, other)


def _no_weights() -> None:
    return None


def _find(
    wanted: deque[_Entry], reading: Reading, weight: str, weights: _Weights, tracker: Tracker
) -> list[_Known]:
    """Counts column after column, at least one, until the slice of time is over."""
    start = monotonic()
    found: list[_Known] = []
    while wanted and (not found or monotonic() - start < _SLICE):
        tracker.tick()
        column, texts, asked = wanted.popleft()
        given = given_answers(column, texts, reading, weights())
        if asked is None:
            asked = _Asked(column, open_questions(column, texts, reading))
        found.append(_Known(asked, given, weight))
    return found
