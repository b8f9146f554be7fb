"""The registry entry of a release, as a reader of YAML sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from dpdesk.cli.main import main
from dpdesk.engine import untracked
from dpdesk.plan import PlanDetails
from dpdesk.releases.kinds import KINDS
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release
from dpdesk.releases.statistics import STATISTICS
from dpdesk.reports.registry import REGISTRY_NAME, RegistryEntry, entry_of_records, entry_yaml
from dpdesk.reports.texts import T
from dpdesk.resources import resource
from tests.engine.survey import survey, survey_plan
from tests.reports.asked import asked_plan, asked_table
from tests.reports.cases import COLUMNS, HOSTILE, KEPT, plan_of, released_of, report_of

pytestmark = pytest.mark.printed

TEXTS = (
    *HOSTILE,
    *("no", "~", "null", "1e3", "2024-01-01", "0x10", "1:30", "", " x ", "- a", "a: b", "# c"),
    *("&a", "*a", "!!str 1", "%YAML", "@", "`", "? q", "|", ">", "{a: 1}", "[1]", "\\u0041", '"'),
    *(
        "two\nlines",
        "tab\there",
        "\r",
        "\x00",
        "\x07",
        "\x7f",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ufffe",
    ),
    *("\ufffe", "שלום", "中文", "😀", "\ue000", "ε ≤ 1", "'", "---", "..."),
)


def entry_with(text: str) -> RegistryEntry:
    details = PlanDetails(title="A survey", curator="An office")
    entry = entry_of_records(report_of(released_of(plan_of(*COLUMNS, KEPT, details=details))))
    flavor = entry.dp_flavor.model_copy(update={"unprotected": (text, text)})
    return entry.model_copy(
        update={"name": text, "contact": text, "dp_flavor": flavor, "justification": text}
    )


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_that_every_text_is_read_as_it_was_written(text: str) -> None:
    entry = entry_with(text)
    assert yaml.safe_load(entry_yaml(entry)) == entry.model_dump(mode="json")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_that_every_kind_of_release_has_an_entry(kind) -> None:
    assert REGISTRY_NAME in {name for name, _ in kind.files}
    assert "format" in kind.report_type.model_fields


def test_that_an_entry_says_the_loss_of_a_person_and_of_each_attribute() -> None:
    report = report_of(released_of(plan_of(*COLUMNS, KEPT)))
    content = yaml.safe_load(entry_yaml(entry_of_records(report)))
    loss = content["privacy_loss"]
    assert loss["epsilon"] == "8.75"
    assert loss["delta"] == "0"
    assert {part["name"]: part["epsilon"] for part in loss["parts"]} == {
        "smoker": "1",
        "faith": "2",
        "work": "0.5",
        "food": "1.25",
        "age": "3",
        "income": "1",
    }
    assert content["dp_flavor"]["name"] == T.PURE_LOCAL()
    assert content["dp_flavor"]["unprotected"][0] == T.AS_SURVEYED(names="“region”")
    assert content["data_curator"] == "An office"
    assert content["publication_date"] == "2024-02-29"


def test_that_the_documentation_lists_every_field() -> None:
    page = resource("docs/release-folder.md").read_text(encoding="utf-8")
    section = page.split("## The registry entry")[1].split("\n## ")[0]
    names = RegistryEntry.model_fields.keys() - {"format", "version"}
    assert {name for name in names if f"`{name}`" not in section} == set()


def released(kind, folder: Path) -> Path:
    table, plan = (survey(), survey_plan()) if kind is RECORDS else (asked_table(), asked_plan())
    release(kind, table, plan, folder, untracked())
    return folder


@pytest.mark.parametrize("kind", [RECORDS, STATISTICS], ids=lambda kind: kind.name)
def test_that_the_command_prints_the_entry_of_the_folder(kind, tmp_path, capsys) -> None:
    folder = released(kind, tmp_path / "out")
    written = (folder / REGISTRY_NAME).read_text(encoding="utf-8")
    assert main(["report", str(folder)]) == 0
    assert capsys.readouterr().out == written
    assert main(["report", str(folder), "--contact", "M. Curie: #1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == yaml.safe_load(written) | {"contact": "M. Curie: #1"}


def test_that_the_command_writes_the_report_for_other_paper(tmp_path, capsys) -> None:
    folder = released(STATISTICS, tmp_path / "out")
    target = tmp_path / "letter.pdf"
    assert main(["report", str(folder), "--pdf", str(target)]) == 0
    assert target.read_bytes() == (folder / "report.pdf").read_bytes()
    words = ["report", str(folder), "--pdf", str(target), "--paper", "letter", "--overwrite"]
    assert main(words) == 0
    assert b"[0 0 612 792]" in target.read_bytes()


def test_that_a_changed_report_is_refused(tmp_path, capsys) -> None:
    folder = released(STATISTICS, tmp_path / "out")
    report = folder / "report.json"
    report.write_text(report.read_text("utf-8").replace("central", "Central", 1), "utf-8")
    assert main(["report", str(folder)]) == 3
    assert "report.json" in capsys.readouterr().err
    report.write_text("{}", "utf-8")
    assert main(["report", str(folder), "--unverified"]) == 3
    assert main(["report", str(tmp_path)]) == 3
