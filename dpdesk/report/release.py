"""A whole release: one folder, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.sanitize import sanitize
from dpdesk.errors import ReleaseError
from dpdesk.estimate.released import Released
from dpdesk.ledger import Charge
from dpdesk.ledger.charging import ChargeTo, Charging, charging
from dpdesk.plan.budget import plan_cost
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.model import Plan
from dpdesk.report.earlier_releases import earlier_releases
from dpdesk.report.html import report_html
from dpdesk.report.identity import ReleaseIdentity, new_identity
from dpdesk.report.public import PublicReport, public_report
from dpdesk.report.public_plan import public_plan
from dpdesk.report.tables import write_codebook, write_estimates

MANIFEST_NAME = "manifest.json"
USUAL = ChargeTo()
"""Charged to the user's own ledger, to the people that the data are known to belong to."""

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class ReleaseResult:
    """A finished release.

    Attributes:
        folder: Where it was written.
        released: What was released, for estimates and comparisons.
        report: The public report.
        files: Names of the files in the folder, in the order of the manifest.
        charge: What the ledger holds of it.
        is_noted: Whether the ledger knows where the folder is; it could not be written if not.
    """

    folder: Path
    released: Released
    report: PublicReport
    files: tuple[str, ...]
    charge: Charge
    is_noted: bool


def release(
    table: SurveyTable, plan: Plan, folder: Path, tracker: Tracker, to: ChargeTo = USUAL
) -> ReleaseResult:
    """Sanitizes a survey and writes records, estimates, codebook, plan and report.

    The release is charged to the ledger after every check and before the first random word; what
    was charged stays charged. Everything is written into a hidden folder beside the target, which
    takes the target's name at the very end; an error, a cancel or a crash leaves no target.

    Args:
        table: The survey.
        plan: What to do with it.
        folder: The folder to make; it must not exist, or be empty.
        tracker: Progress and cancel.
        to: Whom it is charged to.

    Raises:
        ReleaseError: The folder exists already, or cannot be written.
        LedgerError: The ledger cannot be trusted, or its cap is reached; nothing was drawn.
        PlanError: The plan has errors.
        Cancelled: The user cancelled.
    """
    target = folder.absolute()
    part = _make_part(target)
    try:
        tracker.progress("Recognising the data", 0.0)
        with charging(table, to, tracker.tick) as account:
            identity = new_identity(plan)
            charge = partial(_charge, account, table, plan, identity)
            released = sanitize(table, plan, part, tracker, before_drawing=charge)
            made = account.made
            assert made is not None  # noqa: S101 - nothing is drawn without a charge
            tracker.progress("Writing the report", 0.95)
            report = public_report(released, identity, earlier_releases(made))
            _write_documents(released, report, part)
            tracker.progress("Sealing the folder", 0.98)
            files = _write_manifest(part, report, tracker)
            _sync(part)
            tracker.tick()
            # os.replace puts the folder in the place of an empty one, and of nothing else.
            os.replace(part, target)  # noqa: PTH105 - Path.replace hides that this is one rename
            _sync_folder(target.parent)
        is_noted = account.written(target)
    except OSError as error:
        _remove(part)
        raise _cannot_write(target, error) from None
    except BaseException:
        _remove(part)
        raise
    return ReleaseResult(target, released, report, files, made, is_noted)


def _charge(account: Charging, table: SurveyTable, plan: Plan, identity: ReleaseIdentity) -> None:
    account.charge(
        (plan_cost(plan),),
        plan=plan_to_json(plan),
        title=identity.title or table.source.name,
        kind="records",
        release_id=identity.release_id,
    )


def _make_part(target: Path) -> Path:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise ReleaseError(
            f"{target.name} exists already and is not a folder.", remedy="Choose another name."
        )
    try:
        if target.is_dir() and any(target.iterdir()):
            raise ReleaseError(
                f"The folder {target.name} is not empty.",
                remedy="Choose a new folder; a release never overwrites another.",
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        made = tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise _cannot_write(target, error) from None
    return Path(made)


def _write_documents(released: Released, report: PublicReport, folder: Path) -> None:
    write_estimates(released, folder)
    write_codebook(released, folder)
    _write_text(folder / "plan.json", plan_to_json(public_plan(released.plan)))
    _write_text(folder / "report.json", report.model_dump_json(indent=2) + "\n")
    _write_text(folder / "report.html", report_html(report))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _write_manifest(folder: Path, report: PublicReport, tracker: Tracker) -> tuple[str, ...]:
    """Lists every file with its size and SHA-256; returns all names, the manifest's last."""
    names = sorted(path.name for path in folder.iterdir())
    entries = [
        {
            "file": name,
            "bytes": (folder / name).stat().st_size,
            "sha256": _digest(folder / name, tracker),
        }
        for name in names
    ]
    content = {
        "format": "dpdesk-release",
        "version": 1,
        "release_id": report.identity.release_id,
        "files": entries,
    }
    _write_text(folder / MANIFEST_NAME, json.dumps(content, indent=2) + "\n")
    return (*names, MANIFEST_NAME)


def _digest(path: Path, tracker: Tracker) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            tracker.tick()
            digest.update(piece)
    return digest.hexdigest()


def _sync(folder: Path) -> None:
    """Makes the contents durable before the rename makes them visible."""
    for path in folder.iterdir():
        with path.open("rb") as file:
            os.fsync(file.fileno())
    _sync_folder(folder)
    # mkdtemp makes the folder private; a release has the permissions of any new folder.
    mask = os.umask(0)
    os.umask(mask)
    folder.chmod(0o777 & ~mask)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":  # other systems cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(part: Path) -> None:
    shutil.rmtree(part, ignore_errors=True)


def _cannot_write(target: Path, error: OSError) -> ReleaseError:
    return ReleaseError(
        f"The folder {target.name} cannot be written: {error.strerror}.",
        remedy="Free space or choose another place; nothing was left behind.",
    )
