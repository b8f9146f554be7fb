"""A format of tables that no other file names is read wherever tables are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.cli.main import main
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.reading import Reading
from dpdesk.data.table_format import TABLE_FORMATS
from dpdesk.errors import InputError
from dpdesk.gui.document import Document
from dpdesk.gui.file_commands import endings_of_data, kinds_of_data
from dpdesk.plan import load_plan
from tests.kinds.recfile import Recfile
from tests.kinds.registered import registered

ANSWERS = [("yes", "a, b"), ("no", 'c "d"'), ("yes", "e")] * 40


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registered(TABLE_FORMATS, Recfile):
        yield


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A hundred and twenty records."""
    path = tmp_path / "survey.rec"
    records = "\n\n".join(f"smokes: {smokes}\nnote: {note}" for smokes, note in ANSWERS)
    path.write_text(f"%rec: Answer\n\n{records}\n", encoding="utf-8", newline="\n")
    return path


def test_that_its_answers_are_those_of_the_file_and_its_reading_is_suggested(data: Path) -> None:
    table = load(data)
    assert (table.names, table.rows) == (("smokes", "note"), 120)
    assert [table.columns[1].text(row) for row in range(3)] == ["a, b", 'c "d"', "e"]
    assert table.reading == Reading()
    assert load_declared(data, table.reading).columns[1].text(1) == 'c "d"'


def test_that_a_survey_is_drafted_released_and_estimated_from_it(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out = tmp_path / "plan.json", tmp_path / "out"
    words = ["draft", str(data), "-o", str(plan), "--epsilon", "3", "--confirm-domains"]
    assert main([*words, "--drop", "note"]) == 0
    assert load_plan(plan).reading == Reading()
    assert main(["check", str(plan), str(data)]) == 0
    assert main(["release", str(data), "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["records"] == 120


def test_that_a_damaged_file_is_refused_at_its_line(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data.write_text("%rec: Answer\n\nsmokes: yes\n\ndrinks: no\n", encoding="utf-8", newline="\n")
    with pytest.raises(InputError) as caught:
        load(data)
    assert caught.value.line == 5
    assert main(["draft", str(data), "-o", str(tmp_path / "plan.json")]) == 3
    assert "line 5 of survey.rec" in capsys.readouterr().err


def test_that_other_files_are_read_as_before(tmp_path: Path) -> None:
    path = tmp_path / "plain.rec"
    path.write_text("a;b\n1;%rec: \n", encoding="utf-8")
    assert load(path).names == ("a", "b")


def test_that_the_window_offers_and_opens_it(data: Path, qtbot: QtBot) -> None:
    assert endings_of_data().startswith("*.csv *.tsv *.tab *.txt *.dat *.")
    assert endings_of_data().endswith(" *.rec")
    together, delimited, *_, made_up, everything = kinds_of_data().split(";;")
    assert together == f"All data ({endings_of_data()})"
    assert delimited == "Delimited text (*.csv *.tsv *.tab *.txt *.dat)"
    assert (made_up, everything) == ("Records of lines (*.rec)", "All files (*)")
    document = Document()
    try:
        with qtbot.waitSignal(document.tableChanged):
            document.open_table(data)
        assert document.table is not None
        assert document.table.names == ("smokes", "note")
        assert document.plan.reading == Reading()
    finally:
        document.shut_down()
