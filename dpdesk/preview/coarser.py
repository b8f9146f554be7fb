"""Coarser answers in place of noise: what the window asks, and the file before and after.

Everything here comes from true answers, for the holder of the data only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpdesk.data.table import SurveyTable
from dpdesk.disclosure import chosen_columns
from dpdesk.disclosure.coarsened import BeforeAfter, Coarsened, before_after, coarsened_at
from dpdesk.disclosure.coarsening import Lattice, search
from dpdesk.disclosure.information_loss import loss_named
from dpdesk.disclosure.level_choice import levelled_columns
from dpdesk.disclosure.requirement import Requirement
from dpdesk.engine.jobs import Tracker
from dpdesk.plan import Plan
from dpdesk.plan.recognisable import level_choice, missing_of, order_of


@dataclass(frozen=True)
class CoarseWish:
    """What the user asks.

    Attributes:
        quasi_identifiers: The columns that become coarser.
        sensitive: What somebody may want to learn.
        k: Least size of a class.
        l_distinct: Least number of different sensitive answers in a class.
        t: Largest distance of a class from all; None without this limit.
        left_out: The share of records that may be left out.
        loss: The word of the loss that is to be least.
        levels: The level of each column; None for the best ones.
    """

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    k: int = 5
    l_distinct: int = 1
    t: float | None = None
    left_out: float = 0.02
    loss: str = "entropy"
    levels: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class CoarseAnswer:
    """The file on some levels.

    Attributes:
        wish: What was asked, with the levels that were found.
        lattice: All levels of the columns.
        result: The file after.
        told: It beside the file before.
        is_best: Whether no other levels lose less.
    """

    wish: CoarseWish
    lattice: Lattice
    result: Coarsened
    told: BeforeAfter
    is_best: bool

    @property
    def levels(self) -> tuple[int, ...]:
        """The level of each column."""
        return self.wish.levels or ()

    @property
    def from_records(self) -> tuple[str, ...]:
        """The columns whose levels follow from the records."""
        return tuple(c.name for c in self.lattice.columns if c.hierarchy.from_data)

    @property
    def too_many(self) -> int:
        """How many records are left out beyond what is allowed."""
        return max(self.told.loss.suppressed - self.result.requirement.suppressed_most, 0)


def coarse_answer(
    table: SurveyTable, plan: Plan, wish: CoarseWish, before: Lattice | None, tracker: Tracker
) -> CoarseAnswer:
    """Returns the file on the levels that are asked for, or on the best ones.

    Args:
        table: The survey.
        plan: Its plan: what columns can hold, and what means "no answer".
        wish: What is asked.
        before: The levels of an earlier answer about the same columns of the same table, if any.
        tracker: Progress and cancel.

    Raises:
        ParameterError: It cannot be fulfilled, or a column has no levels.
        Cancelled: The user cancelled.
    """
    tracker.progress("Reading columns", 0.0)
    lattice = before
    if lattice is None:
        known = missing_of(plan, table.reading)
        lattice = Lattice(
            levelled_columns(table, wish.quasi_identifiers, level_choice(plan), known),
            chosen_columns(table, wish.sensitive, known, order_of(plan)),
            table.rows,
        )
    most = int(table.rows * wish.left_out)
    wanted = Requirement(wish.k, wish.l_distinct, 1.0, wish.t, most)
    wanted.check(table.rows, lattice.sensitive)
    levels, is_best = wish.levels, wish.levels is None
    if levels is None:
        # Sensitive columns of which nothing is asked would only make the search longer.
        sensitive = lattice.sensitive if wanted.needs_sensitive else ()
        searched = Lattice(lattice.columns, sensitive, lattice.rows)
        found = search(searched, wanted, loss_named(wish.loss), report=tracker.progress)
        levels = found.levels
    result = coarsened_at(lattice, levels, wanted)
    told = before_after(result, report=tracker.progress)
    return CoarseAnswer(replace(wish, levels=levels), lattice, result, told, is_best)
