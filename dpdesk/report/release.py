"""A whole release: one folder, written whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from dpdesk.data.table import SurveyTable
from dpdesk.engine.jobs import Tracker
from dpdesk.engine.sanitize import sanitize
from dpdesk.estimate.released import Released
from dpdesk.ledger import Charge
from dpdesk.ledger.charging import ChargeTo, Charging, charging
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.losses import plan_cost
from dpdesk.plan.model import Plan
from dpdesk.report.charged_folders import refuse_missing
from dpdesk.report.earlier_releases import earlier_releases
from dpdesk.report.html import report_html
from dpdesk.report.identity import ReleaseIdentity, new_identity
from dpdesk.report.public import PublicReport, public_report
from dpdesk.report.public_plan import public_plan
from dpdesk.report.release_folder import (
    bytes_of_documents,
    release_folder,
    reserved_space,
    seal,
    write_text,
)
from dpdesk.report.tables import write_codebook, write_estimates

USUAL = ChargeTo()
"""Charged to the user's own ledger, to the people that the data are known to belong to."""


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
    refuse_missing(target, to)
    with release_folder(target) as part:
        tracker.progress("Recognising the data", 0.0)
        with charging(table, to, tracker.tick) as account:
            identity = new_identity(plan)
            charge = partial(_charge, account, table, plan, identity, part)
            released = sanitize(table, plan, part, tracker, before_drawing=charge)
            made = account.made
            assert made is not None  # noqa: S101 - nothing is drawn without a charge
            tracker.progress("Writing the report", 0.95)
            sealed = identity.model_copy(update={"ledger_seal": made.seal})
            report = public_report(released, sealed, earlier_releases(made))
            _write_documents(released, report, part)
            files = seal(part, target, identity.release_id, tracker)
        is_noted = account.written(target)
    return ReleaseResult(target, released, report, files, made, is_noted)


def _charge(
    account: Charging,
    table: SurveyTable,
    plan: Plan,
    identity: ReleaseIdentity,
    part: Path,
    bytes_of_records: int,
) -> None:
    categories = sum(c.effective_domain.size for c in plan.protected if c.effective_domain)
    with reserved_space(part, bytes_of_records + bytes_of_documents(len(plan.columns), categories)):
        account.charge(
            (plan_cost(plan),),
            # What the folder publishes: the curator's own plan may list answers of dropped columns.
            plan=plan_to_json(public_plan(plan)),
            title=identity.title or table.name,
            kind="records",
            release_id=identity.release_id,
        )


def _write_documents(released: Released, report: PublicReport, folder: Path) -> None:
    write_estimates(released, folder)
    write_codebook(released, folder)
    write_text(folder / "plan.json", plan_to_json(public_plan(released.plan)))
    write_text(folder / "report.json", report.model_dump_json(indent=2) + "\n")
    write_text(folder / "report.html", report_html(report))
