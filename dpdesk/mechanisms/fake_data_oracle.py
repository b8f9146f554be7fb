"""An attribute whose report may be fake: what is run under RS+FD and RS+RFD, and how it is read."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import FixedLaw
from dpdesk.errors import ParameterError
from dpdesk.mechanisms.base import AnyDomain, BoundMechanism, Codes, Floats, Mechanism, Tick
from dpdesk.mechanisms.estimates import Estimate
from dpdesk.mechanisms.fake_data import (
    Fakes,
    effective_chances,
    fake_support,
    mean_noise_variance,
)
from dpdesk.mechanisms.frequency_oracle import (
    SymbolOracle,
    UnaryOracle,
    frequency_estimate,
)
from dpdesk.mechanisms.tally import Tally
from dpdesk.randomness import WordSource

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
            raise ParameterError(
                f"Reports of {mechanism.short} cannot be faked.", remedy="Use GRR, SUE or OUE."
            )
        fake = FixedLaw.of(expected) if expected else FixedLaw(domain.size)
        return cls(real, attributes, fakes, fake)

    @property
    def bytes_per_row(self) -> int:
        """Memory of one row while it is randomized, the words of its fake included."""
        return self.real.bytes_per_row + 2 * _WORD_BYTES

    @property
    def chances(self) -> tuple[Floats, Floats]:
        """Chances that a report supports each value, where it is true and where not."""
        return effective_chances(self.real.p, self.real.q, self.support, self.attributes)

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[Any]:
        """Draws one report per true code, real with chance 1/d: the attribute seen by itself."""
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
        """Counts the reports of each category, real and fake alike."""
        return self.real.counts(reports, weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns the unbiased share of each category, arrays of shape (k,)."""
        p, q = self.chances
        return frequency_estimate(tally, p, q, confidence, one_symbol=self.real.one_symbol)

    def parameters(self) -> dict[str, float]:
        """Returns p and q of a real report, and n Var* of an estimate, the mean over values."""
        constant = mean_noise_variance(*self.chances, 0.0)
        return {"p": self.real.p, "q": self.real.q, "n_var_star": constant}

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimator of a share."""
        column = "of 1 in the category's column" if self.form == "bits" else "of its reports"
        expected = "e" if self.fake.weights else "1 / k"
        phi = expected if self.form == "symbol" else f"(p - q) {expected} + q"
        if self.form == "bits" and self.fakes == "zeros":
            phi, where = "q", ""
        elif self.fake.weights:
            where = (
                ", and e is the number that the plan expects of the category, divided by the sum "
                "of those of all categories"
            )
        else:
            where = f", and k = {self.size}"
        return (
            f"Share of a category = (d s - q - (d - 1) phi) / (p - q), where s is the share "
            f"{column}{weighted}, d = {self.attributes}, p = {self.real.p!r}, "
            f"q = {self.real.q!r}, phi = {phi} is the chance that a fake report supports the "
            f"category{where}."
        )
