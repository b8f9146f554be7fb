"""What all mechanisms for categories share: two probabilities and one unbiased estimator.

A true category is supported by its report with probability p, any other with probability q
(Wang et al. 2017, "Locally differentially private protocols for frequency estimation").
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import Certificate, GrrLaw, UnaryLaw
from dpdesk.domains import AnyDomain, Categorical, OptionSet
from dpdesk.i18n import Message, in_a_row
from dpdesk.mechanisms.among_answered import Supports, shares_by_support
from dpdesk.mechanisms.base import BoundMechanism, Mechanism, Tick
from dpdesk.mechanisms.estimates import Accuracy, Answers, Estimate
from dpdesk.mechanisms.possible_shares import possible_of_support
from dpdesk.mechanisms.score_rule import Numbers, RuleName, ScoreRule, support_rule
from dpdesk.mechanisms.tally import (
    Tally,
    count_bits,
    count_symbols,
    effective_number,
    indicator_variance,
)
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.numbers.intervals import wilson_interval
from dpdesk.randomness import WordSource

_Shares = TypeVar("_Shares", float, Floats)


def noise_variance(p: float, q: float, share: _Shares) -> _Shares:
    """Returns n times the noise variance of a share: q(1-q)/(p-q)^2 + f(1-p-q)/(p-q)."""
    return q * (1 - q) / (p - q) ** 2 + share * (1 - p - q) / (p - q)


def frequency_estimate(
    tally: Tally,
    p: float | Floats,
    q: float | Floats,
    confidence: float,
    *,
    one_symbol: bool = False,
) -> Estimate:
    """Estimates the share of each category from the support of the reports.

    The estimate is (C/n - q)/(p - q). Given the respondents its variance is `noise_variance`/n;
    drawing them adds f(1-f)/n; the total equals l(1-l)/(n (p-q)^2) with l = f p + (1-f) q. All
    are taken at the possible share that is nearest to the estimate, so that few reports never
    look like no error. The interval is Wilson's for the observed l, carried over.

    With weights the same holds by Taylor linearisation of the weighted mean of the reports' scores
    r = (s - q)/(p - q), sum w^2 (r - f)^2 / (sum w)^2: the noise is that of the shares f2 by
    squared weights, drawing respondents adds the variance of a ratio (`indicator_variance`), and
    the interval is Wilson's for as many reports as would have the variance of l.

    Args:
        tally: Support of each category.
        p: Chance that a report supports one's own category; one number or shape (k,).
        q: Chance that it supports any other category, alike.
        confidence: Coverage of the intervals.
        one_symbol: Whether every report supports exactly one category.

    Returns:
        Estimates of shape (k,), the further ones computed when they are asked for.
    """
    support, squared, gap = tally.shares, tally.square_shares, p - q
    reports = tally.effective_reports
    value = (support - q) / gap
    possible, by_squares = (np.clip((share - q) / gap, 0.0, 1.0) for share in (support, squared))
    noise = q * (1 - q) / gap**2 + by_squares * (1 - p - q) / gap
    sampling = indicator_variance(possible, by_squares)
    lower, upper = wilson_interval(support, effective_number(tally, support, squared), confidence)
    return Estimate(
        quantity="share",
        value=value,
        truncated=possible,
        noise_error=np.sqrt(noise / reports),
        sampling_error=np.sqrt(sampling / reports),
        total_error=np.sqrt((noise + sampling) / reports),
        lower=(lower - q) / gap,
        upper=(upper - q) / gap,
        reports=tally.reports,
        effective_reports=reports,
        possible=possible_of_support(value, support, p, q, one_symbol=one_symbol),
    )


@dataclass(frozen=True, slots=True)
class FrequencyForecast:
    """Preview of a mechanism for categories: a `Forecast` from p and q."""

    size: int
    p: float
    q: float
    form: Literal["symbol", "bits", "support"]

    @property
    def quantity(self) -> Literal["share", "mean"]:
        """Shares of the categories are estimated."""
        return "share"

    @property
    def outputs(self) -> int:
        """One bar per category."""
        return self.size

    @property
    def positions(self) -> None:
        """Categories have no place on a scale."""
        return

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns what a supporting report and another add to a share of 1/k, and their chances."""
        share = 1 / self.size
        supported = share * self.p + (1 - share) * self.q
        values = np.array([-self.q, 1 - self.q]) / (self.p - self.q)
        return values, np.array([1 - supported, supported]), share

    def probabilities(self, code: int) -> Floats:
        """Returns p at the true category and q elsewhere, shape (k,)."""
        row = np.full(self.size, self.q)
        row[code] = self.p
        return row

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error to expect of one share (1/k when not given)."""
        f = 1 / self.size if share is None else share
        noise = noise_variance(self.p, self.q, f) / reports
        sampling = f * (1 - f) / reports
        return Accuracy(noise**0.5, sampling**0.5, (noise + sampling) ** 0.5)

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        """Returns n times the variances of each share, shape (k,)."""
        shares = np.array(answers.shares)
        return noise_variance(self.p, self.q, shares), shares * (1 - shares)

    @property
    def noise_constant(self) -> float:
        """The constant n Var* = q(1-q)/(p-q)^2."""
        return noise_variance(self.p, self.q, 0.0)

    @property
    def truthful(self) -> float | None:
        """The chance p of the true answer; None where a report supports many and names none."""
        return None if self.form == "support" else self.p


class SupportLaw(Protocol):
    """An integer law whose reports support the true category and others with two chances."""

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law against a nominal epsilon."""

    def probabilities(self) -> tuple[float, float]:
        """Returns the chances of support (of the true category, of any other)."""


Law = TypeVar("Law", bound=SupportLaw)

LEAST_CHANCE = 2.0**-64
"""Chance of one random word: no other chance of a law is smaller."""


class FrequencyOracle(BoundMechanism, Generic[Law]):
    """A bound mechanism whose reports support categories with probabilities p and q.

    Attributes:
        law: The integer law that is drawn from.
        p: Chance that a report supports the true category.
        q: Chance that it supports any other category.
    """

    numeric_outputs = False
    one_symbol = False
    """Whether every report supports exactly one category."""
    supported_by: ClassVar[RuleName] = "columns"
    """How released cells tell which categories a report supports."""

    def __init__(self, mechanism: Mechanism, domain: AnyDomain, law: Law) -> None:
        self.mechanism = mechanism
        self.domain = domain
        self.law = law
        self.outputs = domain.texts
        self.certificate = law.certificate(mechanism.epsilon)
        self.p, self.q = law.probabilities()

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        return frequency_estimate(tally, self.p, self.q, confidence, one_symbol=self.one_symbol)

    @abstractmethod
    def pair_support(self) -> tuple[float, float]:
        """Returns the chances that a report supports two given categories.

        Returns:
            Where one of both is true, and where another one is.
        """

    def thirds(self, category: int) -> NDArray[np.intp] | None:
        """Returns what other category each one has that supports the pair as they do.

        Args:
            category: The other one of each pair.

        Returns:
            Codes, shape (k,): where such a category is true, a report supports the pair with the
            chance of one of both; -1 where there is none. None where no pair has one.
        """
        return None

    def support(self, counts: Floats) -> Floats:
        """Returns the support of each category from counts of reports, shape (..., k)."""
        return counts

    def support_of(self, tally: Tally) -> Tally:
        """Returns the support of each category from a tally of reports."""
        squared = tally.square_counts
        return replace(
            tally,
            counts=self.support(tally.counts),
            square_counts=None if squared is None else self.support(squared),
        )

    def totals(self, counts: Floats, weight: Floats) -> Floats:
        return np.asarray((self.support(counts) - self.q * weight[:, None]) / (self.p - self.q))

    @abstractmethod
    def supports(self, reports: NDArray[Any]) -> NDArray[Any]:
        """Returns which categories each report supports, 1 or 0, shape (n, k)."""

    def report_scores(self, reports: NDArray[Any]) -> Floats:
        return np.asarray((self.supports(reports) - self.q) / (self.p - self.q))

    def score_rule(self) -> ScoreRule:
        return support_rule(self.supported_by, self.p, self.q)

    @property
    def support_odds(self) -> float:
        """How much likelier a report is under a category that it supports than under another."""
        return self.p / self.q

    def report_chances(self, reports: NDArray[Any]) -> Floats:
        return np.where(self.supports(reports) > 0, self.support_odds, 1.0)

    def among_answered(self, tally: Tally, missing: int) -> Estimate:
        return shares_by_support(self.support_of(tally), self._supports(missing), missing)

    def answered_rule(self, missing: int) -> Mapping[str, Numbers]:
        return self._supports(missing).numbers()

    def _supports(self, missing: int) -> Supports:
        chances, both = (self.p, self.q), self.pair_support()
        return Supports.of(self.size, chances, both, thirds=self.thirds(missing))

    def parameters(self) -> dict[str, float]:
        constant = noise_variance(self.p, self.q, 0.0)
        return {"p": self.p, "q": self.q, "n_var_star": constant}

    def estimation_rule(self, weighted: str) -> str:
        rule = T.SHARE_RULE(weighted=weighted, p=repr(self.p), q=repr(self.q))
        return in_a_row((self.support_rule(), rule))

    def support_rule(self) -> Message:
        """Returns which categories a report supports, for people."""
        return T.BITS_SUPPORT() if self.form == "bits" else T.SYMBOL_SUPPORTS()


class SymbolOracle(FrequencyOracle[GrrLaw]):
    """A frequency oracle whose report is one category (GRR, Warner)."""

    one_symbol = True
    supported_by = "category"

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        return self.law.sample(codes, words.take(codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        return count_symbols(reports, self.size, weights)

    def supports(self, reports: Codes) -> NDArray[np.bool_]:
        return np.asarray(reports[:, None] == np.arange(self.size))

    def pair_support(self) -> tuple[float, float]:
        return 0.0, 0.0


class BitsOracle(FrequencyOracle[Law]):
    """A frequency oracle whose report has one bit per category, set where it supports it."""

    def counts(self, reports: NDArray[np.uint8], weights: Floats | None) -> Floats:
        return count_bits(reports, weights)

    def supports(self, reports: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return reports


class UnaryOracle(BitsOracle[UnaryLaw]):
    """A frequency oracle whose report is one bit per category (SUE, OUE)."""

    def randomize(
        self, codes: Codes, words: WordSource, encoded: NDArray[np.bool_] | None = None
    ) -> NDArray[np.uint8]:
        # Block by block; rows that are not `encoded` encode no category.
        bits = np.empty((codes.size, self.size), dtype=np.uint8)
        step = self.law.block_rows
        for start in range(0, codes.size, step):
            stop = start + step
            block = codes[start:stop]
            drawn = words.take(block.size * self.size)
            true = None if encoded is None else encoded[start:stop]
            self.law.sample(block, drawn, out=bits[start:stop], encoded=true)
        return bits

    @property
    def support_odds(self) -> float:
        return self.p * (1 - self.q) / (max(1 - self.p, LEAST_CHANCE) * self.q)

    def pair_support(self) -> tuple[float, float]:
        return self.p * self.q, self.q**2


class CategoricalMechanism(Mechanism):
    """A mechanism for categories, at most `most_categories` of them."""

    most_categories: ClassVar[int]
    """Largest number of categories that the mechanism serves."""

    @classmethod
    def misfit(cls, domain: AnyDomain) -> Message | None:
        if isinstance(domain, OptionSet):
            return T.NEEDS_ONE_ANSWER()
        if not isinstance(domain, Categorical):
            return T.NEEDS_CATEGORIES()
        if domain.size > cls.most_categories:
            return T.MANY_CATEGORIES(most=cls.most_categories)
        return None


class FrequencyMechanism(CategoricalMechanism):
    """A mechanism whose report supports the true category with chance p, any other with q."""

    oracle: ClassVar[type[FrequencyOracle[Any]]]
    """What draws the reports from `law` and counts them."""
    support: ClassVar[Literal["symbol", "bits", "support"]] = "symbol"
    """What p and q are the chances of, as `Forecast.form`."""

    @abstractmethod
    def law(self, size: int) -> SupportLaw:
        """Returns the integer law on `size` categories, of the kind that `oracle` draws from."""

    @abstractmethod
    def chances(self, size: int) -> tuple[float, float]:
        """Returns p and q on `size` categories in floating point, for previews."""

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> FrequencyOracle[Any]:
        self.require_fit(domain)
        return self.oracle(self, domain, self.law(domain.size))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        self.require_fit(domain)
        return FrequencyForecast(domain.size, *self.chances(domain.size), self.support)
