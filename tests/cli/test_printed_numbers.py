"""What a command prints are the numbers of its JSON: no end of an interval is another one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpdesk.cli.main import main
from dpdesk.plan import save_plan
from tests.cli.option_words import MODES
from tests.cli.test_ignored_options import _given, place
from tests.estimation.test_joint import example, expected_records, write

__all__ = ["place"]

COUNTED = [words for words in MODES.values() if words.startswith("survey estimate")]
OF_RECORDS = ["", "--cross A,B", "--share B --by A", "--formula B~A", "--formula A~B"]
KEYS = {"lower", "upper", "se", "interval", "clopper_pearson", "further"}


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
    """Whether a number with decimals, or a share in per cent, stands in a text, rounded so."""
    return any(
        abs(float(word.replace(",", "")) - x) <= 0.51 * 10.0 ** -len(word.partition(".")[2])
        for word in re.findall(r"-?[\d,]*\d\.\d+|-?\d+(?= [%p])", text.replace("−", "-"))
        for x in (value, 100 * value)
    )


@pytest.mark.parametrize("asked", [*COUNTED, *OF_RECORDS])
def test_that_estimates_are_printed_with_their_own_errors(
    asked: str, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = _given(asked, place)
    if asked in OF_RECORDS:
        records, plan = write(tmp_path / "records.csv", expected_records(5)), tmp_path / "plan.json"
        save_plan(example(), plan)
        words = ["estimate", str(records), "--plan", str(plan), "--unverified", *words]
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out) | {"design": ""}
    found = list(numbers_of(told))
    assert main(words) == 0
    text = capsys.readouterr().out
    assert found
    assert [(key, value) for key, value in found if not is_printed(value, text)] == []
