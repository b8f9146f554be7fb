"""An integer law for answers that may be missing: whether somebody answered is protected as well.

Some law draws a report y of an answer v with weight w(y | v). Here somebody who did not answer
reports "none" with chance P, else a report of a reference law R, which knows no answer; somebody
who answered reports "none" with chance Q, else w. With M(y) the largest and m(y) the smallest
weight that any answer gives a report, the ratios are P / Q, (1 - Q) M / ((1 - P) R) and
(1 - P) R / ((1 - Q) m). R is proportional to M, so that the second one is the same for every
report. With S = sum of M over all reports, all ratios are at most e^eps =: E where

    Q = (E - S) / (E^2 - S),    P = E Q,

and these P and Q lie farthest apart. For one bit (Duchi) S = 2 E / (E + 1), so that Q = 1 / (E + 2)
and P = E / (E + 2): randomized response on "none", "low" and "high" (Gu, Li, Cheng, Xiong & Cao
2020, PCKV, USENIX Security, treat keys with values in this way).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import (
    WORD_TOTAL,
    Certificate,
    certify,
    fingerprint_of,
    require_draw,
)
from dpdesk.channel.dense import DenseLaw
from dpdesk.channel.texts import T
from dpdesk.channel.window import chosen
from dpdesk.cost import exp_lower
from dpdesk.errors import CertificateError

Weights = NDArray[np.uint64]


class AnsweredLaw(Protocol):
    """An integer law of the answers that are given."""

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code from one word each, shape (n,)."""

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law against a nominal epsilon."""

    def extremes(self) -> tuple[Weights, Weights]:
        """Returns the largest and the smallest weight of each report, shapes (outputs,).

        Bounds will do: no less than the largest, no more than the smallest, which is above 0.
        """


@dataclass(frozen=True, slots=True)
class MissingLaw:
    """A law of m answers, and the answer m that stands for no answer; the last report is "none".

    Attributes:
        answered: The law of the answers that are given.
        size: Number of answers, m.
        reference: What is reported of a missing answer if not "none"; one row.
        none_if_missing: Weight of "none" of a missing answer, 2^64 P.
        none_if_answered: The same of an answer, 2^64 Q.
        ratio: The largest likelihood ratio of two inputs.
    """

    answered: AnsweredLaw
    size: int
    reference: DenseLaw
    none_if_missing: int
    none_if_answered: int
    ratio: Fraction

    @classmethod
    def at(cls, answered: AnsweredLaw, size: int, epsilon: Decimal) -> MissingLaw:
        """Builds the law; every rounding shrinks the ratios.

        Args:
            answered: The law of the answers that are given, certified at epsilon.
            size: Number of answers, m.
            epsilon: The loss.

        Raises:
            CertificateError: There are so many reports that 64 bits do not hold them.
        """
        growth = exp_lower(epsilon)
        largest, smallest = (weights.tolist() for weights in answered.extremes())
        reference = _proportional(largest)
        above = _largest(largest, reference)
        below = _largest(reference, smallest)
        if above >= growth:
            raise CertificateError(T.FINE_GRID())
        wanted = (growth - above) / (growth**2 - above)
        lie = ceil(wanted * WORD_TOTAL)
        # The larger P is, the likelier is what else is reported of an answer.
        truth = min(floor(growth * lie), WORD_TOTAL - ceil((WORD_TOTAL - lie) * above / growth))
        rest = Fraction(WORD_TOTAL - lie, WORD_TOTAL - truth)
        ratio = max(
            Fraction(truth, lie),
            rest * above,
            below / rest,
            answered.certificate(epsilon).likelihood_ratio,
        )
        table = DenseLaw(np.array([reference], dtype=np.uint64))
        return cls(answered, size, table, truth, lie, ratio)

    @property
    def outputs(self) -> int:
        """Number of reports, "none" included."""
        return int(self.reference.outputs) + 1

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law."""
        return certify(self.ratio, epsilon, self.fingerprint(epsilon))

    def fingerprint(self, epsilon: Decimal) -> str:
        """Digest of the law: its two weights, and the digests of the two laws that it chooses."""
        of_answers = self.answered.certificate(epsilon).fingerprint
        weights = f"{self.none_if_missing},{self.none_if_answered}"
        parts = f"{of_answers} {self.reference.fingerprint} {weights}"
        return fingerprint_of(f"missing {self.size}", parts.encode("ascii"))

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), in 0..m; m is a missing answer.
            words: Two words per draw, shape (2 n,): all first words, then all second ones. The
                first decides on "none", the second draws the report, whatever the first says.

        Returns:
            Reports, shape (n,), in 0..outputs-1.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size + 1, words_each=2)
        decide, draw = words[: codes.size], words[codes.size :]
        missing = codes == np.int32(self.size)
        # Somebody who did not answer stands in with some code, whose report is not taken.
        given = self.answered.sample(np.minimum(codes, np.int32(self.size - 1)), draw)
        free = self.reference.sample(np.zeros_like(codes), draw)
        report = chosen(missing, free, given)
        weights = np.array([self.none_if_answered, self.none_if_missing], dtype=np.uint64)
        none = decide < weights[missing.view(np.uint8)]
        return chosen(none, np.full_like(codes, self.outputs - 1), report)


def _proportional(largest: list[int]) -> list[int]:
    """Rounds weights to a law of 2^64 words, each at least 1."""
    total, free = sum(largest), WORD_TOTAL - len(largest)
    weights = [1 + free * weight // total for weight in largest]
    weights[weights.index(max(weights))] += WORD_TOTAL - sum(weights)
    return weights


def _largest(above: list[int], below: list[int]) -> Fraction:
    """Returns the largest ratio of two weights of one report."""
    return max(Fraction(a, b) for a, b in zip(above, below, strict=True))
