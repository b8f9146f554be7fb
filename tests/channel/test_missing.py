"""The law of answers that may be missing, on every word of 16 bits and against the formula."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import exp
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpdesk.channel import DenseLaw, HybridLaw, ThresholdLaw, WindowLaw, geometric_weights
from dpdesk.channel.missing import MissingLaw
from dpdesk.channel.shift import ShiftLaw, shift_weights
from dpdesk.errors import CertificateError, ReleaseError
from tests.channel.small_words import ALL_SMALL_WORDS, SMALL_TOTAL, small_words
from tests.cost.exact_exponential import exp_bounds

THREE = Decimal("1.098612288668")
"""ln 3, from below."""


def _laws(size: int, epsilon: Decimal, total: int) -> dict[str, Any]:
    """One of each law that draws reports of numbers."""
    return {
        "threshold": ThresholdLaw.at(size, epsilon),
        "window": WindowLaw.at(size, 2, epsilon, total),
        "hybrid": HybridLaw.at(size, 2, epsilon, Fraction(1, 3), 1),
        "dense": DenseLaw(geometric_weights(size, epsilon)),
        "shift": ShiftLaw(shift_weights(_falling(size, epsilon), epsilon, 1), size),
    }


def _falling(size: int, epsilon: Decimal) -> list[int]:
    """Noise that falls evenly within a width of the interval, at great length."""
    fall = exp(-float(epsilon) / (size - 1))
    return [int(fall**step * 2**80) for step in range(size - 1)]


def _counts(law: Any, code: int, outputs: int) -> NDArray[np.int64]:
    """How many of all words of 16 bits draw each report."""
    codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
    return np.bincount(law.sample(codes, ALL_SMALL_WORDS), minlength=outputs)


def _table(law: MissingLaw) -> list[list[Fraction]]:
    """The chances of each report under each input, from all pairs of words of 16 bits.

    The two words of a draw are independent, so that the pairs are those of the decision times
    those of the report.
    """
    rows = []
    for code in range(law.size + 1):
        lasting = np.zeros(SMALL_TOTAL, dtype=np.uint64)
        codes = np.full(SMALL_TOTAL, code, dtype=np.int32)
        decisions = law.sample(codes, np.concatenate((ALL_SMALL_WORDS, lasting)))
        none = int((decisions == law.outputs - 1).sum())
        # A first word that never decides on "none" shows the second law.
        last = np.full(SMALL_TOTAL, SMALL_TOTAL - 1, dtype=np.uint64)
        reports = law.sample(codes, np.concatenate((last, ALL_SMALL_WORDS)))
        drawn = np.bincount(reports, minlength=law.outputs)
        assert drawn[-1] == 0
        rest = Fraction(SMALL_TOTAL - none, SMALL_TOTAL)
        row = [rest * Fraction(int(count), SMALL_TOTAL) for count in drawn]
        row[-1] = Fraction(none, SMALL_TOTAL)
        rows.append(row)
    return rows


@pytest.mark.parametrize("kind", ["threshold", "window", "hybrid", "dense", "shift"])
@pytest.mark.parametrize(("size", "epsilon"), [(5, "1"), (3, "0.5"), (4, "3")])
def test_that_the_certificate_holds_what_all_pairs_of_words_lose(
    kind: str, size: int, epsilon: str
) -> None:
    with small_words():
        answered = _laws(size, Decimal(epsilon), SMALL_TOTAL)[kind]
        law = MissingLaw.at(answered, size, Decimal(epsilon))
        table = _table(law)
        certificate = law.certificate(Decimal(epsilon))
        for code in range(size):
            given = _counts(answered, code, law.outputs - 1)
            rest = 1 - Fraction(law.none_if_answered, SMALL_TOTAL)
            assert table[code][:-1] == [rest * Fraction(int(n), SMALL_TOTAL) for n in given]
    assert all(sum(row) == 1 for row in table)
    loss = max(max(column) / min(column) for column in zip(*table, strict=True))
    assert loss <= certificate.likelihood_ratio <= exp_bounds(Fraction(epsilon))[0]
    # The bounds of the windows' weights are tight; so no epsilon is given away.
    assert float(certificate.likelihood_ratio) == pytest.approx(float(loss), rel=2e-3)


def test_that_one_bit_and_a_missing_answer_are_three_symbols() -> None:
    """P = E / (E + 2) and Q = 1 / (E + 2): .6 and .2 at ln 3."""
    law = MissingLaw.at(ThresholdLaw.at(11, THREE), 11, THREE)
    assert law.none_if_missing / 2**64 == pytest.approx(0.6, abs=1e-9)
    assert law.none_if_answered / 2**64 == pytest.approx(0.2, abs=1e-9)
    assert law.reference.weights.tolist() == [[2**63, 2**63]]


@pytest.mark.parametrize("kind", ["threshold", "window", "hybrid", "dense", "shift"])
@pytest.mark.parametrize("epsilon", ["0.01", "1", "8", "20"])
def test_that_epsilon_is_used_up_and_not_exceeded(kind: str, epsilon: str) -> None:
    law = MissingLaw.at(_laws(5, Decimal(epsilon), 2**64)[kind], 5, Decimal(epsilon))
    certificate = law.certificate(Decimal(epsilon))
    assert certificate.epsilon_certified <= Decimal(epsilon)
    assert float(certificate.epsilon_certified) == pytest.approx(float(epsilon), rel=2e-5)


@pytest.mark.parametrize("kind", ["window", "dense", "shift", "hybrid"])
def test_that_no_other_chances_of_none_lie_farther_apart(kind: str) -> None:
    """P = E Q and (1 - Q) S = E (1 - P): one of the two stops any larger P or smaller Q."""
    growth = float(exp_bounds(Fraction(1))[0])
    law = MissingLaw.at(_laws(5, Decimal(1), 2**64)[kind], 5, Decimal(1))
    p, q = law.none_if_missing / 2**64, law.none_if_answered / 2**64
    largest = law.answered.extremes()[0].astype(np.float64) / 2**64
    assert p / q == pytest.approx(growth, rel=1e-9)
    assert (1 - q) * largest.sum() == pytest.approx(growth * (1 - p), rel=1e-9)


def test_that_a_law_that_would_lose_more_is_refused() -> None:
    law = ThresholdLaw.at(5, Decimal(2))
    with pytest.raises(CertificateError):
        MissingLaw.at(law, 5, Decimal(1)).certificate(Decimal(1))


def test_that_codes_and_words_are_checked() -> None:
    law = MissingLaw.at(ThresholdLaw.at(5, Decimal(1)), 5, Decimal(1))
    words = np.zeros(4, dtype=np.uint64)
    assert law.sample(np.array([0, 5], dtype=np.int32), words).shape == (2,)
    for codes in ([0, 6], [0, -1]):
        with pytest.raises(ReleaseError, match="outside the domain"):
            law.sample(np.array(codes, dtype=np.int32), words)
    with pytest.raises(ReleaseError, match="one per draw"):
        law.sample(np.array([0, 5], dtype=np.int32), words[:2])


def test_that_the_fingerprint_tells_every_number_of_the_law() -> None:
    first = MissingLaw.at(ThresholdLaw.at(5, Decimal(1)), 5, Decimal(1))
    seen = {first.fingerprint(Decimal(1))}
    for answered, epsilon in (
        (ThresholdLaw.at(6, Decimal(1)), "1"),
        (ThresholdLaw.at(5, Decimal("1.1")), "1.1"),
        (WindowLaw.at(5, 2, Decimal(1)), "1"),
    ):
        law = MissingLaw.at(answered, answered.size, Decimal(epsilon))
        seen.add(law.fingerprint(Decimal(epsilon)))
    assert len(seen) == 4
