"""What every kind of release says of itself is what its releases are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.table import SurveyTable
from dpdesk.engine import untracked
from dpdesk.gui.plan_problems import PlanProblems
from dpdesk.ledgers import Ledger
from dpdesk.plan import Plan
from dpdesk.releases import folder as folder_module
from dpdesk.releases.charged_folders import charged_folders
from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.kinds import KINDS, kind_named
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release
from dpdesk.releases.verify import verify_release
from tests.engine.survey import survey, survey_plan
from tests.refusals import refused
from tests.reports.asked import asked_plan, asked_table

GIVEN: dict[str, tuple[SurveyTable, Plan]] = {
    "records": (survey(60), survey_plan()),
    "statistics": (asked_table(), asked_plan()),
    "synthetic": (survey(60), survey_plan()),
}
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


@every_kind
def test_that_a_release_is_what_its_kind_says(kind: ReleaseKind[Any, Any], tmp_path: Path) -> None:
    table, plan = GIVEN[kind.name]
    made = release(kind, table, plan, tmp_path / "out", untracked())
    assert set(made.files) == {name for name, _ in kind.files}
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(made.files)
    assert made.report.format == kind.report_format
    assert made.charge.costs == (kind.cost(plan),)
    (listed,) = Ledger.open().book().populations()[0].releases
    assert (listed.kind, listed.outcome) == (kind.name, "written")
    (found,) = charged_folders(tmp_path)
    assert (found.kind, found.release_id) == (kind, made.charge.id)
    assert not verify_release(tmp_path / "out").faults


@every_kind
def test_that_what_a_killed_run_left_is_known_by_its_files(kind: ReleaseKind[Any, Any]) -> None:
    # A part with a file of another name is none of ours, and is not cleared away.
    assert {name for name, _ in kind.files} <= folder_module.possible_files()


def test_that_records_without_a_folder_are_refused_before_anything_is_charged() -> None:
    with refused("releases.no-folder"):
        release(RECORDS, survey(60), survey_plan(), None, untracked())
    assert Ledger.open().book().populations() == ()


def test_that_a_kind_is_found_by_its_name_and_an_unknown_one_is_the_first() -> None:
    assert [kind_named(kind.name) for kind in KINDS] == list(KINDS)
    assert kind_named("of another day") is KINDS[0]


@every_kind
def test_that_the_problems_of_each_kind_are_found_by_themselves(
    kind: ReleaseKind[Any, Any],
) -> None:
    table, plan = GIVEN[kind.name]
    finder = PlanProblems()
    for other in KINDS:
        finder.find(plan, table, other)
    assert finder.find(plan, table, kind) == PlanProblems().find(plan, table, kind)
