"""What a release carries of the ledger, and that a ledger that lost it is noticed."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections import Counter
from pathlib import Path
from unittest.mock import Mock

import pytest

from dpdesk.cli.main import main
from dpdesk.engine import untracked
from dpdesk.errors import ParameterError, ReleaseError
from dpdesk.ledgers import Ledger, accept_older
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.releases import folder as folder_module
from dpdesk.releases.charged_folders import charged_folders
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import release
from dpdesk.releases.statistics import STATISTICS
from dpdesk.releases.texts import T
from tests.engine.survey import survey, survey_plan
from tests.ledgers.charges import one
from tests.refusals import refused
from tests.reports.asked import asked_plan, asked_table


def write(kind: str, folder: Path) -> str:
    if kind == "records":
        made = release(RECORDS, survey(60), survey_plan(), folder, untracked())
        return made.report.identity.release_id
    told = release(STATISTICS, asked_table(), asked_plan(), folder, untracked())
    return told.report.identity.release_id


@pytest.fixture(params=["records", "statistics"])
def rolled_back(request: pytest.FixtureRequest, tmp_path: Path, ledger_of_this_test: Path) -> str:
    """A release that the ledger forgot, since an older copy of it was put back whole."""
    Ledger.open()
    older = {file: file.read_bytes() for file in ledger_of_this_test.parent.iterdir()}
    write(request.param, tmp_path / "release one")
    for file in ledger_of_this_test.parent.iterdir():
        file.unlink()
    for file, content in older.items():
        file.write_bytes(content)
    # The witness notices that; who removes it as well, or goes on, meets the folder.
    assert accept_older() > 0
    return str(request.param)


def test_that_a_report_carries_a_seal_that_its_ledger_alone_knows(tmp_path: Path):
    write("records", tmp_path / "one")
    write("statistics", tmp_path / "two")
    found = list(charged_folders(tmp_path))
    assert {each.kind for each in found} == {RECORDS, STATISTICS}
    ledger, other = Ledger.open(), Ledger.open(tmp_path / "other.sqlite")
    for each in found:
        assert len(each.seal) == 32
        assert ledger.is_own(each.release_id, each.seal)
        assert not other.is_own(each.release_id, each.seal)
        assert not ledger.is_own(each.release_id + "0", each.seal)
    told = release(STATISTICS, asked_table(), asked_plan(), None, untracked())
    assert ledger.is_own(told.charge.id, told.report.identity.ledger_seal)


def test_that_a_seal_follows_from_identifier_and_key_alone_and_looks_random():
    key = LedgerKey(b"k" * 32)
    seals = [key.seal(f"release {number}") for number in range(4_000)]
    assert key.seal("release 0") == seals[0] != LedgerKey(b"l" * 32).seal("release 0")
    assert len(set(seals)) == len(seals)
    counts = Counter("".join(seals))
    mean = sum(counts.values()) / 16
    # Chi-square of 15 degrees of freedom: 40 is exceeded once in 2,000 times.
    assert sum((count - mean) ** 2 / mean for count in counts.values()) < 40


def test_that_a_release_beside_one_that_the_ledger_lost_is_refused(
    rolled_back: str, tmp_path: Path
):
    for kind in ("records", "statistics"):
        with refused("releases.older-ledger", names="release one"):
            write(kind, tmp_path / "release two")
    assert not (tmp_path / "release two").exists()
    assert Ledger.open().book().populations() == ()
    # Elsewhere nothing tells of it.
    write("records", tmp_path / "elsewhere" / "release")


def test_that_what_is_missing_is_shown_and_can_be_entered(
    rolled_back: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    folder = tmp_path / "release one"
    for place in (folder, tmp_path):
        assert main(["ledger", "--verify", str(place)]) == 6
        assert "is MISSING in the ledger" in capsys.readouterr().out
    assert main(["ledger", "--enter", str(folder)]) == 2
    assert main(["ledger", "--enter", str(tmp_path), "--population", "People"]) == 2
    assert main(["ledger", "--enter", str(folder), "--population", "People"]) == 0
    (entered,) = one().releases
    assert (entered.kind, entered.where) == (rolled_back, str(folder))
    report = json.loads((folder / "report.json").read_text())
    model = "local" if rolled_back == "records" else "central"
    spent = report["budget"]["spent"] if model == "local" else report["guarantee"]["epsilon"]
    assert str(entered.cost(model)) == spent
    capsys.readouterr()
    assert main(["ledger", "--verify", str(tmp_path), "--json"]) == 0
    (said,) = json.loads(capsys.readouterr().out)
    assert said["ledger"] == "known"
    assert main(["ledger", "--enter", str(folder), "--population", "People"]) == 2
    write("records", tmp_path / "release two")


def test_that_releases_of_other_ledgers_and_of_before_stand_in_nobodys_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patched:
        patched.setenv("DPDESK_LEDGER", str(tmp_path / "other.sqlite"))
        write("records", tmp_path / "theirs")
    old = json.loads((tmp_path / "theirs" / "report.json").read_text())
    del old["identity"]["ledger_seal"]
    for name, text in (
        ("old", json.dumps(old)),
        ("broken", "{"),
        ("other", "[1]"),
        ("deep", "[" * 9_999),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.json").write_text(text)
    write("records", tmp_path / "mine")
    assert main(["ledger", "--verify", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert said.count("was charged to another ledger") == 1
    assert said.count("does not name its ledger") == 1
    assert said.count("is in the ledger") == 1


def test_that_files_that_are_not_those_of_the_manifest_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    write("records", tmp_path / "mine")
    assert main(["ledger", "--verify", str(tmp_path)]) == 0
    (tmp_path / "mine" / "raw.csv").write_text("a\n1\n")
    capsys.readouterr()
    assert main(["ledger", "--verify", str(tmp_path)]) == 3
    said = capsys.readouterr().out
    assert "is in the ledger" in said
    assert T.NOT_LISTED(file="raw.csv") in said
    assert main(["ledger", "--verify", str(tmp_path), "--json"]) == 3
    (found,) = json.loads(capsys.readouterr().out)
    assert found["faults"] == [T.NOT_LISTED(file="raw.csv")]


def test_that_a_place_without_releases_is_told(tmp_path: Path):
    assert main(["ledger", "--verify", str(tmp_path)]) == 2
    assert main(["ledger", "--verify", str(tmp_path / "none")]) == 2
    with pytest.raises(ParameterError, match="another one"):
        Ledger.open().enter(
            "id", "0" * 32, "P", (), plan="{}", title="", kind="records", where=tmp_path
        )


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of POSIX")
@pytest.mark.parametrize("kind", ["records", "statistics"])
def test_that_a_pipe_beside_a_release_is_not_waited_for(kind: str, tmp_path: Path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "one" / "report.json")
    (tmp_path / "two" / "report.json").mkdir()
    write(kind, tmp_path / "three")
    assert [found.folder.name for found in charged_folders(tmp_path)] == ["three"]


def test_that_a_folder_that_may_not_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write anywhere: the refusal is made here."""
    refused = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    monkeypatch.setattr(folder_module.tempfile, "mkdtemp", Mock(side_effect=refused))
    with pytest.raises(ReleaseError, match="into the folder locked: Permission denied") as told:
        write("records", tmp_path / "locked" / "out")
    assert told.value.remedy.startswith("Choose a folder that you may write to")
