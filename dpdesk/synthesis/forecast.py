"""How far from the data the tables of synthetic rows are to be expected, from public facts alone.

The distance of two tables is the total variation: half the sum of the absolute differences of their
shares, 0 to 1. It is the largest error of the share of any group that cells can be joined to. Known
beforehand is what noise adds; fitting takes part of it away again, where cells are rare or several
tables tell the same. What is lost where a table is not measured depends on the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from dpdesk.numbers.digits import significant
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.synthesis.budget import SynthesisBudget, mean_noise
from dpdesk.synthesis.states import ROWS_MAX

_CONFIDENCE = 0.95


@dataclass(frozen=True)
class SynthesisForecast:
    """What is known of synthetic rows before any are made.

    Attributes:
        rows: Number of rows of the file that is supposed.
        rows_error: How far off the number of rows is that the tables will tell, in 95 of 100 runs;
            0 where it is public.
        rounds: Number of two-way tables that will be measured.
        pairs: Number of pairs of columns.
        one_way: The largest distance to expect of each column's shares, shape (columns,).
        two_way: The same of a two-way table of middle size, if it is measured; None without pairs.
        two_way_most: The same of the largest one.
    """

    rows: int
    rows_error: float
    rounds: int
    pairs: int
    one_way: tuple[float, ...]
    two_way: float | None
    two_way_most: float | None

    @property
    def rows_text(self) -> str:
        """How many rows are drawn if the plan does not say: "about 6,600 ± 240 rows"."""
        rows = f"{min(self.rows, ROWS_MAX):,}"
        if not self.rows_error:
            return f"{rows} rows"
        most = f", at most {ROWS_MAX:,}," if self.rows + self.rows_error > ROWS_MAX else ""
        return f"about {rows} ± {significant(self.rows_error, 2)} rows{most}"


def forecast(budget: SynthesisBudget, sizes: Sequence[int], rows: int) -> SynthesisForecast:
    """Returns what is to be expected of synthetic rows.

    Args:
        budget: The loss.
        sizes: Number of states of each column.
        rows: Supposed number of rows of the file, at least 1.
    """
    public = budget.unit.rows_are_public
    error = 0.0 if public else normal_quantile(_CONFIDENCE) * budget.rows_deviation(sizes)
    each = mean_noise(budget.shares_noise(sum(sizes)))
    one_way = tuple(min(1.0, size * each / (2 * rows)) for size in sizes)
    cells = [one * other for one, other in combinations(sizes, 2)]
    rounds = budget.rounds_for(rows, sizes)
    if not cells:
        return SynthesisForecast(rows, error, 0, 0, one_way, None, None)

    def distance(size: float) -> float:
        return min(1.0, budget.noise_distance(round(size), rounds, rows))

    middle, most = distance(median(cells)), distance(max(cells))
    return SynthesisForecast(rows, error, rounds, len(cells), one_way, middle, most)
