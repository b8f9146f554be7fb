"""A format of records that no other file names is written, sealed, listed and told of."""

from __future__ import annotations

import csv
import errno
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.data.record_files import RECORD_FILES
from dpdesk.releases.folder import possible_files
from dpdesk.releases.records import RECORDS
from tests.kinds.lines_of_json import LinesOfJson
from tests.kinds.registered import registered


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with registered(RECORD_FILES, LinesOfJson):
        yield


def _release(tmp_path: Path, *settings: str) -> tuple[int, Path]:
    data, plan, out = tmp_path / "data.csv", tmp_path / "plan.json", tmp_path / "out"
    with data.open("w", newline="") as file:
        rows = [["yes", str(age), "n;o"] for age in range(20, 60)] * 5
        csv.writer(file).writerows([["smokes", "age", "note"], ["no", "20", "é"], *rows])
    words = ["draft", str(data), "-o", str(plan), "--epsilon", "3", "--confirm-domains"]
    assert main([*words, "--keep", "note", *settings]) == 0
    return main(["release", str(data), "--plan", str(plan), "--out", str(out)]), out


@pytest.mark.parametrize(
    "settings", [(), ("--set", "smokes=oue:2"), ("--set", "smokes=rappor:1,bits=4,cohorts=1")]
)
def test_that_it_holds_the_records_of_the_other_formats(
    settings: tuple[str, ...], tmp_path: Path
) -> None:
    code, out = _release(tmp_path, *settings)
    assert code == 0
    lines = (out / "records.jsonl").read_text(encoding="utf-8").splitlines()
    with (out / "records.csv").open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    assert len(records) == len(lines) == 201
    # Of a respondent who reports one attribute the others are empty in either file.
    written = [
        {name: "" if cell is None else str(cell) for name, cell in json.loads(line).items()}
        for line in lines
    ]
    assert written == records


def test_that_manifest_report_and_page_name_it(tmp_path: Path) -> None:
    code, out = _release(tmp_path)
    assert code == 0
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert "records.jsonl" in {entry["file"] for entry in manifest["files"]}
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    told = {"name": "records.jsonl", "content": LinesOfJson.content}
    assert told in report["reproduction"]["files"]
    assert ("records.jsonl", LinesOfJson.meaning) in RECORDS.files
    assert "records.jsonl" in possible_files()
    assert main(["estimate", str(out)]) == 0


def test_that_nothing_is_left_where_the_disk_refuses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(LinesOfJson, "write", refuse)
    code, out = _release(tmp_path)
    assert code == 4
    assert not out.exists()
    assert "no space left on device" in capsys.readouterr().err
