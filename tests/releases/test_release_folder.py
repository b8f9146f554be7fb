from __future__ import annotations

import csv
import errno
import hashlib
import json
import os
import stat
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from dpdesk.data.read_records import read_records
from dpdesk.data.write_file import held_anew
from dpdesk.engine import Tracker, untracked
from dpdesk.engine.jobs import Warned
from dpdesk.errors import Cancelled, DpdeskError, PlanError, ReleaseError
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.plan import load_plan
from dpdesk.releases import folder as folder_module
from dpdesk.releases import records as records_module
from dpdesk.releases import release as release_module
from dpdesk.releases.folder import clear_left_parts
from dpdesk.releases.records import RECORDS
from dpdesk.releases.release import Release, release
from dpdesk.releases.statistics import STATISTICS
from dpdesk.releases.verify import verify_release
from tests.engine.survey import survey, survey_plan
from tests.refusals import refused
from tests.releases.said_in_files import unpacked
from tests.reports.asked import asked_plan, asked_table

FILES = {
    "annex.html",
    "analysis.R",
    "analysis.py",
    "codebook.csv",
    "estimates.csv",
    "manifest.json",
    "plan.json",
    "records.csv",
    "records.parquet",
    "registry-entry.yaml",
    "report.html",
    "report.json",
    "report.pdf",
}


def released_into(folder: Path) -> Release:
    return release(RECORDS, survey(), survey_plan(), folder, untracked())


def answered_into(folder: Path) -> Release:
    return release(STATISTICS, asked_table(), asked_plan(), folder, untracked())


def assert_whole(folder: Path) -> None:
    """Fails unless the folder holds every file, each with the digest of the manifest."""
    assert {path.name for path in folder.iterdir()} == FILES
    manifest = json.loads((folder / "manifest.json").read_text())
    assert {entry["file"] for entry in manifest["files"]} == FILES - {"manifest.json"}
    for entry in manifest["files"]:
        content = (folder / entry["file"]).read_bytes()
        assert len(content) == entry["bytes"]
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]


@pytest.mark.printed
def test_that_a_release_is_one_whole_folder_and_nothing_beside_it(tmp_path: Path):
    result = released_into(tmp_path / "fruit")
    assert_whole(tmp_path / "fruit")
    assert list(tmp_path.iterdir()) == [tmp_path / "fruit"]
    assert result.folder == tmp_path / "fruit"
    assert set(result.files) == FILES
    assert result.files[-1] == "manifest.json"


def test_that_the_manifest_names_its_format_and_the_release(tmp_path: Path):
    result = released_into(tmp_path / "fruit")
    manifest = json.loads((tmp_path / "fruit" / "manifest.json").read_text())
    assert (manifest["format"], manifest["version"]) == ("dpdesk-release", 1)
    assert manifest["release_id"] == result.report.identity.release_id


def test_that_the_plan_in_the_folder_is_the_plan_that_was_run_but_for_dropped_columns(
    tmp_path: Path,
):
    released_into(tmp_path / "fruit")
    written, run = load_plan(tmp_path / "fruit" / "plan.json"), survey_plan()
    assert len(written.columns) < len(run.columns)
    assert written == run.with_columns(tuple(c for c in run.columns if c.role != "drop"))


def test_that_the_records_hold_every_respondent_and_the_assigned_columns(tmp_path: Path):
    released_into(tmp_path / "fruit")
    records = read_records(tmp_path / "fruit")
    assert records.rows == 500
    assert records.names == ("colour", "fruit=apple", "fruit=pear", "age", "region")
    kept = records.column("region").texts()
    assert kept != survey().column("region").texts()
    assert Counter(kept) == Counter(survey().column("region").texts())


@pytest.mark.printed
def test_that_no_file_holds_an_identifier(tmp_path: Path):
    table = survey(marker="CANARY")
    release(RECORDS, table, survey_plan(), tmp_path / "fruit", untracked())
    assert "colour" in unpacked(tmp_path / "fruit" / "report.pdf")
    assert not [path for path in (tmp_path / "fruit").iterdir() if "CANARY" in unpacked(path)]


def test_that_the_name_of_the_file_of_the_data_is_in_no_file(tmp_path: Path):
    released_into(tmp_path / "fruit")
    said = "".join(map(unpacked, (tmp_path / "fruit").iterdir()))
    assert not [text for text in ("fruit survey.csv", str(tmp_path)) if text in said]


def test_that_the_estimates_follow_from_the_released_counts(tmp_path: Path):
    result = released_into(tmp_path / "fruit")
    with (tmp_path / "fruit" / "estimates.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["attribute"] == "colour"]
    expected = result.released.attributes[0].estimate
    assert [float(row["estimate"]) for row in rows] == pytest.approx(expected.value.tolist())


@pytest.mark.skipif(os.name != "posix", reason="permissions are of POSIX")
def test_that_a_release_has_the_permissions_of_any_new_folder(tmp_path: Path):
    before = os.umask(0o027)
    try:
        released_into(tmp_path / "fruit")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "fruit").stat().st_mode) == 0o750
    for path in (tmp_path / "fruit").iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o640, path.name


def test_that_an_empty_folder_is_filled(tmp_path: Path):
    (tmp_path / "fruit").mkdir()
    released_into(tmp_path / "fruit")
    assert_whole(tmp_path / "fruit")


def test_that_missing_parents_are_made(tmp_path: Path):
    released_into(tmp_path / "2026" / "surveys" / "fruit")
    assert_whole(tmp_path / "2026" / "surveys" / "fruit")


def test_that_a_folder_with_content_is_refused_and_left_alone(tmp_path: Path):
    (tmp_path / "fruit").mkdir()
    (tmp_path / "fruit" / "notes.txt").write_text("mine")
    with refused("releases.not-empty"):
        released_into(tmp_path / "fruit")
    assert [path.name for path in tmp_path.rglob("*")] == ["fruit", "notes.txt"]


def test_that_a_release_never_overwrites_another(tmp_path: Path):
    released_into(tmp_path / "fruit")
    before = (tmp_path / "fruit" / "records.csv").read_bytes()
    with refused("releases.not-empty"):
        released_into(tmp_path / "fruit")
    assert (tmp_path / "fruit" / "records.csv").read_bytes() == before


def test_that_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path):
    (tmp_path / "fruit").write_text("a file")
    with refused("releases.not-a-folder"):
        released_into(tmp_path / "fruit")
    assert (tmp_path / "fruit").read_text() == "a file"


def test_that_a_link_in_the_place_of_the_folder_is_refused(tmp_path: Path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "fruit").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ReleaseError):
        released_into(tmp_path / "fruit")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_that_content_put_into_the_target_meanwhile_is_not_overwritten(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    sync = folder_module._sync

    def sync_late(folder: Path) -> None:
        sync(folder)
        (tmp_path / "fruit").mkdir()
        (tmp_path / "fruit" / "notes.txt").write_text("mine")

    monkeypatch.setattr(folder_module, "_sync", sync_late)
    with pytest.raises(ReleaseError):
        released_into(tmp_path / "fruit")
    assert [path.name for path in tmp_path.rglob("*")] == ["fruit", "notes.txt"]


def test_that_a_place_below_a_file_is_refused_with_a_remedy(tmp_path: Path):
    (tmp_path / "file").write_text("a file")
    with pytest.raises(ReleaseError) as caught:
        released_into(tmp_path / "file" / "fruit")
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_that_a_plan_with_errors_leaves_nothing(tmp_path: Path):
    plan = survey_plan().with_column("colour", confirmed=False)
    with pytest.raises(PlanError):
        release(RECORDS, survey(), plan, tmp_path / "fruit", untracked())
    assert list(tmp_path.iterdir()) == []


class CancelAt:
    """Cancels at the tick of a number, counted from 0."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_that_a_cancel_at_any_tick_leaves_nothing(tmp_path: Path):
    for number in range(1_000):
        cancel = CancelAt(number)
        try:
            release(
                RECORDS,
                survey(),
                survey_plan(),
                tmp_path / "fruit",
                Tracker(lambda _: None, cancel),
            )
        except Cancelled:
            assert list(tmp_path.iterdir()) == []
        else:
            break
    assert cancel.left >= 0
    # One tick per column, one per file of the manifest and one at the very end, at the least.
    assert number > 4 + len(FILES)
    assert_whole(tmp_path / "fruit")


def full_disk(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


WRITERS = (
    "dpdesk.data.formats.csv_writer:CsvRecords.write",
    "dpdesk.data.formats.columnar_writer:ParquetRecords.write",
    "dpdesk.data.formats.columnar_writer:ParquetRecords.close",
    "dpdesk.releases.records:write_estimates",
    "dpdesk.releases.records:write_codebook",
    "dpdesk.releases.records:write_text",
    "dpdesk.releases.release:write_text",
    "dpdesk.releases.folder:write_text",
    "dpdesk.releases.folder:_digest",
    "dpdesk.releases.folder:_sync",
    "os:fsync",
    "os:replace",
)
WRITERS_OF_ANSWERS = (
    "dpdesk.releases.statistics:write_statistics",
    "dpdesk.releases.statistics:write_text",
    *(writer for writer in WRITERS if "releases.release" in writer or "releases.folder" in writer),
    "os:replace",
)


@pytest.mark.parametrize(
    ("run", "writer"),
    [
        *((released_into, writer) for writer in WRITERS),
        *((answered_into, writer) for writer in WRITERS_OF_ANSWERS),
    ],
)
def test_that_a_full_disk_leaves_nothing_and_says_so(
    run: Callable[[Path], Release], writer: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    place, _, name = writer.partition(":")
    monkeypatch.setattr(f"{place}.{name}", full_disk)
    with pytest.raises(ReleaseError) as caught:
        run(tmp_path / "fruit")
    assert "no space left" in str(caught.value).lower()
    assert ".part" not in str(caught.value)
    assert caught.value.remedy
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "step",
    [
        "records.Records.report",
        "records.Records.html",
        "records.plan_to_json",
        "release.plan_to_json",
    ],
)
def test_that_an_unforeseen_error_leaves_nothing(
    step: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    fail = Mock(side_effect=ZeroDivisionError)
    monkeypatch.setattr(f"dpdesk.releases.{step}", fail)
    with pytest.raises(ZeroDivisionError):
        released_into(tmp_path / "fruit")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("step", "missing"),
    [
        ("releases.records.facts_of", ("analysis.R", "analysis.py")),
        ("releases.folder.pdf_of_page", ("report.pdf",)),
        ("reports.wanted.wanted_analysis", ()),
    ],
)
def test_that_nothing_that_a_release_can_do_without_loses_the_records(
    step: str, missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(f"dpdesk.{step}", Mock(side_effect=ZeroDivisionError("an answer")))
    told: list[object] = []
    plan, folder = survey_plan().with_fields(analyses=("colour x fruit",)), tmp_path / "fruit"
    release(RECORDS, survey(), plan, folder, Tracker(told.append, lambda: False))
    said = [one.sentence for one in told if isinstance(one, Warned)]
    left_out = sorted(one.split()[4] for one in said if one.startswith("The release has no"))
    assert left_out == [f"{name}." for name in missing]
    assert not any("an answer" in sentence for sentence in said)
    assert {path.name for path in folder.iterdir()} == FILES - set(missing)
    assert not verify_release(folder).faults
    (analysis,) = json.loads((folder / "report.json").read_text())["analyses"]
    assert ("could not be computed" in analysis["reason"]) == (not missing)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the child is a fork")
def test_that_a_real_limit_of_the_file_system_leaves_nothing(tmp_path: Path):
    def limited() -> int:
        import resource

        # Files may grow to 20,000 bytes; Python ignores the signal and sees EFBIG.
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        try:
            release(RECORDS, survey(5_000), survey_plan(), tmp_path / "fruit", untracked())
        except DpdeskError as error:
            return 3 if error.remedy else 4
        return 0

    assert os.waitstatus_to_exitcode(in_child(limited)) == 3
    assert list(tmp_path.iterdir()) == []


def in_child(work: Any) -> int:
    """Runs a function in a fork; returns the status of its end."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = work() or 0
        finally:
            # Without the clean-up of pytest, which belongs to the parent.
            os._exit(code)
    return os.waitpid(child, 0)[1]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forks")
@pytest.mark.parametrize("first", ["0", "9", "18"])
def test_that_a_kill_at_every_ninth_step_leaves_a_whole_release_or_none(
    first: str, tmp_path: Path, root: Path
):
    done = subprocess.run(
        # Three parts of some hundred releases each: one would end at the limit of a test where the
        # machine is busy.
        [sys.executable, "-m", "tests.releases.killed_release", str(tmp_path), first, "27"],
        capture_output=True,
        text=True,
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    statuses = [int(status) for _, status, *_ in lines]
    assert statuses == [-9] * (len(lines) - 1) + [0]
    assert len(lines) > 30
    for step, _, outcome, *_ in lines:
        if outcome == "whole":
            assert_whole(tmp_path / step)
    outcomes = [outcome for _, _, outcome, *_ in lines]
    # Nothing up to the rename, the whole from there on.
    assert outcomes == sorted(outcomes)
    assert outcomes.count("nothing") > 30
    # A kill in the rename's own call, before and after it took effect.
    assert outcomes.count("whole") > 1
    # Whatever was drawn was charged before, once; where it was written is noted last.
    assert all(len(line) == 5 for line in lines)
    charges = [charge for *_, charge in lines]
    assert all(line[3] == "undrawn" for line in lines if line[4] == "free")
    order = ["free", "open", "written"]
    assert charges == sorted(charges, key=order.index)
    assert set(charges) == set(order)
    assert all(line[2] == "whole" for line in lines if line[4] == "written")
    # What a kill leaves is hidden, marked, and readable by its owner alone.
    for left in tmp_path.iterdir():
        if not left.name.isdigit() and left.name != "ledgers":
            assert left.name.startswith(".")
            assert left.name.endswith(".part")


def lines_held(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_that_what_a_killed_run_left_is_cleared_by_the_next_and_nothing_else(tmp_path: Path):
    left = tmp_path / ".fruit.abcd_123.part"
    left.mkdir()
    (left / "records.csv").write_text("half")
    others = (
        tmp_path / ".fruit.abcd_124.part",  # holds what no release holds
        tmp_path / ".fruit.part",
        tmp_path / "fruit.abcd_123.part",
    )
    for other in others:
        other.mkdir()
        (other / "thesis.txt").write_text("mine")
    (tmp_path / ".fruit.abcd_125.part").symlink_to(others[0])
    (tmp_path / ".fruit.abcd_126.part").write_text("a file")
    running = tmp_path / ".fruit.abcd_127.part"
    running.mkdir()
    before = lines_held(tmp_path)
    with held_anew(lambda: running):
        released_into(tmp_path / "other")
    assert lines_held(tmp_path) == sorted([*(set(before) - {left.name}), "other"])
    released_into(tmp_path / "another")
    assert not running.exists()


def test_that_a_table_that_a_killed_run_was_writing_is_cleared_with_its_folder(tmp_path: Path):
    left = tmp_path / ".fruit.abcd1234.part"
    left.mkdir()
    (left / "records.csv").write_text("x")
    (left / ".estimates.csv.f3i86b5i.dpdesk-part").write_text("x")
    clear_left_parts(tmp_path)
    assert not left.exists()


def test_that_a_release_that_runs_is_not_taken_for_what_a_killed_one_left(tmp_path: Path):
    seen: list[list[str]] = []

    def during(table: Any, plan: Any, part: Path, *_: Any, **__: Any) -> None:
        (part / "records.csv").write_text("in progress")
        clear_left_parts(tmp_path)
        seen.append(lines_held(part))
        raise DpdeskError("ended")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records_module, "sanitize", during)
        with pytest.raises(DpdeskError, match="ended"):
            released_into(tmp_path / "fruit")
    assert seen == [["records.csv"]]
    assert lines_held(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="room is held by a call of Linux")
def test_that_a_full_disk_is_found_before_anything_is_charged(tmp_path: Path):
    charged: list[object] = []
    to = ChargeTo(ledger=tmp_path / "ledger.sqlite", charged=charged.append)

    def full(descriptor: int, offset: int, size: int) -> None:
        # As much as records and documents of this survey take, at the least.
        assert size > 500 * 20
        full_disk()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "posix_fallocate", full)
        with refused("releases.no-room"):
            release(RECORDS, survey(), survey_plan(), tmp_path / "fruit", untracked(), to)
    assert charged == []
    assert not (tmp_path / "fruit").exists()


@pytest.mark.parametrize("rows", [40, 3_000])
def test_that_the_room_that_is_made_sure_of_is_enough(tmp_path: Path, rows: int):
    sizes: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            release_module,
            "reserved_space",
            lambda _folder, size: sizes.append(size) or nullcontext(),
        )
        release(RECORDS, survey(rows), survey_plan(), tmp_path / "fruit", untracked())
    written = sum(path.stat().st_size for path in (tmp_path / "fruit").iterdir())
    assert written <= sizes[0]
