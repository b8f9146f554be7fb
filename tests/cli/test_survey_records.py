"""`dpdesk survey estimate DATA`: the lines hold the numbers of the JSON, each with its sign."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import exp
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.survey.records import _odds
from dpdesk.cli.survey.texts import T
from dpdesk.designs.regression import SHARES
from tests.cli.sentences import told_by_label

Asks = Callable[..., tuple[dict[str, Any], str]]

SAMPLE = ["--weights", "w", "--strata", "s", "--clusters", "c"]
WARNER = ["--design", "warner", "--set", "p=3/4"]
CHEATERS = ["--design", "cheating_detection", "--set", "p1=1/4", "--set", "p2=3/4"]


@pytest.fixture
def asks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Asks:
    rows = [
        f"{int((i * i + i // 7) % 5 < 2)},{i % 7 / 2},{'ns'[i * i % 3]},{'AB'[i // 2 % 2]},"
        f"{1 + i % 3},{i // 120},{i // 10},{'open' if i % 6 == 0 else 'cards'}"
        for i in range(240)
    ]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(["said,age,region,v,w,s,c,how", *rows]) + "\n", encoding="utf-8")

    def ask(*words: str) -> tuple[dict[str, Any], str]:
        command = ["survey", "estimate", str(path), "--answer", "said", *words]
        assert main([*command, "--json"]) == 0
        content = json.loads(capsys.readouterr().out)
        assert main(command) == 0
        return content, capsys.readouterr().out.replace("−", "-")

    return ask


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"(?<![\w.])-?\d[\d.]*(?:e-?\d+)?(?![\w.])", text)]


def of_mean(entry: dict[str, Any]) -> list[Any]:
    low, high = entry["interval"]
    return [100 * entry["estimate"], 100 * entry["se"], 100 * low, 100 * high]


def test_that_the_lines_of_a_sample_hold_its_estimates_and_tests(asks: Asks) -> None:
    found, text = asks(*WARNER, *SAMPLE, "--by", "region", "--direct", "how=open")
    told = told_by_label(text)
    assert T.ASKED_DIRECTLY(count=40) in text
    assert numbers(told[T.SAMPLE()]) == [2, 24, 22]
    for entry in found["groups"]:
        shown = [*of_mean(entry), entry["n"]]
        assert numbers(told[entry["group"]]) == pytest.approx(shown, abs=0.0051)
    blocks = text.split("\n\n")
    for label, entry in (
        (T.WITH_DEVICE, found["contrast"]["randomized"]),
        (T.DIRECTLY, found["contrast"]["direct"]),
        (T.DIFFERENCE, found["contrast"]["difference"]),
    ):
        (block,) = (lines for lines in blocks if lines.startswith(label()))
        _, *lines = block.splitlines()[:5]
        shown = [n for line in lines for n in numbers(line.replace("95 %", "", 1))]
        assert shown == pytest.approx([*of_mean(entry), entry["n"]], abs=0.0051)
    assert numbers(told[T.P_VALUE()]) == pytest.approx([found["contrast"]["p_value"]], abs=0.0051)
    test = found["f_test"]
    statistic = [test["statistic"], test["df"], test["denominator_df"], test["p_value"]]
    assert numbers(told[T.GROUPS_DIFFER()]) == pytest.approx(statistic, abs=5.1e-4)


@pytest.mark.parametrize("sample", [SAMPLE, []], ids=["clusters", "simple"])
def test_that_the_lines_of_a_regression_hold_its_coefficients(
    sample: list[str], asks: Asks
) -> None:
    found, text = asks(*CHEATERS, *sample, "--group", "v", "--formula", "age + region")
    fit, told = found["regression"], told_by_label(text)
    assert told[T.COMPLETE()] == "240"
    assert told[T.ERRORS_BY()] == fit["errors"]
    assert told.get(T.FREEDOM()) == ("22" if sample else None)
    assert [entry["term"] for entry in fit["terms"]] == ["Intercept", "age", "region[T.s]"]
    for entry in fit["terms"]:
        value, (low, high) = entry["coefficient"], entry["interval"]
        expected = [value, entry["se"], low, high, entry["p_value"], exp(value)]
        assert numbers(told[entry["term"]]) == pytest.approx(expected, rel=6e-4), entry["term"]
    cheaters = fit["further"]["cheaters"]
    assert numbers(told[SHARES["cheaters"]]) == pytest.approx(
        [100 * cheaters["estimate"]], abs=0.0051
    )


def test_that_the_lines_of_adherence_hold_its_test(asks: Asks) -> None:
    found, text = asks(*CHEATERS, *SAMPLE, "--group", "v")
    test = found["adherence"]
    expected = [100 * test["value"], 0, test["statistic"], 22, test["p_value"]]
    (line,) = (line for line in text.splitlines() if line.startswith("Adherence"))
    assert numbers(line) == pytest.approx(expected, abs=0.0051)
    assert test["value"] > 0.3


def test_that_odds_too_large_for_a_number_are_told_in_words() -> None:
    assert _odds(-2.0) == "0.1353"
    assert _odds(699.0) == "3.731e+303"
    assert _odds(720.0) == T.BEYOND_NUMBERS()


def test_that_a_share_outside_of_the_possible_range_is_moved_into_it(asks: Asks) -> None:
    low, text = asks("--design", "forced", "--set", "forced_yes=1/2", "--set", "forced_no=0")
    assert low["estimate"] < 0
    assert numbers(told_by_label(text)[T.IN_RANGE()]) == [low["truncated"]] == [0]
    high, text = asks("--design", "forced", "--set", "forced_yes=0", "--set", "forced_no=2/3")
    assert high["estimate"] > 1
    assert numbers(told_by_label(text)[T.IN_RANGE()]) == [100 * high["truncated"]] == [100]
    inside, text = asks(*WARNER)
    assert T.IN_RANGE() not in text
    assert inside["truncated"] == inside["estimate"]


def test_that_an_epsilon_without_end_is_told_as_such_and_no_other(asks: Asks) -> None:
    content, _ = asks(*WARNER)
    assert (content["epsilon_infinite"], content["epsilon"] is None) == (False, False)
    content, _ = asks("--design", "mangat", "--set", "p=3/4")
    assert (content["epsilon_infinite"], content["epsilon"]) == (True, None)


def test_that_no_line_says_that_something_is_impossible(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        f"{int(i % (4 if i % 3 else 50) == 0)},{'cards' if i % 3 else 'open'},{i % 3}"
        for i in range(30_000)
    ]
    path = tmp_path / "sure.csv"
    path.write_text("\n".join(["said,how,r", *rows]) + "\n", encoding="utf-8")
    forced = ["--design", "forced", "--set", "forced_no=1/6", "--set", "forced_yes=1/12"]
    command = ["survey", "estimate", str(path), "--answer", "said", "--by", "r", *forced]
    command += ["--direct", "how=open", "--formula", "C(r)"]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    chances = [found["contrast"]["p_value"], found["chi_square"]["p_value"]]
    assert max(chances) < 1e-30
    assert main(command) == 0
    told = capsys.readouterr().out
    assert len(re.findall(r"< 0\.0001", told)) >= 2
    assert not re.search(r"p = 0(\.0*)?\b(?!\.)", told)
    assert "e-" not in told
