"""Devices that exist: their chances, their words, and the law of what respondents do with them."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from math import exp, inf, log
from xml.etree import ElementTree

import pytest

from dpdesk.designs import DESIGNS, Design, YesNoDesign, design_named
from dpdesk.designs.devices import (
    AT_HAND,
    BIRTHDAYS,
    CATALOGUE,
    SCREEN,
    Device,
    DeviceChoice,
    Picture,
    device_named,
)
from dpdesk.designs.devices.at_hand import LARGEST_BAG
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.planning import (
    Sample,
    Share,
    built,
    built_with,
    cheapest,
    next_above,
    reaching,
    require_built,
    steps_of,
    why_none,
)
from dpdesk.errors import ParameterError
from tests.designs.cases import ALL, made
from tests.refusals import refused

EXAMPLES = [kind.example() for kind in DESIGNS]
SERVED = [design for design in [*EXAMPLES, *ALL] if not design.no_device]
WORDS = [device.word for device in CATALOGUE]


@pytest.mark.parametrize("device", AT_HAND, ids=lambda device: device.word)
def test_that_the_chances_of_a_device_are_exact_and_sum_to_one(device: Device) -> None:
    if device.word != "beads":
        assert sum(device.weights) == 1
    assert all(0 < chance < 1 for chance in device.reachable)
    assert list(device.reachable) == sorted(set(device.reachable))
    for chance in device.reachable:
        draw = device.draw((chance, 1 - chance))
        assert draw is not None
        weights = draw.weights
        assert [sum(weights[k] for k in event) for event in draw.events] == [chance, 1 - chance]
        assert sorted(k for event in draw.events for k in event) == list(range(len(weights)))
        assert len(set(draw.outcomes)) == 2


def test_that_coins_and_dice_have_the_chances_of_all_their_throws() -> None:
    for word, count in (("coin", 1), ("two_coins", 2), ("three_coins", 3)):
        tosses = list(product("HT", repeat=count))
        by_tails = [sum(toss.count("T") == tails for toss in tosses) for tails in range(count + 1)]
        chances = tuple(Fraction(number, len(tosses)) for number in by_tails)
        assert device_named(word).weights == chances
    throws = [sum(throw) for throw in product(range(1, 7), repeat=2)]
    expected = tuple(Fraction(throws.count(total), 36) for total in range(2, 13))
    assert device_named("dice_sum").weights == expected


def test_that_birthdays_are_counted_in_four_years_with_one_leap_day() -> None:
    # Four years of 365.25 days, day by day.
    months: list[int] = [0] * 12
    days: list[int] = [0] * 31
    lengths = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    for year in range(4):
        for month, length in enumerate(lengths):
            last = length + (month == 1 and year == 0)
            months[month] += last
            for day in range(last):
                days[day] += 1
    assert device_named("birth_month").weights == tuple(Fraction(n, 1461) for n in months)
    assert device_named("birth_day").weights == tuple(Fraction(n, 1461) for n in days)


READ = {
    "die": ("the die shows ", range(1, 7)),
    "dice_sum": ("the sum is ", range(2, 13)),
    "spinner": ("the arrow stops at ", range(1, 13)),
    "last_digit": ("the last digit is ", range(10)),
    "dice_pair": ("the dice show ", [10 * a + b for a in range(1, 7) for b in range(1, 7)]),
    "birth_day": ("the birthday is on ", range(1, 32)),
}


def is_in(number: int, words: str) -> bool:
    ends = [int(text) for text in re.findall(r"\d+", words)]
    return ends[0] <= number <= ends[-1] if " to " in words else number in ends


@pytest.mark.parametrize("word", list(READ))
def test_that_the_words_of_an_event_hold_for_its_outcomes_and_for_no_others(word: str) -> None:
    begins, outcomes = READ[word]
    device = device_named(word)
    for chance in device.reachable:
        draw = device.draw((chance, 1 - chance))
        assert draw is not None
        for event, words in zip(draw.events, draw.outcomes, strict=True):
            assert words.startswith(begins)
            held = [k for k, number in enumerate(outcomes) if is_in(number, words)]
            assert held == list(event)


def _bare(text: str) -> str:
    return text.replace(",", "")


def simulated_law(
    design: YesNoDesign, choice: DeviceChoice
) -> list[tuple[tuple[Fraction, ...], ...]]:
    """Every outcome of the device, followed through the instruction."""
    return [
        procedure.law(group.answers)
        for procedure, group in zip(
            design.instructions("Have you?", choice=choice), design.asked, strict=True
        )
    ]


@pytest.mark.parametrize(
    "design", SERVED, ids=lambda design: f"{design.kind} {design.setting[:20]}"
)
def test_that_the_written_rule_of_every_device_has_the_law_of_the_design(design: Design) -> None:
    found = built(design)
    assert found or why_none(design)
    for one in found:
        choice = DeviceChoice(one.device)
        instructions = one.design.instructions("Have you?", choice=choice)
        if isinstance(one.design, YesNoDesign):
            laws = simulated_law(one.design, choice)
            assert laws == [group.law[:2] for group in one.design.asked]
        elif isinstance(one.design, CategoryDesign):
            assert instructions[0].law() == one.design.law
        for instruction in instructions:
            for picture in instruction.pictures:
                draw = picture.draw
                assert draw.device is not None
                assert not draw.device.for_screens
                # The chance that is said is the weight of the outcomes that are shown.
                weights = [sum(draw.weights[k] for k in event) for event in draw.events]
                assert sum(weights) == 1
                text = " ".join(instruction.steps)
                for outcome, weight in zip(draw.outcomes, weights, strict=True):
                    # In a second draw the same words may stand for other outcomes.
                    said = re.findall(re.escape(outcome) + r" \(([\d,]+) in ([\d,]+)\)", text)
                    chances = [Fraction(int(_bare(top)), int(_bare(low))) for top, low in said]
                    assert weight in chances or not said
        drawn = any(instruction.pictures for instruction in instructions)
        assert drawn or one.design.asked_parameters


def test_that_an_epsilon_is_kept_and_the_nearest_device_is_as_near_as_enumeration_finds() -> None:
    for epsilon in (0.5, 1.0, 1.5, 2.5):
        exact = design_named("warner").example().at_epsilon(epsilon)
        for device in AT_HAND:
            one = built_with(device, exact, epsilon)
            losses = [abs(log(float(p / (1 - p)))) for p in device.reachable if 2 * p != 1]
            kept = [loss for loss in losses if loss <= epsilon * (1 + 1e-9)]
            if one is None:
                assert not losses
                continue
            assert one.keeps == bool(kept)
            if device.word == "beads":
                # A smaller bag may be up to 2 % below the nearest one.
                assert 0.98 * max(kept) - 1e-3 <= one.epsilon <= epsilon * (1 + 1e-9)
            else:
                best = max(kept) if kept else min(losses)
                assert one.epsilon == pytest.approx(best)


def test_that_a_device_for_a_margin_has_the_least_epsilon_that_enumeration_finds() -> None:
    for epsilon in (0.5, 1.234, 2.5):
        exact = design_named("warner").example().at_epsilon(epsilon)
        for device in AT_HAND:
            one = reaching(exact, epsilon, (device,))
            losses = [abs(log(float(p / (1 - p)))) for p in device.reachable if 2 * p != 1]
            enough = [loss for loss in losses if loss * (1 + 1e-9) >= epsilon]
            if one is None:
                assert not enough
                continue
            assert one.design.served_by(device)
            assert one.epsilon == pytest.approx(one.design.loss.epsilon)
            # A smaller bag may be up to 2 % above the least one.
            most = min(enough) / (0.98 if device.word == "beads" else 1)
            assert min(enough) * (1 - 1e-9) <= one.epsilon <= most * (1 + 1e-9)


def test_that_one_die_is_next_to_an_epsilon_of_one_and_a_half() -> None:
    exact = design_named("warner").example().at_epsilon(1.5)
    one = built_with(device_named("die"), exact, 1.5)
    assert one is not None
    assert one.design.p == Fraction(2, 3)  # type: ignore[attr-defined]
    above = next_above(one, exact)
    assert above is not None
    assert above.epsilon == pytest.approx(log(5))
    forced = built_with(device_named("die"), design_named("forced").example().at_epsilon(1.61))
    assert forced is not None
    assert forced.epsilon == pytest.approx(log(5))


def test_that_the_cheapest_device_that_keeps_the_epsilon_errs_least() -> None:
    exact = design_named("forced").example().at_epsilon(1.5)
    sample = Sample(exact, Share(0.1), 1000)
    found = built(exact, 1.5)
    best = cheapest(found, sample)
    assert best is not None
    margins = [sample.asked_by(one.design).margin for one in found if one.keeps]
    assert sample.asked_by(best.design).margin == min(margins)
    assert min(margins) >= sample.margin


def test_that_steps_of_a_device_ascend_and_are_all_served() -> None:
    exact = design_named("warner").example()
    steps = steps_of(exact, device_named("die"))
    assert [one.epsilon for one in steps] == pytest.approx([log(2), log(5)])
    assert all(one.design.served_by(one.device) for one in steps)


@pytest.mark.parametrize("design", [d for d in EXAMPLES if d.no_device], ids=lambda d: d.kind)
def test_that_a_design_without_a_device_says_why(design: Design) -> None:
    assert built(design) == ()
    with pytest.raises(ParameterError) as refused:
        require_built(design, ())
    assert why_none(design) in str(refused.value)


def test_that_crosswise_designs_are_served_by_questions_about_birthdays_alone() -> None:
    exact = design_named("crosswise").example().at_epsilon(1.2)
    found = built(exact, 1.2)
    assert {one.device.word for one in found} == {"birth_month", "birth_day"}
    for one in found:
        assert one.design.loss.epsilon <= 1.2
        (blank,) = one.design.blanks
        assert "mother" in blank.proposal
    month = next(one for one in found if one.device.word == "birth_month")
    assert month.design.p == Fraction(361, 1461)  # type: ignore[attr-defined]
    assert "between January and March" in month.design.blanks[0].proposal


def test_that_nobody_counts_more_than_a_hundred_beads_and_a_screen_takes_the_rest() -> None:
    beads = device_named("beads")
    assert beads.draw((Fraction(1, LARGEST_BAG), Fraction(99, LARGEST_BAG))) is not None
    assert beads.draw((Fraction(1, 101), Fraction(100, 101))) is None
    draw = SCREEN.draw((Fraction(408787, 500000), Fraction(91213, 500000)))
    assert draw is not None
    assert [len(event) for event in draw.events] == [408787, 91213]


def test_that_a_device_without_the_chances_is_refused_with_them() -> None:
    with refused("designs.devices.lacks-chances", device="die", chances="3 in 4, 1 in 4"):
        design_named("warner").example().instructions(choice=DeviceChoice(device_named("die")))
    with pytest.raises(ParameterError, match="dreidel"):
        device_named("dreidel")


def test_that_devices_have_different_names_and_say_what_they_are() -> None:
    assert len(set(WORDS)) == len(WORDS)
    for device in CATALOGUE:
        assert device.title
        assert device.tool
        assert device.fairness.endswith(".")
    known = {device.word for device in CATALOGUE if device.known_to_others}
    assert known == {"birth_month", "birth_day", "last_digit"}
    assert all("interviewer may" in device_named(word).fairness for word in known)


@pytest.mark.parametrize("device", CATALOGUE, ids=lambda device: device.word)
def test_that_the_picture_of_a_device_is_flat_and_says_its_rule(device: Device) -> None:
    exact = design_named("warner").example().at_epsilon(1.5)
    one = built_with(device, exact, inf) or built_with(device, design_named("mangat").example())
    assert one is not None
    instruction = one.design.instructions(choice=DeviceChoice(device))[0]
    for picture in instruction.pictures:
        root = ElementTree.fromstring(picture.markup())  # noqa: S314 - made by ourselves
        assert root.attrib["role"] == "img"
        for outcome, label in zip(picture.draw.outcomes, picture.labels, strict=True):
            assert f"{outcome}: {label}" in root.attrib["aria-label"]
        assert all(len(child) == 0 for child in root)
        shown = "".join(root.itertext())
        assert all(label in shown for label in picture.labels)
        assert "data:image/svg+xml" in picture.markup(paper=True)


def test_that_the_epsilon_of_what_is_built_is_that_of_its_own_exact_law() -> None:
    # A quarter of the year is not January to March: 90.25 of 365.25 days.
    exact = design_named("crosswise").example()
    month = built_with(device_named("birth_month"), exact)
    assert month is not None
    odds = Fraction(1461 - 368, 368)
    assert exp(month.epsilon) == pytest.approx(float(odds))


@pytest.mark.parametrize("word", ["", "beads", "screen"])
@pytest.mark.parametrize("shares", [("3/4", "1/4"), ("1/5", "7/10"), ("1", "1/3")])
def test_that_the_sheet_of_two_bags_is_about_beads_and_pictures_them(
    word: str, shares: tuple[str, str]
) -> None:
    design = made("kuk", {"p1": shares[0], "p2": shares[1]})
    choice = DeviceChoice(device_named(word) if word else None)
    (procedure,) = design.instructions(choice=choice)
    bags = (
        "a device that draws as if from two bags: " if word == "screen" else "two bags of beads: "
    )
    assert procedure.tool.startswith(bags)
    told = [procedure.tool, *procedure.steps, procedure.reason]
    assert not re.search("card|deck", " ".join([*told, *procedure.practice[0].says]))
    holders = [(number, Fraction(red)) for number, red in enumerate(shares, start=1) if red != "1"]
    for picture, (bag, red) in zip(procedure.pictures, holders, strict=True):
        draw = picture.draw
        assert draw.device is not None
        # Coins would be no bag; on a screen beads are drawn as numbers.
        assert draw.device.word == (word or "beads")
        assert sum(draw.weights[k] for k in draw.events[0]) == red
        assert [label.split(",")[0] for label in picture.labels] == [
            f"a red bead of bag {bag}",
            f"a white bead of bag {bag}",
        ]
        if word != "screen":
            count = len(draw.events[0])
            assert f">{count} red<" in picture.markup()
            assert f">{len(draw.weights) - count} white<" in picture.markup()
            assert draw.outcomes == ("the bead is red", "the bead is white")


def test_that_only_the_devices_of_a_rule_are_chosen_for_it() -> None:
    quarter = (Fraction(1, 4), Fraction(3, 4))
    only = DeviceChoice(among_these=(device_named("beads"), SCREEN))
    assert only.among(quarter).device is device_named("beads")
    kuk = made("kuk", {"p1": "3/4", "p2": "1/4"})
    (procedure,) = kuk.instructions()
    assert {p.draw.device for p in procedure.pictures} == {device_named("beads")}  # type: ignore[attr-defined]
    with refused("designs.only-devices"):
        kuk.instructions(choice=DeviceChoice(device_named("two_coins")))


def test_that_words_of_answers_cannot_break_out_of_a_picture() -> None:
    design = design_named("forced_categories").example()
    hostile = ('"/><script>x</script>', "\x00\x1b", "&amp;", "a" * 300)
    (picture,) = design.instructions("How?", hostile)[0].pictures
    root = ElementTree.fromstring(picture.markup())  # noqa: S314 - made by ourselves
    assert {child.tag for child in root} <= {"circle", "rect", "path", "text"}
    assert "<script>x</script>" in "".join(root.itertext())
    assert all(len(text) < 90 for text in root.itertext())


def test_that_what_is_built_already_is_nearest_to_itself() -> None:
    for word, chance in (("beads", "76/93"), ("die", "1/6"), ("birth_month", "361/1461")):
        kind = "crosswise" if word == "birth_month" else "warner"
        own = made(kind, {"p": chance})
        found = built_with(device_named(word), own)
        assert found is not None
        assert found.design == own
        assert found.keeps


BORN = (
    *(337_739, 324_046, 347_824, 323_357, 347_950, 347_899),
    *(356_131, 367_893, 355_981, 352_368, 342_494, 345_916),
)
"""Births in the USA in 2000 by month (Social Security Administration)."""
FIRST_DAYS = 1_088_136
"""Of these births those on days 1 to 8 of a month."""


def test_that_the_figures_of_real_births_are_those_of_the_counts() -> None:
    total = sum(BORN)
    assert total == 4_149_598
    days = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    ratios = [366 * born / (total * length) for born, length in zip(BORN, days, strict=True)]
    assert (round(100 * min(ratios)), round(100 * max(ratios))) == (95, 105)
    held, supposed = sum(BORN[:3]) / total, 361 / 1461
    assert f"{100 * held:.1f}%, not {100 * supposed:.1f}%" in BIRTHDAYS
    # Crosswise: both answers are the same with chance pi r + (1 - pi)(1 - r), r the real share.
    same = 0.1 * held + 0.9 * (1 - held)
    for p in (supposed, 0.25):
        assert f"{100 * (same - (1 - p)) / (2 * p - 1):.1f}%" in BIRTHDAYS
    first = sum(device_named("birth_day").weights[:8])
    assert f"{100 * FIRST_DAYS / total:.1f}% (assumed: {100 * float(first):.1f}%)" in BIRTHDAYS


def test_that_coins_of_one_outcome_stand_apart_from_those_of_the_next() -> None:
    coins = device_named("two_coins").draw((Fraction(3, 4), Fraction(1, 4)))
    assert coins is not None
    drawn = Picture(coins, ("yes", "no")).markup()
    # Of "heads and tails, or two tails": the first pair, the gap, the second pair.
    at = [float(x) for x in re.findall(r'<circle transform="translate\((\d+) 7\)"', drawn)]
    assert at == [2, 2, 72, 72]
    spinner = device_named("spinner").draw((Fraction(1, 4), Fraction(3, 4)))
    assert spinner is not None
    disc = Picture(spinner, ("yes", "no")).markup()
    assert disc.count("<circle") == 2
    assert disc.count('class="part"') == 12
