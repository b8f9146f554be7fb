"""Answers that were drawn are kept before anybody sees them, in space that was taken before."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from dpdesk.data.write_file import ReservedSpace
from dpdesk.engine import Tracker, untracked
from dpdesk.errors import Cancelled, DpdeskError, LedgerError
from dpdesk.ledgers import Ledger
from dpdesk.ledgers import ledger as ledger_module
from dpdesk.ledgers.charging import _END
from dpdesk.releases import statistics as statistics_module
from dpdesk.releases.release import Release, release
from dpdesk.releases.statistics import STATISTICS
from tests.ledgers.charges import charge, local, one
from tests.refusals import refused
from tests.reports.asked import asked_plan, asked_table


def told(folder: Path | None) -> Release:
    if folder is None:
        return release(STATISTICS, asked_table(), asked_plan(), None, untracked())
    return release(STATISTICS, asked_table(), asked_plan(), folder, untracked())


@pytest.mark.parametrize("is_written", [False, True])
def test_that_answers_can_be_had_again_as_they_were(is_written: bool, tmp_path: Path):
    result = told(tmp_path / "out" if is_written else None)
    assert result.is_kept
    kept = Ledger.open().answers_of(result.charge.id)
    assert json.loads(kept) == json.loads(result.report.model_dump_json())
    if is_written:
        assert kept == (tmp_path / "out" / "report.json").read_text(encoding="utf-8")


def test_that_answers_are_kept_before_a_folder_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def fails(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(statistics_module, "write_statistics", fails)
    with pytest.raises(Exception, match="No space left"):
        told(tmp_path / "out")
    (charged,) = one().releases
    assert charged.outcome == "failed"
    assert json.loads(Ledger.open().answers_of(charged.id))["identity"]["release_id"] == charged.id


def test_that_answers_are_kept_though_the_user_cancels_as_soon_as_they_are_drawn():
    class Impatient:
        def progress(self, phase: str, _fraction: float) -> None:
            if phase == "Writing the report":
                raise Cancelled

        def tick(self) -> None:
            return None

        def warn(self, _message: str) -> None:
            return None

    with pytest.raises(Cancelled):
        release(STATISTICS, asked_table(), asked_plan(), None, cast("Tracker", Impatient()))
    (charged,) = one().releases
    assert charged.outcome == "cancelled"
    assert Ledger.open().answers_of(charged.id)


@pytest.mark.parametrize("is_written", [False, True])
def test_that_a_release_goes_on_where_its_answers_cannot_be_kept(
    is_written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def fails(*_: object) -> None:
        raise LedgerError("The disk is full.")

    monkeypatch.setattr(Ledger, "keep_answers", fails)
    result = told(tmp_path / "out" if is_written else None)
    assert not result.is_kept
    assert result.report.queries
    with refused("ledgers.no-answers-but-folder" if is_written else "ledgers.no-answers"):
        Ledger.open().answers_of(result.charge.id)


def test_that_what_has_no_answers_says_where_it_is():
    ledger = Ledger.open()
    charged = charge(ledger, local("1"), kind="records")
    ledger.written(charged, Path("folder"))
    with refused("ledgers.no-answers-but-folder", folder="folder"):
        ledger.answers_of(charged.id)
    with refused("ledgers.no-release"):
        ledger.answers_of("none")


def test_that_the_space_that_is_taken_is_enough_for_what_is_kept(
    monkeypatch: pytest.MonkeyPatch, ledger_of_this_test: Path
):
    taken: list[int] = []

    def measured(folder: Path, size: int) -> ReservedSpace:
        taken.append(size)
        return ReservedSpace(folder, size)

    monkeypatch.setattr("dpdesk.ledgers.charging.ReservedSpace", measured)
    before = Ledger.open().path
    result = told(None)
    files = sum(file.stat().st_size for file in before.parent.iterdir())
    assert files < taken[0]
    report = len(result.report.model_dump_json(indent=2).encode())
    assert 3 * report + _END < taken[0] < 3 * report + _END + 2_000_000
    assert list(ledger_of_this_test.parent.glob("*tmp*")) == []


def test_that_a_full_disk_is_found_before_anything_is_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("dpdesk.data.write_file._allocate", full)
    for folder in (None, tmp_path / "out"):
        with pytest.raises(DpdeskError, match="No space left"):
            told(folder)
    assert Ledger.open().book().populations() == ()
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
def test_that_what_the_system_does_not_give_is_told(tmp_path: Path, root: Path):
    program = (
        "import resource, signal; from pathlib import Path\n"
        "from dpdesk.errors import LedgerError; from dpdesk.ledgers.charging import _space_beside\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        f"place = Path({str(tmp_path / 'ledger.sqlite')!r})\n"
        "_space_beside(place, 90_000).free()\n"
        "try: _space_beside(place, 110_000)\n"
        "except LedgerError as error: print(error.id, error.message.values)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root)
    assert "ledgers.no-space" in done.stdout, done.stderr
    assert "'size': '0.1 MB'" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_that_a_disk_that_is_full_at_the_charge_is_told_and_charges_nothing(
    monkeypatch: pytest.MonkeyPatch,
):
    ledger = Ledger.open()

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module.Store, "append", full)
        with pytest.raises(LedgerError):
            charge(ledger, local("1"))
    assert ledger.book().populations() == ()


def test_that_space_is_freed_step_by_step(tmp_path: Path):
    space = ReservedSpace(tmp_path, 4_000_000)
    descriptor = space._file.fileno()
    assert os.fstat(descriptor).st_size == 4_000_000
    space.shrink(1_000)
    assert os.fstat(descriptor).st_size == 1_000
    space.free()
    space.free()
    space.shrink(1)
    assert list(tmp_path.iterdir()) == []
