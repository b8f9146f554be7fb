"""Every design with every device, followed by a respondent who has one birthday and one number.

Each elementary outcome is enumerated: a fact of a person is the same at every use, and the same
birthday answers an innocent question about it; coins, dice, cards and beads are drawn anew. What is
said then must have the law of the design, or the device must be refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from dpdesk.designs import DESIGNS, Design, YesNoDesign, design_named
from dpdesk.designs.devices import (
    AT_HAND,
    BIRTHDAY,
    SCREEN,
    Device,
    DeviceChoice,
    Picture,
    another_for_each,
    asked_exactly,
    device_named,
    share_of_months,
)
from dpdesk.designs.devices.of_people import Birthday
from dpdesk.designs.instructions import Way
from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.planning import Question, Share, built_with, plan_of_questionnaire, serving
from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.reports.survey import ShareMemo, memo_html, question_notes, sheet_html, sheet_parts
from tests.designs.cases import made
from tests.refusals import refused

LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
PEOPLE = [
    (month, day, Fraction(1 if (month, day) == (1, 28) else 4, 1461))
    for month, length in enumerate(LENGTHS)
    for day in range(length)
]
"""Every birthday as month and day, from 0, and its chance in a year of 365.25 days."""
ANYBODY = [(0, 0, Fraction(1))]
FACTS = {"birth_month", "birth_day", "last_digit"}
BIRTHDAYS = {"birth_month", "birth_day"}
AGAIN = re.compile(", and the second time |, and in the second draw ")
REFUSED = {
    "mangat_singh": FACTS,
    "singh_joarder": FACTS,
    "unrelated": BIRTHDAYS,
    "unrelated_two_samples": BIRTHDAYS,
}
"""The devices that do not draw as often as the rule does."""
FOLLOWED = [
    kind.example()
    for kind in DESIGNS
    if not (kind.no_device or kind.only_devices or kind.quantity == "mean")
    if serving(kind)
]


def months_or_days(question: str) -> tuple[Device, tuple[int, ...]]:
    """The birthdays for which a proposed question is answered with yes."""
    for word in sorted(BIRTHDAYS):
        device = device_named(word)
        assert isinstance(device, Birthday)
        count = len(device.weights)
        for low, high in product(range(count), range(1, count + 1)):
            event = tuple(range(low, high))
            if event and question in (device.question(event, who) for who in ("mother", "father")):
                return device, event
    raise AssertionError(question)


def shows(device: Device, person: tuple[int, int, Fraction], digit: int) -> int:
    """What a fact of somebody is, as a number of the device's outcomes."""
    return {"birth_month": person[0], "birth_day": person[1]}.get(device.word, digit)


def chance_of(way: Way, pictures: Sequence[Picture], device: Device, beside: str) -> Fraction:
    """The chance that somebody who follows the sheet comes upon this way."""
    drawn, _, answer = way.outcome.partition("the answer to B is ")
    uses = [use for use in AGAIN.split(drawn.removesuffix(", and ")) if use]
    events = []
    for number, use in enumerate(uses):
        draw = pictures[min(number, len(pictures) - 1)].draw
        place = draw.outcomes.index(use)
        events.append((draw.events[place], draw.chances[place]))
    asked, held = months_or_days(beside) if answer else (device, ())
    anew = Fraction(1)
    if device.word not in FACTS:
        anew = prod((chance for _, chance in events), start=anew)
        events = []
    digits = range(10) if events and device.word == "last_digit" else (0,)
    total = Fraction(0)
    for person, digit in product(PEOPLE if events or answer else ANYBODY, digits):
        found = shows(device, person, digit)
        if all(found in event for event, _ in events) and (
            not answer or (shows(asked, person, digit) in held) == (answer == "yes")
        ):
            total += person[2] / len(digits)
    return anew * total


def followed(design: Design, device: Device) -> list[list[tuple[Fraction, ...]]]:
    """The law of what is said: for each sheet, the chance of each answer by each true one."""
    found = []
    instructions = design.instructions("Have you?", choice=DeviceChoice(device))
    if isinstance(design, CategoryDesign):
        said = [str(number) for number in range(1, design.size + 1)]
        sheets = [(instructions[0], instructions[0].ways, said)]  # type: ignore[attr-defined]
    else:
        assert isinstance(design, YesNoDesign)
        sheets = [
            (one, (one.carrier, one.other), group.answers)  # type: ignore[attr-defined]
            for one, group in zip(instructions, design.asked, strict=True)
        ]
    for one, rows, answers in sheets:
        beside = dict(one.questions).get("B", "")
        several = isinstance(design, CategoryDesign)
        laws = []
        for row, ways in enumerate(rows):
            seen = one.pictures[min(row, len(one.pictures) - 1) :] if several else one.pictures
            chances = [(way, chance_of(way, seen, device, beside)) for way in ways]
            laws.append(
                tuple(
                    sum((c for way, c in chances if way.answer == answer), Fraction(0))
                    for answer in answers
                )
            )
        found.append(laws)
    return found


def law_of(design: Design) -> list[list[tuple[Fraction, ...]]]:
    """The law that estimates of the design count on."""
    if isinstance(design, CategoryDesign):
        return [list(design.law)]
    assert isinstance(design, YesNoDesign)
    return [list(group.law[:2]) for group in design.asked]


def having(design: Design, device: Device) -> Design | None:
    """The nearest design whose chances a device has, whether or not its rule may be used."""
    if design.kind == "unrelated_two_samples":
        # The share that is declared for planning is taken to be that of the proposed question.
        design = design.model_copy(update={"q": share_of_months(6)})
    for near in (design, *design.buildable(device)):
        try:
            loss, splits = near.loss.epsilon, near.splits
        except ParameterError:
            continue
        if (
            loss > 0
            and (splits or near.asked_parameters)
            and (near.kind != "unrelated" or asked_exactly(near.q, "mother"))  # type: ignore[attr-defined]
            and all(device.asked(getattr(near, name), "mother") for name in near.asked_parameters)
            and near.served_by(device) == near.may_use(device)
            and (
                device.draws_for_rows(splits)
                if near.kind == "matrix"
                else all(map(device.draw, splits))
            )
        ):
            return near
    return None


@pytest.mark.parametrize("design", FOLLOWED, ids=lambda design: design.kind)
def test_that_what_is_said_with_any_device_has_the_law_of_the_design_or_is_refused(
    design: Design,
) -> None:
    followed_with = set()
    for device in AT_HAND:
        near = having(design, device)
        if near is None:
            continue
        offered = built_with(device, design) is not None
        assert offered == (device in serving(type(design)))
        if not offered:
            assert device.word in REFUSED[design.kind]
            with pytest.raises(ParameterError) as caught:
                near.instructions(choice=DeviceChoice(device))
            assert caught.value.id in ("designs.drawn-twice", "designs.asked-too")
            assert caught.value.remedy.values["devices"].startswith("coin, two_coins")
            continue
        assert device.word not in REFUSED.get(design.kind, ())
        assert followed(near, device) == law_of(near), device.word
        followed_with.add(device.word)
    assert len(followed_with) >= len(BIRTHDAYS)


def test_that_an_innocent_question_is_judged_by_what_it_asks_and_own_words_are_noted() -> None:
    month = DeviceChoice(device_named("birth_month"))
    design = made("unrelated", {"p": "361/1461", "q": "1/6"})
    proposal = design.blanks[0].proposal
    for same in ("", proposal):
        with refused("designs.asked-too", fact="birthday"):
            sheet_html(design, "Have you?", (same,), choice=month)

    def noted(kind: str, device: str, question: str, **parameters: str) -> str:
        usual = made(kind, {"p": "1/2", "q": "1/6", **parameters})
        parts = sheet_parts(usual, "Have you?", (question,), DeviceChoice(device_named(device)))
        (note,) = question_notes(parts) or ("",)
        return note

    told = noted("unrelated", "birth_month", "Do you own a red car?", p="361/1461")
    assert T.OWN_QUESTION(question="Do you own a red car?") in told
    assert T.SHARE_MUST_HOLD(chance="1 in 6") in told
    assert T.INDEPENDENT_OF_DEVICE(devices="month of a birthday") in told
    assert noted("unrelated", "die", proposal) == noted("unrelated", "die", "") == ""
    missing = noted("unrelated", "die", "", q="1/7")
    assert missing.startswith(f"{T.OPEN_QUESTION()} {T.SHARE_MUST_HOLD(chance='1 in 7')}")
    choice = DeviceChoice(device_named("die"))
    own = ("Is the die a 1?",)
    usual = design_named("unrelated").example()
    assert isinstance(usual, YesNoDesign)
    memo = ShareMemo(
        question="",
        design=usual,
        respondents=100,
        prevalence=0.1,
        others=own,
        choice=choice,
    )
    for page in (memo_html(memo), sheet_html(usual, "Have you?", own, choice=choice)):
        assert T.OWN_QUESTION(question="Is the die a 1?") in page


def test_that_any_device_at_hand_is_none_that_would_be_asked_twice() -> None:
    # January to March, which only birthdays have of all things at hand.
    for kind in ("singh_joarder", "unrelated"):
        usual = {"q": "1/6"} if kind == "unrelated" else {}
        design = made(kind, {"p": "361/1461", **usual})
        (procedure,) = design.instructions()
        assert [picture.draw.device for picture in procedure.pictures] == [SCREEN]


def test_that_several_questions_by_birthdays_need_another_person_for_each() -> None:
    questions = [Question(Share(0.1), 0.05), Question(Share(0.3), 0.1)]

    def told(kind: str, device: str, count: int = 2) -> str:
        chosen = device_named(device) if device else None
        design = design_named(kind).example()
        plan = plan_of_questionnaire(design, questions[:count], 4.0, device=chosen)
        return " ".join(plan.once_each)

    assert told("warner", "birth_month") == told("crosswise", "") == another_for_each(BIRTHDAY)
    assert "telephone number" in told("warner", "last_digit")
    assert told("warner", "die") == told("warner", "") == told("warner", "birth_month", 1) == ""
    # Of one birthday both answers show for certain whether both true answers are alike.
    month = device_named("birth_month")
    near = built_with(month, design_named("warner").example())
    assert near is not None
    page = sheet_html(near.design, "Have you?", choice=DeviceChoice(month))
    assert another_for_each(BIRTHDAY) in page
