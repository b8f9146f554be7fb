"""Where a release may be put: the folder that is proposed, and a name in it that is not taken."""

from __future__ import annotations

import datetime
import os
import re
import unicodedata
from pathlib import Path

from dpdesk.releases.folder import MANIFEST_NAME

_LONGEST = 60
_LONGEST_BYTES = 176
# File systems allow 255; a release first writes beside it under a longer name.
_BYTES = 200
_NO_LETTERS = re.compile(r"[^\w]+")
# Reserved for devices on Windows, where a release must be usable too.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
_FORBIDDEN = frozenset('<>:"/\\|?*')


def suggested_name(survey: str, day: datetime.date, kind: str) -> str:
    """Returns a name such as "fruit-survey-records-2026-11-21".

    Args:
        survey: Title of the survey or name of its file; never a cell of the data.
        day: Day of the release.
        kind: Name of the kind of release.
    """
    stem = re.sub(r"\.(csv|tsv|txt)$", "", survey.strip(), flags=re.IGNORECASE)
    plain = unicodedata.normalize("NFC", stem).casefold()
    words = _NO_LETTERS.sub("-", plain).strip("-_")[:_LONGEST]
    words = words.encode()[:_LONGEST_BYTES].decode(errors="ignore").strip("-_")
    return "-".join(filter(None, (words, kind, day.isoformat())))


def free_name(parent: Path, name: str) -> str:
    """Returns the name, or the name with the first number that is not taken."""
    number, candidate = 1, name
    while is_taken(parent / candidate):
        number += 1
        candidate = f"{name}-{number}"
    return candidate


def is_taken(folder: Path) -> bool:
    """Whether a path is taken; an empty folder does not count."""
    try:
        if folder.is_symlink() or not folder.is_dir():
            return folder.is_symlink() or folder.exists()
        return any(folder.iterdir())
    except OSError:
        return True


def is_possible(name: str) -> bool:
    """Whether a text is a valid name of a folder on every system."""
    return (
        bool(name.strip())
        and name == name.strip()
        and len(name.encode(errors="replace")) <= _BYTES
        and not name.startswith(".")
        and not name.endswith(".")
        and name.casefold().partition(".")[0] not in _DEVICES
        and not any(letter in _FORBIDDEN or ord(letter) < 32 for letter in name)
    )


def folder_beside(data: Path | None) -> Path | None:
    """Returns the folder of a data file, where a release can be put; None if it cannot.

    Of a file inside a release it is the one beside that: a release holds what its manifest lists.

    Args:
        data: The file, or the folder of its parts; None for data without one, as the sample.
    """
    if data is None:
        return None
    folder = data.absolute().parent
    if os.path.lexists(folder / MANIFEST_NAME):
        folder = folder.parent
    return folder if os.access(folder, os.W_OK | os.X_OK) else None
