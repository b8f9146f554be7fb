"""Quantiles by choosing a point of the declared grid.

The score of a grid point g says how far it is from having the share alpha = a/b of the rows below
it: -|(b - a) #(rows < g) - a #(rows > g)|, a whole number that is 0 where exactly that share is
below and the rest above (Smith 2011). Choosing a point by the exponential mechanism with this score
is the private quantile of the literature; on a declared grid every point is an option of its own,
so that a wide gap between two answers counts as many times as it has points, and the choice is
OpenDP's noisy maximum of the scores. Permute-and-flip chooses by the same scores and is never
worse.

Scores follow from the counts per grid point alone, so a million rows cost one histogram.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Counts, Floats
from dpdesk.queries.noise.measurement import INTEGER_REACH
from dpdesk.queries.selection.choice import CalibratedChoice, calibrate_choice
from dpdesk.queries.selection.laws import ChoiceMechanism
from dpdesk.queries.unit import Relation

DENOMINATOR_MAX = 10_000
"""Shares of a quantile are fractions with at most this denominator."""


def require_alpha(alpha: Fraction) -> Fraction:
    """Refuses a share that no quantile has.

    Raises:
        ParameterError: It is not between 0 and 1, or not a fraction of 10,000 or fewer parts.
    """
    if not 0 < alpha < 1 or alpha.denominator > DENOMINATOR_MAX:
        raise ParameterError(
            "A quantile is at a share between 0 and 1 with at most four decimals.",
            remedy="0.5 is the median.",
        )
    return alpha


def rank_sensitivity(alpha: Fraction, relation: Relation, rows: int = 1) -> int:
    """Returns how far one respondent moves the score of any grid point.

    One row more below a point moves (b - a) #(<) - a #(>) by b - a, one above by -a, one on it by
    nothing; the absolute value moves by no more. So adding or removing a respondent of c rows
    moves a score by at most c max(a, b - a). Replacing one can take c rows from above a point to
    below it, which moves its score by c b. Some scores rise while others fall, so the choice is
    not monotonic.

    Args:
        alpha: The share a/b of the quantile.
        relation: Which tables are neighbours.
        rows: Most rows of one respondent, c.
    """
    a, b = require_alpha(alpha).as_integer_ratio()
    return rows * (b if relation == "replace" else max(a, b - a))


def rank_scores(counts: Counts, alpha: Fraction) -> Counts:
    """Returns the score of each grid point, shape of `counts`.

    Args:
        counts: Rows at each grid point, from the lowest, shape (points,).
        alpha: The share a/b of the quantile.

    Raises:
        ParameterError: There are so many rows that 64 bits do not hold the scores.
    """
    a, b = require_alpha(alpha).as_integer_ratio()
    totals = np.cumsum(counts)
    if int(totals[-1]) * b > INTEGER_REACH:
        raise ParameterError(
            "There are too many rows for a quantile at this share.",
            remedy="Choose a share with fewer decimals.",
        )
    return np.asarray(-np.abs((b - a) * (totals - counts) - a * (totals[-1] - totals)))


@dataclass(frozen=True)
class CalibratedQuantile:
    """A quantile on a grid of points.

    Attributes:
        alpha: The share of rows below it.
        rows: Most rows of one respondent.
        relation: Which tables are neighbours.
        choice: The choice among the grid points.
    """

    alpha: Fraction
    rows: int
    relation: Relation
    choice: CalibratedChoice

    @property
    def epsilon_run(self) -> Decimal:
        """What is run, at most the epsilon asked for."""
        return self.choice.epsilon_run

    @property
    def derivation(self) -> str:
        """Where the sensitivity of the scores comes from, in a sentence."""
        a, b = self.alpha.as_integer_ratio()
        whose = "one row" if self.rows == 1 else f"at most {self.rows:,} rows"
        score = f"|{b - a:,} x rows below - {a:,} x rows above|"
        if self.relation == "replace":
            why = f"moving {whose} from above a number to below it changes {score} by at most"
        else:
            why = f"adding or removing {whose} changes {score} by at most"
        return f"A number is judged by its ranks: {why} {self.choice.linf:,}."

    def draw(self, counts: Counts) -> int:
        """Draws a grid point, from 0.

        Args:
            counts: Rows at each grid point, from the lowest, shape (points,).

        Raises:
            ParameterError: There are not as many counts as grid points, or too many rows.
        """
        (point,) = self.choice.draw(rank_scores(counts, self.alpha))
        return point

    def best(self, counts: Counts) -> int:
        """Returns the lowest grid point of the best score: the true quantile, never a release."""
        return int(rank_scores(counts, self.alpha).argmax())

    def law(self, counts: Counts) -> Floats:
        """Returns the chance of each grid point, shape (points,)."""
        return self.choice.law(rank_scores(counts, self.alpha))

    def rank_error(self, confidence: float = 0.95) -> float:
        """Returns by how many rows the point that is drawn may be farther from its rank.

        With this confidence it is no more, whatever the rows are, compared with the grid point
        that comes nearest to the rank.
        """
        return self.choice.shortfall(confidence) / self.alpha.denominator


@lru_cache(maxsize=512)
def calibrate_quantile(
    points: int,
    alpha: Fraction,
    rows: int,
    relation: Relation,
    epsilon: Decimal,
    mechanism: ChoiceMechanism = "permute_and_flip",
) -> CalibratedQuantile:
    """Returns the sharpest quantile whose loss is at most epsilon.

    Args:
        points: Number of grid points.
        alpha: The share of rows below the quantile.
        rows: Most rows of one respondent.
        relation: Which tables are neighbours.
        epsilon: The loss, an exact decimal from 0.0001 to 40.
        mechanism: How a point is chosen.

    Raises:
        ParameterError: A parameter is outside its bounds.
    """
    linf = rank_sensitivity(alpha, relation, rows)
    choice = calibrate_choice(linf, False, epsilon, points, 1, mechanism)
    return CalibratedQuantile(alpha, rows, relation, choice)
