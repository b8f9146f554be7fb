from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import comb, exp, log, sqrt

import pytest

from dpdesk.composition import advanced_epsilon, hockey_stick
from dpdesk.composition.advanced import slack_of
from dpdesk.errors import ParameterError
from tests.composition.enumerated import LN2, joint, randomized_response, side_by_side


def summed(epsilon: float, k: int, target: float) -> float:
    """Delta of k randomized responses at a target: Theorem 3.3 as it is printed, for i = target."""
    total = 0.0
    for l in range(k + 1):
        p = comb(k, l) * exp((k - l) * epsilon) / (1 + exp(epsilon)) ** k
        total += p * max(0.0, 1 - exp(target - (k - 2 * l) * epsilon))
    return total


@pytest.mark.parametrize("k", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "ratio", [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(7)]
)
def test_that_equal_losses_have_the_epsilon_of_enumerated_randomized_response(k, ratio) -> None:
    yes, no = randomized_response(2)
    p, q = side_by_side(joint(*[yes] * k), joint(*[no] * k))
    delta = hockey_stick(p, q, ratio)
    if delta == 0:
        # Above the largest loss nothing is left for a delta.
        assert ratio >= 2**k
        return
    slack = Decimal(delta.numerator) / Decimal(delta.denominator)
    assert float(advanced_epsilon([LN2] * k, slack)) == pytest.approx(log(ratio), abs=2e-9)


@pytest.mark.parametrize(("epsilon", "k"), [("0.1", 100), ("0.01", 1000), ("0.5", 30), ("1", 11)])
def test_that_the_optimum_agrees_with_the_printed_theorem(epsilon: str, k: int) -> None:
    for delta in ("1e-3", "1e-6", "1e-9"):
        found = float(advanced_epsilon([Decimal(epsilon)] * k, Decimal(delta)))
        below = summed(float(epsilon), k, found - 3e-9)
        assert summed(float(epsilon), k, found) <= float(delta) * (1 + 1e-9) < below * (1 + 2e-9)


def test_that_the_optimum_agrees_with_the_accountant_of_dp_accounting() -> None:
    from dp_accounting.pld import accountant, common

    one = common.DifferentialPrivacyParameters(0.1, 0)
    # It stops at the first of the losses (k - 2i) epsilon, ours between two of them.
    stepwise = accountant.advanced_composition(one, 100, 1e-6)
    ours = float(advanced_epsilon([Decimal("0.1")] * 100, Decimal("1e-6")))
    assert stepwise - 0.2 < ours <= stepwise


def test_that_ten_thousand_databases_stay_within_one_as_dwork_and_roth_say() -> None:
    # The Algorithmic Foundations of Differential Privacy (2014), Example 3.7: 10,000 databases
    # at epsilon 1/801 lose at most 1, but for a chance of e^-32.
    assert advanced_epsilon([Decimal(1) / 801] * 10_000, Decimal(-32).exp()) <= 1


@pytest.mark.parametrize("epsilons", [["0.1"] * 50 + ["0.2"] * 50, ["0.01", "1", "2"], ["3"]])
@pytest.mark.parametrize("slack", ["1e-2", "1e-6", "1e-12"])
def test_that_no_bound_exceeds_the_sum_nor_that_of_dwork_rothblum_and_vadhan(epsilons, slack):
    exact = [Decimal(epsilon) for epsilon in epsilons]
    found = float(advanced_epsilon(exact, Decimal(slack)))
    numbers = [float(epsilon) for epsilon in exact]
    drv = sqrt(2 * log(1 / float(slack)) * sum(e * e for e in numbers))
    drv += sum(e * (exp(e) - 1) for e in numbers)
    assert found <= min(drv, sum(numbers)) + 1e-8


def test_that_the_bound_falls_with_delta_and_grows_with_every_loss() -> None:
    found = [
        advanced_epsilon([Decimal("0.1"), Decimal("0.2")] * 40, Decimal(f"1e-{n}"))
        for n in range(2, 14)
    ]
    assert found == sorted(found)
    equal = [advanced_epsilon([Decimal("0.1")] * k, Decimal("1e-6")) for k in range(1, 80)]
    assert equal == sorted(equal)


def test_that_equal_losses_cost_no_more_than_the_bound_for_different_ones() -> None:
    equal = advanced_epsilon([Decimal("0.1")] * 100, Decimal("1e-6"))
    nearly = advanced_epsilon([Decimal("0.1")] * 99 + [Decimal("0.1001")], Decimal("1e-6"))
    assert equal < nearly


def test_that_releases_which_lose_nothing_cost_nothing() -> None:
    assert advanced_epsilon([], Decimal("0.1")) == 0
    assert advanced_epsilon([Decimal(0)] * 3, Decimal("0.1")) == 0


def test_that_what_composition_may_add_is_what_the_releases_leave() -> None:
    assert slack_of([], Decimal("1e-6")) == pytest.approx(Decimal("1e-6"))
    slack = slack_of([Decimal("1e-7")] * 4, Decimal("1e-6"))
    assert slack is not None
    assert 1 - (1 - slack) * (1 - Decimal("1e-7")) ** 4 <= Decimal("1e-6")
    assert slack == pytest.approx(Decimal("6e-7"), rel=Decimal("1e-5"))
    assert slack_of([Decimal("1e-7")] * 20, Decimal("1e-6")) is None


@pytest.mark.parametrize("slack", ["0", "1", "-0.1"])
def test_that_a_delta_outside_its_bounds_is_refused(slack: str) -> None:
    with pytest.raises(ParameterError):
        advanced_epsilon([Decimal(1)], Decimal(slack))


@pytest.mark.parametrize("slack", ["1e-2", "1e-6"])
def test_that_different_losses_have_the_bound_as_it_is_printed(slack: str) -> None:
    epsilons, chance = [0.05] * 30 + [0.1] * 40, float(slack)
    mean = sum(e * (exp(e) - 1) / (exp(e) + 1) for e in epsilons)
    squares = sum(e * e for e in epsilons)
    second = mean + sqrt(2 * squares * log(exp(1) + sqrt(squares) / chance))
    third = mean + sqrt(2 * squares * log(1 / chance))
    found = advanced_epsilon([Decimal(str(e)) for e in epsilons], Decimal(slack))
    assert float(found) == pytest.approx(min(sum(epsilons), second, third), abs=2e-9)
