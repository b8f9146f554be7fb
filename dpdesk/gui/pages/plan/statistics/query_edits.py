"""The edits of statistics: each is one step of undo, and none leaves a query half changed."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpdesk.gui.document import Document
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.plan import Plan
from dpdesk.plan.budget import epsilon_of_another, resplit_statistics
from dpdesk.plan.check_statistics import statistics_domains
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import Query
from dpdesk.queries.noise import GAUSSIAN_KINDS
from dpdesk.queries.phrase import parse_query


class QueryEdits(QObject):
    """Sends edits of statistics to the document.

    Args:
        document: What is edited.
        parent: Qt's owner.

    Attributes:
        refused: Emitted with the sentence of an edit that could not be made.
    """

    refused = Signal(str)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document

    @property
    def _statistics(self) -> Statistics:
        return self._document.plan.statistics

    def add(self, query: Query) -> None:
        """Puts a query at the end of the list."""
        self._edit(self.tr("Add a statistic"), lambda s: s.with_queries((*s.queries, query)))

    def starting(self, kind: type[Query]) -> Query | None:
        """Returns the query that a kind begins with; None where no column suits it."""
        statistics = self._statistics
        asked = {n for query in statistics.queries if type(query) is kind for n in query.columns}
        domains, epsilon = statistics_domains(self._document.plan), epsilon_of_another(statistics)
        return kind.starting(domains, statistics.unit, epsilon, asked)

    def ask(self, phrase: str) -> str:
        """Adds the query of a phrase; returns why it was refused, or ""."""
        if not phrase.strip():
            return ""
        epsilon = epsilon_of_another(self._statistics)
        try:
            query = parse_query(phrase, epsilon=epsilon)
        except Refused as error:
            return refusal_of(error)
        self.add(self._with_delta(query))
        return ""

    def remove(self, index: int) -> None:
        """Takes a query out of the list."""
        self._edit(
            self.tr("Remove a statistic"),
            lambda s: s.with_queries((*s.queries[:index], *s.queries[index + 1 :])),
        )

    def duplicate(self, index: int) -> None:
        """Puts a copy below a query, unlocked."""
        copy = self._statistics.queries[index].changed(locked=False)
        self._edit(
            self.tr("Duplicate a statistic"),
            lambda s: s.with_queries((*s.queries[: index + 1], copy, *s.queries[index + 1 :])),
        )

    def move(self, index: int, step: int) -> bool:
        """Moves a query up (-1) or down (1); returns whether it moved."""
        queries = list(self._statistics.queries)
        to = index + step
        if not 0 <= to < len(queries):
            return False
        queries[index], queries[to] = queries[to], queries[index]
        return self._edit(self.tr("Move a statistic"), lambda s: s.with_queries(queries))

    def set_epsilon(self, index: int, epsilon: Decimal) -> None:
        """Changes an epsilon; steps of one drag are one edit until `end_drag`."""
        query = self._statistics.queries[index].changed(epsilon=epsilon)
        plan = self._document.plan.with_fields(statistics=self._statistics.with_query(index, query))
        text = self.tr("Change epsilon of a statistic")
        self._document.edit(text, plan, merge_key=f"query:{index}")

    def end_drag(self) -> None:
        """Ends a drag: the next change of an epsilon is an edit by itself."""
        self._document.end_gesture()

    def change(self, index: int, **fields: Any) -> str:
        """Changes fields of a query; returns why they were refused, or ""."""
        try:
            query = self._statistics.queries[index].changed(**fields)
            query = self._with_delta(query)
        except Refused as error:
            return refusal_of(error)
        self._edit(self.tr("Change a statistic"), lambda s: s.with_query(index, query))
        return ""

    def toggle_lock(self, index: int) -> None:
        """Locks the epsilon of a query against a new split, or unlocks it."""
        self.change(index, locked=not self._statistics.queries[index].locked)

    def set_budget(self, budget: Decimal | None, *, split: bool = False) -> None:
        """Changes what all queries together may use, and perhaps splits it."""

        def change(statistics: Statistics) -> Statistics:
            changed = statistics.with_fields(budget=budget)
            return resplit_statistics(changed) if split else changed

        self._edit(self.tr("Change the budget of statistics"), change)

    def resplit(self) -> None:
        """Splits the budget evenly over the queries that are not locked."""
        self._edit(self.tr("Split the budget of statistics"), resplit_statistics)

    def set_unit(self, **fields: Any) -> str:
        """Changes whom the guarantee protects; returns why that was refused, or ""."""
        unit = self._statistics.unit
        kept = {key: getattr(unit, key) for key in type(unit).model_fields}
        try:
            changed = type(unit)(**(kept | fields))
        except Refused as error:
            return refusal_of(error)
        self._edit(self.tr("Change whom statistics protect"), lambda s: s.with_fields(unit=changed))
        return ""

    def set_confidence(self, confidence: Decimal) -> str:
        """Changes the coverage of intervals; returns why that was refused, or ""."""
        try:
            changed = self._statistics.with_fields(confidence=confidence)
        except Refused as error:
            return refusal_of(error)
        self._edit(self.tr("Change the confidence of intervals"), lambda _: changed)
        return ""

    def _with_delta(self, query: Query) -> Query:
        """A delta where the noise needs one, and none where it does not."""
        if query.noise in GAUSSIAN_KINDS:
            return query if query.delta else query.changed(delta=self._statistics.delta)
        return query.changed(delta=Decimal(0)) if query.delta else query

    def _edit(self, text: str, change: Callable[[Statistics], Statistics]) -> bool:
        """Makes an edit; a plan that would not be valid stays away, with a sentence."""
        before: Plan = self._document.plan
        try:
            plan = before.with_fields(statistics=change(before.statistics))
        except Refused as error:
            self.refused.emit(refusal_of(error))
            return False
        self._document.end_gesture()
        self._document.edit(text, plan)
        return True
