"""The ranks of a table between which a population's quantile lies, in spite of noise.

Of n random answers at least n alpha - z sqrt(n alpha (1 - alpha)) are at most the population's
quantile at alpha, but for a small chance (Woodruff 1952). A chosen number whose ranks miss a target
by at most t rows is therefore not above that quantile if its target is as much lower, and t more:
alpha - z sqrt(alpha (1 - alpha) / n) - t / n. How often t is exceeded depends on the target, so
that the target is lowered until its own t fits. Ties need no care: they only make both safer.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor, sqrt

from dpdesk.numbers.intervals import normal_quantile
from dpdesk.queries.selection.quantile import DENOMINATOR_MAX, CalibratedQuantile

SAMPLED, CHOSEN, COUNTED = 0.76, 0.2, 0.04
"""Parts of the doubt of an interval: for sampling and for both choices, and for the count."""


def interval_targets(
    quantile: CalibratedQuantile, rows: int, confidence: float
) -> tuple[Fraction | None, Fraction | None]:
    """Returns the shares at which both ends are chosen; None for an end of the possible numbers.

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
