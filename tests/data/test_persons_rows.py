"""Rows of each person are joined as a loop over the records joins them."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.joined_columns import joined, questions_in, suggest_joining
from dpdesk.data.joined_question import JoinedRows
from dpdesk.data.read_file import load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.errors import ParameterError
from dpdesk.i18n import Message
from dpdesk.numbers import arrays
from tests.refusals import refused

BY = JoinedRows(by="id", most=3, same=("sex",))


def _records(table: SurveyTable) -> list[dict[str, str]]:
    columns = [column.texts() for column in table.columns]
    return [dict(zip(table.names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _expected(records: list[dict[str, str]], most: int) -> list[dict[str, str]]:
    """Joins records one after the other; the answers to `sex` are read once."""
    own: dict[str, list[dict[str, str]]] = {}
    for record in records:
        if record["id"].strip():
            own.setdefault(record["id"], []).append(record)
    made = []
    for person, rows in own.items():
        kept = rows[:most]
        of = {"id": person, "sex": next((r["sex"] for r in kept if r["sex"]), "")}
        for place in range(most):
            of[f"mood_{place + 1}"] = kept[place]["mood"] if place < len(kept) else ""
        made.append(of)
    return made


@pytest.mark.parametrize("together", [7, 1 << 16])
@pytest.mark.parametrize("most", [2, 3, 9])
def test_that_rows_are_joined_in_the_order_of_the_file(
    together: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "ROWS_TOGETHER", together)
    rng = np.random.default_rng(most)
    people = rng.integers(0, 60, 200)
    cells = {
        "id": ["" if person > 55 else f"p{person}" for person in people],
        "sex": ["" if rng.random() < 0.3 else "fm"[person % 2] for person in people],
        "mood": [str(mood) for mood in rng.integers(1, 9, 200)],
    }
    table = table_from_texts(cells)
    joining = suggest_joining(table, JoinedRows(by="id", most=most))
    assert joining == JoinedRows(by="id", most=most, same=("sex",))
    whole = joined(table, (), joining)
    assert _records(whole) == _expected(_records(table), most)
    assert whole.in_file is table
    assert joined(whole, ()) is table
    # The texts of each column are those that occur in it.
    assert all((column.counts > 0).all() for column in whole.columns)
    people_with_more = sum(np.bincount(people)[:56] > most)
    told = [said.values["count"] for said in whole.notices if isinstance(said, Message)]
    assert told == [people_with_more] * bool(people_with_more)


def test_that_a_row_of_another_person_changes_one_row_only() -> None:
    first = table_from_texts({"id": list("abab"), "sex": list("fmfm"), "mood": list("1234")})
    second = table_from_texts({"id": list("abcab"), "sex": list("fmffm"), "mood": list("12934")})
    one, two = (_records(joined(table, (), BY)) for table in (first, second))
    assert [record for record in two if record["id"] != "c"] == one


def test_that_codes_of_no_answer_name_nobody() -> None:
    table = table_from_texts({"id": ["-9", "a", "-9", " ", "a"], "mood": list("12345")})
    reading = table.reading.model_copy(update={"missing": ("-9",)})
    table = SurveyTable(table.columns, table.rows, reading)
    whole = joined(table, (), JoinedRows(by="id", most=2))
    assert _records(whole) == [{"id": "a", "mood_1": "2", "mood_2": "5"}]


def test_that_names_of_the_file_are_left_to_their_columns() -> None:
    table = table_from_texts({"id": list("aa"), "mood": list("12"), "mood_1": list("34")})
    names = joined(table, (), JoinedRows(by="id", most=2)).names
    assert names == ("id", "mood_1", "mood_2", "mood_1_1", "mood_1_2")
    names = joined(table, (), JoinedRows(by="id", most=2, same=("mood_1",))).names
    assert names == ("id", "mood__1", "mood__2", "mood_1")


def test_that_what_the_file_says_of_a_column_is_said_of_each() -> None:
    table = table_from_texts({"id": list("aab"), "sex": list("fff"), "mood": list("123")})
    said = {"mood": ColumnDescription("Mood"), "sex": ColumnDescription("Sex")}
    table = SurveyTable(table.columns, table.rows, described=said)
    described = joined(table, (), BY).described
    assert {name: one.label for name, one in described.items()} == {
        "sex": "Sex",
        **dict.fromkeys(("mood_1", "mood_2", "mood_3"), "Mood"),
    }


def test_that_a_row_that_is_not_there_ticks_nothing() -> None:
    cells = {"id": list("aab"), "m_tv": list("100"), "m_web": list("010"), "m_radio": list("000")}
    table = table_from_texts(cells)
    (question,) = questions_in(table)
    whole = joined(table, (question,), JoinedRows(by="id", most=2))
    assert _records(whole) == [
        {"id": "a", "m_1": "tv", "m_2": "web"},
        {"id": "b", "m_1": "(none)", "m_2": ""},
    ]
    assert [whole.reading.question_of(name) for name in ("m_2", "m", "id", "m_x")] == [
        *(question, question),
        *(None, None),
    ]
    # Columns of the same question in several rows are no options of one question.
    assert questions_in(joined(table, (), JoinedRows(by="id", most=3))) == (question,)


@pytest.mark.parametrize(
    ("typed", "joining"),
    [
        ("id=3", JoinedRows(by="id", most=3)),
        ("id=2:sex,born", JoinedRows(by="id", most=2, same=("sex", "born"))),
        ('"a=b"=100:"x,y","z:1"', JoinedRows(by="a=b", most=100, same=("x,y", "z:1"))),
    ],
)
def test_that_a_declaration_is_read_as_it_is_written(typed: str, joining: JoinedRows) -> None:
    assert JoinedRows.read(typed) == joining
    assert JoinedRows.read(joining.written) == joining
    reading = Reading(joined_rows=joining)
    assert Reading.model_validate_json(reading.model_dump_json()) == reading
    words = shlex.split(reading.options)
    assert JoinedRows.read(words[words.index("--join-rows") + 1]) == joining


@pytest.mark.parametrize("typed", ["id", "id=", "=3", "id=1", "id=101", "id=x", "id=3.5", ""])
def test_that_other_declarations_are_refused(typed: str) -> None:
    with pytest.raises(ParameterError):
        JoinedRows.read(typed)


def test_that_a_plan_of_before_is_read_and_written_as_before() -> None:
    assert "joined_rows" not in Reading().model_dump_json()


@pytest.mark.parametrize("joining", [JoinedRows(by="who", most=2), BY])
def test_that_a_column_that_is_not_there_is_refused(joining: JoinedRows) -> None:
    table = table_from_texts({"id": list("aa"), "mood": list("12")})
    with refused("data.no-column-of-rows"):
        joined(table, (), joining)


def test_that_a_file_is_read_joined_whatever_its_format(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("id,sex,mood\na,f,1\nb,m,2\na,f,3\n", "utf-8")
    (tmp_path / "one.json").write_text(
        '[{"id":"a","sex":"f","mood":"1"},{"id":"b","sex":"m","mood":"2"},'
        '{"id":"a","sex":"f","mood":"3"}]',
        "utf-8",
    )
    joining = JoinedRows(by="id", most=2, same=("sex",))
    expected = [
        {"id": "a", "sex": "f", "mood_1": "1", "mood_2": "3"},
        {"id": "b", "sex": "m", "mood_1": "2", "mood_2": ""},
    ]
    for name, format_ in (("one.csv", ""), ("one.json", "json")):
        reading = Reading(joined_rows=joining, format=format_)
        table = load_declared(tmp_path / name, reading)
        assert _records(table) == expected
        assert table.reading.joined_rows == joining
        assert table.in_file.rows == 3


def test_that_what_is_read_once_is_suggested_from_rows_that_are_joined_too() -> None:
    table = table_from_texts({"id": list("aab"), "sex": ["f", "", "m"], "mood": list("123")})
    joining = JoinedRows(by="id", most=3)
    assert suggest_joining(joined(table, (), joining), joining) == BY
