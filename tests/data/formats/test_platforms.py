"""Headers of the programs that hold surveys on the web."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import xlsxwriter

from dpdesk.cli.main import main
from dpdesk.data.joined_columns import joined, questions_in
from dpdesk.data.read_file import load, load_declared
from dpdesk.data.survey_platforms import PLATFORMS
from dpdesk.data.texts import T
from dpdesk.errors import ParameterError
from dpdesk.plan import Plan, draft_table, load_plan

ROWS = 30
IMPORTS = ['{"ImportId":"startDate","timeZone":"UTC"}', '{"ImportId":"QID1"}']
HEADERS: dict[str, tuple[list[list[str]], list[str], list[str]]] = {
    "Qualtrics": (
        [["StartDate", "Q1"], ["Start Date", "How old are\nyou, today?"], IMPORTS],
        ["StartDate"],
        ["Q1: How old are you, today?"],
    ),
    "SurveyMonkey": (
        [
            [
                *("Respondent ID", "Collector ID", "Date Created", "date_modified"),
                *("Satisfied?", "Which?", "", "Why?"),
            ],
            ["", "", "", "", "Response", "TV", "Web", "Open-Ended Response"],
        ],
        ["Respondent ID", "Collector ID", "Date Created", "date_modified"],
        ["Satisfied?", "Which? - TV", "Which? - Web", "Why?"],
    ),
    "LimeSurvey": (
        [
            [
                "id. Response ID",
                "submitdate. Date submitted",
                "startlanguage. Start language",
                "Q1. Your age?",
                "Q5[SQ001]. Media? [TV]",
            ]
        ],
        ["id", "submitdate", "startlanguage"],
        ["Q1: Your age?", "Q5[SQ001]: Media? [TV]"],
    ),
    "KoBo": (
        [
            [
                *("grp/age", "grp/media", "grp/media/tv", "grp/media/web", "_id", "_uuid"),
                *("house", "_house_latitude", "_house_longitude", "_house_altitude"),
                *("_house_precision", "__version__", "_submitted_by"),
            ]
        ],
        [
            *("grp/media", "_id", "_uuid", "house", "_house_latitude", "_house_longitude"),
            *("_house_altitude", "_house_precision", "__version__", "_submitted_by"),
            "_submission_time",
        ],
        ["grp/age", "grp/media (options)"],
    ),
    "ODK": (
        [
            [
                *("SubmissionDate", "starttime", "location", "location-Latitude"),
                *("location-Longitude", "location-Accuracy", "status", "weighing-Accuracy"),
                *("meta-instanceID", "KEY", "SubmitterID", "SubmitterName", "DeviceID"),
                *("Status", "Edits", "FormVersion"),
            ]
        ],
        [
            *("SubmissionDate", "starttime", "location", "location-Latitude"),
            *("location-Longitude", "location-Accuracy", "meta-instanceID", "KEY", "SubmitterID"),
            *("SubmitterName", "DeviceID", "Status", "Edits", "FormVersion"),
        ],
        ["status", "weighing-Accuracy"],
    ),
    "REDCap": (
        [["record_id", "redcap_event_name", "age", "q5___1", "q5___2", "form_1_complete"]],
        ["record_id", "redcap_event_name", "form_1_complete"],
        ["age", "q5"],
    ),
    "Google Forms": (
        [["Timestamp", "How old are you?", "Which media do you use?"]],
        ["Timestamp"],
        ["How old are you?", "Which media do you use?"],
    ),
}
HEADERS["KoBo"][0][0].append("_submission_time")


def lines_of(platform: str) -> list[list[str]]:
    header = HEADERS[platform][0]
    width = len(header[0])
    return [*header, *([str((row + place) % 2) for place in range(width)] for row in range(ROWS))]


def written(path: Path, lines: list[list[str]]) -> Path:
    if path.suffix == ".xlsx":
        book = xlsxwriter.Workbook(path)
        sheet = book.add_worksheet("Answers")
        for number, line in enumerate(lines):
            sheet.write_row(number, 0, line)
        book.close()
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(lines)
    return path


def drafted(path: Path) -> Plan:
    table = load(path)
    return draft_table(joined(table, table.declared))


def test_that_a_header_is_known_of_every_program() -> None:
    assert set(HEADERS) == {kind.key for kind in PLATFORMS}


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
@pytest.mark.parametrize("platform", HEADERS)
def test_that_a_header_gives_names_questions_and_what_is_no_answer(
    platform: str, ending: str, tmp_path: Path
) -> None:
    path = written(tmp_path / f"answers{ending}", lines_of(platform))
    table = load(path)
    assert (table.rows, table.reading.platform) == (ROWS, platform)
    assert T.HEADER_READ(platform=platform) in table.notices
    plan = drafted(path)
    _, about_record, questions = HEADERS[platform]
    assert [c.name for c in plan.columns if c.role == "drop"] == about_record
    kept = [c for c in plan.columns if c.role != "drop"]
    assert [f"{c.name}: {c.label}" if c.label else c.name for c in kept] == questions


@pytest.mark.parametrize("platform", HEADERS)
def test_that_a_plan_reads_the_header_again_and_none_can_be_declared(
    platform: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "answers.csv", lines_of(platform))
    table = load(path)
    again = load_declared(path, table.reading)
    assert [c.texts() for c in again.columns] == [c.texts() for c in table.columns]
    assert again.names == table.names
    plain = load(path, platform="")
    assert plain.reading.platform == ""
    assert plain.rows == ROWS + len(HEADERS[platform][0]) - 1


@pytest.mark.parametrize("platform", HEADERS)
def test_that_no_answer_decides_on_the_header(platform: str, tmp_path: Path) -> None:
    lines = lines_of(platform)
    for answer in ("", '{"ImportId":"QID9"}', "Respondent ID", "_uuid", "Timestamp"):
        changed = [*lines[:-1], [answer] * len(lines[0])]
        assert load(written(tmp_path / "t.csv", changed)).reading.platform == platform
    plain = [["id", "age", "a question"], ["_id", "_uuid", "_submission_time"], *lines_of("KoBo")]
    usual = [line[:3] for line in plain]
    assert load(written(tmp_path / "t.csv", usual)).reading.platform == ""


def test_that_ticks_are_one_question_with_what_they_stand_for(tmp_path: Path) -> None:
    plan = drafted(written(tmp_path / "t.csv", lines_of("KoBo")))
    media = plan.column("grp/media (options)")
    assert media.kind == "several"
    assert media.domain is not None
    assert media.domain.listed == ("tv", "web")
    codes = [["record_id", "redcap_event_name", "q___1", "q____99"], ["1", "a", "1", "0"]]
    table = load(written(tmp_path / "t.csv", codes))
    # REDCap writes the minus of a code as an underscore.
    assert [question.options for question in table.declared] == [("1", "-99")]
    lime = [["id", "submitdate", "startlanguage", "Q[SQ1]", "Q[SQ2]", "Q[SQ3]"]]
    ticks = [["1", "x", "en", *("Y" if n >> k & 1 else "" for k in range(3))] for n in range(8)]
    table = load(written(tmp_path / "t.csv", lime + ticks))
    (question,) = questions_in(table)
    assert (question.name, question.options) == ("Q", ("SQ1", "SQ2", "SQ3"))


OPTIONS = ("TV", "Web", "Car sharing")
TEXTS = [[option if n >> k & 1 else "" for k, option in enumerate(OPTIONS)] for n in range(8)]
OF_PLATFORM = {
    "Qualtrics": [
        ["Q1", "Q2_1", "Q2_2", "Q2_3"],
        ["Age?", *(f"Which? - {option}" for option in OPTIONS)],
        ['{"ImportId":"a"}'] * 4,
        *(["30", *cells] for cells in TEXTS),
    ],
    "SurveyMonkey": [
        ["Respondent ID", "Collector ID", "Q1", "Q2", "", ""],
        ["", "", "Response", *OPTIONS],
        *([str(n), "1", "30", *cells] for n, cells in enumerate(TEXTS)),
    ],
}


@pytest.mark.parametrize("platform", OF_PLATFORM)
def test_that_columns_that_hold_their_options_are_proposed_as_a_question(
    platform: str, tmp_path: Path
) -> None:
    table = load(written(tmp_path / "t.csv", OF_PLATFORM[platform]))
    assert table.reading.platform == platform
    # The header does not tell it from a list of texts, so that a person decides.
    assert not table.declared
    (question,) = questions_in(table)
    assert (question.name, question.options) == ("Q2", OPTIONS)
    (column,) = (c for c in joined(table, (question,)).columns if c.name == "Q2")
    assert column.texts()[:4] == ["(none)", "TV", "Web", "TV;Web"]


def test_that_options_of_several_words_are_those_of_one_question(tmp_path: Path) -> None:
    options = ("Mobile phone", "Laptop, tablet", "TV (own)")
    head = [["Respondent ID", "Collector ID", "Q1", "Which?", "", ""]]
    head += [["", "", "Response", *options]]
    rows = [
        [str(n), "1", "30", *(one if n >> place & 1 else "" for place, one in enumerate(options))]
        for n in range(16)
    ]
    (question,) = questions_in(load(written(tmp_path / "t.csv", [*head, *rows])))
    assert (question.name, question.options) == ("Which?", options)


def test_that_two_columns_of_limesurvey_are_a_question(tmp_path: Path) -> None:
    lines = [["id", "submitdate", "startlanguage", "Q[A]", "Q[B]"]]
    lines += [[str(n), "x", "en", *("Y" if n >> k & 1 else "" for k in range(2))] for n in range(8)]
    (question,) = questions_in(load(written(tmp_path / "t.csv", lines)))
    assert (question.name, question.options) == ("Q", ("A", "B"))


@pytest.mark.parametrize("blank", [" ", "_"])
def test_that_questions_alone_are_a_header_of_limesurvey(blank: str, tmp_path: Path) -> None:
    record = ["Response ID", "Date submitted", "Last page", "Start language", "Seed"]
    asked = ["How old are you?", "Which media? [TV]", "Which media? [Web]", "Which media? [Other]"]
    lines = [[name.replace(" ", blank) for name in (*record, *asked)]]
    for n in range(ROWS):
        ticks = ["Y" if n >> k & 1 else "" for k in range(2)]
        lines.append([str(n), "2024-03-05", "1", "en", "7", str(20 + n), *ticks, "zine" * (n % 2)])
    table = load(written(tmp_path / "t.csv", lines))
    assert table.reading.platform == "LimeSurvey"
    plan = draft_table(table)
    assert [c.name for c in plan.columns if c.role == "drop"][:5] == lines[0][:5]
    (question,) = questions_in(table)
    assert question.columns == tuple(lines[0][6:8])
    assert question.options == ("TV", "Web")


def test_that_what_people_wrote_beside_an_option_is_no_option(tmp_path: Path) -> None:
    lines = [["id", "submitdate", "startlanguage", *(f"Q[SQ00{k}]" for k in "123"), "Q[other]"]]
    for n in range(8):
        ticks = ["Y" if n >> k & 1 else "" for k in range(3)]
        lines.append([str(n), "x", "en", *ticks, "zines" if n % 3 == 0 else ""])
    (question,) = questions_in(load(written(tmp_path / "t.csv", lines)))
    assert question.options == ("SQ001", "SQ002", "SQ003")
    names, labels, ids, *cells = OF_PLATFORM["Qualtrics"]
    lines = [[*names, "Q2_3_TEXT"], [*labels, "Which? - Text"], [*ids, '{"ImportId":"b"}']]
    lines += [[*row, "zines" if n == 5 else ""] for n, row in enumerate(cells)]
    (question,) = questions_in(load(written(tmp_path / "t.csv", lines)))
    assert question.options == OPTIONS


def test_that_the_command_line_declares_a_program_or_none(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", lines_of("Google Forms"))
    for number, (word, told) in enumerate((("google-forms", "Google Forms"), ("none", ""))):
        plan = tmp_path / f"{number}.json"
        assert main(["draft", str(path), "-o", str(plan), "--platform", word]) == 0
        reading = load_plan(plan).reading
        assert reading is not None
        assert reading.platform == told
    other = tmp_path / "other.json"
    assert main(["draft", str(path), "-o", str(other), "--platform", "forms"]) == 2


def test_that_a_header_longer_than_the_file_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", [["a", "b"], ["1", "2"]])
    with pytest.raises(ParameterError, match="A header of Qualtrics has 3 lines"):
        load(path, platform="Qualtrics")


FORMS = [
    [
        *("record_id", "redcap_event_name", "sex", "q___1", "q___2", "one_complete"),
        *("age", "w___1", "w___2", "two_complete"),
    ],
    # Both filled, with nothing ticked in the second.
    ["1", "a", "2", "1", "0", "2", "40", "0", "0", "2"],
    # The second was never filled.
    ["2", "a", "1", "0", "0", "2", "", "0", "0", "0"],
    # None was.
    ["3", "a", "", "0", "0", "0", "", "0", "0", "0"],
    ["4", "a", "", "0", "0", "", "", "0", "0", ""],
    # Begun, and not complete: what is unticked counts.
    ["5", "a", "1", "0", "0", "0", "", "0", "1", "0"],
]


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_that_a_form_that_was_never_filled_is_no_answer(ending: str, tmp_path: Path) -> None:
    path = written(tmp_path / f"t{ending}", FORMS)
    table = load(path)
    assert table.column("record_id").texts() == ["1", "2", "5"]
    together = joined(table, table.declared)
    assert together.column("q").texts() == ["1", "(none)", "(none)"]
    assert together.column("w").texts() == ["(none)", "", "2"]
    assert {T.UNFILLED_FORMS(count=3), T.UNFILLED_FORMS(count=5)} & set(table.notices)
    assert T.BLANK_ROWS(count=2) in table.notices
    again = joined(load_declared(path, table.reading), table.declared)
    assert again.column("w").texts() == together.column("w").texts()
    # One option undoes it.
    assert load(path, platform="").rows == 5


def test_that_opened_and_empty_records_of_a_program_are_no_respondents(tmp_path: Path) -> None:
    lines = [["_id", "age", "sex", "_uuid", "_submission_time"]]
    lines += [[str(n), *(("30", "f") if n % 3 else ("", " ")), f"u{n}", "t"] for n in range(30)]
    assert load(written(tmp_path / "t.csv", lines)).rows == 20


def test_that_what_is_about_the_record_is_left_out_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "t.csv", lines_of("ODK"))
    assert main(["draft", str(path), "-o", str(tmp_path / "p.json")]) == 0
    (line,) = (one for one in capsys.readouterr().err.splitlines() if T.RECORD_COLUMN() in one)
    assert line.startswith("SubmissionDate")
    assert "location-Latitude" in line
