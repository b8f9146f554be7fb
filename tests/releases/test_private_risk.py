"""The private report on how recognisable respondents are: its content, its page and its place."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.engine import untracked
from dpdesk.errors import ReleaseError
from dpdesk.plan.draft import draft_table
from dpdesk.preview.recognisable import Measured, RiskWish, measured
from dpdesk.releases.private_risk import MARKING, write_private_risk
from tests.refusals import refused


def survey() -> SurveyTable:
    """Pairs by age; <sex> tells one pair apart; an income that differs in every pair."""
    rows = range(40)
    return table_from_texts(
        {
            "age": [str(20 + row // 2) for row in rows],
            "<sex>": ["f" if row == 7 else "m" for row in rows],
            "income": [str(row % 2) for row in rows],
        },
        name="people.csv",
    )


@pytest.fixture(scope="module")
def answer() -> Measured:
    """What is measured on it."""
    table = survey()
    wish = RiskWish(("age", "<sex>"), ("income",))
    return measured(table, draft_table(table), wish, untracked())


def test_that_the_file_for_programs_has_every_figure(answer: Measured, tmp_path: Path) -> None:
    path = tmp_path / "risk.json"
    write_private_risk(survey(), answer, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    content = json.loads(path.read_text("utf-8"))
    assert content["marking"] == MARKING
    assert (content["rows"], content["k"], content["unique_rows"]) == (40, 1, 2)
    assert content["sensitive"]["income"]["rows_disclosed"] == 2
    assert [one["record"] for one in content["riskiest_records"]] == [8, 7]
    assert content["special_uniques"]["sets"] == [
        {"columns": ["<sex>"], "records": 1},
        {"columns": ["age", "<sex>"], "records": 1},
    ]
    protected = next(one for one in content["changes"] if one["change"] == "protect")
    assert (protected["epsilon"], protected["error_95"] > 0) == ("1", True)


def test_that_the_page_says_it_is_private_and_shows_names_literally(
    answer: Measured, tmp_path: Path
) -> None:
    path = tmp_path / "risk.html"
    write_private_risk(survey(), answer, path)
    text = path.read_text("utf-8")
    assert MARKING in text
    assert "&lt;sex&gt;" in text
    assert "<sex>" not in text
    assert "<script" not in text
    assert "2 (5.0 %)" in text
    assert "in steps of 2" in text


def test_that_it_never_lies_in_a_release(answer: Measured, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}", "utf-8")
    with refused("releases.into-release"):
        write_private_risk(survey(), answer, tmp_path / "risk.html")
    with pytest.raises(ReleaseError, match=r"\.html or \.json"):
        write_private_risk(survey(), answer, tmp_path / "risk.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]
