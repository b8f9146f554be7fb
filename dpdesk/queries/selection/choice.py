"""Choosing the best of several options: which category is the largest, which k are.

The scale of a choice follows from the loss asked for, never to the wrong side.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import comb, exp, expm1, log, log1p

import numpy as np
from numpy.typing import NDArray

from dpdesk.cost import parse_epsilon
from dpdesk.errors import ParameterError
from dpdesk.i18n import any_of
from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise.calibrate import (
    fifteen_digits_up,
    require_scale,
    rounded_up,
    safe_scale,
)
from dpdesk.queries.noise.calibrated import require_confidence
from dpdesk.queries.noise.measurement import INTEGER_REACH
from dpdesk.queries.selection.laws import (
    CHOICE_MECHANISMS,
    ChoiceMechanism,
    acceptances,
    choice_measurement,
    exponential_law,
    permute_and_flip_law,
    pure_choice_loss,
)
from dpdesk.queries.sensitivity import SENSITIVITY_MAX
from dpdesk.queries.texts import T

OPTIONS_MAX = 1_000_000
"""Most options of one choice: so many go through OpenDP in about a second."""

# Sets of options that the law of a choice of several goes through: some seconds at the most.
_SETS_MAX = 20_000

Scores = NDArray[np.int64]


@dataclass(frozen=True)
class CalibratedChoice:
    """A choice by scores, the larger the better.

    Attributes:
        linf: How far one respondent moves any score.
        monotonic: Whether one respondent moves all scores in the same direction, or none.
        options: Number of options.
        k: How many are chosen, one after the other, without going back.
        mechanism: How each is chosen.
        scale: Of the noise that is added to each score: exponential noise for permute-and-flip,
            Gumbel noise for the exponential mechanism.
        epsilon: What was asked for.
        epsilon_run: What is run, at most `epsilon`, from OpenDP's map, rounded up at the 15th
            decimal.
        rho: Of zero-concentrated differential privacy, for the exponential mechanism alone; rounded
            up at the 15th digit.
    """

    linf: int
    monotonic: bool
    options: int
    k: int
    mechanism: ChoiceMechanism
    scale: float
    epsilon: Decimal
    epsilon_run: Decimal
    rho: Decimal | None = None

    def draw(self, scores: Scores) -> tuple[int, ...]:
        """Chooses once, with fresh noise.

        Args:
            scores: Exact scores, shape (options,).

        Returns:
            The places of the k chosen options, from 0; the first was chosen first.

        Raises:
            ParameterError: The scores are not as many as the options, or too large.
        """
        measurement = choice_measurement(self.mechanism, self.monotonic, self.k, self.scale)
        chosen = measurement(self._exact(scores).tolist())
        return (chosen,) if self.k == 1 else tuple(chosen)

    def law(self, scores: Scores) -> Floats:
        """Returns the chance of each option to be among the chosen, shape (options,).

        For k = 1 the chances of all options, which sum to 1; otherwise they sum to k.

        Raises:
            ParameterError: The scores do not fit, or there are too many ways to choose k.
        """
        exact = self._exact(scores)
        if self.k == 1:
            return self._first(exact)
        if sum(comb(self.options, taken) for taken in range(self.k)) > _SETS_MAX:
            raise ParameterError(T.MANY_SETS())
        return self._several(exact)

    def _first(self, scores: Scores) -> Floats:
        law = permute_and_flip_law if self.mechanism == "permute_and_flip" else exponential_law
        return law(acceptances(scores, self.scale))

    def _several(self, scores: Scores) -> Floats:
        """Extends the sets that may be chosen so far by one option."""
        among = np.zeros(self.options)
        sets: dict[frozenset[int], float] = {frozenset(): 1.0}
        for _ in range(self.k):
            larger: dict[frozenset[int], float] = {}
            for taken, chance in sets.items():
                left = np.array([i for i in range(self.options) if i not in taken])
                for i, share in zip(left.tolist(), self._first(scores[left]), strict=True):
                    among[i] += chance * share
                    more = taken | {i}
                    larger[more] = larger.get(more, 0.0) + chance * float(share)
            sets = larger
        return among

    def chance_of_lead(self, lead: float) -> float:
        """Returns the chance that the best option is chosen first if it leads by this much.

        All other options are taken to lie exactly `lead` behind: for every choice of scores the
        chance to choose one that is less than `lead` behind the best is at least as large.

        Args:
            lead: Difference of scores, at least 0.
        """
        others, p = self.options - 1, exp(-lead / self.scale)
        if self.mechanism == "exponential":
            return 1 / (1 + others * p)
        # The integral of (1 - p t)^(m - 1).
        if p == 1:
            return 1 / self.options
        if p * self.options < 1e-8:
            return 1 - others * p / 2
        return -expm1(self.options * log1p(-p)) / (self.options * p)

    def lead_for(self, confidence: float = 0.95) -> int:
        """Returns the smallest lead at which the best option is chosen first this often.

        Raises:
            ParameterError: The confidence is not between 0 and 1.
        """
        require_confidence(confidence)
        # At this lead the exponential mechanism, the weaker of the two, is good enough.
        enough = self.scale * log(max(self.options - 1, 1) * confidence / (1 - confidence))
        short, far = -1, max(int(enough) + 1, 0)
        while far - short > 1:
            middle = (short + far) // 2
            if self.chance_of_lead(middle) >= confidence:
                far = middle
            else:
                short = middle
        return far

    def shortfall(self, confidence: float = 0.95) -> int:
        """Returns by how much chosen scores may be below those that belong in their places.

        With this confidence the i-th chosen score is for every i at most so much below the i-th
        best, whatever the scores are: an option that lies farther behind is chosen most often
        where all but the best lie just so far behind. Of several choices each gets its even part
        of the doubt.

        Raises:
            ParameterError: The confidence is not between 0 and 1.
        """
        return max(self.lead_for(1 - (1 - confidence) / self.k) - 1, 0)

    def _exact(self, scores: Scores) -> Scores:
        exact = np.asarray(scores)
        if exact.shape != (self.options,) or exact.dtype != np.int64:
            raise ParameterError(T.OTHER_SIZE())
        if int(exact.max()) > INTEGER_REACH or int(exact.min()) < -INTEGER_REACH:
            raise ParameterError(T.SCORES_TOO_LARGE())
        return exact


@lru_cache(maxsize=512)
def calibrate_choice(
    linf: int,
    monotonic: bool,
    epsilon: Decimal,
    options: int,
    k: int = 1,
    mechanism: ChoiceMechanism = "permute_and_flip",
) -> CalibratedChoice:
    """Returns the sharpest choice whose loss is at most epsilon.

    The loss of choosing once is the range by which one respondent can change differences of
    scores, over the scale: linf if all scores move in the same direction, otherwise twice that.
    Choosing k one after the other has k times that loss.

    Args:
        linf: How far one respondent moves any score, a whole number of at least 1.
        monotonic: Whether all scores move in the same direction.
        epsilon: The loss, an exact decimal from 0.0001 to 40.
        options: Number of options, declared without a look at the data.
        k: How many are chosen.
        mechanism: How each is chosen.

    Raises:
        ParameterError: A parameter is outside its bounds, or the noise would be too large.
    """
    epsilon = parse_epsilon(epsilon)
    if not 1 <= k <= options <= OPTIONS_MAX:
        raise ParameterError(T.BAD_CHOICE(most=OPTIONS_MAX))
    if mechanism not in CHOICE_MECHANISMS:
        raise ParameterError(T.UNKNOWN_KIND(kinds=any_of(CHOICE_MECHANISMS)))
    if not 1 <= linf <= SENSITIVITY_MAX // 2:
        raise ParameterError(T.BAD_SENSITIVITY(power=52))
    scale = k * (linf if monotonic else 2 * linf) / float(epsilon)
    require_scale(scale)
    scale, run = safe_scale(lambda at: pure_choice_loss(linf, monotonic, k, at), epsilon, scale)
    rho = None
    if mechanism == "exponential":
        loss = choice_measurement(mechanism, monotonic, k, scale).map(linf)
        rho = fifteen_digits_up(Decimal(loss))
    return CalibratedChoice(
        linf, monotonic, options, k, mechanism, scale, epsilon, rounded_up(run), rho
    )
