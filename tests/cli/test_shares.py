"""A share on the command line: 0.1 or 10%, wherever one is typed."""

from __future__ import annotations

import argparse
import json
from decimal import Decimal

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.run import runnable
from dpdesk.cli.values import confidence, real, share
from dpdesk.numbers import exact_share

SHARE_WORDS = {"PI", "SHARE", "M", "PI0", "LEVEL", "CAP"}
"""What stands for a share in the help of an option that is read as a number."""


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10%", "0.10"),
        ("2.5 %", "0.025"),
        ("0.1%", "0.001"),
        ("100%", "1.00"),
        ("0%", "0"),
        ("-5%", "-0.05"),
        ("250%", "2.5"),
        ("0.3", "0.3"),
        ("1e-3", "0.001"),
    ],
)
def test_that_per_cent_are_the_exact_decimal(text: str, number: str) -> None:
    assert exact_share(text) == Decimal(number)
    assert share(text) == float(number)


@pytest.mark.parametrize("text", ["%", "1_0%", "10%%", "ten%", "1,5%", "٣%", "10 per cent", ""])
def test_that_what_is_no_share_is_refused_with_both_ways_of_writing_one(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"0\.1 or 10%"):
        share(text)


def test_that_every_option_of_a_share_takes_per_cent() -> None:
    found = {
        action.metavar: action.type
        for command in runnable()
        for action in command.parser()._actions
        if action.type in (real, share, confidence) and action.metavar in SHARE_WORDS
    }
    assert set(found) - {"M"} == SHARE_WORDS - {"M"}
    shares = [
        (command.prog, action.option_strings)
        for command in runnable()
        for action in command.parser()._actions
        # The mean of a number has the same letter as a margin.
        if action.type is real
        and action.metavar in SHARE_WORDS
        and action.option_strings != ["--mean"]
    ]
    assert not shares


@pytest.mark.parametrize(
    ("words", "others"),
    [
        (
            "survey plan --epsilon 1.7 --prevalence 10% --margin 3% --confidence 90%",
            "survey plan --epsilon 1.7 --prevalence 0.1 --margin 0.03 --confidence 0.9",
        ),
        (
            "survey plan --epsilon 2 --stratum 30%:10% --stratum 0.7:0.2 --margin 0.05",
            "survey plan --epsilon 2 --stratum 0.3:0.1 --stratum 70%:20% --margin 5%",
        ),
        (
            "survey simulate --design warner --set p=3/4 --prevalence 10% --respondents 50 "
            "--deny 20% --repetitions 20",
            "survey simulate --design warner --set p=3/4 --prevalence 0.1 --respondents 50 "
            "--deny 0.2 --repetitions 20",
        ),
        (
            "survey simulate --design forced_categories --set orders=1/6,1/6,1/6 "
            "--shares 60%,30%,10% --respondents 90 --repetitions 20",
            "survey simulate --design forced_categories --set orders=1/6,1/6,1/6 "
            "--shares 0.6,0.3,0.1 --respondents 90 --repetitions 20",
        ),
    ],
)
def test_that_a_share_in_per_cent_and_as_a_decimal_have_one_result(
    words: str, others: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for typed in (words, others):
        assert main([*typed.split(), "--json"]) == 0, capsys.readouterr().err
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
