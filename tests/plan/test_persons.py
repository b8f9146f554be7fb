"""People in several rows stop a release until it is decided what counts of them."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.data.joined_question import JoinedRows
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.engine.counted_rows import counted_table
from dpdesk.plan import Plan, draft_table, load_plan, plan_cost, protect_unassigned, resplit
from dpdesk.plan.losses import attribute_losses
from dpdesk.plan.model import public_plan
from dpdesk.plan.persons import check_persons, counted_rows_in, repeated_identifier, set_unit
from dpdesk.queries import PrivacyUnit

PEOPLE, WAVES = 40, 3


def _panel(name: str = "person_id", **more: list[str]) -> SurveyTable:
    rows = range(PEOPLE * WAVES)
    cells = {
        name: [f"p{row % PEOPLE}" for row in rows],
        "smoke": ["yes" if row % PEOPLE < 10 else "no" for row in rows],
        "mood": [str(1 + row // PEOPLE) for row in rows],
    }
    return table_from_texts(cells | more)


@pytest.mark.parametrize(
    "name",
    [
        "record_id",
        "e-mail",
        "Matrícula",
        "Kundennummer",
        "Code patient",
        "num_aluno",
        "PersonID",
        "participant_id",
        "respondent_id",
        "subject",
        "Subject ID",
        "pidp",
        "mergeid",
        "id",
        "idind",
        "nomem_encr",
        "patient_id",
        "user_id",
        "id_pessoa",
        "Teilnehmer",
        "identifiant",
    ],
)
def test_that_a_name_of_people_that_repeats_is_found(name: str) -> None:
    found = repeated_identifier(_panel(name))
    assert found is not None
    assert (found.name, found.people, found.rows, found.most) == (name, PEOPLE, 120, WAVES)


@pytest.mark.parametrize(
    "name",
    [
        "school_id",
        "numero de personas",
        "client satisfaction",
        "country",
        "interviewer_id",
        "household size",
        "event_id",
        "mood2",
        "video",
        "paid",
    ],
)
def test_that_a_name_of_groups_or_answers_is_none(name: str) -> None:
    assert repeated_identifier(_panel(name)) is None


def test_that_few_values_of_a_name_that_may_be_an_answer_are_none() -> None:
    table = table_from_texts({"email": ["yes", "no"] * 50, "id": ["1", "2", "3", "4"] * 25})
    assert repeated_identifier(table) is None


def test_that_members_of_households_with_an_identifier_of_their_own_are_people() -> None:
    own = [f"{row}" for row in range(PEOPLE * WAVES)]
    assert repeated_identifier(_panel("hhid", person_id=own)) is None
    assert repeated_identifier(_panel("hhid")) is not None
    # A number of each row does not tell that nobody has several.
    assert repeated_identifier(_panel("participant_id", id=own)) is not None


def _plan(table: SurveyTable, total: str = "6", **unit: object) -> Plan:
    plan = draft_table(table).with_fields(budget=Decimal(total))
    plan = set_unit(plan, PrivacyUnit(**unit), table)
    return protect_unassigned(plan, Decimal(total))


@pytest.mark.parametrize(
    ("unit", "is_open"),
    [
        ({}, True),
        ({"rows_per_respondent": 2}, True),
        ({"rows_per_respondent": 3}, False),
        ({"respondent_column": "person_id"}, False),
        ({"respondent_column": "person_id", "rows_per_respondent": 2}, False),
        ({"one_row_each": True}, False),
    ],
)
def test_that_it_is_asked_until_the_unit_covers_every_person(
    unit: dict[str, object], is_open: bool
) -> None:
    table = _panel()
    found = [(one.code, one.severity) for one in check_persons(_plan(table, **unit), table)]
    assert found == [("persons_in_several_rows", "error")] * is_open


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_that_the_loss_is_that_of_all_rows_of_a_person(rows: int) -> None:
    table = _panel()
    plan = _plan(table, respondent_column="person_id", rows_per_respondent=rows)
    each = [column.mechanism.epsilon for column in plan.protected]
    assert sum(each) == Decimal(6) / rows
    assert plan_cost(plan).epsilon == rows * sum(each) == 6
    assert sum(attribute_losses(plan).values()) == 6
    assert plan_cost(public_plan(plan)) == plan_cost(plan)
    assert plan_cost(plan).unit == PrivacyUnit(rows_per_respondent=rows).description
    assert resplit(plan) == plan


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_that_records_are_made_of_the_first_rows_of_each_person(rows: int) -> None:
    table = _panel()
    plan = _plan(table, respondent_column="person_id", rows_per_respondent=rows)
    counted = counted_table(table, plan)
    assert counted.rows == counted_rows_in(plan, table) == plan.respondents == PEOPLE * rows
    assert counted.column("mood").texts() == [str(1 + row // PEOPLE) for row in range(counted.rows)]


def test_that_a_plan_of_before_has_the_unit_of_one_row() -> None:
    stored = json.loads(Plan().model_dump_json())
    assert "one_row_each" not in json.dumps(stored)
    assert Plan.model_validate(stored) == Plan()


MOODS = [word for row in (1, 2, 3) for word in ("--declare", f"mood_{row}=1|2|3")]
"""In each of the rows that are joined all answers are the same, which suggests nothing."""

HEAD = ["--confirm-domains", "--title", "T", "--curator", "C", "--use", "U", "--overwrite"]


def _file(folder: Path, table: SurveyTable | None = None) -> Path:
    table = table or _panel()
    lines = [",".join(cells) for cells in zip(*(c.texts() for c in table.columns), strict=True)]
    path = folder / "panel.csv"
    path.write_text("\n".join([",".join(table.names), *lines]) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("options", "records", "epsilon"),
    [
        (["--respondent", "person_id"], 40, "6"),
        (["--respondent", "person_id", "--rows-per-respondent", "3"], 120, "6"),
        (["--one-row-each"], 120, "6"),
        (["--join-rows", "person_id=3", *MOODS], 40, "6"),
    ],
)
def test_that_check_and_release_stop_until_it_is_decided(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    records: int,
    epsilon: str,
) -> None:
    survey, plan = str(_file(tmp_path)), str(tmp_path / "plan.json")
    draft = ["draft", survey, "-o", plan, "--epsilon", "6", *HEAD]
    release = ["release", survey, "--plan", plan, "--out", str(tmp_path / "out")]
    assert main(draft) == 0
    capsys.readouterr()
    assert main(["check", plan, survey, "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert "persons_in_several_rows" in [one["code"] for one in said["problems"]]
    assert main(release) == 1
    assert not (tmp_path / "out").exists()
    assert main([*draft, *options]) == 0
    assert main(["check", plan, survey]) == 0
    private = ["--private-diagnostics", str(tmp_path / "private.json")]
    assert main([*release, *private, "--ledger", str(tmp_path / "ledger")]) == 0
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    drafted = load_plan(Path(plan))
    guarantee, unit = report["guarantee"], drafted.statistics.unit
    assert (guarantee["epsilon"], report["unit"]["records"]) == (epsilon, records)
    assert unit.description in guarantee["sentence"]
    assert report["unit"]["enforcement"] == drafted.enforcement
    assert (drafted.enforcement == unit.enforcement) == ("--join-rows" not in options)
    assert report["parameters"]["epsilon_run"] == epsilon
    # A quarter of the people smoke, in every row of theirs.
    told = json.loads((tmp_path / "private.json").read_text("utf-8"))
    (smoke,) = (one for one in told["attributes"] if one["attribute"] == "smoke")
    assert {round(one["truth"], 3) for one in smoke["comparisons"]} == {0.25, 0.75}
    capsys.readouterr()
    assert main(["estimate", str(tmp_path / "out"), "--json"]) == 0
    estimated = json.loads(capsys.readouterr().out)
    assert estimated["epsilon_total"] == epsilon
    note = PrivacyUnit(respondent_column="person_id", rows_per_respondent=3).interval_note
    several = unit.rows_per_respondent > 1
    assert note
    assert (note in estimated["notes"]) == several
    assert (note in report["results"]["post_processing"]) == several
    assert (note in report["for_respondents"]["good_for"]) == several
    assert (note in (tmp_path / "out" / "analysis.py").read_text("utf-8")) == several
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert (note in page) == several


@pytest.mark.parametrize("rows", [1, 3])
def test_that_tables_say_what_their_intervals_leave_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: int
) -> None:
    survey, plan, out = str(_file(tmp_path)), str(tmp_path / "plan.json"), str(tmp_path / "out")
    options = ["--respondent", "person_id", "--rows-per-respondent", str(rows)]
    options += ["--strategy", "spl", "--declare", "mood=1|2|3"]
    assert main(["draft", survey, "-o", plan, "--epsilon", "6", *HEAD, *options]) == 0
    release = ["release", survey, "--plan", plan, "--out", out]
    assert main([*release, "--ledger", str(tmp_path / "ledger")]) == 0
    note = PrivacyUnit(respondent_column="person_id", rows_per_respondent=3).interval_note
    capsys.readouterr()
    assert main(["estimate", out, "--cross", "smoke,mood", "--json"]) == 0
    printed = capsys.readouterr()
    assert (note in json.loads(printed.out).get("notes", ())) == (rows > 1)
    assert (note in " ".join(printed.err.split())) == (rows > 1)


def test_that_an_input_is_joined_by_the_reading_of_its_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People with more rows than are joined, with fewer, without a name, and with a row twice."""
    names = [f"p{row % 60}" for row in range(150)] + ["", "p1", "p1", "alone"]
    sex = ["m" if name in {"p1", "p2", "alone"} else "f" for name in names]
    smoke = ["yes" if row % 7 < 3 else "no" for row in range(len(names))]
    table = table_from_texts({"pid": names, "sex": sex, "smoke": smoke})
    survey, plan = str(_file(tmp_path, table)), str(tmp_path / "plan.json")
    told = tmp_path / "private.json"
    joining = ["--join-rows", "pid=3", "--strategy", "spl"]
    assert main(["draft", survey, "-o", plan, "--epsilon", "9", *HEAD, *joining]) == 0
    drafted = load_plan(Path(plan))
    assert drafted.reading is not None
    assert drafted.reading.joined_rows == JoinedRows(by="pid", most=3, same=("sex",))
    assert [column.name for column in drafted.columns] == [
        *("pid", "sex", "smoke_1", "smoke_2", "smoke_3")
    ]
    assert drafted.respondents == 61
    capsys.readouterr()
    assert main(["check", plan, survey, "--json"]) == 0
    codes = [one["code"] for one in json.loads(capsys.readouterr().out)["problems"]]
    assert "answers_unfit" in codes  # The row without a name.
    release = ["release", survey, "--plan", plan, "--out", str(tmp_path / "out")]
    release += ["--ledger", str(tmp_path / "ledger"), "--private-diagnostics", str(told)]
    assert main(release) == 0
    found = json.loads(told.read_text("utf-8"))
    truth = {one["attribute"]: one["comparisons"] for one in found["attributes"]}
    assert (found["input_rows"], found["input_columns"]) == (154, 3)
    assert {one["category"]: round(61 * one["truth"]) for one in truth["sex"]} == {"f": 58, "m": 3}
    # The others have two rows, or one.
    answered = {one["category"]: round(61 * one["truth"]) for one in truth["smoke_3"]}
    assert sum(answered.values()) == 61
    assert answered["yes"] + answered["no"] == sum(
        names.count(name) >= 3 for name in dict.fromkeys(names)
    )
    published = load_plan(tmp_path / "out" / "plan.json")
    assert published.reading is not None
    assert published.reading.joined_rows == drafted.reading.joined_rows
    without = public_plan(drafted.with_column("sex", role="drop", mechanism=None)).reading
    assert without is not None
    assert without.joined_rows == JoinedRows(by="pid", most=3)


@pytest.mark.parametrize(
    "others",
    [["--one-row-each"], ["--rows-per-respondent", "2"], ["--respondent", "mood"]],
)
def test_that_joined_rows_are_no_other_rows_too(tmp_path: Path, others: list[str]) -> None:
    draft = ["draft", str(_file(tmp_path)), "-o", str(tmp_path / "plan.json")]
    assert main([*draft, "--join-rows", "person_id=3", *others]) == 2
    assert main([*draft, "--join-rows", "person_id=0"]) == 2


def test_that_statistics_stop_alike_and_count_the_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = [
        "query",
        str(_file(tmp_path)),
        "--declare",
        "smoke=yes|no",
        "--query",
        "count by smoke",
    ]
    query += ["--epsilon", "1", "--before", "--json"]
    assert main(query) == 1
    assert "--join-rows person_id" in capsys.readouterr().err
    widths = []
    for options in (
        ["--one-row-each"],
        ["--respondent", "person_id", "--rows-per-respondent", "3"],
    ):
        assert main([*query, *options]) == 0
        widths.append(json.loads(capsys.readouterr().out)["queries"][0]["half_width"])
    assert widths[1] > 2.5 * widths[0]
    query[query.index("smoke=yes|no")] = "smoke_2=yes|no"
    query[query.index("count by smoke")] = "count by smoke_2"
    assert main([*query, "--join-rows", "person_id=3"]) == 0
    assert json.loads(capsys.readouterr().out)["queries"][0]["half_width"] == widths[0]
    assert main([*query, "--one-row-each", "--respondent", "person_id"]) == 2
