"""Instructions say what the law of their design is, in every word and number."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import get_args

import pytest

from dpdesk.designs import DESIGNS, YesNoDesign, designs_of
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice, Draw, device_named
from dpdesk.designs.forced import Forced
from dpdesk.designs.innocent_questions import LINE, by_month
from dpdesk.designs.instructions import Procedure, chance_words, sentence
from dpdesk.designs.mechanism_share import CategoryMechanism, MechanismShare
from dpdesk.designs.warner import WarnerDesign
from tests.designs.cases import ALL, NAMES, made

CHANCE = re.compile(r"([\d,]*\d) in ([\d,]*\d)")
SPLITS = [
    text.split()
    for text in (
        "1/2 1/2",
        "1/4 3/4",
        "3/4 1/4",
        "1/8 7/8",
        "1/4 1/4 1/2",
        "1/2 1/4 1/4",
        "1/3 2/3",
        "5/6 1/6",
        "1/6 1/6 2/3",
        "1/6 1/3 1/2",
        "1/10 9/10",
        "3/8 5/8",
        "1/12 5/12 1/2",
        "1/2 1/10 3/10 1/10",
        "1/52 51/52",
        "0.731058 0.268942",
    )
]


def numbers_in(text: str) -> set[Fraction]:
    return {
        Fraction(int(top.replace(",", "")), int(bottom.replace(",", "")))
        for top, bottom in CHANCE.findall(text)
    }


def whole(text: str) -> list[int]:
    return [int(word.replace(",", "")) for word in re.findall(r"\d[\d,]*\d|\d", text)]


def share_of(tool: str, outcome: str) -> Fraction:
    """Counts the equally likely states of a tool under which the words are true."""
    if "coin" in tool:
        count = {"a coin": 1, "two coins": 2, "three coins": 3}[tool]
        tosses = list(product("HT", repeat=count))
        known = {
            "heads": lambda t: t == ("H",),
            "tails": lambda t: t == ("T",),
            "the coin shows heads": lambda t: t == ("H",),
            "the coin shows heads first": lambda t: t == ("H",),
            "the coin shows tails": lambda t: t == ("T",),
            "both coins show heads": lambda t: t == ("H", "H"),
            "both coins show tails": lambda t: t == ("T", "T"),
            "all coins show heads": lambda t: set(t) == {"H"},
            "the coins show different sides": lambda t: len(set(t)) == 2,
            "at least one coin shows tails": lambda t: "T" in t,
        }
        true = known.get(outcome, lambda t: t.count("H") in whole(outcome))
        assert outcome in known or outcome.startswith("the number of heads is ")
        return Fraction(sum(map(true, tosses)), len(tosses))
    if tool == "a die":
        sides = whole(outcome)
        count = sides[-1] - sides[0] + 1 if " to " in outcome else len(sides)
        return Fraction(count, 6)
    if "beads" in tool:
        beads = {colour: int(count) for count, colour in re.findall(r"(\d+) ([a-z]+)[,)]", tool)}
        assert sum(beads.values()) == whole(tool)[0] <= 100
        return Fraction(beads[outcome.removeprefix("the bead is ")], whole(tool)[0])
    if "pack" in tool:
        found = re.findall(r"ace|jack|queen|king|\d+", outcome)
        ranks = ["ace", *map(str, range(2, 11)), "jack", "queen", "king"]
        low, high = (ranks.index(found[end]) for end in (0, -1))
        count = high - low + 1 if " to " in outcome else len(found)
        return Fraction(count, 13)
    size = whole(tool)[-1]
    ends = whole(outcome)
    assert max(ends) <= size
    return Fraction(ends[-1] - ends[0] + 1, size)


@pytest.mark.parametrize("split", SPLITS, ids=" ".join)
def test_that_the_words_of_a_device_have_the_chances_they_stand_for(split: list[str]) -> None:
    chances = [Fraction(text) for text in split]
    draw = ANY_DEVICE.among(chances)
    assert [share_of(draw.tool, outcome) for outcome in draw.outcomes] == chances
    assert len(set(draw.outcomes)) == len(chances)


def test_that_cards_that_stand_for_different_outcomes_do_not_overlap() -> None:
    chances = [Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)]
    (draw,) = device_named("beads").draws_for_rows([chances])
    assert draw.tool == "a bag with 5 cards, numbered from 1 to 5"
    spans = [whole(outcome) for outcome in draw.outcomes]
    assert spans == [[1], [2, 3], [4, 5]]


def test_that_a_certain_outcome_needs_no_device() -> None:
    assert ANY_DEVICE.among([Fraction(1)]) == Draw("", "", ("nothing depends on chance",))


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_who_follows_the_instruction_answers_by_the_law_of_the_design(
    design: YesNoDesign,
) -> None:
    procedures = design.instructions("Have you?")
    assert [p.group for p in procedures] == [group.name for group in design.asked]
    for procedure, group in zip(procedures, design.asked, strict=True):
        assert procedure.law(group.answers) == group.law[:2]
        assert {way.answer for way in (*procedure.carrier, *procedure.other)} <= set(group.answers)


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_outcomes_in_the_text_have_the_chances_of_the_ways(design: YesNoDesign) -> None:
    for procedure in design.instructions("Have you?"):
        text = " ".join((*procedure.steps, procedure.reason, procedure.tool))
        for way in (*procedure.carrier, *procedure.other):
            for outcome in re.split(
                ", and (?:in the second draw|the second time) |, then ", way.outcome
            ):
                if outcome in text:
                    stated = re.search(
                        re.escape(outcome) + r"(?: first)? \(([\d,]+ in [\d,]+)\)", text
                    )
                    assert stated is not None
                    tools = re.split(" for the first draw and ", procedure.tool)
                    tools[-1] = tools[-1].removesuffix(" for the second")
                    tool = next((t for t in tools if t.split()[-1] in outcome), tools[0])
                    assert chance_words(share_of(tool, outcome)) == stated[1]


# What each design's text must name, worked out by hand from its parameters.
STATED = {
    "direct 0": "",
    "warner 1": "1/4 3/4",
    "warner 2": "1/5 4/5",
    "crosswise 3": "1/4",
    "triangular 4": "1/4",
    "unrelated 5": "7/10 3/10 1/12",
    "unrelated_two_samples 6": "3/4 1/4 | 1/5 4/5",
    "forced 7": "1/6 1/3 1/2",
    "kuk 8": "7/10 1/5",
    "kuk 9": "7/10 1/5",
    "mangat 10": "2/3 1/3",
    "mangat_singh 11": "1/5 4/5 2/3 1/3",
    "singh_joarder 12": "2/3 1/3",
    "christofides 13": "1/2 1/3 1/6",
    "cheating_detection 14": "1/4 3/4 | 3/4 1/4",
    "symmetric_cheating_detection 15": "1/8 1/4 5/8 | 3/8 1/8 1/2",
    "stochastic_lie_detector 16": "1/4 3/4 | 4/5 1/5",
    "extended_crosswise 17": "1/4 | 3/4",
    "anchored_crosswise 18": "1/4 | 1/5",
    "item_count 19": " | ",
}


def stated_by(procedure: Procedure) -> set[Fraction]:
    return numbers_in(" ".join((procedure.tool, *procedure.steps, procedure.reason)))


@pytest.mark.parametrize(("name", "design"), list(zip(NAMES, ALL, strict=True)), ids=NAMES)
def test_that_the_text_names_the_chances_of_the_design_and_no_others(
    name: str, design: YesNoDesign
) -> None:
    expected = [set(map(Fraction, part.split())) for part in STATED[name].split("|")]
    assert [stated_by(procedure) for procedure in design.instructions()] == expected


def test_that_every_design_has_an_instruction() -> None:
    assert {kind.tag() for kind in designs_of(YesNoDesign)} == {design.kind for design in ALL}
    assert all(design.instructions() for design in ALL)


@pytest.mark.parametrize("kind", get_args(CategoryMechanism))
def test_that_a_program_reports_by_the_law_of_its_mechanism(kind: str) -> None:
    design = MechanismShare(mechanism=kind, categories=5)
    (procedure,), (group,) = design.instructions("Have you?"), design.asked
    assert procedure.law(group.answers) == group.law
    assert "one of 5" in procedure.steps[0]
    assert "ε = 1)" in procedure.steps[1]


def test_that_every_design_that_the_page_offers_has_an_instruction() -> None:
    offered = [kind.example() for kind in DESIGNS if issubclass(kind, YesNoDesign)]
    assert len(offered) == 18 + 1
    for design in offered:
        for procedure, group in zip(design.instructions(), design.asked, strict=True):
            assert procedure.law(group.answers) == group.law[:2]


def test_that_outcomes_that_never_come_up_are_not_mentioned() -> None:
    (procedure,) = made("forced", {"forced_no": "0", "forced_yes": "1/2"}).instructions()
    assert procedure.tool == "a coin"
    assert not any("say no" in step for step in procedure.steps)
    (certain,) = made("warner", {"p": "1"}).instructions()
    assert certain.tool == ""
    assert len(certain.steps) == 1


def test_that_innocent_questions_are_those_given_proposed_or_left_open() -> None:
    design = made("anchored_crosswise", {"p": "1/4", "anchor": "1/5"})
    question, anchor = design.instructions("Have you?", ("Is it so?",))
    assert question.questions == (("A", "Have you?"), ("B", "Is it so?"))
    assert anchor.questions[0] == ("A", "Have you ever been to the Moon?")
    assert anchor.questions[1][1].startswith(LINE)
    assert "1 in 5" in anchor.questions[1][1]


@pytest.mark.parametrize(
    ("share", "last"), [("1/4", "March"), ("1/3", "April"), ("3/4", "September")]
)
def test_that_a_proposed_birthday_covers_the_share_of_the_year(share: str, last: str) -> None:
    blank, _ = made("extended_crosswise", {"p": share}).blanks
    assert f"January and {last}" in blank.proposal
    assert numbers_in(blank.meaning) == {Fraction(share)}


# What comes between the two parts of an outcome, and how the step for the second begins.
SECOND = {
    ", and in the second draw ": "If, in the second draw, ",
    ", and the second time ": "If, the second time, ",
}
FIRST = ("If ", "If your true answer is no, and ")


def said_by_a_reader(procedure: Procedure, outcome: str, true: str) -> str:
    """What somebody says who knows the steps, the outcome and their true answer, nothing else."""
    if f"If your true answer is {true}: say {true}, whatever the device shows." in procedure.steps:
        return true
    outcome, _, innocent = outcome.partition(", and the answer to B is ")
    between = next((words for words in SECOND if words in outcome), "; none")
    first, _, second = outcome.partition(between)
    begins = [f"{words}{first} (" for words in FIRST]
    if second:
        begins = [f"{SECOND[between]}{second} ("]
    (step,) = (step for step in procedure.steps if step.startswith(tuple(begins)))
    order = step.partition("): ")[2]
    if "truthfully" in order:
        return innocent if "question B" in order else true
    by_truth = re.search(rf"(\w+) if (?:your true answer|it) is {true}\b", order)
    answer = by_truth or re.match(r"say (\w+)(?:, whatever your true answer is)?\.$", order)
    assert answer is not None
    return answer[1]


WITH_DEVICE = [
    (name, design)
    for name, design in zip(NAMES, ALL, strict=True)
    if name.split()[0] != "kuk" and any(p.tool for p in design.instructions())
]


@pytest.mark.parametrize(("name", "design"), WITH_DEVICE, ids=[name for name, _ in WITH_DEVICE])
def test_that_who_knows_only_the_text_says_what_the_law_counts_on(
    name: str, design: YesNoDesign
) -> None:
    for procedure in design.instructions("Have you?"):
        for true, ways in (("yes", procedure.carrier), ("no", procedure.other)):
            for way in ways:
                assert said_by_a_reader(procedure, way.outcome, true) == way.answer, way


def times_told_to_draw(procedure: Procedure) -> int:
    words = re.compile(r"(Toss|Throw|Draw) .*, so that only you see the result\.")
    return sum(bool(words.search(step)) for step in procedure.steps)


@pytest.mark.parametrize(("name", "design"), WITH_DEVICE, ids=[name for name, _ in WITH_DEVICE])
def test_that_who_needs_a_device_is_told_first_to_use_it_unseen(
    name: str, design: YesNoDesign
) -> None:
    for procedure in design.instructions("Have you?"):
        tools = 2 if name.startswith("mangat_singh") else 1
        assert times_told_to_draw(procedure) == tools
        assert re.match("Toss|Throw|Draw", procedure.steps[0])


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("mangat", {"p": "1"}),
        ("mangat_singh", {"t": "1", "p": "3/4"}),
        ("singh_joarder", {"p": "1"}),
    ],
)
def test_that_who_needs_no_device_is_told_of_none(kind: str, settings: dict[str, object]) -> None:
    (procedure,) = made(kind, settings).instructions()
    assert procedure.tool == ""
    assert times_told_to_draw(procedure) == 0


def test_that_a_question_for_one_month_is_of_january_and_others_end_with_theirs() -> None:
    assert [by_month(months) for months in (0, 1, 2, 11, 12)] == [
        "",
        "Was your mother born in January?",
        "Was your mother born between January and February?",
        "Was your mother born between January and November?",
        "",
    ]


def test_that_a_task_as_a_sentence_begins_with_a_capital_and_ends_with_a_point() -> None:
    assert sentence("say yes") == "Say yes."


def test_that_the_chance_of_warners_device_is_named_by_what_it_is_with_coins_too() -> None:
    named = next(one for one in WarnerDesign().parameters() if one.name == "p")
    # Two coins ask the question in half of all cases, and the answer is true in three quarters.
    assert named.title == "chance that the answer reported is the true one, not its opposite"


@pytest.mark.parametrize("chance", ["0", "1/2", "1"])
def test_that_warners_rule_names_no_thing_where_none_is_drawn_or_none_is_rarer(chance: str) -> None:
    doing = WarnerDesign(p=Fraction(chance)).doing
    assert (doing.id, doing.values) == ("designs.warner-chance", {"p": chance})


def test_that_warners_rule_names_the_rarer_outcome_of_a_thing_at_hand() -> None:
    truth, opposite = (WarnerDesign(p=Fraction(n, 6)).doing for n in (5, 1))
    # As on the sheet, where the truth comes first.
    outcome = truth.values["outcome"]
    assert (outcome, opposite.values["outcome"]) == ("the die shows 6", "the die shows 1")
    (sheet,) = WarnerDesign(p=Fraction(5, 6)).instructions()
    assert f"If {outcome} (1 in 6): say no if your true answer is yes" in " ".join(sheet.steps)
    assert (truth.id, opposite.id) == ("designs.warner-opposite", "designs.warner-truth")


@pytest.mark.parametrize("chances", ["1/6 1/6", "1/4 1/4", "1/13 1/13", "1/10 1/3", "7/50 13/100"])
def test_that_forced_response_has_one_rule_in_a_line_and_on_the_sheet(chances: str) -> None:
    yes, no = map(Fraction, chances.split())
    design = Forced(forced_yes=yes, forced_no=no)
    (sheet,) = design.instructions()
    orders = design.doing.values
    for answer in ("yes", "no"):
        (step,) = (step for step in sheet.steps if f"say {answer}, whatever" in step)
        # Of a bag the line names how many beads, the sheet the colour.
        outcome = str(orders[answer])
        beads = re.fullmatch(r"the bead drawn is one of (\d+) (\w+) in (\d+)", outcome)
        if beads is None:
            assert step.startswith(f"If {outcome} (")
        else:
            assert step.startswith(f"If the bead is {beads[2]} (")
            assert Fraction(int(beads[1]), int(beads[3])) == {"yes": yes, "no": no}[answer]


def test_that_warners_sheet_orders_no_answer() -> None:
    for device in (None, "two_coins"):
        choice = ANY_DEVICE if device is None else DeviceChoice(device_named(device))
        (sheet,) = WarnerDesign(p=Fraction(3, 4)).instructions(choice=choice)
        assert not any("whatever your true answer is" in step for step in sheet.steps)
