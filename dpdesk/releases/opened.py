"""Opens the records of a release to estimate from: what they are, their plan, who vouches for it.

A folder comes from somebody else. Its files are compared with its manifest first, so that records
that were edited, or that belong to another plan, are not estimated from by mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dpdesk.data.read_records import records_path
from dpdesk.data.regular_file import is_file, is_folder
from dpdesk.errors import InputError, PlanError
from dpdesk.plan import Plan, load_plan
from dpdesk.releases.folder import MANIFEST_NAME, PLAN_NAME
from dpdesk.releases.statistics import STATISTICS_NAME
from dpdesk.releases.synthetic import SYNTHETIC
from dpdesk.releases.verify import identity_beside, verify_release

NO_MANIFEST = (
    "There is no manifest beside these records, so nobody can tell whether they were changed."
)


@dataclass(frozen=True, slots=True)
class OpenedRelease:
    """Records that can be estimated from.

    Attributes:
        place: The folder, or the file of its records.
        plan: The plan that they were made by.
        verified: Whether records and plan are those that the manifest lists.
    """

    place: Path
    plan: Plan
    verified: bool


def open_release(
    place: Path,
    named_plan: Path | None = None,
    *,
    note: Callable[[str], object] = lambda _: None,
    unverified: bool = False,
    insist: tuple[str, str] = ("", ""),
) -> OpenedRelease:
    """Opens a release of records.

    Args:
        place: Its folder, or the file of its records.
        named_plan: The plan; None for that of the folder.
        note: Receives each sentence that a reader of the estimates has to know.
        unverified: Whether to open it even where records or plan are not those of the manifest.
        insist: What somebody does who wants that, for the end of a remedy: for changed files, and
            for another plan; empty where it cannot be done.

    Raises:
        InputError: It is no release of records, or not the one that its manifest describes.
        PlanError: There is no plan, or it cannot be read.
    """
    _require_records(place)
    plan_path = plan_of_records(place, named_plan)
    verified = _verify(place, plan_path, note, unverified, insist[0])
    plan = load_plan(plan_path)
    verified &= _is_own_plan(place, plan, plan_path, note, unverified, insist[1])
    if interval_note := plan.statistics.unit.interval_note:
        note(interval_note)
    return OpenedRelease(place, plan, verified)


def plan_of_records(records: Path, named: Path | None) -> Path:
    """Returns the plan of released records: the named one, else the one beside them.

    Raises:
        PlanError: None is named, and none is there.
    """
    if named is not None:
        return named
    path = folder_of(records) / PLAN_NAME
    if not is_file(path):
        raise PlanError("There is no plan beside these records.", remedy="Name it with --plan.")
    return path


def folder_of(records: Path) -> Path:
    """Returns the folder of released records, which are named by it or by their file."""
    return records if is_folder(records) else records.parent


def _require_records(place: Path) -> None:
    """Raises `InputError` where there is something else than sanitized records."""
    if is_file(place / STATISTICS_NAME):
        raise InputError(
            "This is a release of statistics: its numbers are estimates already, with intervals.",
            remedy=f"Read {STATISTICS_NAME} or report.html in the folder.",
        )
    of_folder = identity_beside(folder_of(place))
    if of_folder is not None and of_folder[0] == SYNTHETIC.report_format:
        raise InputError(
            "These are synthetic rows: errors that are computed from them as from reports of "
            "people would be too small.",
            remedy="Count them as they are, and read report.html in the folder.",
        )
    if not is_folder(place) and not is_file(place):
        raise InputError(
            f"{place.name or place} is neither a folder nor a file.",
            remedy="Name the folder of a release, or its records.",
        )


def _verify(
    place: Path, plan_path: Path, note: Callable[[str], object], unverified: bool, insist: str
) -> bool:
    """Compares what is read with the manifest beside it; returns whether it agrees.

    Raises:
        InputError: The records or the plan beside them are not those of the manifest.
    """
    folder = folder_of(place)
    found = verify_release(folder)
    if not found.has_manifest:
        if not unverified and identity_beside(folder) is None:
            # True answers that are read as noisy ones give estimates all the same.
            raise InputError(
                f"{place.name or 'This'} is no release: it has neither a manifest nor a report.",
                remedy=_either("Name the folder of a release", insist),
            )
        note(NO_MANIFEST)
        return False
    read = {records_path(place).name, MANIFEST_NAME}
    if plan_path.parent == folder:
        read.add(plan_path.name)
    wrong = {name: fault for name, fault in found.faults.items() if name in read}
    if wrong and not unverified:
        listed = " ".join(f"{name} {fault}." for name, fault in wrong.items())
        raise InputError(
            f"This is not the release that its manifest describes. {listed}",
            remedy=_either("Get the folder again from who released it", insist),
        )
    for sentence in found.sentences():
        note(sentence)
    return not wrong


def _is_own_plan(
    place: Path,
    plan: Plan,
    plan_path: Path,
    note: Callable[[str], object],
    unverified: bool,
    insist: str,
) -> bool:
    """Whether the named plan describes the same records as the plan beside them.

    Raises:
        InputError: It does not.
    """
    beside = folder_of(place) / PLAN_NAME
    if plan_path == beside or not is_file(beside):
        return True
    if _law(plan) == _law(load_plan(beside)):
        return True
    if not unverified:
        raise InputError(
            f"{plan_path.name} is not the plan that these records were made by: columns, "
            "mechanisms, domains or the strategy differ from the plan beside them.",
            remedy=_either("Leave --plan out", insist),
        )
    note(f"{plan_path.name} is not the plan beside these records.")
    return False


def _either(first: str, second: str) -> str:
    return f"{first}, or {second}." if second else f"{first}."


def _law(plan: Plan) -> tuple[object, ...]:
    """Returns the part of a plan that decides how reports are drawn."""
    columns = [(c.name, c.mechanism, c.effective_domain, c.expected) for c in plan.protected]
    return plan.strategy, plan.fakes, columns
