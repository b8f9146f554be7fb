"""RAPPOR: Bloom filters, randomized once for good and again for each report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from math import exp, log, sqrt
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from dpdesk.channel.bits import MemoizedBitsLaw
from dpdesk.channel.certificate import require_draw
from dpdesk.composition import Divergences, LossDistribution
from dpdesk.composition.divergences import merged
from dpdesk.cost import EPSILON_MAX
from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Message, in_a_row
from dpdesk.mechanisms.among_answered import shares_by_scores
from dpdesk.mechanisms.base import BoundMechanism, Mechanism, Tick
from dpdesk.mechanisms.bloom_filters import (
    BloomDesign,
    RapporForecast,
    bloom_design,
    noise_variances,
    rappor_forecast,
    score_products,
)
from dpdesk.mechanisms.estimates import Estimate, linear_share_estimate
from dpdesk.mechanisms.frequency_oracle import CategoricalMechanism
from dpdesk.mechanisms.possible_shares import PossibleEstimates, projections_of
from dpdesk.mechanisms.score_rule import Numbers, ScoreRule, numbers_of
from dpdesk.mechanisms.tally import Tally, count_bits, indicator_variance
from dpdesk.mechanisms.texts import T
from dpdesk.numbers import PlainDigits, is_number
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.randomness import WordSource

RAPPOR_MAX = 500
"""Most categories: the regression takes their number squared in memory."""

_BITS_MAX = 256
_AUTOMATIC_BITS_MAX = 128
_COHORTS_LEAST = 8
_COHORTS_MAX = 256


_SIGNIFICANCE = 0.05
# A gradient within it of 0 is 0, as a part of the largest product.
_ROUNDING = 1e-12
# Exchanges of whole blocks without progress before single ones.
_BLOCKS = 3


def _exact_ratio(ratio: object) -> object:
    """Refuses values that only convert to a number, such as a float or a truth value."""
    written = str(ratio) if isinstance(ratio, (str, int, Decimal)) else ""
    if isinstance(ratio, bool) or not is_number(written) or "e" in written.lower():
        raise ParameterError(T.NO_RATIO())
    return written


class Rappor(CategoricalMechanism):
    """RAPPOR with a symmetric second step: p = 1 - q."""

    short = "RAPPOR"
    title = N_("Bloom filters randomized twice")
    summary = N_("The report is a cohort and the bits of a Bloom filter, each randomized twice.")
    reference = "Erlingsson, Pihur & Korolova 2014"
    most_categories = RAPPOR_MAX
    form = "integers"

    kind: Literal["rappor"] = "rappor"
    bits: Annotated[int, Field(ge=2, le=_BITS_MAX), PlainDigits] | None = Field(
        default=None,
        title="Bits",
        description="Bits of a Bloom filter; found from the number of categories when left out.",
    )
    hashes: Annotated[
        int,
        Field(
            ge=1,
            le=8,
            title="Hashes",
            description="Bits of each category; one gives the least error at the same epsilon.",
        ),
        PlainDigits,
    ] = 2
    cohorts: Annotated[int, Field(ge=1, le=_COHORTS_MAX), PlainDigits] | None = Field(
        default=None,
        title="Cohorts",
        description="Groups of respondents with Bloom filters of their own, a power of two; found "
        "from the number of categories when left out.",
    )
    permanent_ratio: Annotated[
        Decimal,
        BeforeValidator(_exact_ratio),
        Field(
            gt=1,
            le=100,
            max_digits=7,
            decimal_places=4,
            title="Permanent ratio",
            description="Loss of all reports that a respondent ever makes of the same answer, as a "
            "multiple of the loss of one.",
        ),
        PlainSerializer(lambda ratio: format(ratio, "f"), return_type=str),
    ] = Decimal(2)

    @model_validator(mode="after")
    def _law_exists(self) -> Rappor:
        if self.cohorts is not None and self.cohorts & (self.cohorts - 1):
            raise ParameterError(T.COHORTS())
        if self.bits is not None and self.bits < 2 * self.hashes:
            raise ParameterError(T.FEW_BITS())
        if self.permanent_epsilon > 2 * self.hashes * EPSILON_MAX:
            raise ParameterError(T.RARE_FLIPS())
        return self

    @property
    def permanent_epsilon(self) -> Decimal:
        """The loss of all reports ever made from one permanent response."""
        return self.epsilon * self.permanent_ratio

    def objection(self, domain: AnyDomain) -> Message | None:
        reason = self.misfit(domain)
        if reason is None and not self.design(domain).tells_all_apart:
            return T.FILTERS_ALIKE()
        return reason

    def design(self, domain: AnyDomain) -> BloomDesign:
        """Returns the Bloom filters of a domain's categories.

        If `bits` is left out, there are twice as many bits as categories, rounded up to a power of
        two, from 4 h to 128. If `cohorts` is left out, there are at least 8, and so many that all
        cohorts together have four bits for each category.
        """
        size = domain.size
        bits = self.bits
        if bits is None:
            bits = min(_AUTOMATIC_BITS_MAX, max(_power(2 * size), _power(4 * self.hashes)))
        cohorts = self.cohorts
        if cohorts is None:
            cohorts = min(_COHORTS_MAX, max(_COHORTS_LEAST, _power(-(-4 * size // bits))))
        return bloom_design(cohorts, size, bits, self.hashes)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> BoundRappor:
        self.require_fit(domain)
        return BoundRappor(self, domain, self.design(domain), self.permanent_epsilon)

    def forecast(self, domain: AnyDomain) -> RapporForecast:
        self.require_fit(domain)
        flip = 1 / (1 + exp(float(self.epsilon) / (2 * self.hashes)))
        return rappor_forecast(self.design(domain), flip)

    def noise_at_least(self) -> float:
        # F (1 - F) / (1 - 2 F)^2 / h, F being the chance of a flip: of the two terms of
        # `noise_variances` the first is C s^2 (A'A)^-1[v, v], and a diagonal entry of an inverse is
        # at least one over that of the matrix, C h. The second is never negative.
        each = exp(float(self.epsilon) / (2 * self.hashes))
        return each / (each - 1) ** 2 / self.hashes

    def divergences(self, domain: AnyDomain, first: int, second: int) -> Divergences:
        filters = self.design(domain).filters
        differing = np.sum(filters[:, first] != filters[:, second], axis=1)
        each = float(self.epsilon) / (2 * self.hashes)
        p = 1 / (1 + exp(-each))
        losses, masses = [], []
        for bits, cohorts in zip(*np.unique(differing, return_counts=True), strict=True):
            x, law = np.zeros(1), np.ones(1)
            for _ in range(int(bits)):
                x, law = merged(
                    np.concatenate([x - each, x + each]), np.concatenate([law * (1 - p), law * p])
                )
            losses.append(x)
            masses.append(law * cohorts / differing.size)
        loss = LossDistribution(*merged(np.concatenate(losses), np.concatenate(masses)), 0.0)
        ratio = exp(loss.maximum)
        # Swapping the two answers swaps their filters, and the law stays the same.
        return Divergences(loss, loss, (ratio, ratio))

    def released_names(self, name: str, domain: AnyDomain) -> tuple[str, ...]:
        bits = self.design(domain).bits
        return (f"{name}:cohort", *(f"{name}:bit{i}" for i in range(1, bits + 1)))


def _power(number: int) -> int:
    """Returns the least power of two that is not below a number."""
    return 1 << (number - 1).bit_length()


def lasso_shares(design: Floats, observed: Floats, variances: Floats) -> Floats:
    """Returns the shares of the categories that are significantly above 0; 0 for the others.

    The lasso with shares of at least 0 selects categories (Tibshirani 1996); least squares on
    these alone gives their shares and errors; those not above 0 at 5 %, divided by the number of
    categories (Bonferroni), are set to 0 (Erlingsson, Pihur & Korolova 2014, section 4). The
    penalty is the universal one, sqrt(2 ln k) standard errors (Donoho & Johnstone 1994), so that
    nothing is drawn or searched for.

    Args:
        design: The design matrix, shape (rows, k), of full column rank.
        observed: Unbiased estimates of the rows, shape (rows,).
        variances: Their variances, shape (rows,).
    """
    size = design.shape[1]
    gram = design.T @ design
    penalty = sqrt(float(variances.mean()) * float(np.diag(gram).max()) * 2 * log(size))
    chosen = np.flatnonzero(positive_lasso(gram, design.T @ observed, penalty) > 0)
    shares = np.zeros(size)
    if not chosen.size:
        return shares
    part = design[:, chosen]
    solving = np.linalg.inv(gram[np.ix_(chosen, chosen)]) @ part.T
    solved = solving @ observed
    errors = np.sqrt((solving**2) @ variances)
    # One-sided: a confidence of 1 - 2a leaves a on the upper side.
    least = normal_quantile(1 - 2 * _SIGNIFICANCE / size) * errors
    shares[chosen] = np.where(solved > least, solved, 0.0)
    return shares


def positive_lasso(gram: Floats, product: Floats, penalty: float) -> Floats:
    """Minimises |y - A w|^2 / 2 + penalty sum(w) over w >= 0, exactly.

    The penalty only lowers A'y, so this is least squares with weights of at least 0. Its
    conditions are exchanged in blocks (Portugal, Judice & Vicente 1994, Mathematics of Computation
    63, 625-643): weights below 0 are set to 0, and those whose gradient is below 0 are let go. If
    blocks bring no progress, the last one alone is exchanged (Murty 1974), which comes to an end.

    Args:
        gram: A'A, shape (k, k), positive definite.
        product: A'y, shape (k,).
        penalty: Of one unit of w, at least 0.
    """
    lowered = product - penalty
    tolerance = _ROUNDING * float(np.abs(lowered).max())
    free = np.zeros(len(product), dtype=np.bool_)
    least, tries = len(product) + 1, _BLOCKS
    while True:
        weights = np.zeros(len(product))
        weights[free] = np.linalg.solve(gram[np.ix_(free, free)], lowered[free])
        gradient = gram @ weights - lowered
        wrong = np.where(free, weights < 0, gradient < -tolerance)
        count = int(np.count_nonzero(wrong))
        if count == 0:
            return weights
        if count < least:
            least, tries = count, _BLOCKS
        elif tries > 0:
            tries -= 1
        else:
            last = int(np.flatnonzero(wrong)[-1])
            wrong = np.arange(len(product)) == last
        free ^= wrong


@dataclass(frozen=True, slots=True, eq=False)
class PermanentResponses:
    """Permanent responses: each respondent keeps their own secret and reports from it.

    Attributes:
        cohorts: The cohort of each respondent, shape (n,).
        bits: The permanent response to each respondent's answer, shape (n, m).
    """

    cohorts: NDArray[np.int64]
    bits: NDArray[np.bool_]


# Words of a block of rows stay in the processor's cache.
_BLOCK_WORDS = 1 << 17


class BoundRappor(BoundMechanism):
    """RAPPOR on a domain.

    Attributes:
        design: The Bloom filters.
        law: The integer law of a bit.
        permanent_certificate: The loss of all reports ever made from one permanent response.
    """

    numeric_outputs = False

    def __init__(
        self,
        mechanism: Mechanism,
        domain: AnyDomain,
        design: BloomDesign,
        permanent_epsilon: Decimal,
    ) -> None:
        self.mechanism = mechanism
        self.domain = domain
        self.design = design
        self.outputs = domain.texts
        self.limits = (design.cohorts, *(2,) * design.bits)
        self.law = MemoizedBitsLaw.at(2 * design.hashes, mechanism.epsilon, permanent_epsilon)
        self.certificate = self.law.certificate(mechanism.epsilon)
        self.permanent_certificate = self.law.permanent_certificate(permanent_epsilon)
        self._flip = float(self.law.flip)
        # What the flips of a report's bits add to the mean square of its least squares.
        self._bit = self.design.cohorts * self._flip * (1 - self._flip) / (1 - 2 * self._flip) ** 2

    @property
    def bytes_per_row(self) -> int:
        return 16 * (1 + self.design.bits)

    def cohorts_of(self, respondents: int, words: WordSource) -> NDArray[np.int64]:
        """Draws a cohort for each respondent, one word each, shape (n,)."""
        # The upper bits of a word: exactly even, the number of cohorts being a power of two.
        drawn = words.take(respondents) >> np.uint64(32)
        return (drawn * np.uint64(self.design.cohorts) >> np.uint64(32)).astype(np.int64)

    def permanent(
        self, codes: Codes, cohorts: NDArray[np.int64], words: WordSource
    ) -> PermanentResponses:
        """Draws the permanent response to each true code, m words each.

        Args:
            codes: True codes, shape (n,), each in 0..k-1.
            cohorts: The respondents' cohorts, shape (n,), from `cohorts_of`.
            words: Source of random words.

        Raises:
            ReleaseError: A code lies outside the domain.
        """
        drawn = words.take(codes.size * self.design.bits)
        require_draw(codes, drawn, self.size, words_each=self.design.bits)
        filters = self.design.filters[cohorts, codes]
        return PermanentResponses(cohorts, self.law.permanent_bits(filters, drawn))

    def instantaneous(self, permanent: PermanentResponses, words: WordSource) -> NDArray[np.uint8]:
        """Draws a report from permanent responses, m words each, shape (n, 1 + m)."""
        drawn = words.take(permanent.bits.size)
        reports = np.empty((permanent.cohorts.size, 1 + self.design.bits), dtype=np.uint8)
        reports[:, 0] = permanent.cohorts
        reports[:, 1:] = self.law.reported_bits(permanent.bits, drawn)
        return reports

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[np.uint8]:
        reports = np.empty((codes.size, 1 + self.design.bits), dtype=np.uint8)
        step = max(1, _BLOCK_WORDS // self.design.bits)
        for start in range(0, codes.size, step):
            block = codes[start : start + step]
            cohorts = self.cohorts_of(block.size, words)
            permanent = self.permanent(block, cohorts, words)
            reports[start : start + step] = self.instantaneous(permanent, words)
        return reports

    def counts(self, reports: NDArray[Any], weights: Floats | None) -> Floats:
        # Cohorts are at most 256, so that a byte holds each part of a report.
        cohorts = reports[:, 0].astype(np.uint8)
        order = np.argsort(cohorts, kind="stable")
        ends = np.searchsorted(cohorts[order], np.arange(self.design.cohorts + 1))
        ones = reports.astype(np.uint8, copy=False)[order]
        # The cohort's own place counts its reports.
        ones[:, 0] = 1
        each = None if weights is None else weights[:, order]
        counts = [
            count_bits(ones[a:b], None if each is None else each[:, a:b])
            for a, b in pairwise(ends.tolist())
        ]
        return np.concatenate(counts, axis=-1)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        # Debiased counts t = (c - F N) / (1 - 2 F) of the bits of a cohort with N reports, F being
        # the chance of a flip, are regressed on the Bloom filters of all categories. The errors are
        # exact at the possible distribution nearest to the estimates; the interval is the score
        # interval.
        value, squared = self._solved(tally)
        possible = PossibleEstimates(**projections_of(value), lasso=lambda: self._lasso(tally))
        return linear_share_estimate(
            value,
            squared,
            lambda shares: noise_variances(self.design, self._flip, shares),
            np.diag(self.design.cohort_squares) + self._bit * np.diag(self.design.inverse),
            tally,
            confidence,
            possible,
        )

    def totals(self, counts: Floats, weight: Floats) -> Floats:
        return np.stack([self.design.solved(self._debiased(kind)) for kind in counts])

    def report_scores(self, reports: NDArray[Any]) -> Floats:
        cohorts = reports[:, 0].astype(np.int64)
        bits = (reports[:, 1:] - self._flip) * (self.design.cohorts / (1 - 2 * self._flip))
        found = np.empty((len(reports), self.size))
        for cohort in np.unique(cohorts).tolist():
            inside = cohorts == cohort
            of_categories = bits[inside] @ self.design.filters[cohort].T.astype(np.float64)
            found[inside] = of_categories @ self.design.inverse
        return found

    def score_rule(self) -> ScoreRule:
        design, flip, bit = self.design, self._flip, self._bit
        numbers = {
            "cohorts": numbers_of(design.cohorts),
            "hashes": numbers_of(design.hashes),
            "flip": numbers_of(flip),
            "positions": numbers_of(design.positions.astype(np.float64)),
            "matrix": numbers_of(design.inverse),
            # Indexed by the true category first, as those of a matrix.
            "squares": numbers_of(design.cohort_squares.T + bit * np.diag(design.inverse)),
        }
        return ScoreRule("filters", numbers)

    def among_answered(self, tally: Tally, missing: int) -> Estimate:
        value, squared = self._solved(tally)

        def products(shares: Floats) -> tuple[Floats, Floats]:
            return score_products(self.design, self._flip, shares, missing)

        return shares_by_scores(value, squared, products, tally, missing)

    def answered_rule(self, missing: int) -> Mapping[str, Numbers]:
        of_each = (
            score_products(self.design, self._flip, one, missing) for one in np.eye(self.size)
        )
        return {"mixed": numbers_of(np.array([products for _, products in of_each]))}

    def _solved(self, tally: Tally) -> tuple[Floats, Floats]:
        """Returns the shares, and those by squared weights."""
        value = self.design.solved(self._debiased(tally.shares))
        if tally.square_counts is None:
            return value, value
        return value, self.design.solved(self._debiased(tally.square_shares))

    def _debiased(self, of_all: Floats) -> Floats:
        """Returns the share of respondents in a cohort with a bit, times C, shape (C, m)."""
        shares = self.design.cohorts * of_all.reshape(self.design.cohorts, -1)
        return np.asarray((shares[:, 1:] - self._flip * shares[:, :1]) / (1 - 2 * self._flip))

    def _lasso(self, tally: Tally) -> Floats:
        observed = self._debiased(tally.shares)
        spread, squared = self._ones(tally.shares), self._ones(tally.square_shares)
        # A bit's count is binomial within its cohort of about n / C reports.
        variances = indicator_variance(spread, squared) / (1 - 2 * self._flip) ** 2
        variances *= self.design.cohorts / tally.effective_reports
        return lasso_shares(self.design.matrix(), observed.ravel(), variances.ravel())

    def _ones(self, of_all: Floats) -> Floats:
        """Returns the share of a cohort's reports with a bit, as far as it is possible, (C, m)."""
        shares = of_all.reshape(self.design.cohorts, -1)
        ones = np.divide(
            shares[:, 1:], shares[:, :1], out=np.zeros_like(shares[:, 1:]), where=shares[:, :1] > 0
        )
        return np.clip(ones, self._flip, 1 - self._flip)

    def parameters(self) -> dict[str, float]:
        forecast = rappor_forecast(self.design, self._flip)
        return {
            "p": 1 - self._flip,
            "q": self._flip,
            "bits": float(self.design.bits),
            "hashes": float(self.design.hashes),
            "cohorts": float(self.design.cohorts),
            "permanent_flip": self.law.permanent / 2**64,
            "instantaneous_flip": self.law.instantaneous / 2**64,
            "permanent_epsilon": float(self.permanent_certificate.epsilon_certified),
            "n_var_star": forecast.noise_constant,
        }

    def estimation_rule(self, weighted: str) -> str:
        cohorts, bits, hashes = self.design.cohorts, self.design.bits, self.design.hashes
        flip = repr(self._flip)
        return in_a_row(
            (
                T.FILTER_RULE(hashes=hashes, bits=bits, cohorts=cohorts, flip=flip),
                T.FILTER_SHARES(weighted=weighted, cohorts=cohorts),
            )
        )

    def part_meanings(self) -> tuple[str, ...]:
        bits = range(1, self.design.bits + 1)
        return T.COHORT(), *(T.FILTER_BIT(number=number) for number in bits)
