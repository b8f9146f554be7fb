"""The most likely shares behind the reports of a frequency oracle, found without iterating.

Iterative Bayes (expectation maximisation with the true channel) climbs to the distribution under
which the reports are likeliest. Where a category is supported with probability q + (p - q) f, the
place that it climbs to has a closed form up to one number, in O(k log k) for k categories.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Halvings of the multiplier's bracket, after which a float has no digits left.
_HALVINGS = 100
# At the largest epsilons p is 1 in double precision, where no odds exist.
_NEARLY_CERTAIN = 1 - 1e-12


def most_likely_of_symbols(reported: Floats, p: float | Floats, q: float | Floats) -> Floats:
    """Returns the distribution under which reports of one category each are likeliest.

    Category v is reported with probability q + (p - q) f_v. Of sum_v r_v ln(q + (p - q) f_v) over
    possible shares f, the largest value is at f_v = max(0, c r_v - q / (p - q)), where c makes
    the sum 1 (Karush, Kuhn and Tucker's conditions of a concave function on the simplex).

    Args:
        reported: Share of the reports of each category, shape (k,), summing to 1.
        p: Chance that a category is reported by its own respondents; one number or shape (k,).
        q: Chance that it is reported by others, above 0, alike.
    """
    floor = np.broadcast_to(np.asarray(q / (p - q)), reported.shape)
    order = np.argsort(reported / floor, kind="stable")[::-1]
    # c if the j categories with the most reports for their floor are those above 0.
    factors = (1 + np.cumsum(floor[order])) / np.cumsum(reported[order])
    above = factors * reported[order] > floor[order]
    factor = factors[np.flatnonzero(above)[-1]]
    shares = np.maximum(factor * reported - floor, 0.0)
    return np.asarray(shares / shares.sum())


def most_likely_of_supports(support: Floats, p: float | Floats, q: float | Floats) -> Floats:
    """Returns the distribution under which the support of the categories is likeliest.

    For reports that support several categories or none, such as bits or hashes. Each category's
    count of supporting reports is taken as binomial with chance l = q + (p - q) f, and the
    product of these chances over the categories is maximised over possible shares f. That the
    counts of one report's categories hang together is left out (a composite likelihood).

    At the maximum (p - q) (s - l) / (l (1 - l)) is one number m for every category above 0: a
    quadratic in l. The sum of the shares falls with m, so that m is found by halving.

    Args:
        support: Share of the reports that support each category, shape (k,), each in [0, 1].
        p: Chance that a category is supported by its own respondents; one number or shape (k,).
        q: Chance that it is supported by others, above 0 and below p, alike.
    """
    p = np.minimum(p, _NEARLY_CERTAIN)
    gap = np.asarray(p - q)

    def shares_at(multiplier: float) -> Floats:
        middle = multiplier + gap
        root = np.sqrt(np.maximum(middle**2 - 4 * multiplier * gap * support, 0.0))
        # Two forms of one root; each is used where it subtracts no nearly equal numbers.
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = np.where(
                middle > 0, 2 * gap * support / (middle + root), (middle - root) / (2 * multiplier)
            )
        return np.asarray(np.clip((chance - q) / gap, 0.0, 1.0))

    # Every share is 1 at the one end and 0 at the other.
    low = -float(np.max(gap / (1 - p)))
    high = float(np.max(gap * (support - q) / (np.asarray(q) * (1 - np.asarray(q)))))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if shares_at(middle).sum() > 1:
            low = middle
        else:
            high = middle
    shares = shares_at(low)
    return np.asarray(shares / shares.sum())
