"""Columns that are the options of one question: how they become one column, and which seem to."""

from __future__ import annotations

import shlex
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from pydantic import ValidationError

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.joined_columns import joined, questions_in
from dpdesk.data.joined_question import JoinedColumns, common_options
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.suspected_codes import suspected_codes
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.ledgers.fingerprint import LedgerKey
from dpdesk.ledgers.recognise import recognise
from dpdesk.releases.private import digest_of
from tests.refusals import refused

MEDIA = JoinedColumns(
    name="media", columns=("m_tv", "m_web", "m_radio"), options=("tv", "web", "radio")
)
TICKS = ["100", "011", "000", "...", "1.0", "999", "1x0"]
"""The three cells of each respondent; a point is an empty cell."""


def table(ticks: list[str] = TICKS) -> SurveyTable:
    cells = {
        name: [row[place].replace(".", "") for row in ticks]
        for place, name in enumerate(MEDIA.columns)
    }
    return table_from_texts({"age": [str(20 + i) for i in range(len(ticks))]} | cells)


def test_that_a_cell_of_a_question_lists_what_was_ticked() -> None:
    whole = joined(table(), (MEDIA,))
    assert whole.names == ("age", "media")
    cells = [whole.column("media").text(row) for row in range(whole.rows)]
    assert cells == ["tv", "web;radio", "(none)", "", f"tv;{UNREADABLE}", "9", f"tv;{UNREADABLE}"]
    assert MEDIA.domain.encode(cells).tolist() == [1, 6, 0, -1, -1, -1, -1]


def test_that_an_empty_cell_is_unticked_where_that_is_declared() -> None:
    marks = MEDIA.model_copy(update={"ticked": ("x", "X"), "unticked": ("",)})
    whole = joined(table(["x..", "...", "XxX"]), (marks,))
    cells = [whole.column("media").text(row) for row in range(3)]
    assert cells == ["tv", "(none)", "tv;web;radio"]


NONE = JoinedColumns(
    name="media", columns=("m_tv", "m_web"), options=("tv", "web"), none_column="m_radio"
)
"""The same columns, the last of which says that none of the others applies."""


def test_that_a_tick_that_none_applies_is_told_from_no_tick() -> None:
    ticks = ["100", "110", "001", "000", "...", "101", "0.1", "999", "00x"]
    whole = joined(table(ticks), (NONE,))
    assert whole.names == ("age", "media")
    cells = [whole.column("media").text(row) for row in range(len(ticks))]
    beside = f"tv;{UNREADABLE}"
    assert cells == ["tv", "tv;web", "(none)", "", "", beside, UNREADABLE, "9", UNREADABLE]
    assert NONE.domain.values == ("tv", "web")
    assert "3 columns as one question, media (m_radio: none of them)" in whole.reading.words
    assert joined(whole, ()) == whole.in_file


@pytest.mark.parametrize(("no_tick", "cell"), [("", "(none)"), ("none", "(none)"), ("missing", "")])
def test_that_what_no_tick_means_can_be_said(no_tick: str, cell: str) -> None:
    said = MEDIA.model_copy(update={"no_tick": no_tick})
    assert joined(table(["000"]), (said,)).column("media").text(0) == cell


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("media=m_tv,m_web,m_radio:1:0", {}),
        ("media=m_tv,m_web,m_radio:x,X:,-", {"ticked": ("x", "X"), "unticked": ("", "-")}),
        ("media=m_tv,m_web,m_radio:1:0:missing", {"no_tick": "missing"}),
        ("media=m_tv,m_web,m_radio:1:0::|", {"separator": "|"}),
        ("media=m_tv=TV,m_web=Web,m_radio=Radio:1:0", {"options": ("TV", "Web", "Radio")}),
        (
            'media=m_tv="TV, cable",m_web="a=""b""",m_radio=Radio:"1:1":0::":"',
            {"options": ("TV, cable", 'a="b"', "Radio"), "ticked": ("1:1",), "separator": ":"},
        ),
        (
            '"q:1"="m,tv",m_web,m_radio:1:0',
            {"name": "q:1", "columns": ("m,tv", "m_web", "m_radio")},
        ),
    ],
)
def test_that_a_question_is_read_as_it_is_written(text: str, changes: dict[str, object]) -> None:
    fields = MEDIA.model_dump() | changes
    if "options" not in changes:
        fields["options"] = common_options(tuple(fields["columns"]))
    question = JoinedColumns.model_validate(fields)
    assert question.written == text
    assert JoinedColumns.read(text) == question
    assert shlex.quote(text) in Reading(questions=(question,)).options


def test_that_a_column_called_like_a_word_is_an_option_unless_it_is_quoted() -> None:
    for word, meaning in product(("none", "missing"), ("none", "missing")):
        option = JoinedColumns.read(f"m=tv,web,{word}:1:0:{meaning}")
        assert option is not None
        assert (option.columns, option.no_tick) == (("tv", "web", word), meaning)
        assert JoinedColumns.read(option.written) == option
        column = JoinedColumns.read(f'm=tv,web,{word}:1:0:"{word}"')
        assert column is not None
        assert (column.columns, column.none_column) == (("tv", "web"), word)
        assert JoinedColumns.read(column.written) == column


def test_that_the_column_of_none_is_named_behind_the_ticks() -> None:
    text = "media=m_tv,m_web,m_radio:1:0:m_radio"
    read = JoinedColumns.read(text)
    assert read == NONE
    assert JoinedColumns.read(NONE.written) == NONE


@pytest.mark.parametrize("name", ["m_none", "m_Keine", "m_NOTHING"])
def test_that_a_column_of_none_is_recognised(name: str) -> None:
    ticks = {"m_tv": ["1", "0"], "m_web": ["0", "1"], name: ["0", "0"]}
    (question,) = suggested(ticks)
    assert (question.columns, question.none_column) == (("m_tv", "m_web"), name)


def test_that_a_table_that_is_taken_apart_is_the_one_of_the_file() -> None:
    first = table()
    whole = joined(first, (MEDIA,))
    assert whole.reading.questions == (MEDIA,)
    assert whole.in_file is first
    assert joined(whole, ()) is first
    assert joined(whole, (MEDIA,)) is whole


def test_that_whose_data_they_are_does_not_depend_on_what_is_joined() -> None:
    first, key = table(), LedgerKey(b"k" * 32)
    whole = joined(first, (MEDIA,))
    assert digest_of(whole) == digest_of(first)
    assert recognise(whole, key, lambda: None) == recognise(first, key, lambda: None)


def test_that_a_missing_column_and_a_taken_name_are_refused_with_the_reason() -> None:
    with refused("data.no-column-of-question", name="m_paper"):
        joined(table(), (MEDIA.model_copy(update={"columns": ("m_tv", "m_web", "m_paper")}),))
    with refused("data.question-name-taken", name="age"):
        joined(table(), (MEDIA.model_copy(update={"name": "age"}),))


@pytest.mark.parametrize(
    "changes",
    [
        {"columns": ("m_tv", "m_tv", "m_web")},
        {"options": ("tv", "web")},
        {"unticked": ("0", "1")},
        {"options": ("tv;radio", "tv", "radio")},
        {"options": ("tv", "tv", "paper")},
    ],
)
def test_that_a_question_that_could_not_be_read_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        JoinedColumns(**(MEDIA.model_dump() | changes))  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="two questions"):
        Reading(questions=(MEDIA, MEDIA.model_copy(update={"name": "again"})))


def test_that_a_file_is_read_with_its_questions(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    path.write_text("age,m_tv,m_web,m_radio\n20,1,0,1\n30,0,0,0\n")
    whole = load_declared(path, Reading(questions=(MEDIA,)))
    assert [whole.column("media").text(row) for row in range(2)] == ["tv;radio", "(none)"]
    assert load(path).names == ("age", *MEDIA.columns)
    assert "3 columns as one question, media" in whole.reading.words
    assert "--together media=m_tv,m_web,m_radio:1:0" in whole.reading.options


def suggested(columns: dict[str, list[str]]) -> tuple[JoinedColumns, ...]:
    return questions_in(table_from_texts(columns))


def test_that_neighbours_that_begin_alike_and_hold_ticks_are_suggested() -> None:
    assert questions_in(table(["100", "011", "000"])) == (MEDIA.model_copy(update={"name": "m"}),)
    marks = ["x", "", "x"]
    (letters,) = suggested({"q5a": marks, "q5b": marks, "q5c": ["", "", ""], "q6": ["1", "0", "1"]})
    assert (letters.name, letters.options) == ("q5", ("a", "b", "c"))
    assert (letters.ticked, letters.unticked) == (("x",), ("",))
    words = ["Yes", "No", "No"]
    (yes,) = suggested({f"Q5.{number}": words for number in range(1, 5)})
    assert (yes.name, yes.ticked, yes.unticked) == ("Q5", ("Yes",), ("No",))
    assert yes.options == ("1", "2", "3", "4")


def test_that_options_of_several_words_are_among_their_neighbours() -> None:
    names = ["heart_disease", "asthma", "diabetes", "back_pain", "none_of_these"]
    ticks = {f"dis_{name}": ["1", "0", "0"] for name in names}
    (diseases,) = suggested(ticks)
    assert diseases.name == "dis"
    assert diseases.options == tuple(names[:-1])
    assert diseases.none_column == "dis_none_of_these"
    assert JoinedColumns.read(diseases.written) == diseases
    # Enough that begin alike are a question of their own, whatever all of them begin with.
    parts = {f"v_{part}_{end}": ["1", "0", "1"] for part in ("a", "b") for end in "xyz"}
    found = suggested({"v_sex": ["1", "0", "1"], "v_east": ["0", "0", "1"]} | parts)
    assert [(one.name, len(one.columns)) for one in found] == [("v_a", 3), ("v_b", 3)]
    nested = ("x_y_a", "x_y_b", "x_y_z_c", "x_c", "x_d")
    (question,) = suggested({name: ["1", "0", "1"] for name in nested})
    assert (question.name, len(question.columns)) == ("x_y", 3)
    letters = {name: ["1", "0", "1"] for name in ("q5a", "q5b", "q50_a", "q5c")}
    assert suggested(letters) == ()


CODED = {"m_tv": "1001--", "m_web": "0100--", "m_radio": "0010--"}
"""Six respondents, of whom two skipped the question."""


def coded(code: str, cells: dict[str, str] = CODED) -> dict[str, list[str]]:
    return {name: [code if c == "-" else c.replace(".", "") for c in cells[name]] for name in cells}


@pytest.mark.parametrize("code", ["-9", "-1", "9", "99", "refused", ".a", "weiß nicht"])
@pytest.mark.parametrize("unticked", ["0", "."])
def test_that_a_code_of_no_answer_stands_beside_ticks(code: str, unticked: str) -> None:
    cells = {name: ticks.replace("0", unticked) for name, ticks in CODED.items()}
    table = table_from_texts(coded(code, cells))
    (question,) = questions_in(table)
    assert (question.name, question.ticked) == ("m", ("1",))
    assert question.unticked == (unticked.replace(".", ""),)
    whole = joined(table, (question,)).column("m")
    assert [whole.text(row) for row in range(6)] == ["tv", "web", "radio", "tv", code, code]


def test_that_a_code_with_which_the_file_is_read_stands_beside_ticks() -> None:
    table = table_from_texts(coded("4"))
    assert questions_in(table) == ()
    declared = replace(table, reading=Reading(missing=("4",)))
    assert [question.name for question in questions_in(declared)] == ["m"]


@pytest.mark.parametrize(
    "cells",
    [
        # Each has a code of its own respondents: three questions that begin alike.
        {"m_tv": "101-", "m_web": "01-0", "m_radio": "0-10"},
        # Half of those with a code have it in all.
        {"m_tv": "101--", "m_web": "010--", "m_radio": "0010-"},
        # Where nobody left a cell unticked, the code may be what is not ticked.
        {"m_tv": "11--", "m_web": "11--", "m_radio": "11--"},
        # Other names, and too few columns.
        {"tv": "10-", "web": "01-", "radio": "01-"},
        {"m_tv": "10-", "m_web": "01-"},
    ],
)
@pytest.mark.parametrize("code", ["-9", "9"])
def test_that_ticks_and_codes_of_different_questions_are_left_alone(
    code: str, cells: dict[str, str]
) -> None:
    assert suggested(coded(code, cells)) == ()


def test_that_a_number_beside_ticks_that_has_no_shape_of_a_code_is_an_answer() -> None:
    for answer in ("2", "-2", "5", "10", "sometimes"):
        assert suggested(coded(answer)) == ()


def test_that_a_code_is_never_read_as_the_option_of_its_name() -> None:
    names = [f"q5_{number}" for number in range(1, 10)]
    ticks = {name: ["1", "0", "9", "9"] for name in names}
    table = table_from_texts(ticks)
    (question,) = questions_in(table)
    whole = joined(table, (question,)).column("q5")
    cells = [whole.text(row) for row in range(4)]
    assert cells == [";".join(question.options), "(none)", "(code 9)", "(code 9)"]
    assert question.domain.encode(cells).tolist()[2:] == [-1, -1]
    decided = question.domain.encode(whole.distinct) >= 0
    found = suspected_codes(whole, ".", decided, is_declared=True)
    assert [whole.distinct[place] for place in found] == ["(code 9)"]


@pytest.mark.parametrize(
    "columns",
    [
        # Two columns, other names, other answers, nothing ticked, nothing different.
        {"m_tv": ["1", "0"], "m_web": ["0", "1"]},
        {"tv": ["1", "0"], "web": ["0", "1"], "radio": ["0", "1"]},
        {"m_tv": ["1", "0"], "m_web": ["0", "2"], "m_radio": ["0", "1"]},
        {"m_tv": ["0", "0"], "m_web": ["0", "0"], "m_radio": ["0", "0"]},
        {"m_tv": ["1", "0"], "x": ["0", "2"], "m_web": ["0", "1"], "m_radio": ["0", "1"]},
        {"m": ["5", "6"], "m_tv": ["1", "0"], "m_web": ["0", "1"], "m_radio": ["0", "1"]},
    ],
)
def test_that_other_columns_are_left_alone(columns: dict[str, list[str]]) -> None:
    assert suggested(columns) == ()


def test_that_options_are_named_by_what_differs() -> None:
    assert common_options(("m_tv", "m_web")) == ("tv", "web")
    assert common_options(("q5a", "q5b")) == ("a", "b")
    assert common_options(("media_use_tv", "media_use_web")) == ("tv", "web")
    assert common_options(("tv", "web")) == ("tv", "web")
    assert common_options(("a_tv", "b_web")) == ("a_tv", "b_web")
