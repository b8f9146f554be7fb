"""A release is compared with its manifest before anything is estimated from it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.cli.main import main
from dpdesk.data.sample import sample_path
from dpdesk.i18n import Text
from dpdesk.plan import load_plan, save_plan
from dpdesk.releases.texts import T
from dpdesk.releases.verify import verify_release
from tests.texts import is_said


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the sample, not to be changed."""
    folder = tmp_path_factory.mktemp("sealed")
    plan, ledger = str(folder / "plan.json"), str(folder / "ledger.sqlite")
    data = str(sample_path())
    assert main(["draft", data, "-o", plan, "--epsilon", "9", "--confirm-domains"]) == 0
    words = ["release", data, "--plan", plan, "--out", str(folder / "r"), "--ledger", ledger]
    assert main(words) == 0
    return folder / "r"


@pytest.fixture
def release(sealed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A copy of it."""
    capsys.readouterr()
    return Path(shutil.copytree(sealed, tmp_path / "r"))


def flip(path: Path) -> None:
    """Exchanges two lines: the size stays, and records stay possible."""
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(i for i in range(1, len(lines)) if lines[i] != lines[i + 1])
    lines[place : place + 2] = lines[place + 1], lines[place]
    path.write_bytes(b"".join(lines))


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def estimate(place: Path, *more: str) -> int:
    return main(["estimate", str(place), "--json", *more])


def test_that_a_release_agrees_with_its_manifest(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = verify_release(release)
    assert (found.has_manifest, found.faults) == (True, {})
    for place in (release, release / "records.csv", release / "records.parquet"):
        assert estimate(place) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        assert json.loads(captured.out)["verified"] is True


@pytest.mark.parametrize("name", ["records.csv", "plan.json"])
@pytest.mark.parametrize(("change", "fault"), [(flip, T.CHANGED), (cut, T.OTHER_SIZE)])
def test_that_what_is_read_must_be_what_was_sealed(
    name: str,
    change: Callable[[Path], None],
    fault: Text,
    release: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if name == "plan.json" and change is cut:
        content = json.loads((release / name).read_text(encoding="utf-8"))
        change = lambda path: path.write_text(json.dumps(content), encoding="utf-8")  # noqa: E731
    change(release / name)
    assert is_said(fault, verify_release(release).faults[name])
    assert estimate(release) == 3
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{name} " in said
    assert "--unverified" in said
    if name == "records.csv" and change is flip:
        # The way on: records of the same size whose last report is another one.
        assert estimate(release, "--unverified") == 0
        captured = capsys.readouterr()
        assert json.loads(captured.out)["verified"] is False
        assert T.CHANGED(file="records.csv") in captured.err


def test_that_records_of_another_release_are_refused(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The plan is the same, so that the records would be counted without a word.
    plan = release / "plan.json"
    ledger = str(tmp_path / "ledger.sqlite")
    words = ["release", str(sample_path()), "--plan", str(plan), "--ledger", ledger]
    assert main([*words, "--out", str(tmp_path / "other")]) == 0
    other = tmp_path / "other"
    capsys.readouterr()
    shutil.copy(other / "records.csv", release / "records.csv")
    assert estimate(release) == 3
    assert "records.csv" in capsys.readouterr().err
    assert estimate(release / "records.parquet") == 0
    shutil.copy(other / "manifest.json", release / "manifest.json")
    other_release = T.OTHER_RELEASE(file="manifest.json", report="report.json")
    assert verify_release(release).faults["manifest.json"] == other_release
    assert estimate(release / "records.parquet") == 3
    assert other_release in capsys.readouterr().err


def test_that_what_is_not_read_may_be_missing_changed_or_more(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (release / "report.html").unlink()
    flip(release / "estimates.csv")
    (release / "notes.txt").write_text("mine", encoding="utf-8")
    (release / "folder").mkdir()
    assert estimate(release) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["verified"] is True
    assert captured.err.splitlines() == [
        f"note: {T.CHANGED(file='estimates.csv')}",
        f"note: {T.MISSING(file='report.html')}",
        f"note: {T.NOT_LISTED(file='folder')}",
        f"note: {T.NOT_LISTED(file='notes.txt')}",
    ]


def test_that_another_plan_is_not_held_against_the_release(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "plan.json"
    shutil.copy(release / "plan.json", own)
    flip(release / "codebook.csv")
    (release / "plan.json").unlink()
    assert estimate(release, "--plan", str(own)) == 0
    assert json.loads(capsys.readouterr().out)["verified"] is True


def test_that_a_table_that_is_no_release_is_estimated_from_only_on_demand(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The columns of a survey can be those of its release: true answers are no reports.
    for name in ("records.csv", "plan.json"):
        (tmp_path / name).write_bytes((release / name).read_bytes())
    words = ["estimate", str(tmp_path / "records.csv"), "--json"]
    assert main(words) == 3
    assert T.NO_RELEASE(name="records.csv") in capsys.readouterr().err
    assert main([*words, "--unverified"]) == 0
    assert json.loads(capsys.readouterr().out)["verified"] is False


def test_that_records_without_a_manifest_are_estimated_with_a_note(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (release / "manifest.json").unlink()
    assert verify_release(release).has_manifest is False
    assert estimate(release) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["verified"] is False
    assert captured.err.startswith(f"note: {T.NO_MANIFEST()}")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", T.NO_JSON),
        ("[]", T.NOT_A_MANIFEST),
        ('{"format": "dpdesk-plan"}', T.NOT_A_MANIFEST),
        ('{"format": "dpdesk-release", "version": 2}', T.NEWER),
        ('{"format": "dpdesk-release", "version": 1}', T.NO_DIGESTS),
        ('{"format": "dpdesk-release", "version": 1, "files": [1]}', T.NO_DIGESTS),
        (
            '{"format": "dpdesk-release", "version": 1, "files": '
            '[{"file": "../x", "bytes": 1, "sha256": ""}]}',
            T.LISTS_OUTSIDE,
        ),
        (
            '{"format": "dpdesk-release", "version": 1, "files": '
            '[{"file": "..", "bytes": 1, "sha256": ""}]}',
            T.LISTS_OUTSIDE,
        ),
        (
            '{"format": "dpdesk-release", "version": 1, "files": '
            '[{"file": "records.csv", "bytes": true, "sha256": ""}]}',
            T.NO_DIGESTS,
        ),
        ("[" * 100_000, T.NO_JSON),
        ('{"format": "dpdesk-release", "version": 1, "files": []}', None),
    ],
)
def test_that_a_manifest_which_is_none_verifies_nothing(
    content: str, fault: Text | None, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (release / "manifest.json").write_text(content, encoding="utf-8")
    found = verify_release(release)
    if fault:
        assert is_said(fault, found.faults["manifest.json"])
    else:
        assert found.faults["records.csv"] == T.NOT_LISTED(file="records.csv")
    assert estimate(release) == 3
    assert capsys.readouterr().err.count("\n") == 1
    assert estimate(release, "--unverified") == 0
    assert json.loads(capsys.readouterr().out)["verified"] is False


@pytest.mark.skipif(sys.platform == "win32", reason="pipes that POSIX alone has")
@pytest.mark.parametrize("name", ["records.csv", "plan.json", "manifest.json", "report.html"])
def test_that_a_pipe_in_a_release_is_not_waited_for(
    name: str, release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe(release / name)
    assert "not a regular file" in verify_release(release).faults[name]
    # Without its CSV file a release is read from the other one.
    assert estimate(release) in ({0} if name in {"report.html", "records.csv"} else {1, 3})
    assert capsys.readouterr().err.count("\n") == 1


def test_that_records_are_not_estimated_by_the_plan_of_another_release(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, other = release / "plan.json", tmp_path / "other.json"
    plan = load_plan(own)
    same = plan.with_fields(respondents=7, columns=plan.columns)
    save_plan(same, tmp_path / "same.json")
    assert estimate(release, "--plan", str(tmp_path / "same.json")) == 0
    column = plan.protected[0]
    mechanism = column.mechanism.model_copy(update={"epsilon": Decimal(3)})
    save_plan(plan.with_column(column.name, mechanism=mechanism), other)
    capsys.readouterr()
    assert estimate(release, "--plan", str(other)) == 3
    assert T.OTHER_PLAN(name="other.json") in capsys.readouterr().err
    assert estimate(release, "--plan", str(other), "--unverified") == 0
    captured = capsys.readouterr()
    assert T.NOT_BESIDE(name="other.json") in captured.err
    assert json.loads(captured.out)["verified"] is False
