"""What a command prints are the numbers of its JSON: no end of an interval is another one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.plan import Plan, save_plan
from tests.cli.option_words import MODES
from tests.cli.test_ignored_options import _given, place
from tests.estimate.test_joint import example, expected_records, write

__all__ = ["place"]

Captured = pytest.CaptureFixture[str]
RECORDS = {
    "estimate": "",
    "estimate a table": "--cross A,B",
    "estimate shares": "--share B --by A",
    "estimate a logistic regression": "--formula B~A",
    "estimate a multinomial regression": "--formula A~B",
}
COUNTED = [mode for mode, words in MODES.items() if words.startswith("survey estimate")]
KEYS = {"lower", "upper", "se", "interval", "clopper_pearson", "further"}
"""The ends of intervals, and errors where no interval is printed."""
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


def numbers_of(found: Any, within: str = "") -> Iterator[tuple[str, float]]:
    """The ends of intervals and the standard errors of a JSON value."""
    if isinstance(found, dict):
        for key, value in found.items():
            yield from numbers_of(value, key if key in KEYS else within)
    elif isinstance(found, list):
        for each in found:
            yield from numbers_of(each, within)
    elif within and isinstance(found, int | float):
        yield within, float(found)


def is_printed(value: float, text: str) -> bool:
    """Whether a number, or a share in per cent, stands in a text, rounded as it is there."""
    for word in NUMBER.findall(text):
        plain = word.replace(",", "")
        mantissa, _, exponent = plain.partition("e")
        step = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
        if any(abs(float(plain) - x) <= 0.51 * step for x in (value, 100 * value)):
            return True
    return False


def require_printed(words: list[str], capsys: Captured) -> None:
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    found = list(numbers_of(json.loads(capsys.readouterr().out)))
    assert main(words) == 0
    text = capsys.readouterr().out
    assert found
    assert [(key, value) for key, value in found if not is_printed(value, text)] == []


@pytest.mark.parametrize("mode", COUNTED)
def test_that_answers_of_a_survey_are_printed_with_their_own_errors(
    mode: str, place: Path, capsys: Captured
) -> None:
    require_printed(_given(MODES[mode], place), capsys)


@pytest.mark.parametrize("question", RECORDS)
def test_that_estimates_of_records_are_printed_with_their_own_errors(
    question: str, tmp_path: Path, capsys: Captured
) -> None:
    records = write(tmp_path / "records.csv", expected_records(5))
    save_plan(Plan(columns=example().columns), tmp_path / "plan.json")
    words = ["estimate", str(records), "--plan", str(tmp_path / "plan.json"), "--unverified"]
    require_printed([*words, *RECORDS[question].split()], capsys)
