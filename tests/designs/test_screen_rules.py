"""Rules of draws on screens: their script and their cells have the chances of the design."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from fractions import Fraction
from itertools import product

import pytest

from dpdesk.designs import DESIGNS, Design
from dpdesk.designs.devices import SCREEN, DeviceChoice, ScreenRule, screen_rule
from dpdesk.designs.instructions import Procedure
from tests.designs.cases import ALL, NAMES, made
from tests.refusals import refused

WORD = 2**32


def rules_of(design: Design) -> list[tuple[ScreenRule, ...]]:
    choice = DeviceChoice(SCREEN)
    return [one.screen_rules for one in design.instructions("Have you?", choice=choice)]


def shown_by_script(rule: ScreenRule, number: int) -> str:
    """Reads the chain of conditions as JavaScript does."""
    (line,) = [line for line in rule.script if line.startswith("const rule")]
    text = line.removeprefix("const rule = (n) => ").removesuffix(";")
    quoted = r'("(?:[^"\\]|\\.)*")'
    while (test := re.match(rf"n <= (\d+) \? {quoted} : ", text)) is not None:
        if number <= int(test[1]):
            return str(json.loads(test[2]))
        text = text[test.end() :]
    return str(json.loads(text))


def shown_by_cell(rule: ScreenRule, number: int) -> str:
    """Reads the nested conditions as a spreadsheet does."""
    text = dict(rule.cells)["B1"].removeprefix("=")
    quoted = r'"((?:[^"]|"")*)"'
    while (test := re.match(rf"IF\(A1<=(\d+),{quoted},", text)) is not None:
        if number <= int(test[1]):
            return test[2].replace('""', '"')
        text = text[test.end() :]
    last = re.fullmatch(rf"{quoted}\)*", text)
    assert last is not None
    return last[1].replace('""', '"')


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_every_number_is_told_what_its_event_asks_for(design: Design) -> None:
    for procedure in design.instructions("Have you?", choice=DeviceChoice(SCREEN)):
        rules = procedure.screen_rules
        drawn = [picture.draw.chances for picture in procedure.pictures]
        assert len(rules) == len(drawn) + bool(procedure.innocent)
        for rule, chances in zip(rules, [*drawn, procedure.innocent], strict=False):
            assert dict(rule.cells)["A1"] == f"=RANDBETWEEN(1,{rule.size})"
            assert f"draw({rule.size})" in rule.script[-1]
            # Of large ones the ends of every event.
            numbers = range(1, rule.size + 1)
            if rule.size > 1_000:
                ends = [sum(rule.counts[:k]) for k in range(len(rule.counts) + 1)]
                numbers = sorted({n for end in ends for n in (end, end + 1) if 0 < n <= rule.size})  # type: ignore[assignment]
            assert [Fraction(count, rule.size) for count in rule.counts] == list(chances)
            place = 0
            for number in numbers:
                while number > sum(rule.counts[: place + 1]):
                    place += 1
                assert shown_by_script(rule, number) == rule.labels[place]
                assert shown_by_cell(rule, number) == rule.labels[place]


def test_that_an_innocent_question_drawn_on_a_screen_has_the_law_of_the_asked_one() -> None:
    design = made("crosswise", {"p": "0.2"})
    ((rule,),) = rules_of(design)
    (procedure,) = design.instructions("Have you?")
    assert isinstance(procedure, Procedure)
    chances = [Fraction(count, rule.size) for count in rule.counts]
    assert [label.rpartition(" ")[2] for label in rule.labels] == ["yes", "no"]
    assert chances == [way.chance for way in procedure.carrier]


def test_that_no_number_is_favoured_by_the_remainder() -> None:
    for size in (2, 3, 6, 7, 52, 100, 500_000, 2**31 - 1):
        limit = WORD // size * size
        assert limit % size == 0
        # At worst not even half of the words are thrown away.
        assert limit > WORD // 2
    # The same with small words, gone through one by one.
    for word, size in product((8, 16, 37), (2, 3, 5, 7)):
        limit = word // size * size
        drawn = [1 + value % size for value in range(word) if value < limit]
        assert {drawn.count(number) for number in range(1, size + 1)} == {limit // size}


NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not here")
def test_that_browsers_read_the_script_as_it_is_meant() -> None:
    rule = screen_rule(
        (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)), ('say "</script>{x}"', "say no", "truth")
    )
    twice = screen_rule((Fraction(1, 4), Fraction(3, 4)), ("red", "white"), times=3)
    stubs = (
        "const shown = {}; const document = { getElementById: () => shown };"
        "let words = [4294967295, 4294967292, 0];"
        "const next = () => words.length ? words.shift() : 1;"
        "const crypto = { getRandomValues: (one) => { one[0] = next(); } };"
    )
    # The two words above the limit are thrown away; 0 is number 1.
    told = "const all = []; for (let n = 1; n <= 6; n++) all.push(rule(n));"
    report = "console.log(JSON.stringify([shown.textContent, all, words.length]));"
    first = run_script(f"{stubs}{chr(10).join(rule.script)}{told}{report}")
    truth = [*rule.labels[:1], *rule.labels[1:2] * 2, *rule.labels[2:] * 3]
    assert first == [rule.labels[0], truth, 0]
    again = run_script(
        f"{stubs}words = [0, 1, 7];{chr(10).join(twice.script)}"
        "console.log(JSON.stringify(shown.textContent));"
    )
    assert again == "red; white; white"


def run_script(script: str) -> object:
    assert NODE is not None
    done = subprocess.run([NODE, "-"], input=script, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_that_a_label_ends_no_script_and_is_no_placeholder_or_formula() -> None:
    label = '</script><!--{INSERTANS:1}${e://x}" & A1'
    rule = screen_rule((Fraction(1, 2), Fraction(1, 2)), (label, "x" * 400))
    (line,) = [line for line in rule.script if line.startswith("const rule")]
    assert "<" not in line.replace("n <= ", "")
    assert "{" not in line
    assert shown_by_script(rule, 1) == label
    assert shown_by_cell(rule, 1) == label
    assert len(shown_by_cell(rule, 2)) == 200


def test_that_chances_that_no_program_draws_evenly_are_refused() -> None:
    tiny = Fraction(1, 10**10)
    with refused("designs.devices.too-fine"):
        screen_rule((tiny, 1 - tiny), ("a", "b"))


def test_that_designs_whose_rule_is_no_draw_have_none() -> None:
    undrawn = {"direct", "item_count", "mechanism", "additive", "multiplicative"}
    for kind in DESIGNS:
        design = kind.example()
        assert any(any(rules) for rules in rules_of(design)) == (kind.tag() not in undrawn)
