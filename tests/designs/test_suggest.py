from __future__ import annotations

from fractions import Fraction
from math import exp, log

import pytest

from dpdesk.designs import DESIGNS, design_named, loss_of
from dpdesk.designs.devices import AT_HAND, device_named
from dpdesk.designs.planning import built_with
from dpdesk.errors import ParameterError


@pytest.mark.parametrize("kind", ["warner", "forced", "unrelated", "kuk"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, log(3), 2.0, 5.0])
def test_that_a_design_at_an_epsilon_has_it_and_no_more(kind: str, epsilon: float) -> None:
    design = design_named(kind).example()
    loss = loss_of(design.at_epsilon(epsilon).groups)
    assert loss.ratio is not None
    assert loss.ratio <= exp(epsilon) * (1 + 1e-12)
    assert loss.epsilon == pytest.approx(epsilon, abs=1e-3 * exp(epsilon) / 50 + 1e-4)


def test_that_designs_that_an_epsilon_does_not_decide_are_refused() -> None:
    refused = 0
    for kind in DESIGNS:
        try:
            kind.example().at_epsilon(1.0)
        except ParameterError:
            refused += 1
    assert refused == sum(not kind.example().epsilon_decides for kind in DESIGNS)
    for epsilon in (0.0, -1.0, float("nan"), float("inf"), 1e-9):
        with pytest.raises(ParameterError):
            design_named("warner").example().at_epsilon(epsilon)


def test_that_two_coins_give_ln_3_and_a_die_ln_5() -> None:
    warner = design_named("warner").example()
    coins = built_with(device_named("two_coins"), warner, 1.1)
    assert coins is not None
    assert (coins.tool, coins.epsilon) == ("two coins", pytest.approx(log(3)))
    die = built_with(device_named("die"), warner.at_epsilon(1.7), 1.7)
    assert die is not None
    assert die.epsilon == pytest.approx(log(5))
    assert "the die shows 6" in " ".join(die.rule)
    assert built_with(device_named("die"), warner, 0.01).epsilon > 0.01  # type: ignore[union-attr]


def test_that_devices_are_found_by_their_chance_or_its_complement() -> None:
    for device in AT_HAND:
        for chance in device.reachable:
            draw, complement = (
                device.draw(c) for c in ((chance, 1 - chance), (1 - chance, chance))
            )
            assert draw is not None
            assert complement is not None
            for found, wanted in ((draw, chance), (complement, 1 - chance)):
                assert sum(found.weights[k] for k in found.events[0]) == wanted
    assert device_named("die").draw((Fraction(2, 7), Fraction(5, 7))) is None
