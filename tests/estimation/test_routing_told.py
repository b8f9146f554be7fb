"""Who was asked stands beside the estimates, and why the share answered among them is not told."""

from __future__ import annotations

import csv
import json
import random
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.cli.texts import T as Cli
from dpdesk.data.table import table_from_texts
from dpdesk.estimation.of_asked import (
    _FAKES,
    _UNPROTECTED,
    EITHER,
    FILTER_REPLACED,
    design_withholds,
)
from dpdesk.plan import draft_table, protect_unassigned
from dpdesk.plan.filter_question import AskedIf
from dpdesk.plan.missing import share_of_percent
from dpdesk.queries.condition import Condition
from dpdesk.reports.texts import T
from tests.texts import is_said

PEOPLE = 1200
RULE = "cig=smoker=daily|some"


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draws = random.Random(5)
    lines = ["smoker,cig,age,w"]
    for _ in range(PEOPLE):
        smoker = draws.choice(["daily", "some", "no", "no", ""])
        is_asked = smoker in ("daily", "some")
        # So many leave it open that chance hardly ever makes more answers than people asked.
        cig = draws.randint(1, 40) if is_asked and draws.random() < 0.6 else ""
        lines.append(f"{smoker},{cig},{draws.randint(18, 90)},{draws.choice([1, 2])}")
    path = tmp_path_factory.mktemp("survey") / "s.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def released(survey: Path, folder: Path, *options: str, treatment: str = "category") -> Path:
    plan, out = folder / "p.json", folder / "released"
    drop = () if "--weights" in options else ("--drop", "w")
    domains = ("--declare", "cig=1..40", "--declare", "age=18..90")
    draft = ["draft", str(survey), "-o", str(plan), "--confirm-domains", "--epsilon", "30"]
    assert not main([*draft, *domains, *drop, *options])
    content = json.loads(plan.read_text("utf-8"))
    smoker = next(c for c in content["columns"] if c["name"] == "smoker")
    if treatment == "value":
        smoker["missing"] |= {"policy": "value", "value": "daily"}
    plan.write_text(json.dumps(content), encoding="utf-8")
    assert not main(["release", str(survey), "--plan", str(plan), "--out", str(out)])
    return out


@pytest.mark.parametrize(
    ("options", "treatment", "why"),
    [
        ((), "category", ""),
        ((), "value", FILTER_REPLACED),
        (("--weights", "w"), "category", ""),
        (("--strategy", "smp"), "category", ""),
        (("--strategy", "smp", "--weights", "w"), "category", ""),
        (("--drop", "smoker"), "category", _UNPROTECTED),
        (("--asked", "cig=smoker=daily or age=80.."), "category", EITHER),
    ],
)
def test_that_a_release_says_who_was_asked_and_why_a_share_of_them_is_not_told(
    survey: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    treatment: str,
    why: str,
) -> None:
    rule = () if "--asked" in options else ("--asked", RULE)
    folder = released(survey, tmp_path, *rule, *options, treatment=treatment)
    report = json.loads((folder / "report.json").read_text("utf-8"))
    (cig,) = (a for a in report["results"]["attributes"] if a["attribute"] == "cig")
    assert cig["of_asked_withheld"] == why
    assert (cig["answered_of_asked"] is None) == bool(why)
    page = " ".join((folder / "report.html").read_text("utf-8").split())
    assert (f"The share answered among those asked is not told: {why}." in page) == bool(why)
    capsys.readouterr()
    assert not main(["estimate", str(folder)])
    told = capsys.readouterr().out
    assert f"cig: Asked only where {cig['asked']}: who was not asked counts as" in told
    assert not why or why in told
    assert not main(["estimate", str(folder), "--json"])
    assert any(note in told for note in json.loads(capsys.readouterr().out)["notes"])
    with (folder / "estimates.csv").open(encoding="utf-8", newline="") as file:
        asked = {row["attribute"]: row["asked"] for row in csv.DictReader(file)}
    assert asked["cig"] == cig["asked"]
    assert not asked["age"]
    book = (folder / "codebook.csv").read_text("utf-8-sig")
    rows = [row for row in csv.DictReader(book.splitlines()) if row["role"] == "protected"]
    noted = [row["column"] for row in rows if "Asked only where" in row["note"]]
    assert noted
    assert {name.partition("=")[0] for name in noted} == {"cig"}


def test_that_fake_reports_do_not_tell_the_share_among_those_asked() -> None:
    table = table_from_texts({"smoker": ["yes", "no"], "cig": ["some", ""]})
    plan = protect_unassigned(draft_table(table))
    asked = AskedIf(any_of=(Condition(column="smoker", values=("yes",)),))
    for strategy, why in (("spl", ""), ("smp", ""), ("rsfd", _FAKES), ("rsrfd", _FAKES)):
        assert design_withholds(plan.with_fields(strategy=strategy), asked) == why


def test_that_confirm_lists_who_was_asked_and_says_that_the_data_contradict_it(
    survey: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "p.json"
    assert not main(["draft", str(survey), "-o", str(plan), "--declare", "cig=1..40"])
    capsys.readouterr()
    listing = ["confirm", str(plan), "cig", "--asked", RULE]
    assert not main(listing)
    assert Cli.ASKED_WHERE(condition="smoker is daily or some") in capsys.readouterr().out
    wrong = ["confirm", str(plan), "cig", "--asked", "cig=smoker=no", "--data", str(survey)]
    assert not main([*wrong, "-o", str(tmp_path / "q.json")])
    assert "people who should not have been asked" in capsys.readouterr().out
    assert not main([*wrong, "--json"])
    (entry,) = json.loads(capsys.readouterr().out)["columns"]
    assert entry["asked"] == "smoker is no"
    assert not entry["of_asked_withheld"]
    assert "people who should not have been asked" in entry["contradicted"]
    either = ["confirm", str(plan), "cig", "--asked", f"{RULE} or age=80.."]
    assert not main(either)
    assert Cli.SHARE_WITHHELD(reason=EITHER) in capsys.readouterr().out
    assert not main([*listing, "--data", str(survey)])
    assert "should not have been asked" not in capsys.readouterr().out


def test_that_respondents_read_what_the_codes_of_a_filter_mean(
    survey: Path, tmp_path: Path
) -> None:
    book = tmp_path / "book.csv"
    book.write_text(
        "column,label,kind,role,value,meaning\n"
        "smoker,,nominal,,daily,smokes every day\nsmoker,,nominal,,some,some\n"
        "smoker,,nominal,,no,never smokes\n",
        encoding="utf-8",
    )
    folder = released(survey, tmp_path, "--asked", RULE, "--codebook", str(book))
    report = json.loads((folder / "report.json").read_text("utf-8"))
    (told,) = (s for s in report["for_respondents"]["hidden"] if is_said(T.WHETHER_ASKED, s))
    assert "(only where smoker is daily or some; daily means smokes every day)" in told


@pytest.mark.parametrize(
    ("typed", "share"),
    [("0.45", None), ("0.45 %", "0.0045"), ("45", "0.45"), ("1", "0.01"), ("100", None)],
)
def test_that_a_share_below_one_per_cent_is_never_a_guess(typed: str, share: str | None) -> None:
    read = share_of_percent(typed)
    assert read == (None if share is None else Decimal(share))
