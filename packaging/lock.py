"""The lock: the one version of every package that is installed, and the hashes of its files.

`packaging/locks/dpdesk.txt` holds what dpdesk runs on and is built with; beside it lies a file for
each extra with what that asks for besides. pip reads them, and refuses every file whose SHA-256 is
not there: what is installed is what was tested, from wherever it comes. `renew_lock.py` writes
them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from setup_log import ROOT, SetupError, last_complaint

LOCKS = ROOT / "packaging" / "locks"
BASE = "dpdesk"


# What pip says where it does not install, and what a person is told instead; the first that fits.
_REASONS = (
    (
        r"DO NOT MATCH THE HASHES.*\n\s+(?P<name>[\w.-]+)==(?P<version>\S+)",
        "The package {name} {version} was refused and nothing was installed: the file that came is "
        "not one of those that dpdesk was tested with, as its SHA-256 is not in packaging/locks. "
        "Repeat the command over another network or package index; if it is refused again, tell "
        "the maintainers of dpdesk and do not install that file in another way.",
    ),
    (
        r"Hashes are required in --require-hashes mode.*\n\s+(?P<name>[\w.-]+)",
        "The package {name} was refused and nothing was installed: packaging/locks holds no "
        "SHA-256 for it. Restore that folder as it is in the repository, or write it anew with "
        "packaging/renew_lock.py.",
    ),
    (
        r"must have their versions pinned with ==.*\n\s+(?P<name>[\w.-]+)",
        "The package {name} is needed and nothing was installed: packaging/locks does not fix its "
        "version. Restore that folder as it is in the repository, or write it anew with "
        "packaging/renew_lock.py.",
    ),
    (r"No space left on device", "The disk is full: dpdesk and its packages need some 2 GB."),
    (
        r"(?s)(Retrying \(|Could not fetch URL).*No matching distribution|Max retries exceeded"
        r"|ReadTimeoutError",
        "The package index could not be reached. Check the network, and the proxy and the index "
        "that pip is set up for ('python3 -m pip config list' shows them), and repeat the command.",
    ),
    (
        r"No matching distribution found for (?P<name>[\w.-]+)==(?P<version>[^\s;]+)",
        "The package index has no ready-built {name} {version} for this machine and this Python. "
        "dpdesk is made for Linux (x86-64 with glibc 2.34, ARM with glibc 2.39, or newer), macOS "
        "13 or newer and Windows (x86-64); on one of these, set pip up for an index that has it.",
    ),
)


def entries(path: Path) -> list[str]:
    """The packages of one file of the lock.

    Returns:
        For each package its lines as they stand there: name, version and marker, then hashes.
    """
    found: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith((" ", "\t")):
            found[-1] += line
        elif line.strip() and not line.startswith("#"):
            found.append(line)
    return found


def digest(folder: Path = LOCKS) -> str:
    """A fingerprint of the lock; another one means other packages."""
    content = hashlib.sha256()
    for path in sorted(folder.glob("*.txt")):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()


def pip_options(extras: Iterable[str], folder: Path = LOCKS) -> list[str]:
    """What `pip install` is told to install the locked packages and nothing else.

    Args:
        extras: Names from `[project.optional-dependencies]`.
        folder: The folder of the lock.

    Raises:
        SetupError: A file of the lock is missing: there is no such extra, or the lock is older.
    """
    # Ready built only: building from source would fetch packages that no hash is known of.
    options = ["--require-hashes", "--only-binary", ":all:"]
    for name in (BASE, *extras):
        path = folder / f"{name}.txt"
        if not path.is_file():
            raise SetupError(
                f"There is no lock for '{name}' in {folder}. The extras are those of "
                "pyproject.toml; after a new one is declared there, run packaging/renew_lock.py."
            )
        options += ["-r", str(path)]
    return options


def refusal(log: Path) -> str:
    """Why pip installed nothing and what to do about it, in words.

    Args:
        log: A file with what pip said.
    """
    said = log.read_text(encoding="utf-8", errors="replace")
    for sign, text in _REASONS:
        found = re.search(sign, said)
        if found:
            return text.format(**found.groupdict())
    cause = last_complaint(log)
    return f"pip could not install what dpdesk needs{f' ({cause})' if cause else ''}."
