"""What a release of statistics writes, and what it never writes."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.table import SurveyTable
from dpdesk.domains import Categorical
from dpdesk.engine import untracked
from dpdesk.engine.statistics import release_statistics
from dpdesk.errors import CapReachedError, PlanError
from dpdesk.ledgers import Cap
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.plan import ColumnPlan, Plan, load_plan
from dpdesk.queries import PrivacyUnit
from dpdesk.releases.release import Release, release
from dpdesk.releases.statistics import STATISTICS
from tests.reports.asked import FILES, REGIONS, asked_plan, asked_table

CANARY = "Zwergensalm"
UNITS = (
    PrivacyUnit(),
    PrivacyUnit(relation="replace"),
    PrivacyUnit(respondent_column="id", rows_per_respondent=2),
)


def released(folder: Path, table: SurveyTable | None = None, plan: Plan | None = None) -> Release:
    return release(STATISTICS, table or asked_table(), plan or asked_plan(), folder, untracked())


def lines_of(folder: Path) -> list[dict[str, str]]:
    with (folder / "statistics.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def assert_whole(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == FILES
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {entry["file"] for entry in manifest["files"]} == FILES - {"manifest.json"}
    for entry in manifest["files"]:
        content = (folder / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]


def test_that_a_release_is_one_whole_folder(tmp_path: Path) -> None:
    result = released(tmp_path / "out")
    assert_whole(tmp_path / "out")
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]
    assert set(result.files) == FILES
    assert result.is_noted
    again = load_plan(tmp_path / "out" / "plan.json")
    assert again.statistics == asked_plan().statistics
    report = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    assured = {str(at): query["assurance"] for at, query in enumerate(report["queries"], 1)}
    assert "quantile" in {query["kind"] for query in report["queries"] if query["assurance"]}
    # What a choice assures of ranks stands beside it, as in the report.
    for line in lines_of(tmp_path / "out"):
        assert line["assurance"] == assured[line["query"]]


@pytest.mark.parametrize("unit", UNITS, ids=lambda u: f"{u.relation}-{u.rows_per_respondent}")
def test_that_nothing_of_one_respondent_alone_is_written(tmp_path: Path, unit: PrivacyUnit) -> None:
    table = asked_table(region=CANARY, marker=CANARY)
    released(tmp_path / "out", table, asked_plan(unit))
    assert len(list((tmp_path / "out").iterdir())) > 3
    for path in (tmp_path / "out").iterdir():
        content = path.read_bytes().lower()
        assert CANARY.lower().encode() not in content, path.name
        assert b"sickness" not in content
        assert b"trusted.csv" not in content


def test_that_a_suggested_domain_of_a_column_that_is_not_asked_stays_at_home(
    tmp_path: Path,
) -> None:
    rare = ColumnPlan(
        name="sickness",
        kind="nominal",
        provenance="suggested",
        confirmed=True,
        domain=Categorical(values=("none", f"{CANARY} fever")),
    )
    plan = asked_plan()
    plan = plan.with_columns((*plan.columns, rare))
    released(tmp_path / "out", asked_table(marker=CANARY), plan)
    assert len(list((tmp_path / "out").iterdir())) > 3
    for path in (tmp_path / "out").iterdir():
        assert CANARY.encode() not in path.read_bytes(), path.name


@pytest.mark.parametrize("name", ["region", "id"])
def test_that_a_domain_that_was_read_off_the_data_is_not_asked_before_it_is_confirmed(
    name: str, tmp_path: Path
) -> None:
    plan = asked_plan(PrivacyUnit(respondent_column="id"), f"count by {name}")
    domain = Categorical(values=("north", CANARY))
    plan = plan.with_column(
        name, kind="nominal", domain=domain, provenance="suggested", confirmed=False
    )
    with pytest.raises(PlanError, match="are unconfirmed") as refusal:
        released(tmp_path / "out", None, plan)
    assert CANARY not in str(refusal.value)
    assert not (tmp_path / "out").exists()


def test_that_identifiers_of_respondents_are_not_written_even_where_they_were_suggested(
    tmp_path: Path,
) -> None:
    plan = asked_plan(PrivacyUnit(respondent_column="id")).with_column(
        "id",
        kind="nominal",
        provenance="suggested",
        domain=Categorical(values=(f"{CANARY}-000000", f"{CANARY}-000001")),
        expected=(Decimal(1), Decimal(2)),
    )
    released(tmp_path / "out", asked_table(marker=CANARY), plan)
    assert len(list((tmp_path / "out").iterdir())) > 3
    for path in (tmp_path / "out").iterdir():
        assert CANARY.encode() not in path.read_bytes(), path.name


def test_that_the_number_of_rows_is_written_only_where_it_is_public(tmp_path: Path) -> None:
    table = asked_table(7_411)
    plan = asked_plan().with_fields(respondents=7_411)
    for name, unit in (("hidden", UNITS[0]), ("public", UNITS[1])):
        statistics = plan.statistics.with_fields(unit=unit)
        released(tmp_path / name, table, plan.with_fields(statistics=statistics))
    # A number by itself: the digits of a noisy one can hold these four by chance.
    whole = re.compile(rb"(?<![0-9a-f.])7,?411(?![0-9a-f.])")
    for path in (tmp_path / "hidden").iterdir():
        content = path.read_bytes()
        if path.suffix in {".json", ".html"} and path.name != "manifest.json":
            assert not whole.search(content), path.name
    assert whole.search((tmp_path / "public" / "report.json").read_bytes())


def test_that_a_public_number_of_rows_is_that_of_respondents_and_not_of_their_rows() -> None:
    unit = PrivacyUnit(relation="replace", respondent_column="sex")
    plan = asked_plan(unit, "mean of age")
    result = release_statistics(asked_table(), plan, untracked())
    assert result.rows == 2


def test_that_the_form_of_a_release_is_the_same_whatever_the_data_are(tmp_path: Path) -> None:
    tables = (asked_table(), asked_table(2), asked_table(900, region=CANARY))
    forms = []
    for number, table in enumerate(tables):
        released(tmp_path / str(number), table)
        lines = lines_of(tmp_path / str(number))
        forms.append([(x["query"], x["asked"], x["key_1"], x["key_2"]) for x in lines])
    assert forms[0] == forms[1] == forms[2]
    keys = {(key_1, key_2) for query, _, key_1, key_2 in forms[0] if query == "2"}
    assert keys == {(region, sex) for region in REGIONS for sex in "fm"}


def test_that_what_is_charged_is_what_was_asked_and_what_is_run_is_no_more() -> None:
    plan = asked_plan()
    result = release(STATISTICS, asked_table(), plan, None, untracked())
    (cost,) = result.charge.costs
    assert cost.epsilon == Decimal("4.5") == plan.statistics.epsilon
    assert cost.model == "central"
    assert result.released.cost.epsilon <= cost.epsilon
    assert result.released.cost.epsilon > cost.epsilon - Decimal("1e-6")


def test_that_nothing_is_drawn_before_the_charge_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, table = asked_plan(), asked_table()

    def refuses() -> None:
        raise CapReachedError("The cap is reached.")

    def draws(*_: object) -> None:
        raise AssertionError("drawn before the charge")

    monkeypatch.setattr("dpdesk.engine.statistics.coded_rows", draws)
    with pytest.raises(CapReachedError):
        release_statistics(table, plan, untracked(), refuses)
    with pytest.raises(AssertionError, match="drawn"):
        release_statistics(table, plan, untracked(), lambda: None)


def test_that_a_reached_cap_leaves_no_folder_and_no_charge(tmp_path: Path) -> None:
    to = ChargeTo(population="People", cap=Cap(Decimal(5)))
    release(STATISTICS, asked_table(), asked_plan(), tmp_path / "one", untracked(), to)
    with pytest.raises(CapReachedError):
        release(STATISTICS, asked_table(), asked_plan(), tmp_path / "two", untracked(), to)
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forks")
def test_that_a_kill_at_any_step_leaves_all_or_nothing_and_no_draw_without_its_charge(
    tmp_path: Path, root: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.releases.killed_statistics", str(tmp_path), "3", "41"],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [int(line[1]) for line in lines] == [-9] * (len(lines) - 1) + [0]
    assert len(lines) >= 8
    for step, _, found, drawn, *outcomes in lines:
        assert len(outcomes) == 1
        if drawn == "1" or found == "whole":
            assert outcomes != ["nothing"]
        if found == "whole":
            assert_whole(tmp_path / step / "out")
    assert {line[4] for line in lines} >= {"nothing", "open", "written"}
    assert any(line[2:5] == ["nothing", "1", "open"] for line in lines)
