"""One attribute answered, the others faked: what several attributes share under RS+FD and RS+RFD.

Of d attributes one is drawn at random and randomized at epsilon; for each of the others a report
is made up, and nobody sees which one was real (Arcolezi, Couchot, Al Bouna & Xiao 2021, "Random
sampling plus fake data"; Arcolezi, Gambs, Couchot & Palamidessi 2023, for realistic fakes). With
P the law of a real report and phi the chance that a fake supports a value, a report supports its
value v with chance (p + (d-1) phi_v)/d where v is true and (q + (d-1) phi_v)/d elsewhere: a
frequency oracle with chances of its own for each value.

Epsilon here is the one at which the drawn attribute is really randomized. The largest of them
bounds the loss of the whole record; with equal epsilons it is exactly that loss, since an output
that agrees with one record everywhere and with the other nowhere has this ratio. The papers state a
smaller nominal epsilon, ln((e^epsilon - 1)/d + 1), for the record; it is the loss of one attribute,
and only in some cases, see `one_attribute_loss`. For unequal epsilons see `whole_record_loss`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import expm1, log, log1p
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import FixedLaw
from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import in_a_row
from dpdesk.mechanisms.among_answered import Supports, shares_by_support
from dpdesk.mechanisms.base import BoundMechanism, Mechanism, Tick
from dpdesk.mechanisms.estimates import Accuracy, Answers, Estimate
from dpdesk.mechanisms.frequency_oracle import (
    FrequencyForecast,
    SymbolOracle,
    UnaryOracle,
    frequency_estimate,
)
from dpdesk.mechanisms.score_rule import Numbers, ScoreRule, support_rule
from dpdesk.mechanisms.tally import Tally
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.randomness import WordSource

Fakes = Literal["zeros", "random"]
"""What the bits of a fake report encode: no category, or one drawn at random."""


def record_epsilon(nominal: float, attributes: int) -> float:
    """Returns ln(d(e^eps - 1) + 1): what a nominal epsilon of the papers costs the whole record."""
    return log1p(attributes * expm1(nominal))


def paper_epsilon(epsilon: float, attributes: int) -> float:
    """Returns ln((e^eps - 1)/d + 1): what the papers call an epsilon of the drawn attribute."""
    return log1p(expm1(epsilon) / attributes)


def fake_support(form: str, p: float, q: float, fakes: Fakes, prior: Floats) -> Floats:
    """Returns phi, the chance that a fake report supports each value, shape (k,).

    Args:
        form: "symbol", a fake being a draw from the prior; or "bits", which encode no category
            or one drawn from the prior, and are then randomized like real ones.
        p: Chance that a real report supports the true value.
        q: Chance that it supports any other.
        fakes: What fake bits encode.
        prior: Chance of each value to be faked, shape (k,).
    """
    if form == "symbol":
        return prior
    return np.full(prior.size, q) if fakes == "zeros" else (p - q) * prior + q


def effective_chances(
    p: float, q: float, support: Floats, attributes: int
) -> tuple[Floats, Floats]:
    """Returns the chances that a report supports each value, where it is true and where not.

    `frequency_estimate` with these two is the unbiased estimator of RS+FD and RS+RFD, with its
    exact variance; the plus that the 2021 paper prints in Theorem 1 must be a minus.

    Args:
        p: Chance that a real report supports the true value.
        q: Chance that it supports any other.
        support: Chance that a fake report supports each value, shape (k,).
        attributes: Number of attributes, d.
    """
    faked = (attributes - 1) * support
    return (p + faked) / attributes, (q + faked) / attributes


def noise_variances(p: Floats, q: Floats, share: Floats | float) -> Floats:
    """Returns n times the noise variance of a share, for each value with its chances."""
    gap = p - q
    return np.asarray(q * (1 - q) / gap**2 + share * (1 - p - q) / gap)


@dataclass(frozen=True, slots=True)
class FakeDataForecast:
    """Preview of one attribute whose report may be fake: a `Forecast`.

    If fakes follow a prior, errors differ by value; properties that are one number are the mean
    over values.

    Attributes:
        real: The mechanism of a real report.
        attributes: Number of attributes, d.
        fakes: What fake bits encode; without meaning for symbols.
        prior: Chance of each value to be faked; empty where all are equally likely.
    """

    real: FrequencyForecast
    attributes: int
    fakes: Fakes = "zeros"
    prior: tuple[float, ...] = ()

    @property
    def size(self) -> int:
        """Number of values of the domain."""
        return self.real.size

    @property
    def form(self) -> Literal["symbol", "bits", "support"]:
        """How the real mechanism writes its report."""
        return self.real.form

    @property
    def quantity(self) -> Literal["share", "mean"]:
        """Shares of the categories are estimated."""
        return "share"

    @property
    def outputs(self) -> int:
        """One bar per category."""
        return self.real.size

    @property
    def positions(self) -> None:
        """Categories have no place on a scale."""
        return

    @property
    def faked(self) -> Floats:
        """Chance of each value to be faked, shape (k,)."""
        return np.array(self.prior) if self.prior else np.full(self.size, 1 / self.size)

    @property
    def support(self) -> Floats:
        """Chance phi that a fake report supports each value, shape (k,)."""
        return fake_support(self.form, self.real.p, self.real.q, self.fakes, self.faked)

    @property
    def chances(self) -> tuple[Floats, Floats]:
        """Chances that a report supports each value, where it is true and where not."""
        return effective_chances(self.real.p, self.real.q, self.support, self.attributes)

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns what a supporting report and another add to a share of 1/k, and their chances.

        For a value whose fakes are as likely as those of the average value.
        """
        p, q = (float(chance.mean()) for chance in self.chances)
        return FrequencyForecast(self.size, p, q, self.form).report_law()

    def probabilities(self, code: int) -> Floats:
        """Returns the chance of each report, or of each bit to be 1, shape (k,)."""
        supported, elsewhere = self.chances
        row = elsewhere.copy()
        row[code] = supported[code]
        return row

    def accuracy(self, reports: float, share: float | None = None) -> Accuracy:
        """Returns the error to expect of one share (1/k when not given), the mean over values."""
        f = 1 / self.size if share is None else share
        noise = self._noise(f) / reports
        sampling = f * (1 - f) / reports
        return Accuracy(noise**0.5, sampling**0.5, (noise + sampling) ** 0.5)

    def variances(self, answers: Answers) -> tuple[Floats, Floats]:
        """Returns n times the variances of each share, shape (k,)."""
        shares = np.array(answers.shares)
        return noise_variances(*self.chances, shares), shares * (1 - shares)

    @property
    def noise_constant(self) -> float:
        """The constant n Var*, the mean over values."""
        return self._noise(0.0)

    @property
    def truthful(self) -> float:
        """The chance that the report supports the true category, the mean over categories."""
        return float(self.chances[0].mean())

    def _noise(self, share: float) -> float:
        return float(noise_variances(*self.chances, share).mean())


def attribute_losses(attributes: Sequence[FakeDataForecast]) -> tuple[float, ...]:
    """Returns for each attribute the exact loss of records that differ in it alone.

    With L_j the law of a real report and F_j that of a fake one, an output y has a chance
    proportional to the sum over j of L_j(y_j | v_j)/F_j(y_j). If only v_j changes, the ratio is
    (A + c)/(B + c), where A and B are this quotient under the two answers and c is what the
    others contribute; it is largest where each of them contributes its least. For GRR that is
    ln[(k_j E/D_j + R_j)/(k_j/D_j + R_j)] with D_i = E + k_i - 1 and R_j = sum of k_i/D_i over
    the others.

    Args:
        attributes: All attributes of the record.

    Returns:
        The losses; each at most its epsilon, and exactly the papers' nominal one for bits with
        fakes of zeros and equal epsilons.
    """
    quotients = [_Quotients.of(attribute) for attribute in attributes]
    least = sum(quotient.least for quotient in quotients)
    return tuple(log(quotient.ratio(least - quotient.least)) for quotient in quotients)


def whole_record_loss(attributes: Sequence[FakeDataForecast]) -> float:
    """Returns the exact loss of records that may differ in every attribute.

    An output y has a chance proportional to the sum over j of L_j(y_j | v_j)/F_j(y_j), see
    `attribute_losses`. Every y_j, v_j and v'_j can be chosen for itself, so that the largest ratio
    is the x at which the sum over j of the largest L_j(y_j | v_j)/F_j(y_j) - x L_j(y_j | v'_j)/F_j
    (y_j) is 0 (Dinkelbach 1967). Each of these is reached where y_j speaks for v_j and against
    v'_j: at the rarest fake while it is positive, at the commonest one where it is negative.

    Args:
        attributes: All attributes of the record.

    Returns:
        The loss: the common epsilon where all are equal, else less than the largest.
    """
    quotients = [_Quotients.of(attribute) for attribute in attributes]
    true = np.array([quotient.true for quotient in quotients])
    other = np.array([quotient.other for quotient in quotients])
    rare = np.array([quotient.fake for quotient in quotients])
    common = np.array([quotient.commonest for quotient in quotients])
    low, high = 1.0, float((true / other).max())
    # 60 halvings leave a relative error of 1e-18 of the widest interval; `high` stays a bound.
    for _ in range(120):
        middle = (low + high) / 2
        gain = true - middle * other
        if float((gain / np.where(gain > 0, rare, common)).sum()) > 0:
            low = middle
        else:
            high = middle
    return log(high)


def one_attribute_loss(attributes: Sequence[FakeDataForecast]) -> float:
    """Returns the largest of `attribute_losses`."""
    return max(attribute_losses(attributes))


@dataclass(frozen=True, slots=True)
class _Quotients:
    """The quotients L(y | v)/F(y) of an attribute that matter for a loss.

    Attributes:
        true: Chance of the output that distinguishes most, under the answer it speaks for ...
        other: ... under an answer that it speaks against ...
        fake: ... and as a fake, all three up to one factor.
        commonest: The same for the output of its kind that is the likeliest fake.
        least: The least quotient of all outputs and answers.
    """

    true: float
    other: float
    fake: float
    commonest: float
    least: float

    @classmethod
    @lru_cache(maxsize=20_000)
    def of(cls, attribute: FakeDataForecast) -> _Quotients:
        p, q, even = attribute.real.p, attribute.real.q, 1 / attribute.size
        rarest = min(attribute.prior, default=even)
        commonest = max(attribute.prior, default=even)
        if attribute.form == "symbol":
            # The rarest fake discloses a true report most; the commonest hides it best.
            return cls(p, q, rarest, commonest, q / commonest)
        true, other = p / q, (1 - p) / (1 - q)
        if attribute.fakes == "zeros":
            return cls(true, other, 1.0, 1.0, other)
        # The chance of a fake is a mean over the category that it encodes; a category whose bit is
        # set contributes the chance of the truth. It is least if the bit of the rarest category
        # alone is set, and largest if all bits but that one are set.
        gap = true - other
        hidden = other + (1 - rarest) * gap
        return cls(true, other, other + rarest * gap, hidden, other / hidden)

    def ratio(self, rest: float) -> float:
        """Returns the largest likelihood ratio where the other attributes contribute `rest`."""
        return (self.true + rest * self.fake) / (self.other + rest * self.fake)


_WORD_BYTES = 8


class FakeDataOracle(BoundMechanism):
    """A frequency oracle that is real for one attribute in d, and fake for the others.

    Attributes:
        real: The oracle of a real report; its certificate is this one's.
        attributes: Number of attributes, d.
        fakes: What fake bits encode; without meaning for symbols.
        fake: The law of the values that are faked.
        support: Chance phi that a fake report supports each value, shape (k,).
    """

    numeric_outputs = False

    def __init__(
        self, real: SymbolOracle | UnaryOracle, attributes: int, fakes: Fakes, fake: FixedLaw
    ) -> None:
        self.mechanism = real.mechanism
        self.domain = real.domain
        self.certificate = real.certificate
        self.outputs = real.outputs
        self.real = real
        self.attributes = attributes
        self.fakes = fakes
        self.fake = fake
        self.support = fake_support(real.form, real.p, real.q, fakes, fake.probabilities())

    @classmethod
    def bind(
        cls,
        mechanism: Mechanism,
        domain: AnyDomain,
        attributes: int,
        fakes: Fakes,
        expected: Sequence[Decimal] = (),
        tick: Tick | None = None,
    ) -> FakeDataOracle:
        """Returns a mechanism on a domain, of which one report in d is real.

        Args:
            mechanism: GRR, Warner's, SUE or OUE, at the epsilon of a real report.
            domain: The attribute's public domain.
            attributes: Number of attributes, d.
            fakes: What fake bits encode.
            expected: Declared shares of the categories that fakes follow; all alike when empty.
            tick: Called now and then; may raise to stop.

        Raises:
            ParameterError: Reports of the mechanism cannot be faked, or it does not fit.
            CertificateError: The domain is too large for this epsilon.
        """
        real = mechanism.bind(domain, tick)
        if not mechanism.can_be_faked or not isinstance(real, SymbolOracle | UnaryOracle):
            raise ParameterError(T.NOT_FAKED(mechanism=mechanism.short))
        fake = FixedLaw.of(expected) if expected else FixedLaw(domain.size)
        return cls(real, attributes, fakes, fake)

    @property
    def bytes_per_row(self) -> int:
        return self.real.bytes_per_row + 2 * _WORD_BYTES

    @property
    def chances(self) -> tuple[Floats, Floats]:
        """Chances that a report supports each value, where it is true and where not."""
        return effective_chances(self.real.p, self.real.q, self.support, self.attributes)

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[Any]:
        drawn = FixedLaw(self.attributes).sample(words.take(codes.size))
        return self.randomize_drawn(codes, drawn == 0, words)

    def randomize_drawn(
        self, codes: Codes, drawn: NDArray[np.bool_], words: WordSource
    ) -> NDArray[Any]:
        """Draws one report per true code, a fake one where another attribute was drawn.

        Real and fake reports take the same number of words, so that nothing shows which is which.

        Args:
            codes: True codes, shape (n,).
            drawn: Whose report is real, shape (n,).
            words: Source of random words.
        """
        if isinstance(self.real, UnaryOracle) and self.fakes == "zeros":
            return self.real.randomize(codes, words, encoded=drawn)
        faked = self.fake.sample(words.take(codes.size))
        if isinstance(self.real, UnaryOracle):
            return self.real.randomize(np.where(drawn, codes, faked), words)
        return np.where(drawn, self.real.randomize(codes, words), faked)

    def counts(self, reports: NDArray[Any], weights: Floats | None) -> Floats:
        return self.real.counts(reports, weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        p, q = self.chances
        return frequency_estimate(tally, p, q, confidence, one_symbol=self.real.one_symbol)

    def report_scores(self, reports: NDArray[Any]) -> Floats:
        # For this attribute alone: of two attributes of a record at most one is real.
        p, q = self.chances
        return np.asarray((self.real.supports(reports) - q) / (p - q))

    def score_rule(self) -> ScoreRule:
        return support_rule(self.real.supported_by, *self.chances)

    def among_answered(self, tally: Tally, missing: int) -> Estimate:
        return shares_by_support(tally, self._supports(missing), missing)

    def answered_rule(self, missing: int) -> Mapping[str, Numbers]:
        return self._supports(missing).numbers()

    def _supports(self, missing: int) -> Supports:
        true, other = self.real.pair_support()
        faked: Floats | float = other
        if self.form == "bits" and self.fakes == "random":
            prior = self.fake.probabilities()
            faked = other + (true - other) * (prior + prior[missing])
        rest = (self.attributes - 1) * np.asarray(faked)
        both = (true + rest) / self.attributes, (other + rest) / self.attributes
        return Supports.of(self.size, self.chances, both)

    def parameters(self) -> dict[str, float]:
        constant = float(noise_variances(*self.chances, 0.0).mean())
        return {"p": self.real.p, "q": self.real.q, "n_var_star": constant}

    def estimation_rule(self, weighted: str) -> str:
        phi = "e" if self.fake.weights else f"1 / {self.size}"
        if self.form == "bits":
            phi = "q" if self.fakes == "zeros" else f"(p - q) {phi} + q"
        p, q = repr(self.real.p), repr(self.real.q)
        rule = T.FAKED_SHARE_RULE(weighted=weighted, d=self.attributes, p=p, q=q, phi=phi)
        expected = (T.EXPECTED_SHARE(),) if "e" in phi else ()
        return in_a_row((self.real.support_rule(), rule, *expected))
