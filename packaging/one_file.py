"""The bundle for Linux as one file that runs: a script, and behind it the folder, compressed.

The script (`desktop/one_file.sh`) unpacks the folder once into the user's cache; a file made by
PyInstaller unpacks itself at each start. The folder is cut into parts of about the same size,
which are packed and unpacked side by side, after a part with the folders alone.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SCRIPT = Path(__file__).parent / "desktop" / "one_file.sh"

_PARTS = 4
_LEVEL = 6
"""Of gzip, which every Linux has. The highest one takes twice the time for a hundredth less."""

_FIRST = 8192
"""Bytes before the first part: the script, and empty lines."""


def write(folder: Path, program: Path) -> None:
    """Packs a bundle.

    The same folder gives the same file, and another one another name of what is unpacked.

    Args:
        folder: The bundle, with the program `dpdesk` in it.
        program: The file that runs, which is written.
    """
    with ThreadPoolExecutor() as threads:
        parts = list(threads.map(lambda paths: _packed(folder, paths), _cut(folder)))
    content = hashlib.sha256(SCRIPT.read_bytes() + b"".join(parts))
    megabytes = sum(path.lstat().st_size for path in folder.rglob("*")) / 1e6
    values = {
        "CONTENT": content.hexdigest()[:32],
        # tail counts from 1.
        "FIRST": str(_FIRST + 1),
        "LENGTHS": " ".join(str(len(part)) for part in parts),
        "MEGABYTES": f"{megabytes:.0f}",
    }
    script = SCRIPT.read_text(encoding="utf-8")
    for name, value in values.items():
        script = script.replace(f"@{name}@", value)
    # Shells read line by line; the last one ends them before what is no text.
    head = (script + "exit\n").encode()
    if len(head) > _FIRST:
        raise ValueError(f"{SCRIPT.name} is longer than {_FIRST} bytes")
    written = program.with_name(f"{program.name}.new")
    with written.open("wb") as file:
        file.write(head.ljust(_FIRST, b"\n"))
        file.writelines(parts)
    written.chmod(0o755)
    written.replace(program)


def _cut(folder: Path) -> list[list[Path]]:
    """The folders, then the files in parts of about the same size."""
    found = sorted(folder.rglob("*"))
    folders = [path for path in found if path.is_dir() and not path.is_symlink()]
    files = sorted(set(found).difference(folders))
    sizes = {path: path.lstat().st_size for path in files}
    parts: list[list[Path]] = [[] for _ in range(_PARTS)]
    totals = [0] * _PARTS
    # Each to the least part so far.
    for path in sorted(sizes, key=lambda path: -sizes[path]):
        least = totals.index(min(totals))
        parts[least].append(path)
        totals[least] += sizes[path]
    return [folders, *parts]


def _packed(folder: Path, paths: Iterable[Path]) -> bytes:
    """Files as a compressed archive without what differs from one build to the next."""
    archive = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=archive, mode="wb", compresslevel=_LEVEL, mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in sorted(paths):
            entry = tar.gettarinfo(path, arcname=str(path.relative_to(folder)))
            entry.uid = entry.gid = entry.mtime = 0
            entry.uname = entry.gname = ""
            entry.mode = 0o755 if os.access(path, os.X_OK) else 0o644
            if entry.isreg():
                with path.open("rb") as file:
                    tar.addfile(entry, file)
            else:
                tar.addfile(entry)
    return archive.getvalue()
