"""Exact checks of certificates over grids of laws, shared with the kill matrix.

The likelihood ratio of each law is found anew from its weights in rationals, and e^eps from
integers alone, so nothing of dpdesk vouches for itself.

Where the certified epsilon comes within 1e-9 of the nominal one: everywhere up to eps = 19. Above,
the weight of the rarest report is so small that a unit of rounding shows: GRR and OUE lose up to
(E + k - 1)^2 / (E N), with E = e^eps, which at eps = 40 and k = 2 is 0.013 (a lie has 79 of the
2^64 words). SUE has weights of about e^(-eps/2) N and is within 1e-9 up to 40.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pytest

from dpdesk.channel import (
    WORD_TOTAL,
    Certificate,
    DenseLaw,
    GrrLaw,
    ThresholdLaw,
    UnaryLaw,
    certify,
    geometric_weights,
)
from dpdesk.errors import CertificateError
from tests.cost.cost_checks import EPSILONS
from tests.cost.exact_exponential import exp_bounds

TOTAL = 2**64
GRR_SIZES = (2, 3, 4, 5, 7, 10, 16, 17, 50, 82, 128, 333, 500, 999, 1000)
GEOMETRIC_SIZES = (2, 3, 4, 5, 8, 17, 41, 82, 120)
GRID_EPSILONS = EPSILONS[::2]
TIGHT_UP_TO = 19


def _holds(certificate: Certificate, ratio: Fraction, epsilon: Decimal, slack: float) -> None:
    """The certificate says what the ratio says, and loses at most `slack` of the nominal."""
    assert certificate.likelihood_ratio == ratio
    assert certificate.epsilon_nominal == epsilon
    assert ratio <= exp_bounds(Fraction(epsilon))[0], "the loss exceeds the nominal epsilon"
    certified = certificate.epsilon_certified
    assert certified <= epsilon
    assert exp_bounds(Fraction(certified))[1] >= ratio, "the certified epsilon understates the loss"
    assert float(epsilon - certified) <= slack, (epsilon, certified)
    if epsilon <= TIGHT_UP_TO:
        assert float(epsilon - certified) <= 1e-9


def _grr_slack(size: int, epsilon: Decimal) -> float:
    growth = exp(epsilon)
    # One unit on each lie, (E + k - 1) / N of it, and k - 1 units taken from the truth; 2 % more
    # for the terms of second order, which matter only where the bound is near 0.01.
    return 1.02 * (growth + size - 1) ** 2 / growth / TOTAL + 1e-15


def grr_certificates_hold() -> None:
    """GRR, k = 2..1000 and a million, eps = 0.0001..40."""
    for epsilon in EPSILONS:
        for size in (*GRR_SIZES, 1_000_000):
            law = GrrLaw.at(size, epsilon)
            assert law.truth + (size - 1) * law.lie == TOTAL
            slack = _grr_slack(size, epsilon)
            certificate = law.certificate(epsilon)
            if size == 1_000_000:
                # 2^64 words leave 2^44 to each of a million values: tight to 1e-7.
                assert epsilon - certificate.epsilon_certified <= max(Decimal("1e-7"), slack)
                assert certificate.likelihood_ratio <= exp_bounds(Fraction(epsilon))[0]
            else:
                _holds(certificate, Fraction(law.truth, law.lie), epsilon, slack)


def unary_certificates_hold() -> None:
    """SUE and OUE: the worst of all pairs of answers and pairs of bits."""
    for epsilon in EPSILONS:
        for law, slack in (
            (UnaryLaw.symmetric(5, epsilon), 2 * _grr_slack(2, epsilon / 2)),
            (UnaryLaw.optimized(5, epsilon), _grr_slack(2, epsilon)),
        ):
            chance = {True: Fraction(law.truth, TOTAL), False: Fraction(law.lie, TOTAL)}
            ratio = max(
                (_bit(chance[True], a) * _bit(chance[False], b))
                / (_bit(chance[False], a) * _bit(chance[True], b))
                for a in (0, 1)
                for b in (0, 1)
            )
            _holds(law.certificate(epsilon), ratio, epsilon, slack)
            if law.truth != TOTAL // 2:
                assert epsilon - law.certificate(epsilon).epsilon_certified < Decimal("1e-9")


def _bit(chance: Fraction, bit: int) -> Fraction:
    return chance if bit else 1 - chance


def threshold_certificates_hold() -> None:
    """Duchi: the worst of all pairs of grid points."""
    for epsilon in EPSILONS:
        for size in (2, 3, 10, 82):
            law = ThresholdLaw.at(size, epsilon)
            weights = [int(w) for w in law.weights()]
            highs = Fraction(max(weights), min(weights))
            lows = Fraction(TOTAL - min(weights), TOTAL - max(weights))
            _holds(law.certificate(epsilon), max(highs, lows), epsilon, _grr_slack(2, epsilon))


def geometric_certificates_hold() -> None:
    """Bounded Laplace, m = 2..120: the largest ratio within a column of the table."""
    geometric_certificates_hold_for(GEOMETRIC_SIZES, GRID_EPSILONS)


def geometric_certificates_hold_for(sizes: Iterable[int], epsilons: Iterable[Decimal]) -> None:
    """Bounded Laplace on the grids and at the epsilons given."""
    for epsilon, size in product(epsilons, sizes):
        law = DenseLaw(geometric_weights(size, epsilon))
        columns = np.transpose(law.weights).tolist()
        ratio = max(Fraction(max(column), min(column)) for column in columns)
        # Rounding moves the rarest report by c + 1 <= 3 units where its weight is small.
        smallest = int(law.weights.min())
        _holds(law.certificate(epsilon), ratio, epsilon, 3 / smallest + 1e-9)


def a_ratio_above_e_to_the_epsilon_is_refused() -> None:
    """`certify` takes a ratio just below e^eps and refuses one just above, for every law."""
    for epsilon in EPSILONS:
        low, high = exp_bounds(Fraction(epsilon))
        tiny = Fraction(1, 10**80)
        certify(low - tiny, epsilon, "")
        _refused(lambda: certify(high + tiny, epsilon, ""))  # noqa: B023 - called at once
    one = Decimal(1)
    grr, oue = GrrLaw.at(4, one), UnaryLaw.optimized(4, one)
    _refused(lambda: GrrLaw(4, grr.truth + 3, grr.lie - 1).certificate(one))
    _refused(lambda: UnaryLaw(4, oue.truth, oue.lie - 1).certificate(one))
    _refused(lambda: ThresholdLaw(9, ThresholdLaw.at(9, one).low - 1).certificate(one))
    weights = geometric_weights(9, one)
    shift = np.uint64(10**7)
    weights[0, 0], weights[0, 1] = weights[0, 0] + shift, weights[0, 1] - shift
    _refused(lambda: DenseLaw(weights).certificate(one))


def a_table_that_is_no_law_is_refused() -> None:
    """A weight of zero, or a row that does not sum to 2^64, makes no table."""
    whole = [[WORD_TOTAL - 3, 2, 1], [1, 2, WORD_TOTAL - 3]]
    DenseLaw(np.array(whole, dtype=np.uint64))
    for spoiled in ([WORD_TOTAL - 3, 3, 0], [WORD_TOTAL - 3, 2, 2], [WORD_TOTAL - 4, 2, 1]):
        _refused(lambda row=spoiled: DenseLaw(np.array([whole[0], row], dtype=np.uint64)))  # type: ignore[misc]


def _refused(build: Callable[[], object]) -> None:
    with pytest.raises(CertificateError):
        build()
