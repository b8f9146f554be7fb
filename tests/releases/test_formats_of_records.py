"""From a file to a plan, a release in the same format, and its own program: nothing gets lost."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyreadstat
import pytest

import dpdesk
from dpdesk.cli.main import main
from dpdesk.data.formats.texts import T
from dpdesk.estimation import estimate_rows
from dpdesk.estimation.from_records import released_from_file
from dpdesk.plan import Plan, load_plan, save_plan
from dpdesk.releases.verify import verify_release

PSPP = Path("/usr/share/pspp/examples/personnel.sav")
ROWS = 60


@pytest.fixture(scope="module", autouse=True)
def _unset_pages() -> Iterator[None]:
    """The report as PDF has tests of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpdesk.releases.folder.pdf_of_page", lambda *_: b"%PDF-1.7")
        yield


@dataclass(frozen=True)
class _Made:
    """A release of a file.

    Attributes:
        folder: Its folder.
        plan: The plan that it was drafted by.
    """

    folder: Path
    plan: Plan


def _released(data: Path, folder: Path, *settings: str, write: str = "") -> _Made:
    """Drafts, releases and returns a release; every column has a large epsilon."""
    plan = folder.with_suffix(".json")
    words = [
        "draft",
        "--strategy",
        "spl",
        str(data),
        "-o",
        str(plan),
        "--epsilon",
        "40",
        "--confirm-domains",
    ]
    assert main([*words, *settings]) == 0
    words = ["release", str(data), "--plan", str(plan), "--out", str(folder), "--other-people"]
    assert main([*words, *(("--write", write) if write else ())]) == 0
    return _Made(folder, load_plan(plan))


def _survey() -> pd.DataFrame:
    place = np.arange(ROWS)
    return pd.DataFrame(
        {
            "id": place + 1000,
            "vote": np.where(place % 7 == 0, -9.0, place % 3 + 1.0),
            "age": 20.0 + place % 50,
            "town": np.array(["N", "S"])[place % 2],
            "wave": pd.to_datetime("2024-01-01") + pd.to_timedelta(place % 28, unit="D"),
            "weight": 0.5 + place % 4,
        }
    )


_LABELS = {"vote": {1.0: "left", 2.0: "right", 3.0: "other", -9.0: "refused"}}
_TITLES = ["", "Party", "Age in years", "Town", "Day of the interview", "Design weight"]
_SETTINGS = ("--keep", "town", "--keep", "wave", "--keep", "weight", "--drop", "id")


@pytest.fixture(scope="module")
def spss(tmp_path_factory: pytest.TempPathFactory) -> _Made:
    """The release of a file that pyreadstat wrote for SPSS."""
    folder = tmp_path_factory.mktemp("spss")
    table = _survey()
    table["wave"] = table["wave"].dt.date
    pyreadstat.write_sav(
        table,
        folder / "survey.sav",
        column_labels=_TITLES,
        variable_value_labels=_LABELS | {"town": {"N": "North", "S": "South"}},
        missing_ranges={"vote": [-9.0]},
        variable_measure={"vote": "ordinal", "age": "scale", "town": "nominal"},
    )
    return _released(folder / "survey.sav", folder / "out", *_SETTINGS)


def test_that_a_file_of_spss_suggests_one(spss: _Made) -> None:
    assert spss.plan.formats == ("sav",)


def test_that_labels_order_codes_and_dates_of_spss_are_kept(spss: _Made) -> None:
    table, meta = pyreadstat.read_sav(spss.folder / "records.sav", user_missing=True)
    assert [name.split("=")[0] for name in meta.column_names if "age" not in name][-3:] == [
        *("town", "wave", "weight")
    ]
    assert meta.column_names_to_labels["vote"] == "Party"
    labels = meta.variable_value_labels["vote"]
    assert [labels[code] for code in (1.0, 2.0, 3.0)] == ["left", "right", "other"]
    assert meta.missing_ranges["vote"] == [{"lo": -9.0, "hi": -9.0}]
    assert set(table["vote"]) <= {1.0, 2.0, 3.0, -9.0}
    assert meta.variable_value_labels["town"] == {"N": "North", "S": "South"}
    survey = _survey()
    assert sorted(table["wave"]) == sorted(survey["wave"].dt.date)
    assert sorted(table["weight"]) == sorted(survey["weight"])
    # Their order is that of the shuffled records, in every file.
    with (spss.folder / "records.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["town"] for row in rows] == table["town"].tolist()
    assert [row["wave"] for row in rows] == [day.isoformat() for day in table["wave"]]


def test_that_the_folder_is_sealed_listed_and_estimated_from(spss: _Made) -> None:
    assert not verify_release(spss.folder).faults
    manifest = json.loads((spss.folder / "manifest.json").read_text())
    assert "records.sav" in {entry["file"] for entry in manifest["files"]}
    report = json.loads((spss.folder / "report.json").read_text())
    assert "records.sav" in {one["name"] for one in report["reproduction"]["files"]}
    plan = load_plan(spss.folder / "plan.json")
    assert plan.formats == ("sav",)
    csv_rows, own = (
        [row for a in released_from_file(path, plan).attributes for row in estimate_rows(a)]
        for path in (spss.folder, spss.folder / "records.sav")
    )
    assert csv_rows == own
    found = dpdesk.estimate(spss.folder / "records.sav")
    assert found.verified
    with (spss.folder / "records.sav").open("ab") as file:
        file.write(b" ")
    try:
        with pytest.raises(dpdesk.errors.InputError, match=r"records\.sav has"):
            dpdesk.estimate(spss.folder / "records.sav")
    finally:
        raw = (spss.folder / "records.sav").read_bytes()
        (spss.folder / "records.sav").write_bytes(raw[:-1])


def test_that_nothing_but_the_release_is_in_the_file(spss: _Made) -> None:
    raw = (spss.folder / "records.sav").read_bytes()
    assert b"survey" not in raw
    _, meta = pyreadstat.read_sav(spss.folder / "records.sav")
    assert meta.creation_time.year == 1980
    assert "id" not in meta.column_names


def test_that_a_file_of_stata_keeps_its_extended_missing_values(tmp_path: Path) -> None:
    table = _survey()
    table["vote"] = table["vote"].replace(-9.0, "a").map(lambda v: v if v == "a" else int(v))
    pyreadstat.write_dta(
        table,
        tmp_path / "survey.dta",
        column_labels=_TITLES,
        variable_value_labels={"vote": {1: "left", 2: "right", 3: "other", "a": "refused"}},
        missing_user_values={"vote": ["a"]},
    )
    made = _released(tmp_path / "survey.dta", tmp_path / "out", *_SETTINGS, "--set", "vote=grr:9")
    assert made.plan.formats == ("dta",)
    found, meta = pyreadstat.read_dta(made.folder / "records.dta", user_missing=True)
    assert set(found["vote"]) <= {1, 2, 3, "a"}
    assert meta.missing_user_values["vote"] == ["a"]
    assert {meta.variable_value_labels["vote"][code] for code in (1, 2, 3)} == {
        *("left", "right", "other")
    }
    own: Any = pd.read_stata(made.folder / "records.dta")
    assert sorted(own["wave"]) == sorted(_survey()["wave"])


def test_that_a_workbook_comes_back_as_one(tmp_path: Path) -> None:
    _survey().to_excel(tmp_path / "survey.xlsx", index=False, engine="openpyxl")
    made = _released(tmp_path / "survey.xlsx", tmp_path / "out", *_SETTINGS, "--drop", "vote")
    assert made.plan.formats == ("xlsx",)
    sheet = openpyxl.load_workbook(made.folder / "records.xlsx")["records"]
    rows = list(sheet.iter_rows(values_only=True))
    days = [row[rows[0].index("wave")] for row in rows[1:]]
    assert sorted(days) == sorted(_survey()["wave"].dt.to_pydatetime())
    again = pd.read_excel(made.folder / "records.xlsx", sheet_name="records", engine="openpyxl")
    assert again["weight"].dtype == np.float64


@pytest.mark.skipif(not PSPP.exists(), reason="PSPP is not installed")
def test_that_a_real_file_of_spss_comes_back(tmp_path: Path) -> None:
    made = _released(PSPP, tmp_path / "out", "--set", "sex=grr:9")
    _, before = pyreadstat.read_sav(PSPP)
    _, after = pyreadstat.read_sav(made.folder / "records.sav", user_missing=True)
    assert after.column_names_to_labels["sex"] == before.column_names_to_labels["sex"]
    labels = before.variable_value_labels["sex"]
    assert {c: after.variable_value_labels["sex"][c] for c in (0.0, 1.0)} == {
        c: labels[c] for c in (0.0, 1.0)
    }


def _csv(folder: Path, note: str) -> Path:
    path = folder / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = [["yes" if i % 3 else "no", str(20 + i % 40), note, "bé 😀"] for i in range(80)]
        csv.writer(file).writerows([["smokes a lot", "age", "note", "=1+1"], *rows])
    return path


def test_that_bits_have_names_that_fit_and_labels_that_say_what_they_are(tmp_path: Path) -> None:
    data = _csv(tmp_path, "=cmd()")
    settings = ("--keep", "note", "--keep", "=1+1", "--set", "smokes a lot=oue:2")
    made = _released(data, tmp_path / "out", *settings, write="sav")
    assert made.plan.formats == ()
    _, meta = pyreadstat.read_sav(made.folder / "records.sav")
    assert meta.column_names == ["smokes_a_lot_no", "smokes_a_lot_yes", "age", "note", "v_1_1"]
    told = "smokes a lot: yes (bit, changed at random)"
    assert meta.column_names_to_labels["smokes_a_lot_yes"] == told
    with (made.folder / "codebook.csv").open(newline="", encoding="utf-8") as file:
        notes = {row["column"]: row["note"] for row in reversed(list(csv.DictReader(file)))}
    assert "In records.sav: smokes_a_lot_yes." in notes["smokes a lot=yes"]


@pytest.mark.parametrize(("write", "note"), [("dta", "y" * 2100), ("xlsx", "y" * 33_000)])
def test_that_what_does_not_fit_is_refused_before_the_charge(
    write: str, note: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, plan = _csv(tmp_path, note), tmp_path / "plan.json"
    words = ["draft", str(data), "-o", str(plan), "--epsilon", "3", "--confirm-domains"]
    assert main([*words, "--keep", "note", "--drop", "=1+1"]) == 0
    assert main(["check", str(plan), str(data), "--write", write]) == 1
    said = capsys.readouterr()
    too_long = {"dta": T.LONG_TEXT(column="note", most=2045, file="records.dta")}
    too_long["xlsx"] = T.LONG_EXCEL_TEXT(column="note", most=32_767, file="records.xlsx")
    assert too_long[write] in said.out + said.err
    assert main(["check", str(plan), str(data)]) == 0
    words = ["release", str(data), "--plan", str(plan), "--out", str(tmp_path / "out")]
    assert main([*words, "--write", write, "--population", "them"]) == 1
    errors = capsys.readouterr().err
    assert too_long[write] in errors
    assert too_long[write].remedy in errors
    assert "yyy" not in errors
    assert not (tmp_path / "out").exists()
    assert main(["ledger", "--json"]) == 0
    assert '"released"' not in capsys.readouterr().out


def test_that_a_plan_keeps_its_formats_and_refuses_others(tmp_path: Path) -> None:
    plan = Plan(formats=("XLSX", ".sav", "sav"))
    assert plan.formats == ("xlsx", "sav")
    save_plan(plan, tmp_path / "plan.json")
    assert load_plan(tmp_path / "plan.json") == plan
    assert "formats" not in Plan().model_dump(mode="json")
    with pytest.raises(ValueError, match="not written in a format"):
        Plan(formats=("doc",))


def test_that_synthetic_rows_come_in_further_formats(tmp_path: Path) -> None:
    data, plan = _csv(tmp_path, "a"), tmp_path / "plan.json"
    words = ["draft", str(data), "-o", str(plan), "--epsilon", "3", "--confirm-domains"]
    assert main([*words, "--drop", "note", "--drop", "=1+1"]) == 0
    words = ["synthesize", str(data), "--plan", str(plan), "--out", str(tmp_path / "out")]
    assert main([*words, "--write", "sav", "--write", "xlsx", "--rows", "50"]) == 0
    table, _ = pyreadstat.read_sav(tmp_path / "out" / "records.sav")
    assert len(table) == 50
    assert table["age"].dtype == np.float64
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["also_as"] == ["records.sav", "records.xlsx"]
    assert "records.sav" in (tmp_path / "out" / "annex.html").read_text()


@pytest.fixture(scope="module")
def in_every_format(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release in every format, of a file with labels, an order, codes and a range of codes."""
    folder = tmp_path_factory.mktemp("every")
    table = _survey().assign(mood=np.array(["low", "mid", "high"])[np.arange(ROWS) % 3])
    table["wave"] = table["wave"].dt.date
    pyreadstat.write_sav(
        table,
        folder / "survey.sav",
        column_labels=[*_TITLES, "Mood today"],
        variable_value_labels=_LABELS | {"town": {"N": "North", "S": "South"}},
        missing_ranges={"vote": [-9.0], "age": [{"lo": 97, "hi": 99}]},
        variable_measure={"vote": "ordinal", "age": "scale", "town": "nominal"},
    )
    settings = ("--declare", "mood=low|mid|high", "--kind", "mood=ordinal", "--keep", "age")
    settings += ("--set", "vote=grr:9")
    write = [word for kind in ("sav", "dta", "xlsx", "feather") for word in ("--write", kind)]
    plan = folder / "plan.json"
    words = [
        "draft",
        "--strategy",
        "spl",
        str(folder / "survey.sav"),
        "-o",
        str(plan),
        "--epsilon",
        "18",
    ]
    assert main([*words, "--confirm-domains", *_SETTINGS, *settings]) == 0
    words = ["release", str(folder / "survey.sav"), "--plan", str(plan), "--other-people"]
    assert main([*words, "--out", str(folder / "out"), *write]) == 0
    return folder / "out"


@pytest.mark.parametrize("word", ["sav", "dta", "xlsx", "parquet", "feather", "csv"])
def test_that_a_release_which_is_opened_again_keeps_labels_order_and_codes(
    word: str, in_every_format: Path, tmp_path: Path
) -> None:
    plan = tmp_path / "again.json"
    words = ["draft", str(in_every_format / f"records.{word}"), "-o", str(plan)]
    if word == "csv":
        words += ["--codebook", str(in_every_format / "codebook.csv")]
    assert main(words) == 0
    again = load_plan(plan)
    assert [column.name for column in again.columns] == ["vote", *_KEPT, "mood"]
    vote, mood, town, age = (again.column(name) for name in ("vote", "mood", "town", "age"))
    assert [column.label for column in (vote, mood, town)] == ["Party", "Mood today", "Town"]
    assert (vote.kind, mood.kind) == ("ordinal", "ordinal")
    assert [vote.domain.label(code) for code in range(3)] == ["left", "right", "other"]
    assert [mood.domain.label(code) for code in range(3)] == ["low", "mid", "high"]
    # Stata labels no texts, and has no ranges.
    towns = {"N", "S"} if word == "dta" else {"North", "South"}
    assert {town.domain.label(code) for code in range(2)} == towns
    assert vote.missing.tokens
    ranges = [] if word == "dta" else ["97 to 99"]
    assert [one.text for one in age.missing.ranges] == ranges
    assert again.column("weight").kind == "weight"
    assert again.column("wave").kind == "date"


_KEPT = ("age", "town", "wave", "weight")
