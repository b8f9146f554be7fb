"""The names of the columns stand below a title, below groups, on another sheet: they are found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pytest

from dpdesk.data.header import declared_names, find_names
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.structure import Structure
from dpdesk.errors import InputError
from tests.data.formats.test_spreadsheets import cell, opendocument, row
from tests.refusals import refused

ANSWERS = [("57", "m", "no"), ("19", "m", "yes"), ("75", "f", "yes"), ("48", "f", "no")]


def csv_of(folder: Path, *above: str, mark: str = ",") -> Path:
    path = folder / "t.csv"
    path.write_text("\n".join([*above, *map(mark.join, ANSWERS)]) + "\n")
    return path


@pytest.mark.parametrize(
    ("above", "rows"),
    [
        (["Survey of 2024,,", "age,sex,vote"], 2),
        (["Survey of 2024,,", ",,", "age,sex,vote"], 3),
        ([",,", "Survey of 2024,,", "age,sex,vote"], 3),
        # As typed by hand: a title is no record of the table.
        (["Survey of 2024", "age,sex,vote"], 2),
        (["Survey of 2024", "", "Source: the municipality", "", "age,sex,vote"], 3),
        (['"Survey, 2024"', "age,sex,vote"], 2),
        # A title holds the delimiter: fewer, as many or more fields than the table.
        (["Household survey, 2024", "age,sex,vote"], 2),
        (
            ["Household survey, 2024", "", "Exported 3 May, 10:00, by hand, twice", "age,sex,vote"],
            3,
        ),
        (["Household survey, round 3, Kenya, draft", "age,sex,vote"], 2),
        (["Household survey, round 3, Kenya", "age,sex,vote"], 2),
        (["Report,A,2024,May,3", "age,sex,vote"], 2),
        # Groups as a spreadsheet writes merged cells.
        (["Person,,Politics", "age,sex,vote"], 1),
        (["Survey,,", "Person,,", "age,sex,vote"], 3),
        (["Person,,", "age,sex,vote"], 2),
        ([" age,sex , vote "], 1),
    ],
)
def test_that_names_are_found_below_what_stands_above_them(
    above: Sequence[str], rows: int, tmp_path: Path
) -> None:
    path = csv_of(tmp_path, *above)
    table = load(path)
    assert table.reading.header_rows == rows
    if above[0] != "Person,,Politics":
        assert table.names == ("age", "sex", "vote")
        assert table.rows == len(ANSWERS)
    assert any("header" in notice for notice in table.notices) == (rows > 1)
    again = load_declared(path, table.reading)
    assert (again.names, again.rows) == (table.names, table.rows)


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_that_the_delimiter_is_found_below_a_title(mark: str, tmp_path: Path) -> None:
    path = csv_of(tmp_path, "Survey, 2024", mark.join(["age", "sex", "vote"]), mark=mark)
    assert load(path).names == ("age", "sex", "vote")
    assert load(path).reading.delimiter == mark


def test_that_one_option_undoes_what_was_found(tmp_path: Path) -> None:
    path = csv_of(tmp_path, "Survey of 2024,,", "age,sex,vote")
    table = load(path, header_rows=1)
    assert table.names == ("Survey of 2024", "column 2", "column 3")
    assert table.rows == len(ANSWERS) + 1


@pytest.mark.parametrize("title", ["Survey, 2024", "Survey, round 3, Kenya, draft", "age,sex"])
def test_that_declared_lines_hold_titles_of_any_number_of_fields(
    title: str, tmp_path: Path
) -> None:
    path = csv_of(tmp_path, title, "", "age,sex,vote")
    table = load(path, header_rows=2)
    assert (table.names, table.rows) == (("age", "sex", "vote"), len(ANSWERS))
    with refused("data.ragged-at-top", line=3) as caught:
        load(path, header_rows=1)
    assert caught.value.line == 3


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_that_titles_do_not_depend_on_the_pieces(size: int) -> None:
    text = b"Survey, 2024\n\nby us, for you, free, now\nage,sex,vote\n" + b"1,m,no\n" * 30
    structure = Structure(",", "t", titles=2)
    pieces = (text[start : start + size] for start in range(0, len(text), size))
    assert b"".join(block.text for block in structure.blocks(pieces)) == text
    assert (structure.columns, structure.records, structure.titles) == (3, 33, 2)


def test_that_a_sentence_is_no_title_where_names_have_blanks(tmp_path: Path) -> None:
    path = csv_of(tmp_path, "age, sex, vote")
    assert load(path).names == ("age", "sex", "vote")
    assert load(path).rows == len(ANSWERS)


def test_that_a_note_below_a_table_is_refused_with_its_line(tmp_path: Path) -> None:
    rows = [",".join(row) for row in ANSWERS * 3]
    path = csv_of(tmp_path, "Survey, 2024", "age,sex,vote", *rows)
    path.write_text(path.read_text() + "\nSource: the municipality\n")
    with refused("data.ragged-at-top", line=20):
        load(path)


@pytest.mark.parametrize("above", ["age,,vote", "age,sex,"])
def test_that_a_name_that_is_missing_makes_no_title(above: str, tmp_path: Path) -> None:
    assert load(csv_of(tmp_path, above)).reading.header_rows == 1


@pytest.mark.parametrize("above", ["age", "age,sex"])
def test_that_a_header_without_delimiters_is_no_title(above: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        load(csv_of(tmp_path, above))
    assert refused.value.line is not None


def test_that_sentences_of_one_column_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("comment\nI like it, really\nfine\nno, thanks\n")
    assert load(path).names == ("comment",)
    assert load(path).rows == 3


def test_that_names_of_groups_tell_equal_names_apart() -> None:
    lines = [("id", "Before", "", "After", ""), ("", "mood", "sleep", "mood", "sleep")]
    names = ("id", "Before - mood", "Before - sleep", "After - mood", "After - sleep")
    assert find_names([*lines, ("1", "2", "3", "4", "5")]) == (names, 2)
    assert declared_names(lines) == names
    # A second line of labels that fills no gap leaves the first one the names.
    assert declared_names([("a", "b"), ("How old?", "Which sex?")]) == ("a", "b")


def workbook(folder: Path, *sheets: tuple[str, Sequence[Sequence[object]], Sequence[str]]) -> Path:
    book = openpyxl.Workbook()
    for number, (name, rows, merged) in enumerate(sheets):
        sheet = book.active if number == 0 else book.create_sheet()
        sheet.title = name
        for line in rows:
            sheet.append(line)
        for cells in merged:
            sheet.merge_cells(cells)
    book.save(folder / "t.xlsx")
    return folder / "t.xlsx"


NAMED = ["id", "age", "sex", "vote"]
PEOPLE = [[i, 20 + i, "mf"[i % 2], "yn"[i % 2]] for i in range(1, 30)]


@pytest.mark.parametrize(
    ("above", "merged", "rows"),
    [
        ([["Survey 2026", None, None, None], NAMED], ["A1:D1"], 2),
        ([["Survey 2026", None, None, None], [], NAMED], ["A1:D2"], 3),
        ([["Person", None, None, "Politics"], NAMED], ["A1:C1"], 2),
        ([["id", "Person", None, "vote"], [None, "age", "sex", None]], ["A1:A2", "B1:C1"], 2),
        # Cells that were merged and are empty hold no answer.
        ([NAMED], ["F3:G8"], 1),
    ],
)
def test_that_merged_cells_above_the_answers_are_read(
    above: list[list[object]], merged: list[str], rows: int, tmp_path: Path
) -> None:
    path = workbook(tmp_path, ("Data", [*above, *PEOPLE], merged))
    table = load(path)
    assert (table.names[:4], table.rows) == (tuple(NAMED), len(PEOPLE))
    assert table.reading.header_rows == rows
    assert load_declared(path, table.reading).names == table.names


def test_that_options_below_one_merged_name_keep_it(tmp_path: Path) -> None:
    rows = [["id", "media", None, None], *([i, i % 2, 1, 0] for i in range(9))]
    table = load(workbook(tmp_path, ("Data", rows, ["B1:D1"])))
    assert table.names == ("id", "media", "media (2)", "media (3)")
    assert table.rows == 9


def test_that_merged_answers_are_refused_by_their_place(tmp_path: Path) -> None:
    path = workbook(tmp_path, ("Data", [NAMED, *PEOPLE], ["C3:C4"]))
    with pytest.raises(InputError, match="C3:C4"):
        load(path)
    # In a row that is skipped they disturb nothing.
    assert load(path, header_rows=4).rows == len(PEOPLE) - 3


def test_that_merged_cells_of_opendocument_are_read_above_the_answers(tmp_path: Path) -> None:
    above = row(cell("Person", number_columns_spanned=2), "<table:covered-table-cell/>", cell("P"))
    rows = above + row(cell("age"), cell("sex"), cell("vote"))
    path = opendocument(
        tmp_path / "t.ods", rows + "".join(row(*map(cell, line)) for line in ANSWERS)
    )
    table = load(path)
    assert (table.names, table.rows) == (("age", "sex", "vote"), len(ANSWERS))


CODEBOOK = [["Variable", "Label", "Type"], *([name, f"What {name}?", "text"] for name in NAMED)]
NOTE = [["Survey 2026, field report"], ["see the sheet of data"]]
KEYS = [["Title", "Survey"], ["Fieldwork", "May"], ["Contact", "the office"]]


@pytest.mark.parametrize("first", [CODEBOOK, NOTE, KEYS])
def test_that_a_codebook_or_note_on_the_first_sheet_is_not_the_table(
    first: list[list[object]], tmp_path: Path
) -> None:
    path = workbook(tmp_path, ("About", first, []), ("Answers", [NAMED, *PEOPLE], []))
    table = load(path)
    assert (table.names, table.rows) == (tuple(NAMED), len(PEOPLE))
    assert "“About”" in table.notices[0]
    assert table.notices[0].command == "--sheet"  # type: ignore[attr-defined]
    assert load(path, sheet="About").names == tuple(first[0])


def test_that_the_first_of_two_tables_is_read(tmp_path: Path) -> None:
    towns = [["town", "state", "people"], *([f"t{i}", "A", i] for i in range(99))]
    path = workbook(tmp_path, ("Answers", [NAMED, *PEOPLE], []), ("Towns", towns, []))
    assert load(path).names == tuple(NAMED)
    waves = ("Wave 1", [NAMED, *PEOPLE], []), ("Wave 2", [NAMED, *PEOPLE, *PEOPLE], [])
    assert load(workbook(tmp_path, *waves)).rows == len(PEOPLE)
