"""`dpdesk ledger --verify` and `--enter`: release folders against the ledger."""

from __future__ import annotations

from pathlib import Path

from dpdesk.cli.exit_codes import ExitCode
from dpdesk.cli.terminal import plain, print_json
from dpdesk.errors import ParameterError
from dpdesk.ledger import Ledger
from dpdesk.plan import load_plan
from dpdesk.plan.file import plan_to_json
from dpdesk.release.charged_folders import ChargedFolder, charged_folders

_WORDS = {
    "known": "is in the ledger",
    "missing": "is MISSING in the ledger, though it was charged to it: an older copy of the ledger "
    "stands in its place",
    "other": "was charged to another ledger",
    "unsigned": "does not say which ledger it was charged to, and this one does not have it",
}


def verify(kept: Ledger, folder: Path, *, as_json: bool) -> ExitCode:
    """Says of every release in a folder whether the ledger has it.

    Raises:
        ParameterError: There is none.
    """
    found = _found(folder)
    states = [_state(kept, each) for each in found]
    if as_json:
        listed = [
            {"folder": str(each.folder), "release": each.release_id, "ledger": state}
            for each, state in zip(found, states, strict=True)
        ]
        print_json(listed)
    else:
        for each, state in zip(found, states, strict=True):
            print(plain(f"{each.folder}: release {each.release_id} {_WORDS[state]}."))
    return ExitCode.LEDGER if "missing" in states else ExitCode.OK


def enter(kept: Ledger, folder: Path, population: str) -> None:
    """Enters a release that was charged to the ledger and is missing in it.

    Raises:
        ParameterError: There is no such release, or no population was named.
        PlanError: The plan of the folder cannot be read.
    """
    found = next((each for each in _found(folder) if each.folder == folder), None)
    if found is None:
        raise ParameterError("This folder is no release.", remedy="Name the folder of one release.")
    if not population:
        raise ParameterError("A release is entered for its people.", remedy="Add --population.")
    plan = load_plan(folder / "plan.json")
    kept.enter(
        found.release_id,
        found.seal,
        population,
        (found.kind.cost(plan),),
        plan=plan_to_json(plan),
        title=found.title,
        kind=found.kind.name,
        where=folder.absolute(),
    )
    print(plain(f"The release in {folder} was entered for {population}."))


def _state(kept: Ledger, found: ChargedFolder) -> str:
    if kept.book().release(found.release_id) is not None:
        return "known"
    if not found.seal:
        return "unsigned"
    return "missing" if kept.is_own(found.release_id, found.seal) else "other"


def _found(folder: Path) -> list[ChargedFolder]:
    found = list(charged_folders(folder))
    if not found:
        raise ParameterError(
            f"There is no release in {folder.name or folder}.",
            remedy="Name the folder of a release, or one that holds such folders.",
        )
    return found
