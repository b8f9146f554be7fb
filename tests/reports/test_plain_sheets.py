"""Sheets for respondents: read at twelve, practised before, and true in what they promise."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from dpdesk.designs import DESIGNS, Design, YesNoDesign
from dpdesk.designs.devices import AT_HAND, SCREEN, Device, DeviceChoice, screen_warnings
from dpdesk.designs.matrix_categories import CategoryInstruction
from dpdesk.designs.planning import built_with
from dpdesk.reports.pdf import pdf_of_page
from dpdesk.reports.survey import sheet_html
from dpdesk.reports.survey.sheet import SheetPart, sheet_parts
from tests.designs.cases import ALL, NAMES, made

EVERY = [variant for kind in DESIGNS for variant in kind.variants()]
QUESTION = "Have you ever cheated?"
USUAL = {"forced": {"forced_no": "1/6", "forced_yes": "1/6"}, "warner": {"p": "3/4"}}
USUAL |= {"crosswise": {"p": "1/4"}, "singh_joarder": {"p": "1/2"}}
every_design = pytest.mark.parametrize("design", EVERY, ids=lambda design: design.word)


def syllables(word: str) -> int:
    """Groups of vowels, without a silent e at the end."""
    letters = re.sub(r"[^a-z]", "", word.lower())
    if len(letters) <= 3:
        return 1
    bare = re.sub(r"(?:[^laeiouy]es|ed|[^laeiouy]e)$", "", letters)
    return max(1, len(re.findall(r"[aeiouy]{1,2}", re.sub(r"^y", "", bare))))


def grade(text: str) -> float:
    """The school year of Flesch and Kincaid; a sentence ends with a point or a question mark."""
    sentences = [part for part in re.split(r"[.!?]+(?:\s|$)", text) if re.search(r"\w", part)]
    words = re.findall(r"[A-Za-z0-9'’]+", text)
    of_words = sum(map(syllables, words)) / len(words)
    return 0.39 * len(words) / len(sentences) + 11.8 * of_words - 15.59


def test_that_the_grade_is_that_of_texts_whose_grade_is_known() -> None:
    assert grade("The cat sat on the mat.") == pytest.approx(-1.45, abs=0.01)
    hard = "The probability that randomization discloses confidential information is negligible."
    assert grade(hard) > 17


def respondents_text(part: SheetPart) -> str:
    """All that a respondent reads, but for the questions, which are the designer's."""
    found = part.procedure
    tool = f"You need {found.tool}." if found.tool else ""
    tried = (sentence for try_ in part.practice for sentence in (try_.begin, *try_.says))
    return " ".join([tool, *found.steps, part.say, *tried, found.reason, *part.shows])


@every_design
def test_that_a_sheet_is_read_by_a_twelve_year_old(design: Design) -> None:
    for part in sheet_parts(design, QUESTION):
        assert grade(respondents_text(part)) <= 7
        shows = " ".join([part.procedure.reason, *part.shows])
        assert grade(shows) <= 7


@pytest.mark.parametrize("device", AT_HAND, ids=lambda device: device.word)
def test_that_the_words_of_every_device_are_as_plain(device: Device) -> None:
    near = (built_with(device, made(kind, USUAL[kind]).at_epsilon(1.2)) for kind in USUAL)
    one = next(found for found in near if found is not None)
    for part in sheet_parts(one.design, QUESTION, choice=DeviceChoice(device)):
        assert grade(respondents_text(part)) <= 7


@every_design
def test_that_who_uses_a_device_practises_before(design: Design) -> None:
    for part in sheet_parts(design, QUESTION):
        untaught = design.kind == "direct" or "program" in part.procedure.tool
        assert bool(part.practice) != untaught
        for practice in part.practice:
            # It is never the question that counts.
            assert QUESTION not in practice.begin


SAID = re.compile(r"If (.*), say “(.*?)”\.")


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_what_is_practised_is_what_the_law_lets_be_said(design: YesNoDesign) -> None:
    for part, group in zip(sheet_parts(design, QUESTION), design.asked, strict=True):
        procedure = part.procedure
        spoken = {procedure.say(answer).split(" red")[0]: answer for answer in group.answers}  # type: ignore[attr-defined]
        for practice in part.practice:
            states = [0 if "answer is yes" in practice.begin else 1]
            if not practice.begin:
                states = [0, 1]
            for sentence in practice.says:
                found = SAID.fullmatch(sentence)
                assert found is not None
                place = group.answers.index(spoken[found[2]])
                assert all(group.law[state][place] > 0 for state in states)


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_so_many_in_a_hundred_say_the_same(design: YesNoDesign) -> None:
    told = re.compile(
        r"If you say “(.*?)”.* About (\d+) in 100 people whose true answer is (yes|no) say"
    )
    for number, part in enumerate(sheet_parts(design, QUESTION)):
        group = design.groups[number] if number < len(design.groups) else design.asked[number]
        say = part.procedure.say  # type: ignore[attr-defined]
        found = [told.match(sentence) for sentence in part.shows]
        assert any(found) or design.kind not in {"warner", "crosswise", "forced"}
        for said, hundred, state in (one.groups() for one in found if one is not None):
            (place,) = [k for k, a in enumerate(group.answers) if say(a).split(" red")[0] == said]
            chance = group.law[0 if state == "yes" else 1][place]
            assert abs(100 * chance - int(hundred)) <= Fraction(1, 2)
            # Of both kinds of people those who say it less often: it is no boast.
            assert chance == min(row[place] for row in group.law[:2])


def test_that_several_answers_are_practised_by_their_rule() -> None:
    (part,) = sheet_parts(made_several(), "How often?", ("never", "once", "often"))
    instruction = part.procedure
    assert isinstance(instruction, CategoryInstruction)
    (practice,) = part.practice
    assert "true answer is “often”" in practice.begin
    ways = [(way.outcome, instruction.names[int(way.answer) - 1]) for way in instruction.ways[-1]]
    found = (SAID.fullmatch(sentence) for sentence in practice.says)
    assert [one.groups() for one in found if one is not None] == ways


def made_several() -> Design:
    return next(kind for kind in DESIGNS if kind.tag() == "forced_categories")(
        orders=("1/6", "1/6", "1/6")  # type: ignore[call-arg]
    )


def test_that_a_number_is_practised_with_the_arithmetic_of_its_design() -> None:
    kinds = {kind.tag(): kind for kind in DESIGNS}
    for name, scale, text in (("additive", "2", "12"), ("multiplicative", "0.2", "11")):
        design = kinds[name](lower="5", upper="15", scale=scale)  # type: ignore[call-arg]
        (part,) = sheet_parts(design, "How much?")
        (practice,) = part.practice
        assert "true number is 10 and" in practice.begin
        assert practice.says == (f"You say {text}.",)


def test_that_those_who_prepare_a_birthday_question_know_what_it_supposes() -> None:
    asked = sheet_html(made("crosswise", {"p": "361/1461"}), QUESTION)
    assert "Real births" in asked
    assert "Real births" not in sheet_html(
        made("crosswise", {"p": "1/4"}), QUESTION, ("Is your door number odd?",)
    )


def test_that_a_sheet_for_screens_ends_with_its_rule_for_those_who_prepare() -> None:
    design = made("forced", {"forced_no": "1/6", "forced_yes": "1/6"})
    page = sheet_html(design, QUESTION, choice=DeviceChoice(SCREEN))
    before, _, after = page.partition("not for respondents")
    assert "getRandomValues" not in before
    assert "=RANDBETWEEN(1,6)" in after
    assert screen_warnings()[0] in after
    assert "getRandomValues" not in sheet_html(design, QUESTION)
    assert pdf_of_page(page).startswith(b"%PDF")
