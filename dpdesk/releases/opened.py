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
from dpdesk.i18n import in_a_row
from dpdesk.plan import Plan, load_plan
from dpdesk.releases.folder import MANIFEST_NAME, PLAN_NAME
from dpdesk.releases.statistics import STATISTICS_NAME
from dpdesk.releases.synthetic import SYNTHETIC
from dpdesk.releases.texts import T
from dpdesk.releases.verify import identity_beside, verify_release


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
) -> OpenedRelease:
    """Opens a release of records.

    Args:
        place: Its folder, or the file of its records.
        named_plan: The plan; None for that of the folder.
        note: Receives each sentence that a reader of the estimates has to know.
        unverified: Whether to open it even where records or plan are not those of the manifest.

    Raises:
        InputError: It is no release of records, or not the one that its manifest describes.
        PlanError: There is no plan, or it cannot be read.
    """
    _require_records(place)
    plan_path = plan_of_records(place, named_plan)
    verified = _verify(place, plan_path, note, unverified)
    plan = load_plan(plan_path)
    verified &= _is_own_plan(place, plan, plan_path, note, unverified)
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
        raise PlanError(T.NO_PLAN())
    return path


def folder_of(records: Path) -> Path:
    """Returns the folder of released records, which are named by it or by their file."""
    return records if is_folder(records) else records.parent


def _require_records(place: Path) -> None:
    """Raises `InputError` where there is something else than sanitized records."""
    if is_file(place / STATISTICS_NAME):
        raise InputError(T.OF_STATISTICS(file=STATISTICS_NAME))
    of_folder = identity_beside(folder_of(place))
    if of_folder is not None and of_folder[0] == SYNTHETIC.report_format:
        raise InputError(T.OF_SYNTHETIC())
    if not is_folder(place) and not is_file(place):
        raise InputError(T.NEITHER(name=place.name or str(place)))


def _verify(place: Path, plan_path: Path, note: Callable[[str], object], unverified: bool) -> bool:
    """Compares what is read with the manifest beside it; returns whether it agrees.

    Raises:
        InputError: The records or the plan beside them are not those of the manifest.
    """
    folder = folder_of(place)
    found = verify_release(folder)
    if not found.has_manifest:
        if not unverified and identity_beside(folder) is None:
            # True answers that are read as noisy ones give estimates all the same.
            raise InputError(T.NO_RELEASE(name=place.name or str(place)))
        note(T.NO_MANIFEST())
        return False
    read = {records_path(place).name, MANIFEST_NAME}
    if plan_path.parent == folder:
        read.add(plan_path.name)
    wrong = [fault for name, fault in found.faults.items() if name in read]
    if wrong and not unverified:
        raise InputError(T.NOT_AS_LISTED(faults=in_a_row(wrong)))
    for sentence in found.faults.values():
        note(sentence)
    return not wrong


def _is_own_plan(
    place: Path,
    plan: Plan,
    plan_path: Path,
    note: Callable[[str], object],
    unverified: bool,
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
        raise InputError(T.OTHER_PLAN(name=plan_path.name))
    note(T.NOT_BESIDE(name=plan_path.name))
    return False


def _law(plan: Plan) -> tuple[object, ...]:
    """Returns the part of a plan that decides how reports are drawn."""
    columns = [(c.name, c.mechanism, c.effective_domain, c.expected) for c in plan.protected]
    return plan.strategy, plan.fakes, columns
