"""Compares a release folder with its manifest: the sizes and digests of its files.

A manifest guards against accidents: a file that was edited, cut off while it was copied, or taken
from another release. It does not guard against a person who changes both a file and the manifest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdesk.data.record_files import RECORD_FILES
from dpdesk.data.regular_file import (
    RELEASED_MAX,
    TEXT_MAX,
    FileRefusedError,
    is_file,
    is_folder,
    open_regular,
    read_regular,
)
from dpdesk.data.strict_json import JsonRefusedError, parse_strict
from dpdesk.releases.folder import MANIFEST_NAME, PLAN_NAME, REPORT_NAME
from dpdesk.releases.texts import T

_VERSION = 1
_PIECE = 1 << 20
_FILES_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of comparing a folder with its manifest.

    Attributes:
        has_manifest: Whether there is one.
        faults: What is wrong with a file, as a sentence by its name.
    """

    has_manifest: bool
    faults: dict[str, str]


def verify_release(folder: Path) -> Verification:
    """Compares the files of a folder with its manifest.

    Args:
        folder: The folder of a release, or one that merely holds records.
    """
    try:
        content = parse_strict(read_regular(folder / MANIFEST_NAME, TEXT_MAX))
        listed = _listed(content)
    except FileRefusedError as refused:
        if refused.is_missing:
            return Verification(has_manifest=False, faults={})
        fault = T.UNREADABLE(file=MANIFEST_NAME, reason=str(refused))
        return Verification(True, {MANIFEST_NAME: fault})
    except JsonRefusedError as refused:
        fault = T.NO_JSON(file=MANIFEST_NAME, reason=str(refused))
        return Verification(True, {MANIFEST_NAME: fault})
    except _NoManifestError as refused:
        return Verification(True, {MANIFEST_NAME: refused.args[0]})
    faults = dict(_faults(folder, listed))
    if _is_of_another_release(folder, content):
        fault = T.OTHER_RELEASE(file=MANIFEST_NAME, report=REPORT_NAME)
        faults = {MANIFEST_NAME: fault} | faults
    return Verification(True, faults)


class _NoManifestError(Exception):
    """The content is not a manifest; the message is why."""


def _listed(content: object) -> dict[str, tuple[int, str]]:
    """Size and digest of each file that a manifest lists."""
    if not isinstance(content, dict) or content.get("format") != "dpdesk-release":
        raise _NoManifestError(T.NOT_A_MANIFEST(file=MANIFEST_NAME))
    if content.get("version") != _VERSION:
        raise _NoManifestError(T.NEWER(file=MANIFEST_NAME))
    entries = content.get("files")
    listed: dict[str, tuple[int, str]] = {}
    for entry in entries if isinstance(entries, list) else [None]:
        fields = entry if isinstance(entry, dict) else {}
        name, size, digest = (fields.get(key) for key in ("file", "bytes", "sha256"))
        if not (isinstance(name, str) and type(size) is int and isinstance(digest, str)):
            raise _NoManifestError(T.NO_DIGESTS(file=MANIFEST_NAME))
        # A name with a folder in it would lead out of this one.
        if name != Path(name).name or name == ".." or name in listed:
            raise _NoManifestError(T.LISTS_OUTSIDE(file=MANIFEST_NAME))
        listed[name] = (size, digest)
    return listed


def _faults(folder: Path, listed: dict[str, tuple[int, str]]) -> Iterator[tuple[str, str]]:
    # On several cores: a digest takes longer than reading.
    with ThreadPoolExecutor(_FILES_AT_ONCE) as pool:
        found = pool.map(lambda name: _fault(folder / name, *listed[name]), listed)
        yield from ((name, fault) for name, fault in zip(listed, found, strict=True) if fault)
    try:
        there = sorted(path.name for path in folder.iterdir())
    except OSError:
        there = []
    for name in there:
        if name != MANIFEST_NAME and name not in listed:
            yield name, T.NOT_LISTED(file=name)


def _fault(path: Path, size: int, digest: str) -> str:
    """What is wrong with a file of this size and digest; empty where nothing is."""
    try:
        with open_regular(path, RELEASED_MAX) as file:
            found, length = hashlib.sha256(), 0
            while piece := file.read(_PIECE):
                found.update(piece)
                length += len(piece)
    except FileRefusedError as refused:
        if refused.is_missing:
            return T.MISSING(file=path.name)
        return T.UNREADABLE(file=path.name, reason=str(refused))
    if length != size:
        return T.OTHER_SIZE(file=path.name, bytes=length, listed=size)
    return "" if found.hexdigest() == digest else T.CHANGED(file=path.name)


def is_sealed(folder: Path) -> bool:
    """Whether a folder is a release: it has a manifest of dpdesk that can be read."""
    try:
        _listed(parse_strict(read_regular(folder / MANIFEST_NAME, TEXT_MAX)))
    except (FileRefusedError, JsonRefusedError, _NoManifestError):
        return False
    return True


def files_read_with(records: Path) -> tuple[Path, ...]:
    """Returns every file that an estimate reads of a release, named by its folder or its records.

    The plan, the report and the manifest lie beside the records; what does not exist is left out.
    """
    if is_folder(records):
        folder, names = records, [kind.name for kind in RECORD_FILES]
    else:
        folder, names = records.parent, []
    beside = (folder / name for name in (*names, PLAN_NAME, REPORT_NAME, MANIFEST_NAME))
    return (records, *(path for path in beside if is_file(path)))


def _is_of_another_release(folder: Path, manifest: Any) -> bool:
    """Returns whether the report beside it belongs to another release."""
    found = identity_beside(folder)
    own = None if found is None else found[1].get("release_id")
    return own is not None and own != manifest.get("release_id")


def identity_beside(folder: Path) -> tuple[str, dict[str, Any]] | None:
    """Returns the format and the identity of the report in a folder, unchecked.

    None if there is no readable report with an identity.
    """
    try:
        content = parse_strict(read_regular(folder / REPORT_NAME, TEXT_MAX))
    except (FileRefusedError, JsonRefusedError):
        return None
    if not isinstance(content, dict) or not isinstance(content.get("identity"), dict):
        return None
    return str(content.get("format")), content["identity"]
