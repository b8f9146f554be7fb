"""Exact checks of how mechanisms are compared; shared by the tests and the kill matrix."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import pytest

from dpdesk.mechanisms import Accuracy, Candidate, Sampling, mechanism_named
from dpdesk.mechanisms.choice import figure_of, losses, mean_accuracy, ordered, report_bits
from dpdesk.mechanisms.estimates import Answers
from tests.mechanisms.estimator_checks import AGES, categories

EXPECTED = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8))
KINDS = ("grr", "sue", "oue", "blh", "hadamard", "olh")
FOUR = categories(4)


def _chances(kind: str) -> tuple[Fraction, Fraction]:
    """The chances of support that a forecast states, as the exact numbers that its floats are."""
    law = mechanism_named(kind)(epsilon=Decimal(2)).forecast(FOUR).probabilities(0)  # type: ignore[call-arg]
    return Fraction(float(law[0])), Fraction(float(law[1]))


def _found(
    kind: str, expected: Sequence[Fraction], sampling: Sampling, reports: float = 1.0
) -> Accuracy:
    shares = tuple(map(float, expected))
    mechanism = mechanism_named(kind)(epsilon=Decimal(2))  # type: ignore[call-arg]
    answers = Answers(shares) if shares else None
    return mean_accuracy(sampling.forecast(mechanism, FOUR, shares), answers, reports)


def mean_error_is_exact_for_every_distribution() -> None:
    for kind in KINDS:
        p, q = _chances(kind)
        for expected in ((), EXPECTED):
            shares = expected or (Fraction(1, 4),) * 4
            supports = [f * p + (1 - f) * q for f in shares]
            total = sum(((s * (1 - s)) for s in supports), Fraction(0)) / (p - q) ** 2 / 4
            sampling = sum((f * (1 - f) for f in shares), Fraction(0)) / 4
            found = _found(kind, expected, Sampling(), 400.0)
            assert found.total**2 == pytest.approx(float(total) / 400, rel=1e-9)
            assert found.sampling**2 == pytest.approx(float(sampling) / 400, rel=1e-9)
            assert found.noise**2 == pytest.approx(float(total - sampling) / 400, rel=1e-8)


def mean_error_of_realistic_fakes_is_exact() -> None:
    attributes = 3
    for kind in ("grr", "oue"):
        p, q = _chances(kind)
        total = Fraction(0)
        for f in EXPECTED:
            fake = f if kind == "grr" else (p - q) * f + q
            support = (f * p + (1 - f) * q + (attributes - 1) * fake) / attributes
            total += support * (1 - support) * (attributes / (p - q)) ** 2 / 4
        found = _found(kind, EXPECTED, Sampling("rsrfd", attributes))
        assert found.total**2 == pytest.approx(float(total), rel=1e-9)


def a_sampled_attribute_has_the_error_of_its_group_and_the_sampling_of_all() -> None:
    for expected in ((), EXPECTED):
        alone = _found("grr", expected, Sampling(), 1000.0)
        group = _found("grr", expected, Sampling("smp", 5), 5000.0)
        all_asked = _found("grr", expected, Sampling(), 5000.0)
        assert group.total == pytest.approx(alone.total)
        assert group.sampling == pytest.approx(all_asked.sampling)
        assert group.noise**2 + group.sampling**2 == pytest.approx(group.total**2)


def _candidate(kind: str, constant: float, width: float) -> Candidate:
    mechanism = mechanism_named(kind)(epsilon=Decimal(1))  # type: ignore[call-arg]
    return Candidate(mechanism, constant, width, FOUR)


def the_order_is_by_the_figure_asked_for_and_symbols_first() -> None:
    bits, symbol = _candidate("oue", 3.0, 5.0), _candidate("grr", 3.0, 5.0 * (1 + 1e-12))
    total, constant = _candidate("sue", 9.0, 4.0), _candidate("hadamard", 2.0, 6.0)
    given = [bits, symbol, total, constant]
    assert ordered(given, "total") == (total, symbol, bits, constant)
    assert ordered(given, "var_star") == (constant, symbol, bits, total)
    assert figure_of(bits, "total") == figure_of(symbol, "total") == 5.0


def bits_are_those_of_the_reports_that_there_are() -> None:
    sizes = {"grr": 2.0, "oue": 4.0, "subset_selection": 4.0, "hadamard": 3.0, "blh": 65.0}
    for kind, bits in sizes.items():
        mechanism = mechanism_named(kind)(epsilon=Decimal(1))  # type: ignore[call-arg]
        assert report_bits(mechanism, FOUR) == bits


def numbers_beyond_the_range_and_biased_averages_are_losses() -> None:
    for kind, beyond, biased in (
        ("bounded_laplace", False, True),
        ("duchi", True, False),
        ("hybrid", True, False),
        ("square_wave", True, True),
    ):
        found = " ".join(losses(mechanism_named(kind)(epsilon=Decimal(1)), AGES))  # type: ignore[call-arg]
        assert ("leave the range" in found, "average" in found) == (beyond, biased)
