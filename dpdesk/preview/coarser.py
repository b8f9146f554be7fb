"""Coarser answers in place of noise: what window and command line ask, and what it does.

Everything here comes from true answers, for the holder of the data only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dpdesk.data.table import SurveyTable
from dpdesk.disclosure import CodedColumn, chosen_columns
from dpdesk.disclosure.coarsened import BeforeAfter, before_after
from dpdesk.disclosure.coarsening import Lattice
from dpdesk.disclosure.hierarchies import Hierarchy
from dpdesk.disclosure.information_loss import loss_named
from dpdesk.disclosure.level_choice import LevelChoice, levelled_columns
from dpdesk.disclosure.measure import check_columns
from dpdesk.disclosure.methods import Method, Outcome, Task, method_named
from dpdesk.disclosure.requirement import Requirement, records_of
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.plan import Plan
from dpdesk.plan.coarsening import Coarsening
from dpdesk.plan.recognisable import level_choice, missing_of, order_of
from dpdesk.preview.texts import T
from dpdesk.requests.coarsen import CoarsenRequest


@dataclass(frozen=True)
class CoarseWish:
    """What is asked, with what was set by hand in a window.

    Attributes:
        request: What is asked.
        levels: The level of each column, chosen by hand; None for the best ones.
        hierarchies: Levels of columns that were read from files; they win over what is declared.
    """

    request: CoarsenRequest
    levels: tuple[int, ...] | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)

    @property
    def method(self) -> Method:
        """The method."""
        return method_named(self.request.method)

    @property
    def chosen_by(self) -> str:
        """What was to be least, as a clause; empty where nothing is searched."""
        is_searched = self.levels is None and "loss" in self.method.takes
        return loss_named(self.request.loss).words if is_searched else ""


@dataclass(frozen=True, eq=False)
class CoarseAnswer:
    """The file after.

    Attributes:
        wish: What was asked.
        lattice: All levels of the columns.
        outcome: The file after, and what the method says of its work.
        comparison: It beside the file before.
    """

    wish: CoarseWish
    lattice: Lattice
    outcome: Outcome
    comparison: BeforeAfter

    @property
    def levels(self) -> tuple[int, ...] | None:
        """The level of each column; None where cells differ in their level."""
        return self.outcome.result.levels

    @property
    def from_records(self) -> tuple[str, ...]:
        """The columns whose levels follow from the records."""
        return tuple(c.name for c in self.lattice.columns if c.hierarchy.from_data)

    def for_plan(
        self, *, chosen_by_hand: bool = False, confirmed: bool = False
    ) -> dict[str, Coarsening | None]:
        """Returns the levels as a plan has them; None for a column that stays as it is.

        Args:
            chosen_by_hand: Whether the levels were set without a search.
            confirmed: Whether levels that follow from the records may be released.

        Raises:
            ParameterError: Cells differ in their level.
        """
        if self.levels is None:
            raise ParameterError(T.LEVELS_DIFFER())
        pairs = zip(self.lattice.columns, self.levels, strict=True)
        return {
            column.name: Coarsening.of(
                column.hierarchy,
                level,
                level_from_records=not chosen_by_hand,
                confirmed=confirmed,
            )
            if level
            else None
            for column, level in pairs
        }

    @property
    def too_many(self) -> int:
        """How many records are left out beyond what is allowed."""
        allowed = self.outcome.result.requirement.suppressed_most
        return max(self.comparison.loss.suppressed - allowed, 0)


def coarse_answer(
    table: SurveyTable,
    plan: Plan | None,
    wish: CoarseWish,
    before: Lattice | None,
    tracker: Tracker,
    choice: LevelChoice | None = None,
) -> CoarseAnswer:
    """Returns the file made coarser as it is asked for.

    Args:
        table: The survey.
        plan: Its plan, if there is one: what columns can hold, and what means "no answer".
        wish: What is asked.
        before: The levels of an earlier answer about the same columns of the same table, if any.
        tracker: Progress and cancel.
        choice: What is known of the levels of columns; by the plan if None.

    Raises:
        ParameterError: It cannot be fulfilled, or a column has no levels.
        Cancelled: The user cancelled.
    """
    tracker.progress("Reading columns", 0.0)
    request = wish.request
    check_columns(request.quasi, request.sensitive, table.rows)
    known = missing_of(plan, table.reading)
    lattice = before
    if lattice is None:
        chosen = level_choice(plan) if choice is None else choice
        chosen = replace(chosen, hierarchies={**chosen.hierarchies, **wish.hierarchies})
        lattice = Lattice(
            levelled_columns(table, request.quasi, chosen, known),
            chosen_columns(table, request.sensitive, known, order_of(plan)),
            table.rows,
        )
    most = records_of(request.suppress, table.rows) if "suppress" in wish.method.takes else 0
    wanted = Requirement(
        request.k, request.l_distinct, request.l_entropy, request.t if request.t < 1 else None, most
    )
    wanted.check(table.rows, lattice.sensitive)
    tables = [_table(table, names, lattice) for names in request.table]
    task = Task(
        lattice,
        wanted,
        loss_named(request.loss),
        _fixed(request, lattice),
        wish.levels,
        tuple(request.importance.get(column.name, 1.0) for column in lattice.columns),
    )
    outcome = wish.method.run(task, tracker.progress)
    comparison = before_after(outcome.result, tables, tracker.progress)
    return CoarseAnswer(wish, lattice, outcome, comparison)


def _fixed(request: CoarsenRequest, lattice: Lattice) -> dict[int, int]:
    places = {column.name: place for place, column in enumerate(lattice.columns)}
    for name, level in request.level.items():
        height = lattice.columns[places[name]].height
        if not 0 <= level <= height:
            raise ParameterError(T.NO_SUCH_LEVEL(column=name, height=height))
    return {places[name]: level for name, level in request.level.items()}


def _table(table: SurveyTable, names: tuple[str, ...], lattice: Lattice) -> list[CodedColumn]:
    """Returns the columns of a table whose error is wanted; those with levels as their values."""
    own = {column.name: column.at(0) for column in lattice.columns}
    return [own[name] if name in own else chosen_columns(table, [name])[0] for name in names]
