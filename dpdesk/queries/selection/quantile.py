"""Quantiles by choosing a point of the declared grid.

The score of a grid point g is how far the rank that is asked for, a/b of the n rows, lies from the
ranks that g has, [#(rows < g), #(rows <= g)], in units of 1/b rows and with a minus sign: a whole
number that is 0 exactly where g is a quantile of the rows, however many of them lie on it (Smith
2011). Choosing a point by the exponential mechanism with this score is the private quantile of the
literature; on a declared grid every point is an option of its own, so that a wide gap between two
answers counts as many times as it has points, and the choice is OpenDP's noisy maximum of the
scores. Permute-and-flip chooses by the same scores and is never worse.

Scores follow from the counts per grid point alone, so a million rows cost one histogram.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import floor, sqrt

import numpy as np

from dpdesk.errors import ParameterError
from dpdesk.i18n import in_a_row
from dpdesk.numbers.arrays import Counts, Floats
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.queries.noise.measurement import INTEGER_REACH
from dpdesk.queries.selection.choice import CalibratedChoice, calibrate_choice
from dpdesk.queries.selection.laws import ChoiceMechanism
from dpdesk.queries.texts import T
from dpdesk.queries.unit import Relation, sensitivity_text

DENOMINATOR_MAX = 10_000
"""Shares of a quantile are fractions with at most this denominator."""


def require_alpha(alpha: Fraction) -> Fraction:
    """Refuses a share that no quantile has.

    Raises:
        ParameterError: It is not between 0 and 1, or not a fraction of 10,000 or fewer parts.
    """
    if not 0 < alpha < 1 or alpha.denominator > DENOMINATOR_MAX:
        raise ParameterError(T.SHARES())
    return alpha


def rank_sensitivity(alpha: Fraction, relation: Relation, rows: int = 1) -> int:
    """Returns how far one respondent moves the score of any grid point.

    Of the score -max(0, b #(<) - a n, a n - b #(<=)) one row more moves the terms by at most
    max(a, b - a) in either direction, and the largest of them by no more; so adding or removing a
    respondent of c rows moves a score by at most c max(a, b - a). Replacing one moves the first
    term only by rows that pass between "below the point" and the rest, by b each, and the second
    alike: by at most c b. Some scores rise while others fall, so the choice is not monotonic.

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
        raise ParameterError(T.TOO_MANY_ROWS())
    asked = a * totals[-1]
    return np.asarray(np.minimum(0, np.minimum(asked - b * (totals - counts), b * totals - asked)))


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
        """Where the sensitivity of the scores comes from, as sentences."""
        score = T.SCORE_OF_RANK(parts=self.alpha.denominator)
        return in_a_row((score, sensitivity_text(self.relation, self.rows, self.choice.linf)))

    def at(self, share: Fraction) -> CalibratedQuantile:
        """Returns the quantile at another share, of the same points at the same loss."""
        of = self.choice
        return calibrate_quantile(
            of.options, share, self.rows, self.relation, of.epsilon, of.mechanism
        )

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
        """Returns by how many rows the ranks of the point that is drawn may miss the one asked for.

        With this confidence it is no more, whatever the rows are.
        """
        return self.choice.shortfall(confidence) / self.alpha.denominator


@lru_cache(maxsize=2048)
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


SAMPLED, CHOSEN, COUNTED = 0.76, 0.2, 0.04
"""Parts of the doubt of an interval: for sampling and for both choices, and for the count."""


def interval_targets(
    quantile: CalibratedQuantile, rows: int, confidence: float
) -> tuple[Fraction | None, Fraction | None]:
    """Returns the shares at which both ends are chosen; None for an end of the possible numbers.

    Of n random answers at least n alpha - z sqrt(n alpha (1 - alpha)) are at most the population's
    quantile at alpha, but for a small chance (Woodruff 1952). A chosen number whose ranks miss a
    target by at most t rows is therefore not above that quantile if its target is as much lower,
    and t more: alpha - z sqrt(alpha (1 - alpha) / n) - t / n. How often t is exceeded depends on
    the target, so that the target is lowered until its own t fits. Ties need no care: they only
    make both safer.

    Args:
        quantile: The quantile, whose ends are chosen as it is.
        rows: Answers, at most as many as there are.
        confidence: Coverage, with the part `COUNTED` of the doubt for that number.
    """
    alpha, doubt = quantile.alpha, 1 - confidence
    spread = normal_quantile(1 - SAMPLED * doubt) * sqrt(alpha * (1 - alpha) / max(rows, 1))

    def lowered(share: Fraction) -> Fraction | None:
        target = share
        while target > 0:
            missed = quantile.at(target).rank_error(1 - CHOSEN * doubt / 2) / max(rows, 1)
            fitting = floor(DENOMINATOR_MAX * (float(share) - spread - missed))
            if fitting >= target * DENOMINATOR_MAX:
                return target
            target = Fraction(fitting, DENOMINATOR_MAX)
        return None

    upper = lowered(1 - alpha)
    return lowered(alpha), None if upper is None else 1 - upper
