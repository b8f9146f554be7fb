from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from dpdesk.composition import group_privacy, hockey_stick
from dpdesk.errors import ParameterError
from tests.composition.enumerated import LN2
from tests.cost.exact_exponential import exp_bounds


@pytest.mark.parametrize("g", [1, 2, 3, 7, 15])
@pytest.mark.parametrize("epsilon", ["0.0001", "0.5", "1", "4"])
@pytest.mark.parametrize("delta", [Decimal("1e-60"), Decimal("1e-900")])
def test_that_delta_grows_by_the_geometric_sum_and_is_rounded_up(
    epsilon: str, g: int, delta: Decimal
) -> None:
    total, grown = group_privacy(Decimal(epsilon), delta, g)
    assert total == g * Decimal(epsilon)
    low = sum(exp_bounds(Fraction(epsilon) * i)[0] for i in range(g))
    assert Fraction(grown) >= Fraction(delta) * low
    assert Fraction(grown) <= Fraction(delta) * low * (1 + Fraction(2, 10**11))


@pytest.mark.parametrize("g", [2, 3, 5])
def test_that_a_chain_of_enumerated_tables_reaches_the_delta_of_a_group(g: int) -> None:
    # One more respondent: the chance of the telling outcome doubles, and delta is added.
    delta, chances = Fraction(1, 1000), [Fraction(0)]
    for _ in range(g):
        chances.append(2 * chances[-1] + delta)
    laws = [(chance, 1 - chance) for chance in chances]
    for one, other in zip(laws[1:], laws, strict=False):
        assert hockey_stick(one, other, 2) == delta
        assert hockey_stick(other, one, 2) <= delta
    reached = hockey_stick(laws[-1], laws[0], 2**g)
    assert float(group_privacy(LN2, Decimal("0.001"), g)[1]) == pytest.approx(
        float(reached), rel=1e-11
    )


def test_that_a_group_at_epsilon_zero_multiplies_delta_and_delta_ends_at_one() -> None:
    assert group_privacy(Decimal(0), Decimal("1e-6"), 3) == (0, Decimal("3e-6"))
    assert group_privacy(Decimal(0), Decimal("0.5"), 3) == (0, 1)
    assert group_privacy(Decimal(40), Decimal("1e-6"), 1_000_000) == (Decimal(40_000_000), 1)
    assert group_privacy(Decimal("1.5"), Decimal(0), 4) == (6, 0)


def test_that_an_impossible_group_is_refused() -> None:
    for g in (0, -1, 1_000_001):
        with pytest.raises(ParameterError):
            group_privacy(Decimal(1), Decimal(0), g)
