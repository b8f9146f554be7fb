"""Names of release folders: suggested from the survey and the day, and what speaks against one."""

from __future__ import annotations

import datetime
import re
import unicodedata
from pathlib import Path

_LONGEST = 60
_LONGEST_BYTES = 180
# File systems take 255; a release writes beside it under a longer name first.
_BYTES = 200
_NO_LETTERS = re.compile(r"[^\w]+")
# Windows keeps these for devices; a release must be able to travel there.
_DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))}
_FORBIDDEN = frozenset('<>:"/\\|?*')


def suggested_name(survey: str, day: datetime.date) -> str:
    """Returns a name such as "fruit-survey-2026-11-21".

    Args:
        survey: Title of the survey or name of its file; never a cell of the data.
        day: Day of the release.
    """
    stem = re.sub(r"\.(csv|tsv|txt)$", "", survey.strip(), flags=re.IGNORECASE)
    plain = unicodedata.normalize("NFC", stem).casefold()
    words = _NO_LETTERS.sub("-", plain).strip("-_")[:_LONGEST]
    words = words.encode()[:_LONGEST_BYTES].decode(errors="ignore").strip("-_")
    return f"{words or 'release'}-{day.isoformat()}"


def free_name(parent: Path, name: str) -> str:
    """Returns the name, or the name with the first number for which nothing stands in its place."""
    number, candidate = 1, name
    while is_taken(parent / candidate):
        number += 1
        candidate = f"{name}-{number}"
    return candidate


def is_taken(folder: Path) -> bool:
    """Whether something stands in the place of a folder; an empty folder does not count."""
    try:
        if folder.is_symlink() or not folder.is_dir():
            return folder.is_symlink() or folder.exists()
        return any(folder.iterdir())
    except OSError:
        return True


def is_possible(name: str) -> bool:
    """Whether a text can name a folder on every system that a release may travel to."""
    return (
        bool(name.strip())
        and name == name.strip()
        and len(name.encode(errors="replace")) <= _BYTES
        and not name.startswith(".")
        and not name.endswith(".")
        and name.casefold().partition(".")[0] not in _DEVICES
        and not any(letter in _FORBIDDEN or ord(letter) < 32 for letter in name)
    )
