"""Release folders compared with the ledger: is every release that was charged to it still in it?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdesk.errors import DamagedLedgerError
from dpdesk.i18n import joined
from dpdesk.ledgers import Ledger
from dpdesk.ledgers.charging import ChargeTo
from dpdesk.releases.kind import ReleaseKind
from dpdesk.releases.kinds import KINDS
from dpdesk.releases.texts import T
from dpdesk.releases.verify import identity_beside

_FOLDERS_MOST = 200


@dataclass(frozen=True, slots=True)
class ChargedFolder:
    """A release folder and the ledger that its report names.

    Attributes:
        folder: The folder.
        release_id: Identifier of the release.
        seal: Digits by which its ledger recognises it; empty in reports of earlier versions.
        title: Title of the survey.
        kind: What was released.
    """

    folder: Path
    release_id: str
    seal: str
    title: str
    kind: ReleaseKind[Any, Any]


def charged_folders(folder: Path) -> Iterator[ChargedFolder]:
    """Finds the release that a folder is, and those in it, the newest ones first.

    Args:
        folder: A release, or a folder of releases; of many folders in it the 200 newest are read.
    """
    try:
        inside = [path for path in folder.iterdir() if path.is_dir()]
        inside.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        inside = []
    for place in (folder, *inside[:_FOLDERS_MOST]):
        found = _read(place)
        if found is not None:
            yield found


def refuse_missing(target: Path, to: ChargeTo) -> None:
    """Refuses to release beside a release that is missing in the ledger it was charged to.

    Args:
        target: The folder to make.
        to: Whom the release is charged to.

    Raises:
        DamagedLedgerError: The ledger was replaced by an older copy.
    """
    beside = {found.release_id: found for found in charged_folders(target.parent)}
    if not any(found.seal for found in beside.values()):
        return
    missing = Ledger.open(to.ledger).missing((f.release_id, f.seal) for f in beside.values())
    if missing:
        names = [beside[each].folder.name for each in missing]
        raise DamagedLedgerError(T.OLDER_LEDGER(names=joined(names, 3)))


def _read(folder: Path) -> ChargedFolder | None:
    found = identity_beside(folder)
    kind = next((k for k in KINDS if found is not None and k.report_format == found[0]), None)
    if found is None or kind is None:
        return None
    identity = found[1]
    texts = [identity.get(name, "") for name in ("release_id", "ledger_seal", "title")]
    if not all(isinstance(text, str) for text in texts) or not texts[0]:
        return None
    release_id, seal, title = map(str, texts)
    return ChargedFolder(folder, release_id, seal, title, kind)
