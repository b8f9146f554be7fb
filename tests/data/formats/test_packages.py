"""Files of Stata and SAS, and portable ones of SPSS, as pyreadstat and pandas write them."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from dpdesk.cli.main import main
from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.formats.base import TableFormat
from dpdesk.data.formats.statistics_packages import Sas, SasTransport, SpssPortable, Stata
from dpdesk.data.formats.texts import T
from dpdesk.data.missing_codes import TypedCodes
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.table import SurveyTable
from dpdesk.domains import Categorical
from dpdesk.plan import draft_table
from dpdesk.plan.missing_changes import set_codes
from dpdesk.plan.open_questions import SuspectedCodes, open_questions
from tests.refusals import refused


def answers() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "code": [1.0, 2.0, None],
            "share": [0.1, 1e-7, 12345.678],
            "word": ["a", "", "b c"],
            "day": [datetime.date(2024, 1, 31), None, datetime.date(1899, 12, 31)],
            "moment": [
                datetime.datetime(2024, 1, 31, 12, 30, 5, 250_000),  # noqa: DTZ001
                None,
                datetime.datetime(1960, 1, 1),  # noqa: DTZ001
            ],
            "clock": [datetime.time(1, 2, 3), None, datetime.time(23, 59, 59)],
        }
    )


CELLS = [
    ["1", "2", ""],
    ["0.1", "1e-07", "12345.678"],
    ["a", "", "b c"],
    ["2024-01-31", "", "1899-12-31"],
    ["2024-01-31T12:30:05.25", "", "1960-01-01T00:00:00"],
    ["01:02:03", "", "23:59:59"],
]
WRITERS = {
    "t.dta": (pyreadstat.write_dta, Stata),
    "t.por": (pyreadstat.write_por, SpssPortable),
    "t.xpt": (pyreadstat.write_xport, SasTransport),
}


def texts(table: SurveyTable) -> list[list[str]]:
    return [column.texts() for column in table.columns]


@pytest.mark.parametrize("name", WRITERS)
def test_that_cells_keep_their_digits_dates_and_times(name: str, tmp_path: Path) -> None:
    write, kind = WRITERS[name]
    write(answers(), tmp_path / name, column_labels=["Code of the answer", *[""] * 5])
    table = load(tmp_path / name)
    assert texts(table) == CELLS
    assert [column.lower() for column in table.names] == list(answers().columns)
    assert (table.reading.format, table.is_reading_found) == (kind.key, False)
    assert table.described[table.names[0]].label == "Code of the answer"
    # Of a portable file its codes of no answer are not told, which must not pass in silence.
    assert (T.CODES_NOT_READ() in table.notices) == (kind is SpssPortable)
    assert texts(load_declared(tmp_path / name, table.reading)) == CELLS


@pytest.mark.parametrize("name", WRITERS)
def test_that_a_truncated_file_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write, _ = WRITERS[name]
    write(answers(), path)
    raw = path.read_bytes()
    for end in range(700, len(raw) - 1, max(1, len(raw) // 17)):
        # Nothing tells of a transport file that a whole line of it is missing.
        path.write_bytes(raw[: end + (end % 80 == 0)])
        with refused("data.formats.damaged"):
            load(path)


@pytest.mark.parametrize("version", [8, 10, 12, 13, 14, 15])
def test_that_every_version_of_stata_is_read(version: int, tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(answers(), path, version=version)
    assert texts(load(path)) == CELLS


def test_that_a_line_end_behind_a_file_of_stata_takes_nothing_away(tmp_path: Path) -> None:
    # As lutkepohl2.dta of statsmodels has one.
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(pd.DataFrame({"q": [1.0, 2.0]}), path)
    raw = path.read_bytes()
    path.write_bytes(raw + b"\r\n")
    assert texts(load(path)) == [["1", "2"]]
    path.write_bytes(raw[:-1] + b"\n")
    with refused("data.formats.damaged"):
        load(path)


def test_that_numbers_in_single_precision_have_their_own_digits(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": np.array([0.1, 2.5, 3.0, 1e10], dtype=np.float32)})
    table.to_stata(tmp_path / "t.dta", write_index=False)
    assert texts(load(tmp_path / "t.dta")) == [["0.1", "2.5", "3", "10000000000"]]


def test_that_months_and_quarters_of_stata_are_named(tmp_path: Path) -> None:
    days = pd.to_datetime(["2024-05-01", "1959-12-01"])
    table = pd.DataFrame({"m": days, "q": days, "h": days, "y": days})
    kinds = {"m": "tm", "q": "tq", "h": "th", "y": "ty"}
    table.to_stata(tmp_path / "t.dta", convert_dates=kinds, write_index=False)
    found = [["2024-05", "1959-12"], ["2024-Q2", "1959-Q4"], ["2024-H1", "1959-H2"]]
    assert texts(load(tmp_path / "t.dta")) == [*found, ["2024", "1959"]]


def test_that_extended_missing_values_of_stata_are_codes_with_labels(tmp_path: Path) -> None:
    table = pd.DataFrame({"q": [1, "a", None, 2, "c"] * 20})
    pyreadstat.write_dta(
        table,
        tmp_path / "t.dta",
        missing_user_values={"q": ["a", "c"]},
        variable_value_labels={"q": {1: "yes", 2: "no", "a": "refused"}},
    )
    read = load(tmp_path / "t.dta")
    assert texts(read)[0][:5] == ["1", ".a", "", "2", ".c"]
    column = draft_table(read).column("q")
    assert column.domain is not None
    assert column.domain.words == "yes, no"
    assert column.missing.labels == {".a": "refused"}
    # Every letter means no answer in Stata, whether or not one occurs.
    assert column.missing.codes == ".a = refused; .b to .z"
    assert column.missing.policy == "category"


def test_that_a_labelled_value_that_says_it_is_no_answer_is_asked_about(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    told = {1: "low", 2: "middle", 3: "high", 8: "Don't know*", 9: "Refusal (SPONTANEOUS)"}
    table = pd.DataFrame({"q": [1, 2, 3, 8, 9] * 20})
    pyreadstat.write_dta(table, path, variable_value_labels={"q": told})
    read = load(path)
    plan = draft_table(read)
    column = plan.column("q")
    (asked,) = open_questions(column, read.column("q"), read.reading)
    assert isinstance(asked, SuspectedCodes)
    assert asked.codes == ("8", "9")
    coded = asked.decided(plan, read, first=True).column("q")
    assert coded.domain == Categorical(
        values=("1", "2", "3"), labels={"1": "low", "2": "middle", "3": "high"}
    )
    assert (coded.kind, coded.provenance) == ("ordinal", "codebook")
    assert coded.missing.labels == {"8": told[8], "9": told[9]}
    kept = asked.decided(plan, read, first=False).column("q")
    assert kept.domain == column.domain
    for one in (coded, kept):
        assert open_questions(one, read.column("q"), read.reading) == ()
    # Whoever takes the codes back has the categories again, in the order of the file.
    plan = asked.decided(plan, read, first=True)
    plan = set_codes(plan, "q", coded.missing.with_codes(TypedCodes()), read)
    assert plan.column("q").domain == column.domain


def test_that_unused_extended_values_ask_for_no_category_of_missing_answers(
    tmp_path: Path,
) -> None:
    pyreadstat.write_dta(pd.DataFrame({"q": [1.0, 2.0] * 20}), tmp_path / "t.dta")
    assert draft_table(load(tmp_path / "t.dta")).column("q").missing.policy == "none"


def test_that_text_in_another_encoding_is_told_and_read_as_declared(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(pd.DataFrame({"land": ["Oe", "CH"]}), path, version=15)
    path.write_bytes(path.read_bytes().replace(b"Oe", b"\xd6\xff"))
    with refused("data.formats.wrong-encoding"):
        load(path)
    read = load(path, encoding="cp1252")
    assert texts(read) == [["Öÿ", "CH"]]
    assert texts(load_declared(path, read.reading)) == texts(read)
    assert read.reading.options == "--format Stata --encoding cp1252"


@pytest.mark.parametrize(
    ("kind", "display", "number", "text"),
    [
        (Sas, "DATE9", 0.0, "1960-01-01"),
        (Sas, "MMDDYY10", 23406.0, "2024-01-31"),
        (Sas, "DATETIME20", 86_399.5, "1960-01-01T23:59:59.5"),
        (Sas, "TIME8", 93_600.0, "26:00:00"),
        (Stata, "%tdD_m_Y", -1.0, "1959-12-31"),
        (Stata, "%-12td", 0.5, "0.5"),
        (Stata, "%tcHH:MM:SS", 3_600_000.0, "01:00:00"),
        (Stata, "%tcHH:MM", 90_000_000.0, "1960-01-02T01:00:00"),
        (SpssPortable, "ADATE10", 13_926_000_000.0, "2024-01-30T13:20:00"),
        (SpssPortable, "DTIME", 90_061.0, "25:01:01"),
        (SpssPortable, "TIME8", -60.0, "-00:01:00"),
        (SpssPortable, "DATE11", 1e15, "1000000000000000"),
    ],
)
def test_that_moments_are_written_whole(
    kind: type[Sas], display: str, number: float, text: str
) -> None:
    write = kind.text_of(display)
    assert write is not None
    assert write(number) == text


@pytest.mark.parametrize("kind", [Sas, Stata, SpssPortable])
def test_that_other_displays_are_digits(kind: type[Sas]) -> None:
    assert kind.text_of("F8.2") is None
    assert kind.text_of("") is None
    assert kind.text_of("%9.0g") is None


def test_that_a_transport_file_of_several_data_sets_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xpt"
    for version in (5, 8):
        pyreadstat.write_xport(pd.DataFrame({"a": [1.0, 2.0]}), path, file_format_version=version)
        raw = path.read_bytes()
        assert texts(load(path)) == [["1", "2"]]
        # Behind the head of the library, of three records, stands one data set after another.
        path.write_bytes(raw + raw[240:])
        with refused("data.formats.several-data-sets", file="t.xpt", number=2):
            load(path)


def test_that_sets_of_data_of_sas_are_known_by_their_first_bytes(tmp_path: Path) -> None:
    mark = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    path = tmp_path / "t.sas7bdat"
    path.write_bytes(mark + bytes(4096))
    with refused("data.formats.damaged"):
        load(path)


def test_that_a_survey_is_estimated_from_a_file_of_stata(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out, path = tmp_path / "plan.json", tmp_path / "out", tmp_path / "t.dta"
    table = pd.DataFrame({"vote": [1.0, 2.0, 3.0] * 50})
    labels = {"vote": {1: "left", 2: "right", 3: "none of them"}}
    pyreadstat.write_dta(table, path, variable_value_labels=labels)
    assert main(["draft", str(path), "-o", str(plan)]) == 0
    assert main(["release", str(path), "--plan", str(plan), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["estimate", str(out)]) == 0
    assert "share of none of them" in capsys.readouterr().out


def test_that_a_description_is_empty_by_default() -> None:
    said = ColumnDescription()
    assert not said.has_codes
    assert issubclass(Stata, TableFormat)


def test_that_a_sas_file_of_an_unknown_character_set_names_the_option(tmp_path: Path) -> None:
    mark = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c181f1011")
    head = bytearray(mark + bytes(1 << 16))
    head[37], head[39], head[70] = 1, ord("1"), 250
    path = tmp_path / "t.sas7bdat"
    path.write_bytes(bytes(head))
    with refused("data.formats.wrong-encoding"):
        load(path)
    # Once it is declared, the number of the set is no reason any more.
    with refused("data.formats.damaged"):
        load(path, encoding="cp1252")
    assert Sas.mended(bytes(head), "cp1252")[70] == 20
    assert Sas.mended(bytes(head), "utf-8") == bytes(head)
