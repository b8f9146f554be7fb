"""The certificate of a law: the exact epsilon of what is run.

Beside it stands what every sampler requires before it draws: words of 64 bits, and codes of the
domain.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.texts import T
from dpdesk.cost import exp_lower, format_epsilon, log_upper
from dpdesk.errors import CertificateError, ReleaseError


def require_draw(codes: NDArray[Any], words: NDArray[Any], size: int, words_each: int = 1) -> None:
    """Checks the codes and words that a law of `size` values is drawn with.

    Args:
        codes: True codes, shape (n,), each in 0..size-1. With a code outside this range another
            value's law would be used, or none.
        words: Random words, shape (n * words_each,), of type uint64: against a signed type they
            would silently pass through float64 and lose bits.
        size: Number of values of the domain.
        words_each: Words per draw.

    Raises:
        ReleaseError: A code or the words violate this.
    """
    if words.dtype != np.uint64 or words.shape != (codes.size * words_each,):
        raise ReleaseError(T.BAD_WORDS())
    # As an unsigned number a negative code exceeds any size: one pass checks both ends.
    if codes.dtype != np.int32 or (codes.size and int(codes.view(np.uint32).max()) >= size):
        raise ReleaseError(T.OUTSIDE_DOMAIN())


WORD_TOTAL = 1 << 64
"""Number of words of 64 bits: the common denominator of all probabilities."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a law was shown to satisfy.

    Attributes:
        epsilon_nominal: The epsilon that was asked for.
        epsilon_certified: ln(likelihood_ratio), rounded up at the 15th decimal.
        likelihood_ratio: The largest ratio of the probabilities of one report under two true
            answers: an exact rational.
        fingerprint: SHA-256 of the integer law, in hexadecimal.
    """

    epsilon_nominal: Decimal
    epsilon_certified: Decimal
    likelihood_ratio: Fraction
    fingerprint: str


def certify(ratio: Fraction, epsilon: Decimal, fingerprint: str) -> Certificate:
    """Accepts a law only if its largest likelihood ratio is at most e^epsilon.

    Args:
        ratio: The exact largest likelihood ratio of the law.
        epsilon: The nominal epsilon.
        fingerprint: Digest of the law, from `fingerprint_of`.

    Raises:
        CertificateError: The ratio exceeds a rational lower bound of e^epsilon.
    """
    if ratio > exp_lower(epsilon):
        raise CertificateError(T.OVER_EPSILON(epsilon=format_epsilon(epsilon)))
    # A rounded-up logarithm may exceed the nominal value in its last decimal; the exact comparison
    # above has shown that the loss does not.
    certified = min(log_upper(ratio), epsilon)
    return Certificate(epsilon, certified, ratio, fingerprint)


def fingerprint_of(kind: str, numbers: Iterable[int] | bytes) -> str:
    """Returns SHA-256 over a law's kind and integers (decimal text, or little-endian words)."""
    digest = hashlib.sha256(kind.encode("ascii") + b"\n")
    if isinstance(numbers, bytes):
        digest.update(numbers)
    else:
        digest.update(",".join(map(str, numbers)).encode("ascii"))
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class TruthOrLieLaw:
    """A law of two weights whose loss is the logarithm of their ratio.

    Attributes:
        size: Number of values, k.
        truth: Weight of the truth.
        lie: Weight of a lie.
    """

    name: ClassVar[str]
    """The law, as its fingerprint names it."""

    size: int
    truth: int
    lie: int

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law; its loss is ln(truth / lie)."""
        return certify(Fraction(self.truth, self.lie), epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        return fingerprint_of(self.name, (self.size, self.truth, self.lie))
