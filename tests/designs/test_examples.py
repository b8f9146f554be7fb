from __future__ import annotations

from fractions import Fraction
from math import inf, log

import pytest

from dpdesk.designs import DESIGNS, Count, YesNoDesign, design_named, loss_of
from dpdesk.designs.anchored_crosswise import AnchoredCrosswise
from dpdesk.designs.crosswise import Crosswise, ExtendedCrosswise
from dpdesk.designs.forced import Forced
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.planning import Sample, Share, least_epsilon, respondents_for_margin
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.warner import SinghJoarder, WarnerDesign
from dpdesk.errors import ParameterError
from tests.refusals import refused

FOLLOWING: tuple[YesNoDesign, ...] = (
    WarnerDesign(p=Fraction(3, 4)),
    Crosswise(p=Fraction(1, 4)),
    Crosswise(p=Fraction(2, 3)),
    Forced(forced_no=Fraction(1, 6), forced_yes=Fraction(1, 6)),
    Kuk(p1=Fraction(3, 4), p2=Fraction(1, 4)),
    Unrelated(p=Fraction(1, 2), q=Fraction(1, 6)),
    Unrelated(p=Fraction(1, 2), q=Fraction(9, 10)),
    MechanismShare(mechanism="oue"),
    ExtendedCrosswise(p=Fraction(1, 4)),
    AnchoredCrosswise(p=Fraction(3, 4), anchor=Fraction(1, 6)),
    SinghJoarder(p=Fraction(3, 4)),
)


def test_that_every_design_has_an_example() -> None:
    for kind in DESIGNS:
        design = kind.example()
        assert type(design) is kind
        # Refuses parameters that make no device.
        assert design.loss.epsilon > 0
        assert design.instructions()


@pytest.mark.parametrize("design", FOLLOWING, ids=str)
@pytest.mark.parametrize("epsilon", [0.01, 0.1, log(3), 2.0, 8.0])
def test_that_no_more_epsilon_is_used_than_was_asked_for(
    design: YesNoDesign, epsilon: float
) -> None:
    found = design.at_epsilon(epsilon)
    assert type(found) is type(design)
    spent = loss_of(found.groups).epsilon
    # Six decimals of a probability: what they change in epsilon grows as the rarer answer fades.
    assert epsilon * (1 - 1e-3) <= spent <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize("design", FOLLOWING, ids=str)
def test_that_a_design_keeps_what_epsilon_does_not_decide(design: YesNoDesign) -> None:
    found = design.at_epsilon(1.0)
    if isinstance(design, Unrelated):
        assert found.q == design.q
    if isinstance(design, AnchoredCrosswise):
        assert found.anchor == design.anchor
    if isinstance(design, Crosswise | ExtendedCrosswise | AnchoredCrosswise):
        assert (found.p < Fraction(1, 2)) == (design.p < Fraction(1, 2))


def test_that_designs_with_more_to_choose_do_not_follow() -> None:
    free = [kind.example() for kind in DESIGNS if not kind.example().epsilon_decides]
    # Of 18 for a trait 8 follow; so do a mechanism, orders, and one number that is added or
    # multiplied by.
    assert len(free) == (18 - 8) + (6 - 4)
    for design in free:
        with refused("designs.not-decided" if design.loss.epsilon < inf else "designs.proof"):
            design.at_epsilon(1.0)
    assert not Kuk(p1=Fraction(3, 4), p2=Fraction(1, 4), draws=3).epsilon_decides


@pytest.mark.parametrize("epsilon", [0.0, -1.0, inf, 1e-9])
def test_that_an_epsilon_without_a_device_is_refused(epsilon: float) -> None:
    for design in FOLLOWING:
        with pytest.raises(ParameterError):
            design.at_epsilon(epsilon)


@pytest.mark.parametrize("design", FOLLOWING, ids=str)
def test_that_the_least_epsilon_reaches_the_margin_and_less_does_not(design: YesNoDesign) -> None:
    epsilon = least_epsilon(Sample(design, Share(0.1), 5000), 0.03)

    def needed(at: float) -> int:
        return respondents_for_margin(Sample(design.at_epsilon(at), Share(0.1)), 0.03).respondents

    assert needed(epsilon * 1.0001) <= 5000 < needed(epsilon * 0.999)


def test_that_a_margin_out_of_reach_is_told() -> None:
    with refused("designs.planning.margin-even-direct"):
        least_epsilon(
            Sample(Unrelated(p=Fraction(1, 2), q=Fraction(1, 6)), Share(0.1), 1000), 0.001
        )


def test_that_a_kind_alone_has_a_design_at_an_epsilon() -> None:
    assert Unrelated.example().at_epsilon(1.0).q == Unrelated.example().q
    assert Crosswise.example().at_epsilon(1.0).groups[0].law[0][0] < Fraction(1, 2)


@pytest.mark.parametrize(
    ("kind", "alike"),
    [
        ("warner", {"p": "1/2"}),
        ("crosswise", {"p": "1/2"}),
        ("kuk", {"p1": "1/2", "p2": "1/2"}),
        ("kuk", {"p1": "1/2", "p2": "1/2", "draws": 3}),
        ("unrelated_two_samples", {"p1": "1/2", "p2": "1/2"}),
        ("stochastic_lie_detector", {"s1": "1/2", "s2": "1/2"}),
        ("anchored_crosswise", {"anchor": "1/2"}),
    ],
)
def test_that_a_device_that_tells_nothing_is_refused_by_plan_and_estimate(kind, alike) -> None:
    design = design_named(kind).example()
    design = type(design).model_validate({**design.model_dump(), **alike})
    counts = [Count(30 * (index + 1), 100) for index in range(design.group_count)]
    with pytest.raises(ParameterError):
        design.planned_variance(0.2)
    with pytest.raises(ParameterError):
        design.estimate(counts)
    with pytest.raises(ParameterError):
        design.instructions()
