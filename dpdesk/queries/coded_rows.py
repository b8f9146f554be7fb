"""The rows of a trusted table as codes of declared domains, and exact counts of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Categorical
from dpdesk.numbers.arrays import Counts, Mapped, RowCodes, pieces_of
from dpdesk.queries.condition import Condition, Domains, domain_in, number_grid

# The name of a column that is read from a file never ends like this.
_AS_NUMBERS = "\0numbers"


@dataclass(frozen=True)
class CodedRows:
    """What queries see of the data: codes of answers, never the text of a cell.

    Attributes:
        rows: Number of rows, after the bound on a respondent's rows was enforced.
        codes: Code of each row's answer by column; -1 for no answer.
        domains: The declared domain of each column.
    """

    rows: int
    codes: Mapping[str, RowCodes]
    domains: Domains
    _counted: dict[tuple[str, ...], Counts] = field(default_factory=dict, repr=False)

    def numbered(self, column: str) -> tuple[CodedRows, str]:
        """Returns rows that hold the numbers of a column, and the name of these.

        A column of numbers is its own. Of categories that are numbers, a further column holds
        their places on the grid, so that conditions and groups can still name the categories;
        categories that are not numbers count as no answer.

        Args:
            column: Name of the column.
        """
        domain = domain_in(self.domains, column)
        coded = number_grid(domain) if isinstance(domain, Categorical) else None
        if coded is None:
            return self, column
        name = f"{column}{_AS_NUMBERS}"
        if name in self.codes:
            return self, name
        grid, places = coded
        # No answer has code -1 and so finds the entry that is put last.
        codes = Mapped(np.asarray([*places, -1], dtype=np.int32), self.codes[column])
        extended = CodedRows(
            self.rows, {**self.codes, name: codes}, {**self.domains, name: grid}, self._counted
        )
        return extended, name

    def pieces(self) -> Iterator[slice]:
        """Cuts the rows into pieces that are looked at one after the other."""
        return pieces_of(self.rows)

    def meeting(
        self, rows: slice, conditions: Sequence[Condition], answered: Sequence[str] = ()
    ) -> NDArray[np.bool_] | None:
        """Returns which of some rows meet all conditions and have these answers.

        Args:
            rows: The rows.
            conditions: Conditions; a missing answer meets none.
            answered: Columns in which a row must have an answer.

        Returns:
            Shape (rows,); None when nothing is asked.
        """
        met = [self._meeting_one(rows, condition) for condition in conditions]
        met += [self.codes[name][rows] >= 0 for name in answered]
        return np.logical_and.reduce(met) if met else None

    def _meeting_one(self, rows: slice, condition: Condition) -> NDArray[np.bool_]:
        domain = domain_in(self.domains, condition.column)
        return condition.met(domain, self.codes[condition.column][rows])

    def count(
        self,
        columns: Sequence[str],
        where: Sequence[Condition] = (),
        answered: Sequence[str] = (),
    ) -> Counts:
        """Counts rows by their codes.

        Rows that lack one of the answers or miss a condition are left out. Counts without
        conditions are cached, since several queries ask for them.

        Args:
            columns: Columns to count by; none gives the number of rows.
            where: Conditions.
            answered: Further columns in which a row must have an answer.

        Returns:
            Shape: the sizes of the columns' domains, in their order.
        """
        key = tuple(columns)
        if where or answered:
            return self._count(key, where, answered)
        if key not in self._counted:
            self._counted[key] = self._count(key)
        return self._counted[key]

    def cells(
        self, rows: slice, columns: Sequence[str], meets: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Returns the cell of each row that meets the conditions; cell 0 stands for no answer.

        The cells are those of a table of size + 1 per column; shape (rows that meet,).
        """
        joint = np.zeros(rows.stop - rows.start, dtype=np.int64)
        for position, name in enumerate(columns):
            if position:
                joint *= domain_in(self.domains, name).size + 1
            joint += self.codes[name][rows]
            joint += 1
        return joint if meets is None else joint[meets]

    def _count(
        self,
        columns: tuple[str, ...],
        where: Sequence[Condition] = (),
        answered: Sequence[str] = (),
    ) -> Counts:
        wide = [domain_in(self.domains, name).size + 1 for name in columns]
        counts = np.zeros(prod(wide), dtype=np.int64)
        for rows in self.pieces():
            meets = self.meeting(rows, where, answered)
            counts += np.bincount(self.cells(rows, columns, meets), minlength=counts.size)
        inner = counts.reshape(wide)[(slice(1, None),) * len(wide)]
        return np.ascontiguousarray(inner) if wide else counts.reshape(())
