"""How a file is made coarser: the methods, each with what it takes and what is said of it.

Adding one: a class with its words and its work here, its place in `METHODS`, its word on the
command line, its lines in `resources/docs/coarsening.md`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from dpdesk.disclosure.coarsened import Coarsened, coarsened_at
from dpdesk.disclosure.coarsening import Lattice, search
from dpdesk.disclosure.information_loss import Loss
from dpdesk.disclosure.mondrian import mondrian
from dpdesk.disclosure.requirement import Requirement
from dpdesk.disclosure.suppression import suppress_cells
from dpdesk.disclosure.texts import T
from dpdesk.errors import kind_named
from dpdesk.i18n import N_

MethodOption = Literal["level", "suppress", "loss", "importance", "beyond_distinct", "order"]
"""An option that some methods have: levels of columns, records to leave out, a loss to make least,
what a blanked cell costs, entropy l and t, which categories are in their order."""

Report = Callable[[str, float], object]


@dataclass(frozen=True)
class Task:
    """What a method is to do.

    Attributes:
        lattice: The columns with their levels, and the sensitive ones.
        requirement: What every class has to fulfil.
        loss: What is to be least.
        fixed: Levels that are chosen already, by the place of their column.
        levels: The level of every column, chosen by hand; however many records are left out then
            is not judged. None for the best ones.
        costs: What a blanked cell of each column costs.
    """

    lattice: Lattice
    requirement: Requirement
    loss: Loss
    fixed: Mapping[int, int]
    levels: tuple[int, ...] | None
    costs: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The file after, and what the method says of its work.

    Attributes:
        result: The file after coarsening.
        facts: What it says, as JSON has it.
        figures: What it says beside what is lost by every method: heads and numbers.
        closing: What it says at the end; empty for nothing.
        is_best: Whether nothing of its kind loses less.
    """

    result: Coarsened
    facts: Mapping[str, Any] = field(default_factory=dict)
    figures: tuple[tuple[str, str], ...] = ()
    closing: str = ""
    is_best: bool = False


class Method(ABC):
    """A way to make a file coarser."""

    word: ClassVar[str]
    """Its word on the command line."""
    title: ClassVar[str]
    """Its name in the window."""
    meaning: ClassVar[str]
    """What it does, as a sentence."""
    written: ClassVar[str]
    """What the report of a file says of it."""
    takes: ClassVar[frozenset[MethodOption]]
    """What it takes beside columns and what is asked."""

    @abstractmethod
    def run(self, task: Task, report: Report) -> Outcome:
        """Returns the file after.

        Args:
            task: What is to be done.
            report: Receives progress; may raise to stop.

        Raises:
            ParameterError: It cannot be done; the sentence says what can.
        """


class FullDomain(Method):
    """One level for each column, by a search of all combinations (Samarati 2001)."""

    word = "lattice"
    title = N_("One level per column")
    meaning = N_(
        "Every column is given on one level in all records. All combinations of levels are "
        "compared; the best one loses least."
    )
    written = (
        "Every column is given on one level in all records. The levels were chosen by looking at "
        "all records."
    )
    takes = frozenset({"level", "suppress", "loss", "beyond_distinct", "order"})

    def run(self, task: Task, report: Report) -> Outcome:
        lattice, wanted = task.lattice, task.requirement
        if task.levels is not None:
            return Outcome(coarsened_at(lattice, task.levels, wanted))
        # Sensitive columns of which nothing is asked would only make the search longer.
        judged = lattice
        if lattice.sensitive and not wanted.needs_sensitive:
            judged = Lattice(lattice.columns, (), lattice.rows)
        found = search(judged, wanted, task.loss, task.fixed, report)
        return Outcome(
            replace(coarsened_at(judged, found.levels, wanted), sensitive=lattice.sensitive),
            {
                "loss": task.loss.word,
                "least_loss": found.loss,
                "combinations": found.nodes,
                "combinations_looked_at": found.looked_at,
            },
            closing=T.SEARCHED(nodes=found.nodes, compared=found.looked_at, loss=task.loss.word),
            is_best=True,
        )


class Boxes(Method):
    """Boxes of like records, by strict cuts (LeFevre, DeWitt & Ramakrishnan 2006)."""

    word = "mondrian"
    title = N_("Boxes of like records")
    meaning = N_(
        "Records are cut into boxes at medians, while both halves fulfil the requirement. No "
        "record is left out. It needs numbers or ordered categories, without missing cells."
    )
    written = (
        "Records were cut into boxes at medians of the columns; a cell is given as the box that "
        "the cuts leave. The cuts follow from the records."
    )
    takes = frozenset({"beyond_distinct", "order"})
    is_relaxed: ClassVar[bool] = False

    def run(self, task: Task, report: Report) -> Outcome:
        lattice = task.lattice
        return Outcome(
            mondrian(
                lattice.columns,
                lattice.sensitive,
                lattice.rows,
                task.requirement,
                relaxed=self.is_relaxed,
                report=report,
            )
        )


class RelaxedBoxes(Boxes):
    """Boxes of like records, those of the median going to both sides."""

    word = "mondrian-relaxed"
    title = N_("Boxes, medians to both sides")
    meaning = N_(
        "Like boxes, but records of the median go to both sides, so that boxes are smaller and may "
        "overlap."
    )
    written = (
        "Records were cut into boxes at medians of the columns, records of the median going to "
        "both sides; a cell is given as its box. The cuts follow from the records."
    )
    is_relaxed = True


class Cells(Method):
    """Single cells are blanked, the fewest that a greedy choice finds."""

    word = "cells"
    title = N_("Blank single cells")
    meaning = N_(
        "Single cells become * until every group is large enough. Others keep their level."
    )
    written = "Single cells are blanked and read *. Which ones follows from the records."
    takes = frozenset({"level", "suppress", "importance"})

    def run(self, task: Task, report: Report) -> Outcome:
        lattice = task.lattice
        levels = [task.fixed.get(place, 0) for place in range(len(lattice.columns))]
        result, blanked, least = suppress_cells(
            lattice.columns,
            lattice.sensitive,
            lattice.rows,
            task.requirement,
            levels if task.levels is None else task.levels,
            task.costs,
            report,
        )
        facts = {"cells_blanked": blanked, "cells_at_least": least}
        return Outcome(
            result,
            facts,
            figures=(
                (N_("cells blanked"), f"{blanked:,}"),
                (N_("cells that any choice blanks, at least"), f"{least:,}"),
            ),
        )


METHODS: tuple[Method, ...] = (FullDomain(), Boxes(), RelaxedBoxes(), Cells())
"""The methods, the usual choice first."""


def method_named(word: str) -> Method:
    """Returns a method by its word.

    Raises:
        ParameterError: There is none.
    """
    return kind_named({method.word: method for method in METHODS}, word, "method")
