"""A release as a whole: charged, drawn, written into one folder and sealed, or not made at all."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic

from dpdesk.data.table import SurveyTable
from dpdesk.data.tabular import Tabular, read_released_table
from dpdesk.engine.cluster import Cluster
from dpdesk.engine.jobs import Tracker, untracked
from dpdesk.errors import escape_controls
from dpdesk.ledgers import MODELS, Charge, spent_in
from dpdesk.ledgers.charging import ChargeTo, Charging, charging
from dpdesk.plan.file import plan_to_json
from dpdesk.plan.given_answers import without_counts
from dpdesk.plan.model import Plan
from dpdesk.releases.charged_folders import refuse_missing
from dpdesk.releases.folder import (
    ANNEX_NAME,
    REPORT_NAME,
    release_folder,
    reserved_space,
    seal,
    write_pages,
    write_text,
)
from dpdesk.releases.kind import Drawing, DrawnT, ReleaseKind, ReportT
from dpdesk.reports.budget import EarlierRelease, EarlierReleases
from dpdesk.reports.identity import ReleaseIdentity, new_identity
from dpdesk.reports.pdf import Paper
from dpdesk.reports.registry import REGISTRY_NAME, entry_yaml
from dpdesk.reports.section import Section

USUAL = ChargeTo()
"""The user's own ledger, and the population that the data are known to belong to."""


@dataclass(frozen=True, slots=True, repr=False)
class Release(Tabular, Generic[DrawnT, ReportT]):
    """A finished release; as a table its records or its statistics.

    Attributes:
        kind: What kind of release it is.
        folder: Where it was written; None if it was not.
        released: What was released, for estimates and comparisons.
        report: The public report.
        files: Names of the files in the folder, in the order of the manifest.
        charge: Its entry in the ledger.
        is_noted: Whether the ledger could record where the folder is.
        is_kept: Whether the ledger stores the answers, if it should store those of the kind.
        protection: How strongly it protects, in words.
    """

    kind: ReleaseKind[DrawnT, ReportT]
    folder: Path | None
    released: DrawnT
    report: ReportT
    files: tuple[str, ...]
    charge: Charge
    is_noted: bool
    is_kept: bool
    protection: str

    def __repr__(self) -> str:
        # The folder may be large, or moved since: it is named and not read.
        return Tabular.__repr__(self) if self.folder is None else f"Release: {self.folder}"

    def to_arrow(self) -> Any:
        """Returns the released table of pyarrow."""
        names = [name for name, _ in self.kind.tables]
        # Parquet knows the types, where there is one.
        name = next((name for name in names if name.endswith(".parquet")), names[0])
        if self.folder is not None:
            return read_released_table(self.folder / name)
        with TemporaryDirectory(prefix="dpdesk-") as folder:
            self.kind.write_tables(self.released, self.report, Path(folder), untracked())
            return read_released_table(Path(folder, name))


def release(
    kind: ReleaseKind[DrawnT, ReportT],
    table: SurveyTable,
    plan: Plan,
    folder: Path | None,
    tracker: Tracker,
    to: ChargeTo = USUAL,
    paper: Paper = "a4",
    cluster: Cluster | None = None,
) -> Release[DrawnT, ReportT]:
    """Draws a release and writes its tables, plan and report, or draws it without any file.

    The release is charged to the ledger after every check and before the first random word; what
    was charged stays charged. Everything is written into a hidden folder beside the target, which
    takes the target's name at the very end; an error, a cancel or a crash leaves no target.

    Args:
        kind: What kind of release.
        table: The trusted file.
        plan: What to do with it.
        folder: The folder to make; it must not exist, or be empty. None to write nothing, which
            a kind that writes while it draws refuses before anything is charged.
        tracker: Progress and cancel.
        to: Whom it is charged to.
        paper: The size of the pages of the report as PDF.
        cluster: Whose workers draw records; this computer alone if None.

    Raises:
        ReleaseError: The folder exists already, or cannot be written.
        LedgerError: The ledger cannot be trusted, or its cap is reached; nothing was drawn.
        PlanError: The plan has errors.
        Cancelled: The user cancelled.
    """
    if folder is None:
        with charging(table, to, tracker.tick) as account:
            drawn = _draw(kind, table, plan, tracker, account, None, cluster)
            account.ended("shown")
        return drawn
    target = folder.absolute()
    refuse_missing(target, to)
    with release_folder(target) as part:
        tracker.progress("Recognising the data", 0.0)
        with charging(table, to, tracker.tick) as account:
            drawn = _draw(kind, table, plan, tracker, account, part, cluster)
            kind.write_tables(drawn.released, drawn.report, part, tracker)
            write_text(part / REPORT_NAME, _json(drawn.report))
            write_text(part / REGISTRY_NAME, entry_yaml(kind.registry_entry(drawn.report)))
            write_text(part / ANNEX_NAME, kind.html(drawn.report, annex=True))
            write_pages(part, kind.html(drawn.report), paper, tracker)
            files = seal(part, target, drawn.charge.id, tracker)
        is_noted = account.written(target)
    return replace(drawn, folder=target, files=files, is_noted=is_noted)


def _draw(
    kind: ReleaseKind[DrawnT, ReportT],
    table: SurveyTable,
    plan: Plan,
    tracker: Tracker,
    account: Charging,
    part: Path | None,
    cluster: Cluster | None,
) -> Release[DrawnT, ReportT]:
    """Charges and draws; a ledger that stores answers can show them again."""
    # What the window counted in the file is for its holder; a report judges by what is public.
    plan = without_counts(plan)
    identity = new_identity(plan, kind.product)
    charge = partial(_charge, account, kind, table, plan, identity, part)
    released = kind.draw(Drawing(table, plan, part, tracker, charge, cluster))
    made = account.made
    assert made is not None  # noqa: S101 - nothing is drawn without a charge
    sealed = identity.model_copy(update={"ledger_seal": made.seal})
    report = kind.report(released, sealed, earlier_releases(made))
    # Before anybody sees them: from here on they can be shown again, whatever happens.
    is_kept = not kind.bytes_of_answers(plan) or account.keep(_json(report))
    # Not before: the receiver of the progress may cancel.
    tracker.progress("Writing the report", 0.95)
    return Release(
        kind,
        None,
        released,
        report,
        (),
        made,
        is_noted=False,
        is_kept=is_kept,
        protection=kind.protection(plan),
    )


def _charge(
    account: Charging,
    kind: ReleaseKind[Any, Any],
    table: SurveyTable,
    plan: Plan,
    identity: ReleaseIdentity,
    part: Path | None,
    bytes_while_drawing: int,
) -> None:
    size = bytes_while_drawing + kind.bytes_of_documents(plan)
    with nullcontext() if part is None else reserved_space(part, size):
        account.charge(
            (kind.cost(plan),),
            plan=plan_to_json(kind.public_plan(plan)),
            title=identity.title or table.name,
            kind=kind.name,
            release_id=identity.release_id,
            answers=kind.bytes_of_answers(plan),
        )


def _json(report: Section) -> str:
    return escape_controls(report.model_dump_json(indent=2)) + "\n"


def earlier_releases(charge: Charge) -> EarlierReleases | None:
    """Returns the earlier releases that the public report of a release lists.

    Only releases whose population was named are listed, and only if it was named for this one:
    whether a file is recognised depends on every answer in it, so a report that listed recognised
    releases would disclose the change of a single answer.

    Args:
        charge: The charge of the release.
    """
    if not charge.is_declared:
        return None
    population, cap = charge.population, charge.population.cap
    listed = [release for release in population.releases if release.is_declared]
    local, central, total = (spent_in(m, listed, charge.costs) for m in (*MODELS, None))
    left = total.left(cap)
    return EarlierReleases(
        population=population.name,
        ledger_since=charge.begun.date(),
        releases=tuple(
            EarlierRelease(
                date=release.time.date(),
                kind=release.kind,
                model=cost.model,
                epsilon=cost.epsilon,
                delta=str(cost.delta),
            )
            for release in listed
            for cost in release.costs
        ),
        local=local.epsilon,
        central=central.epsilon,
        central_delta=str(central.delta),
        total=total.epsilon,
        total_delta=str(total.delta),
        model=charge.costs[0].model,
        cap=None if cap is None else cap.epsilon,
        left=None if left is None else left.epsilon,
    )
