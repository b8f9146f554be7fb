"""Possible shares beside the unbiased ones: distributions, biased and without errors.

Estimated shares are moved to possible ones, none negative and with the sum 1, or the most likely
distribution of the true answers is found by expectation maximisation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats

MOST_STEPS = 2_000
"""Largest number of steps; the iteration then ends even if it has not converged."""


def iterative_bayes(
    counts: Floats,
    channel: Floats,
    *,
    smooth: bool = False,
    tolerance: float = 1e-6,
    most_steps: int = MOST_STEPS,
) -> Floats:
    """Estimates how the true answers are distributed from counts of their reports.

    A step turns each report into the chances of the true answers behind it, by Bayes' rule with
    the present estimate as prior, and averages them: the expectation maximisation of a mixture,
    which never makes the reports less likely (Agrawal & Aggarwal 2001). The first prior is even.

    The iteration ends when the mean log-likelihood of a report is shown to lie at most
    `tolerance` below that of the best distribution: as it is concave, the largest of its partial
    derivatives less 1 bounds what is missing. With smoothing there is no likelihood to maximise;
    it ends when no share moves by more than `tolerance` in a step. Nothing is random.

    Args:
        counts: Number of reports of each output, or their weight, shape (outputs,); their sum
            above 0.
        channel: Pr[output | true answer], shape (inputs, outputs). An output that was counted
            must be possible under some answer.
        smooth: Whether each step ends with an average over neighbours, weights (1, 2, 1) / 4,
            for answers that lie in an order (Li et al. 2020, "Estimating numerical distributions
            under local differential privacy").
        tolerance: When to end.
        most_steps: When to end at the latest.

    Returns:
        Shares of the true answers, none negative, summing to 1, shape (inputs,).
    """
    seen = np.flatnonzero(counts > 0)
    shares = counts[seen] / counts[seen].sum()
    law = np.ascontiguousarray(channel[:, seen])
    estimate = np.full(law.shape[0], 1 / law.shape[0])
    for _ in range(most_steps):
        slope = law @ (shares / (estimate @ law))
        if not smooth and slope.max() - 1 <= tolerance:
            break
        updated = estimate * slope
        if smooth:
            updated = _smoothed(updated)
        # The sum is 1 but for rounding, which must not build up.
        updated /= updated.sum()
        moved = float(np.abs(updated - estimate).max())
        estimate = updated
        if smooth and moved <= tolerance:
            break
    return np.asarray(estimate)


def _smoothed(shares: Floats) -> Floats:
    """Averages each share with its neighbours; an end keeps the part that has no neighbour."""
    padded = np.concatenate([shares[:1], shares, shares[-1:]])
    return np.asarray((padded[:-2] + 2 * shares + padded[2:]) / 4)


def simplex_projection(shares: Floats) -> Floats:
    """Returns the possible shares that are nearest to estimated ones, in squared distance.

    One amount is taken from every share (or added to it), and what would become negative is 0:
    the projection on the simplex (Held, Wolfe & Crowder 1974; Duchi et al. 2008).

    Args:
        shares: Finite estimates, shape (k,).
    """
    descending = np.sort(shares)[::-1]
    # What would have to be taken from the j largest for them to sum to 1.
    amounts = (np.cumsum(descending) - 1) / np.arange(1, shares.size + 1)
    amount = amounts[np.flatnonzero(descending > amounts)[-1]]
    projected = np.maximum(shares - amount, 0.0)
    # The sum is 1 but for rounding, which grows with the number of categories.
    return np.asarray(projected / projected.sum())


def norm_sub(shares: Floats) -> Floats:
    """Returns possible shares: negative ones set to 0, one amount taken from the positive ones.

    Norm-Sub of Wang et al. 2020 ("Locally differentially private frequency estimation with
    consistency"), run to its end: what becomes negative is set to 0 in its turn, until the sum is
    1. It differs from the projection on the simplex where the positive shares sum to less than 1:
    then only they are raised. With no positive share all are equal.

    Args:
        shares: Finite estimates, shape (k,).
    """
    positive = shares > 0
    if not positive.any():
        return np.full(shares.shape, 1 / shares.size)
    normed = np.zeros_like(shares)
    normed[positive] = simplex_projection(shares[positive])
    return normed


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
    # c, if exactly the j categories with the most reports in relation to their floor are above 0.
    factors = (1 + np.cumsum(floor[order])) / np.cumsum(reported[order])
    above = factors * reported[order] > floor[order]
    factor = factors[np.flatnonzero(above)[-1]]
    shares = np.maximum(factor * reported - floor, 0.0)
    return np.asarray(shares / shares.sum())


def most_likely_of_supports(support: Floats, p: float | Floats, q: float | Floats) -> Floats:
    """Returns the distribution under which the support of the categories is likeliest.

    For reports that support several categories or none, such as bits or hashes. Each category's
    count of supporting reports is taken as binomial with chance l = q + (p - q) f, and the
    product of these chances over the categories is maximised over possible shares f. The dependence
    between the counts, to which one report contributes several times, is ignored (a composite
    likelihood).

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


@dataclass(frozen=True, slots=True)
class PossibleKind:
    """One way of turning reports into possible shares.

    Attributes:
        name: Its name in `Estimate.possible` and in files.
        title: Its name for people.
        meaning: One sentence on what it is.
    """

    name: str
    title: str
    meaning: str


POSSIBLE_KINDS = (
    PossibleKind(
        "simplex",
        N_("Simplex"),
        N_("the possible shares nearest to the unbiased estimates, in squared distance"),
    ),
    PossibleKind(
        "norm_sub",
        N_("Norm-Sub"),
        N_("negative estimates set to 0, and one amount taken from all others until the sum is 1"),
    ),
    PossibleKind(
        "iterative_bayes",
        N_("Iterative Bayes"),
        N_("the distribution of true answers under which the reports are likeliest"),
    ),
    PossibleKind(
        "smoothed_bayes",
        N_("Smoothed Bayes"),
        N_("iterative Bayes with an average over neighbouring numbers in each step"),
    ),
    PossibleKind(
        "lasso",
        N_("Lasso"),
        N_(
            "categories selected by the lasso and fitted again by least squares, 0 where not "
            "significantly above 0; their sum need not be 1"
        ),
    ),
)
"""Every kind of possible estimate, in the order in which tables show them."""


class PossibleEstimates(Mapping[str, Floats]):
    """Possible estimates by name, each computed when it is first asked for.

    A preview that reads none of them takes no time for them.
    """

    def __init__(self, **ways: Callable[[], Floats]) -> None:
        """Takes a function for each name, returning shares of shape (quantities,)."""
        self._ways = ways
        self._made: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        if name not in self._made:
            self._made[name] = self._ways[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ways)

    def __len__(self) -> int:
        return len(self._ways)


def projections_of(value: Floats) -> dict[str, Callable[[], Floats]]:
    """Returns the ways that need the unbiased estimates alone, by name."""
    return {
        "simplex": lambda: simplex_projection(value),
        "norm_sub": lambda: norm_sub(value),
    }


def possible_of_support(
    value: Floats, support: Floats, p: float | Floats, q: float | Floats, *, one_symbol: bool
) -> PossibleEstimates:
    """Returns the possible estimates of a frequency oracle.

    Args:
        value: The unbiased estimates, shape (k,).
        support: Share of the reports that support each category, shape (k,).
        p: Chance that a report supports one's own category; one number or shape (k,).
        q: Chance that it supports any other category, alike.
        one_symbol: Whether every report supports exactly one category.
    """
    most_likely = most_likely_of_symbols if one_symbol else most_likely_of_supports
    return PossibleEstimates(
        **projections_of(value),
        iterative_bayes=lambda: most_likely(support, p, q),
    )
