from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isinf

import numpy as np
import pytest

from dpdesk.designs import Count, YesNoDesign
from dpdesk.designs.behaviour import Behaviour, answer_worth, behaved, group_sizes
from dpdesk.designs.devices import DeviceChoice, device_named
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.engine.simulate.respondents import SeveralStream, YesNoStream, ways_of
from dpdesk.errors import ParameterError
from tests.designs.cases import ALL, NAMES, made

TWO_COINS = made("warner", {"p": "3/4"})
SHARES = {"deny": Fraction(1, 5), "refuse": Fraction(1, 10), "careless": Fraction(1, 4)}


@pytest.mark.parametrize("design", [*ALL, MechanismShare()], ids=[*NAMES, "mechanism"])
def test_that_respondents_answer_by_the_law_of_the_design_and_of_their_behaviour(
    design: YesNoDesign,
) -> None:
    behaviour = Behaviour(**{name: float(share) for name, share in SHARES.items()})
    for procedure, group in zip(design.instructions(), design.asked, strict=True):
        for row, carrier in enumerate((True, False)):
            law = dict.fromkeys(group.answers, Fraction(0))
            shirk = SHARES["deny" if carrier else "refuse"]
            for careless, stubborn in product((True, False), repeat=2):
                weight = SHARES["careless"] if careless else 1 - SHARES["careless"]
                weight *= shirk if stubborn else 1 - shirk
                ways = ways_of(procedure, group, carrier, careless=careless, stubborn=stubborn)
                for way in ways:
                    law[way.answer] += weight * way.chance
            assert tuple(law.values()) == behaved(group, behaviour)[row]


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_the_running_estimate_is_the_one_of_the_answers_so_far(design: YesNoDesign) -> None:
    respondents = YesNoStream(design, 0.3, seed=5).first(60)
    groups = [group.name for group in design.asked]
    yes = dict.fromkeys(groups, 0)
    for respondent in respondents:
        for said in respondent.said:
            yes[said.group] += answer_worth(said.answer)
    counts = [
        Count(yes[name], size) for name, size in zip(groups, group_sizes(design, 60), strict=True)
    ]
    expected = design.estimate(counts)
    assert respondents[-1].estimate == pytest.approx(expected.estimate, abs=1e-12)
    assert respondents[-1].lower == pytest.approx(expected.lower, abs=1e-12)
    assert respondents[-1].upper == pytest.approx(expected.upper, abs=1e-12)


def test_that_the_device_shown_explains_the_answer() -> None:
    for respondent in YesNoStream(TWO_COINS, 0.5, seed=2).first(200):
        (said,) = respondent.said
        true = respondent.truth
        opposite = {"yes": "no", "no": "yes"}[true]
        ordered = {"at least one coin shows tails": true, "both coins show heads": opposite}
        assert said.answer == ordered[said.outcome]


def test_that_crosswise_answers_are_shown_as_they_are_said() -> None:
    stream = YesNoStream(made("crosswise", {"p": "1/4"}), 0.5, seed=2)
    spoken = {(r.said[0].answer, r.said[0].spoken) for r in stream.first(50)}
    assert spoken == {("yes", "the same"), ("no", "different")}


def test_that_a_seed_repeats_and_another_does_not() -> None:
    once, again, other = (YesNoStream(TWO_COINS, 0.3, seed).first(100) for seed in (1, 1, 2))
    assert once == again
    assert once != other


def test_that_more_respondents_continue_those_before() -> None:
    stream = YesNoStream(TWO_COINS, 0.3, 1)
    few = stream.first(10)
    assert stream.first(30)[:10] == few
    assert stream.first(10) == few


def test_that_groups_take_turns_and_items_are_all_answered() -> None:
    groups = made("extended_crosswise", {"p": "1/4"})
    names = [r.said[0].group for r in YesNoStream(groups, 0.3, 1).first(4)]
    assert names == ["first group", "second group"] * 2
    items = made("anchored_crosswise", {"p": "1/4", "anchor": "1/5"})
    first = YesNoStream(items, 0.3, 1).first(1)[0]
    assert [said.group for said in first.said] == ["", "anchor"]


def test_that_there_is_no_estimate_before_every_group_has_two_respondents() -> None:
    groups = made("extended_crosswise", {"p": "1/4"})
    estimates = [r.estimate for r in YesNoStream(groups, 0.3, 1).first(5)]
    assert estimates[:3] == [None] * 3
    assert all(estimate is not None for estimate in estimates[3:])
    assert isinf(YesNoStream(groups, 0.3, 1).first(1)[0].upper)


def test_that_nobody_and_everybody_can_be_a_carrier() -> None:
    for share in (0.0, 1.0):
        drawn = YesNoStream(TWO_COINS, share, 1).first(50)
        assert np.mean([r.truth == "yes" for r in drawn]) == share
    with pytest.raises(ParameterError):
        YesNoStream(TWO_COINS, 1.5, 1)


def test_that_the_share_of_carriers_is_the_one_that_was_set() -> None:
    # 2,000 seeded respondents: the seed is fixed, five standard errors are room for a change of it.
    drawn = YesNoStream(TWO_COINS, 0.2, 7).first(2_000)
    share = float(np.mean([r.truth == "yes" for r in drawn]))
    assert abs(share - 0.2) < 5 * (0.2 * 0.8 / 2_000) ** 0.5


def test_that_respondents_use_the_device_that_was_chosen() -> None:
    die = DeviceChoice(device_named("die"))
    thirds = made("warner", {"p": "2/3"})
    shown = {one.device for one in YesNoStream(thirds, 0.5, seed=2, choice=die).first(60)}
    assert shown == {"the die shows 1 to 4", "the die shows 5 or 6"}
    beads = DeviceChoice(device_named("beads"))
    shown = {one.device for one in YesNoStream(thirds, 0.5, seed=2, choice=beads).first(60)}
    assert shown == {"the bead is red", "the bead is white"}
    with pytest.raises(ParameterError, match="die lacks the chances"):
        YesNoStream(TWO_COINS, 0.5, seed=2, choice=die)
    orders = ForcedCategories(orders=(Fraction(1, 6), Fraction(1, 6), Fraction(1, 6)))
    stream = SeveralStream(orders, (0.2, 0.3, 0.5), ("a", "b", "c"), 0, 3, choice=die)
    assert all(one.device.startswith("the die shows") for one in stream.first(30))
