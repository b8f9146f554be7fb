"""How far from the data the tables of synthetic rows are to be expected, from public facts alone.

The distance of two tables is the total variation: half the sum of the absolute differences of their
shares, 0 to 1. It is the largest error of the share of any group that cells can be joined to.

Of every table of one or two columns is told what can be told without the data:

- Measured: what fitting and drawing leave of the noise of its cells (`released_error`), all answers
  being equally common. Of rare answers less is left.
- Not measured: the table follows from others. If its columns have nothing to do with each other, it
  is off by the noise of their shares alone, on average by at most the sum of both distances: total
  variation of products is subadditive. If they have, and the rows hold them to be independent, or
  so given a third column, what is missed is at most 1 - 1/k, where k is the smaller number of
  states. (With shares p of that column, given any answer of the other the distance from p is at
  most the mean of 1 - p; the mean of that is 1 - sum p^2.) Which of both it is nobody can say
  without the data.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.synthesis.junction_tree import CELLS_MAX, Clique
from dpdesk.synthesis.released_error import ReleasedErrors
from dpdesk.synthesis.states import ROWS_MAX
from dpdesk.synthesis.texts import T

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class PairForecast:
    """What is known of a table of two columns before any rows are made.

    Attributes:
        columns: Its columns, ascending.
        cells: Number of its cells.
        measured: The distance to expect of the rows if it is one of those that are measured;
            None where it has too many cells for that, or none is measured.
        independent: The distance that noise makes, on average and at most, if it is not measured
            and its columns have nothing to do with each other.
        dependent: The largest distance if it is not measured, and the rows hold its columns to be
            independent where they are not.
    """

    columns: Clique
    cells: int
    measured: float | None
    independent: float
    dependent: float


@dataclass(frozen=True)
class SynthesisForecast:
    """What is known of synthetic rows before any are made.

    Attributes:
        rows: Number of rows of the file that is supposed.
        rows_error: How far off the number of rows is that the tables will tell, in 95 of 100 runs;
            0 where it is public.
        rounds: Number of two-way tables that will be measured, at most.
        one_way: The distance to expect of each column's shares in the rows, shape (columns,).
        errors: What is left of the noise.
    """

    rows: int
    rows_error: float
    rounds: int
    one_way: tuple[float, ...]
    errors: ReleasedErrors = field(repr=False)

    @property
    def pairs(self) -> int:
        """Number of pairs of columns."""
        return len(self.one_way) * (len(self.one_way) - 1) // 2

    def pair(self, place: int) -> PairForecast:
        """Returns what is known of a table of two columns, by its place in `by_pair`."""
        first, second = self.errors.pair_places[place].tolist()
        one, other = self.errors.sizes[first], self.errors.sizes[second]
        independent = min(1.0, self.one_way[first] + self.one_way[second])
        return PairForecast(
            (first, second),
            one * other,
            float(self._distances[place]) if one * other <= CELLS_MAX else None,
            independent,
            dependent_most(independent, one, other),
        )

    @property
    def by_pair(self) -> tuple[PairForecast, ...]:
        """What is known of every table of two columns."""
        return tuple(map(self.pair, range(self.pairs)))

    @cached_property
    def _distances(self) -> Floats:
        """The distance of every table of two columns if it is measured, shape (pairs,)."""
        return self.errors.distances(self.errors.pair_places)

    @property
    def measures_some(self) -> bool:
        """Whether some tables of two columns are measured and others not; nobody knows which."""
        return 0 < self.rounds < self.pairs

    @cached_property
    def _measured(self) -> Floats:
        """Those of the tables that can be measured."""
        return self._distances[self.errors.pair_cells <= CELLS_MAX] if self.pairs else np.array([])

    @property
    def two_way(self) -> float | None:
        """The distance to expect of a two-way table of middle size, if it is measured."""
        return float(np.median(self._measured)) if self._measured.size else None

    @property
    def two_way_most(self) -> float | None:
        """The same of the largest one that can be measured."""
        return float(self._measured.max()) if self._measured.size else None

    @property
    def rows_text(self) -> str:
        """How many rows are drawn if the plan does not say: "about 6,600 ± 240 rows"."""
        rows, error = min(self.rows, ROWS_MAX), significant(self.rows_error, 2)
        if not self.rows_error:
            return T.ROWS(count=rows)
        if self.rows + self.rows_error > ROWS_MAX:
            return T.ABOUT_AT_MOST(rows=rows, error=error, most=ROWS_MAX)
        return T.ABOUT(rows=rows, error=error)


# Cached by the errors, which are: a page asks for the same each time it is shown.
@lru_cache(maxsize=8)
def forecast(errors: ReleasedErrors) -> SynthesisForecast:
    """Returns what is to be expected of synthetic rows.

    Args:
        errors: What is left of the noise; before a release `supposed_errors`.
    """
    sizes, rows = errors.sizes, errors.rows
    error = normal_quantile(_CONFIDENCE) * errors.rows_deviation
    one_way = tuple(errors.distances([(column,) for column in range(len(sizes))]).tolist())
    rounds = errors.rounds if len(sizes) > 1 else 0
    return SynthesisForecast(rows, error, rounds, one_way, errors)


def dependent_most(independent: float, one: int, other: int) -> float:
    """Returns how far a table can be off whose columns are taken as independent.

    Args:
        independent: The distance that the noise of its columns' shares makes.
        one: Number of states of its first column.
        other: Number of states of its second column.
    """
    return min(1.0, independent + 1 - 1 / min(one, other))
