from __future__ import annotations

import numpy as np
import pytest

from dpdesk.data.table import SurveyTable, TextColumn, table_from_texts


def test_that_a_column_keeps_each_distinct_answer_once():
    column = TextColumn.from_texts("q", ["yes", "no", "yes", "", "yes"])
    assert column.distinct == ["yes", "no", ""]
    assert column.codes.tolist() == [0, 1, 0, 2, 0]
    assert column.codes.dtype == np.uint8
    assert column.counts.tolist() == [3, 1, 1]
    assert column.counts.dtype == np.int64
    assert [column.text(row) for row in range(5)] == column.texts()


def test_that_codes_cannot_be_changed_and_the_given_array_stays_writeable():
    codes = np.zeros(3, dtype=np.int32)
    column = TextColumn("q", codes, TextColumn.from_texts("q", ["a"]).dictionary)
    codes[0] = 0
    with pytest.raises(ValueError, match="read-only"):
        column.codes[0] = 1


def test_that_answers_made_equal_by_a_mapping_share_a_code():
    column = TextColumn.from_texts("q", ["a", "A", "b"]).mapped(str.lower)
    assert column.distinct == ["a", "b"]
    assert column.codes.tolist() == [0, 0, 1]


def test_that_the_representation_of_a_column_holds_no_answer():
    assert "SECRET" not in repr(TextColumn.from_texts("q", ["SECRET"]))


def test_that_a_table_finds_columns_by_name_and_cells_by_place():
    table = table_from_texts({"a": ["1", "2"], "b": ["x", "y"]})
    assert table.names == ("a", "b")
    assert table.column("b").texts() == ["x", "y"]
    assert table.text(1, 0) == "2"
    assert table.nbytes == sum(column.nbytes for column in table.columns) > 0
    with pytest.raises(KeyError):
        table.column("c")


def test_that_a_table_refuses_repeated_names_and_unequal_lengths():
    table = table_from_texts({"a": ["1", "2"]})
    column = table.columns[0]
    with pytest.raises(ValueError, match="differ"):
        SurveyTable((column, column), 2, table.reading)
    with pytest.raises(ValueError, match="one answer per respondent"):
        SurveyTable((column,), 3, table.reading)
    longer = table_from_texts({"b": ["1", "2", "3"]}).columns[0]
    with pytest.raises(ValueError, match="one answer per respondent"):
        SurveyTable((column, longer), 2, table.reading)
    with pytest.raises(ValueError, match="at least one column"):
        SurveyTable((), 0, table.reading)


def test_that_the_bytes_of_a_column_are_those_of_each_answer_in_utf8() -> None:
    answers = ["yes", "é", "", "yes", "日本", "no"]
    column = table_from_texts({"a": answers}).column("a")
    assert column.text_bytes == sum(len(text.encode()) for text in answers) == 16
