"""No column refuses its file: at worst it has no domain yet, and its reason is said."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.cli.main import main
from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.joined_columns import joined, questions_in
from dpdesk.data.suggest import suggest_column
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.plan import check, check_table, draft_table
from dpdesk.plan.column_changes import set_kind
from tests.refusals import refused

ODD = (
    *("", " ", "NaN", "inf", "-inf", "1e400", "1e308", "-1e308", "9" * 30, "1" + "0" * 16),
    *("0.0000000001", "1e-300", "-0", "0", "00", "007", "1,5", "1.234,5", "\u22125", "+5", "5 €"),
    *("\x00", "\x01", "\u202e", "\ufeff", "a\nb", "\t", "\xa0", "½", "x" * 201, "x" * 1001, "é"),
    *("10:00", "10:00:01", "24:00", "2024-03-01", "2024-03-01 10:00:01", "01.02.2024", "2024"),
    *("20240301", "0001-01-01", "9999-12-31 23:59:59", "1/2/03", "1 Jan 2024", "2024-Q1"),
    *("a;b", "a;c", ";", ";;", "a,b", "a|b", "(none)", "(none);a", ".a", ".", "-", "NA", "1.0"),
)
SOME = st.one_of(
    st.sampled_from(ODD),
    st.text(max_size=6),
    st.floats().map(repr),
    st.integers(-(10**20), 10**20).map(str),
)
MINUTE = datetime.datetime.fromisoformat("2024-03-01T10:00")
POOLS = st.one_of(
    st.lists(SOME, min_size=1, max_size=10),
    st.lists(st.times().map(str), min_size=1, max_size=10),
    st.lists(st.dates().map(str), min_size=1, max_size=10),
    st.lists(st.integers(0, 59).map(lambda s: str(MINUTE + datetime.timedelta(0, s))), min_size=1),
    st.lists(st.sampled_from([" ", "", "\t"]), min_size=1, max_size=3),
    st.lists(st.floats().map(repr), min_size=1, max_size=10),
    st.lists(st.sampled_from([str(MINUTE), "10:00:03.5", "1685-02-20 12:34"]), min_size=1),
)
COLUMNS = POOLS.flatmap(lambda pool: st.lists(st.sampled_from(pool), min_size=1, max_size=40))


@given(COLUMNS, st.sampled_from([".", ","]), st.sampled_from(["q", "zip", "weight", "id", "\x01"]))
def test_that_any_column_is_drafted_and_checked(cells: list[str], decimal: str, name: str) -> None:
    table = table_from_texts({name: cells}, decimal="," if decimal == "," else ".")
    plan = draft_table(table)
    check(plan)
    check_table(plan, table)
    found = suggest_column(table.columns[0], table.reading)
    assert found.reason
    for cell in cells:
        # A reason quotes no answer.
        assert len(cell) < 4 or cell not in found.reason


@given(COLUMNS, st.lists(SOME, max_size=6))
def test_that_any_column_with_labels_is_drafted(cells: list[str], values: list[str]) -> None:
    table = table_from_texts({"q": cells})
    labels = {value: f"label {value}" * 300 for value in values if value}
    said = ColumnDescription(label="q" * 2000, values=labels)
    described = SurveyTable(table.columns, table.rows, table.reading, described={"q": said})
    plan = draft_table(described)
    check_table(plan, described)


def test_that_times_within_a_minute_have_no_domain_and_the_reason_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, plan = tmp_path / "t.csv", tmp_path / "p.json"
    rows = [f"{18 + i % 60},2024-03-01 10:00:{i % 60:02},{i % 3}" for i in range(200)]
    path.write_text("\n".join(["age,submitted,x", *rows]))
    assert main(["draft", str(path), "-o", str(plan)]) == 0
    seen = capsys.readouterr()
    assert "submitted: date, no domain yet" in seen.out
    assert "submitted: No domain can be suggested" in seen.err
    columns = {column["name"]: column for column in json.loads(plan.read_text())["columns"]}
    assert columns["submitted"]["domain"] is None
    assert columns["age"]["domain"] is not None
    assert main(["check", str(plan), str(path)]) == 1
    assert "submitted" in capsys.readouterr().out


def test_that_a_kind_that_does_not_fit_names_its_column() -> None:
    table = table_from_texts({"when": ["2024-03-01 10:00:01", "2024-03-01 10:00:02"] * 9})
    plan = draft_table(table).with_column("when", kind="nominal")
    with refused("data.single-date", name="when"):
        set_kind(plan, "when", "date", table)


@pytest.mark.parametrize(
    ("dates", "kind"), [(2, "nominal"), (6, "nominal"), (7, "date"), (8, "date")]
)
def test_that_dates_are_most_of_the_answers(dates: int, kind: str) -> None:
    texts = [f"town {i}" for i in range(8 - dates)] + [f"2024-03-{i + 1:02}" for i in range(dates)]
    table = table_from_texts({"q": texts * 3})
    assert suggest_column(table.columns[0]).kind == kind
    # Nor is a hint about how dates are written given for a few of them.
    texts = [f"town {i}" for i in range(6)] + ["1/2/24", "3/4/24"]
    assert suggest_column(table_from_texts({"q": texts * 3}).columns[0]).kind == "nominal"


NAMES = st.sampled_from(["m_1", "m_2", "m_3", "m_", "m_none", "m_\x01", "q5a", "q5b", "m-1", "m 2"])
CELLS = st.sampled_from(["1", "0", "yes", "no", "", "x", " ", "-9", "99", "NA", "Ja"])


@given(st.lists(NAMES, min_size=2, max_size=7, unique=True), st.data())
def test_that_any_columns_are_looked_through_for_questions(
    names: list[str], data: st.DataObject
) -> None:
    rows = st.lists(CELLS, min_size=6, max_size=6)
    table = table_from_texts({name: data.draw(rows) for name in names})
    for question in questions_in(table):
        draft_table(joined(table, (question,)))


def test_that_a_question_is_looked_for_among_columns_of_which_one_has_no_name_left() -> None:
    named = table_from_texts({name: ["1", "0"] for name in ("m_1", "m_2", "m_3")})
    assert [question.options for question in questions_in(named)] == [("1", "2", "3")]
    table = table_from_texts({name: ["1", "0"] for name in ("m_", "m_1", "m_2", "m_3")})
    assert list(questions_in(table)) == []
