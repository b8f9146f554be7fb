"""How far one respondent moves a vector of sums: the sensitivity, with its derivation.

Every part of a query is a vector of sums: each row adds one number v, with least <= v <= largest,
to one cell, or adds nothing. Let c be the most rows of a respondent and b = max(|least|,
|largest|).

Add or remove: the change is the respondent's own sum. L1 and Linf are at most c b, and so is L2,
since all rows may fall into one cell.

Replace: the change is the sum of c rows put in, less that of c rows taken out. Its norms are
convex in the rows' values and cells, so they are largest where all rows put in are alike and all
taken out are alike. In one cell that gives c (largest - least); in two cells L1 = 2 c b,
L2 = c sqrt(2) b and Linf = c b. A respondent of several rows may also have none of them, so that 0
is possible wherever c > 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.i18n import in_a_row
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit, sensitivity_text


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a row adds to a vector of sums, in whole grid steps.

    Attributes:
        least: Smallest number that a row can add.
        largest: Largest number that a row can add.
        cells: Number of cells, of which a row adds to one.
        may_skip: Whether a row can add nothing: it lacks an answer or misses a condition.
        adds: What is added, for the derivation: "1", "its value".
    """

    least: int
    largest: int
    cells: int = 1
    may_skip: bool = False
    adds: str = "1"

    def sensitivity(self, unit: PrivacyUnit) -> Sensitivity:
        """Returns how far one respondent moves the sums, in whole grid steps."""
        rows = unit.rows_per_respondent
        bound = max(abs(self.least), abs(self.largest))
        if unit.relation == "add_remove":
            most = rows * bound
            return Sensitivity(l1=most, l2_square=most * most, linf=most)
        low, high = self.least, self.largest
        if self.may_skip or rows > 1:
            low, high = min(low, 0), max(high, 0)
        # If every row adds the same number, nothing moves; but noise cannot have the scale 0.
        within = max(rows * (high - low), 1)
        if self.cells == 1:
            return Sensitivity(l1=within, l2_square=within * within, linf=within)
        apart = rows * bound
        return Sensitivity(
            l1=max(within, 2 * apart),
            l2_square=max(within * within, 2 * apart * apart),
            linf=max(within, apart),
        )

    def moves(self, unit: PrivacyUnit) -> tuple[tuple[int, ...], ...]:
        """Returns how the sums can move: the moves that no other exceeds in every sum.

        Absolute changes in whole grid steps, signs and places left out. With several rows the
        second stands for all moves but the largest: none of them has a larger norm. Nothing where
        a respondent of several rows is replaced and there are several sums.
        """
        rows = unit.rows_per_respondent
        most = self.sensitivity(unit).linf
        if self.cells == 1:
            return ((most,),)
        bound = max(abs(self.least), abs(self.largest))
        if unit.relation == "add_remove":
            return ((most,),) if rows == 1 else ((most,), (most - bound, bound))
        if rows > 1:
            return ()
        # A row leaves one sum and enters another, or both happen in one sum.
        return ((bound, bound),) if most <= bound else ((most,), (bound, bound))

    def derivation(self, unit: PrivacyUnit) -> str:
        """Returns where the L1 sensitivity comes from, as sentences."""
        one = self.cells == 1
        adds = T.ADDS(what=self.adds) if one else T.ADDS_TO_ONE_OF(what=self.adds, cells=self.cells)
        total = self.sensitivity(unit).l1
        return in_a_row((adds, sensitivity_text(unit.relation, unit.rows_per_respondent, total)))
