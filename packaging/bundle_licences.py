"""What the bundle is made of, and under which licences: its file THIRD-PARTY-LICENCES.

    .venv/bin/python packaging/bundle_licences.py build/bundle/collected.json OUTPUT

`dpdesk.spec` writes down which files PyInstaller collected, and from where. Each of them must
belong to something whose licence has a text: an installed distribution, Python, a package of the
system, or dpdesk with its icons and its sample. What belongs to nothing, has no text, or is not in
the lock is named, and there is no bundle: nobody would know under which terms to pass it on. What
a distribution has compiled into its own libraries is told by the texts that it brings, and by
nothing else.
"""

from __future__ import annotations

import json
import os
import platform
import re
import ssl
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import Distribution, distributions
from itertools import chain
from pathlib import Path, PurePosixPath

import lock
from setup_log import ROOT, SetupError

NAME = "THIRD-PARTY-LICENCES"
TEXTS = Path(__file__).resolve().parent / "licences"

# What comes without the text of its licence, and the texts in `licences/` that belong to it.
SUPPLIED = {
    "pyside6-essentials": ("LGPL-3.0", "GPL-3.0"),
    "shiboken6": ("LGPL-3.0", "GPL-3.0"),
    "dp-accounting": ("Apache-2.0",),
}
# Their start-up code is in every bundle; they are tools, and not in the lock of dpdesk itself.
BUILDERS = {"pyinstaller", "pyinstaller-hooks-contrib"}

# Debian keeps the long texts that its packages refer to in one place.
COMMON = Path("/usr/share/common-licenses")
DOCUMENTS = Path("/usr/share/doc")

_LICENCE_FILE = re.compile(r"(?i)^(un)?(licen[cs]e|copying|notice|copyright)(?!.*\.pyc?$)")
_PYTHON_LIBRARY = re.compile(r"^(libpython3[\d.]*\.(so|dylib)[\d.]*|python3\d*\.dll|Python)$")
_FONT = re.compile(r"(?i)\.(ttf|otf|ttc|woff2?|pfb)$")

Entry = tuple[str, str, str]  # path in the bundle, path here, kind


@dataclass
class Component:
    """Something that the bundle holds at least a part of.

    Attributes:
        name: What its makers call it.
        version: Its version; empty where it has none of its own.
        licence: What its licence is called.
        texts: The texts of the licence by their titles.
        note: What else is to be said of it.
    """

    name: str
    version: str
    licence: str
    texts: dict[str, str] = field(default_factory=dict)
    note: str = ""


def components_of(entries: Iterable[Entry]) -> list[Component]:
    """Everything that the files of a bundle are parts of, in the order of the names.

    Args:
        entries: The files that PyInstaller collected.

    Raises:
        SetupError: A file belongs to nothing known, a licence has no text, or a distribution is
            not the one of the lock.
    """
    owners = Owners()
    found = {part.name: part for part in (_openssl(), _pyinstaller(), _python())}
    strangers = []
    for target, origin, kind in entries:
        if kind == "SYMLINK" or origin in ("", "-"):  # no file of its own
            continue
        part = owners.of(target, origin)
        if part is None:
            strangers.append(target)
        else:
            found.setdefault(part.name, part)
        if _FONT.search(target) and part is not None:
            part.note = f"{part.note} It brings the font {target}.".strip()
    for part in [part for part in found.values() if canonical(part.name) == "pyside6-essentials"]:
        found["Qt"] = _qt(part.version)
    if strangers:
        raise SetupError(
            f"Nothing says under which licence the bundle holds {', '.join(sorted(strangers))}. "
            "Leave it out in packaging/dpdesk.spec, or let packaging/bundle_licences.py know it."
        )
    # Who wrote it is no licence.
    bare = sorted(
        part.name
        for part in found.values()
        if not any(text and "AUTHORS" not in title for title, text in part.texts.items())
    )
    if bare:
        raise SetupError(
            f"The text of the licence is missing for {', '.join(bare)}. Put it into "
            "packaging/licences and name it in SUPPLIED of packaging/bundle_licences.py."
        )
    return sorted(found.values(), key=lambda part: part.name.lower())


class Owners:
    """Knows of each file what it is a part of."""

    def __init__(self) -> None:
        self._installed = installed_files()
        self._packages = Path(sysconfig.get_path("purelib"))
        self._known: dict[str, Component | None] = {}

    def of(self, target: str, origin: str) -> Component | None:
        """What a file is a part of; None where that is not known.

        Args:
            target: Its path in the bundle, or the name of a module.
            origin: Its path here.

        Raises:
            SetupError: It is of a distribution that is not the one of the lock.
        """
        place = Path(origin).resolve()
        for folder, name in _OWN:
            if place.is_relative_to(ROOT / folder):
                return self._once(name, partial(_own, name, ROOT / folder))
        # A library without its symbols is a copy; where it goes tells whose it is.
        for path in (place, (self._packages / target).resolve()):
            distribution = self._installed.get(str(path))
            if distribution is not None:
                return self._once(distribution.name, partial(_distribution, distribution))
        if _is_of_python(target, place):
            return self._once("Python", _python)
        package = _system_package(place)
        return self._once(package, partial(_system, package)) if package else None

    def _once(self, name: str, make: Callable[[], Component]) -> Component | None:
        if name not in self._known:
            self._known[name] = make()
        return self._known[name]


def installed_files() -> dict[str, Distribution]:
    """The path of every file that is installed here, with the distribution that it came with."""
    return {
        os.path.normpath(place / path): distribution
        for distribution in distributions()
        for place in [Path(str(distribution.locate_file(""))).resolve()]
        for path in distribution.files or ()
    }


# What dpdesk brings itself, the inner folders first.
_OWN = (
    ("resources/icons", "Material Design Icons"),
    ("resources/fonts", "Inter"),
    ("resources/samples/affairs", "Sample survey"),
    ("resources/samples/diabetes", "Sample of learning"),
    ("resources", "dpdesk"),
    ("dpdesk", "dpdesk"),
    ("packaging", "dpdesk"),
)


def _own(name: str, folder: Path) -> Component:
    if name == "Material Design Icons":
        terms = {part: _text(folder / part) for part in ("NOTICE.md", "LICENSE")}
        terms["Apache-2.0"] = _text(TEXTS / "Apache-2.0.txt")
        return Component(name, "7.4.47", "Apache-2.0", terms, "The icons of the window.")
    if name == "Inter":
        terms = {"OFL.txt": _text(folder / "OFL.txt")}
        return Component(name, "4.0-beta7", "OFL-1.1", terms, "The typeface of PDF files.")
    if name == "Sample survey":
        return Component(
            name,
            "",
            "published by its author; see the text",
            {"README.md": _text(folder / "README.md")},
        )
    if name == "Sample of learning":
        return Component(name, "", "CC0-1.0", {"README.md": _text(folder / "README.md")})
    return Component("dpdesk", _own_version(), "MIT", {"LICENSE": _text(ROOT / "LICENSE")})


def _own_version() -> str:
    source = (ROOT / "dpdesk" / "version.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', source)
    return found[1] if found else ""


def _distribution(distribution: Distribution) -> Component:
    name, number = canonical(distribution.name), distribution.version
    if name not in BUILDERS and (name, number) not in locked_versions():
        raise SetupError(
            f"The bundle would hold {distribution.name} {number}, which packaging/locks/dpdesk.txt "
            "does not name, nor all.txt beside it. Leave it out in packaging/dpdesk.spec, or "
            "declare it in pyproject.toml and renew the lock."
        )
    texts = {
        str(path): _text(Path(str(distribution.locate_file(path))))
        for path in distribution.files or ()
        if _LICENCE_FILE.match(path.name) or path.parent.name == "licenses"
    }
    for supplied in SUPPLIED.get(name, ()):
        texts[supplied] = _text(TEXTS / f"{supplied}.txt")
    return Component(distribution.name, number, _licence_name(distribution), texts)


def _licence_name(distribution: Distribution) -> str:
    told = distribution.metadata
    for key in ("License-Expression", "License"):
        lines = told[key].strip().splitlines() if key in told else []
        if len(lines) == 1:  # some put the whole text there
            return lines[0]
    classes = [
        line.rpartition(" :: ")[2]
        for line in told.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    return ", ".join(classes) or "see the text"


def locked_versions(folder: Path = lock.LOCKS) -> set[tuple[str, str]]:
    """Name and version of everything that dpdesk runs on with all its parts, as the lock has it."""
    parts = (lock.entries(folder / f"{name}.txt") for name in (lock.BASE, "all"))
    heads = (entry.split()[0].partition("==") for entry in chain.from_iterable(parts))
    return {(canonical(name), number) for name, _, number in heads}


def canonical(name: str) -> str:
    """The one spelling of a distribution's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _is_of_python(target: str, place: Path) -> bool:
    if PurePosixPath(target).name == "base_library.zip" or _PYTHON_LIBRARY.match(place.name):
        return True
    folders = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    if not sys.platform.startswith("linux"):  # on Linux that can be the whole system's folder
        folders.add(sys.base_prefix)
    return any(place.is_relative_to(Path(folder).resolve()) for folder in folders)


def _python() -> Component:
    library = Path(sysconfig.get_path("stdlib"))
    places = [folder / "LICENSE.txt" for folder in (library, library.parent, Path(sys.base_prefix))]
    # Debian may keep it with its documents.
    number = platform.python_version()
    places.append(DOCUMENTS / f"python{number.rpartition('.')[0]}" / "copyright")
    found = next((path for path in places if path.is_file()), None)
    terms = {"LICENSE.txt": _text(found)} if found else {}
    return Component("Python", number, "PSF-2.0", terms)


def _pyinstaller() -> Component:
    tool = next(found for found in distributions(name="pyinstaller"))
    part = _distribution(tool)
    part.note = "The program that starts the bundle; its licence allows that for any program."
    return part


def _openssl() -> Component:
    name, number = ssl.OPENSSL_VERSION.split()[:2]
    # Before version 3 it had a licence of its own.
    terms = {"Apache-2.0": _text(TEXTS / "Apache-2.0.txt")} if number[0] >= "3" else {}
    return Component(name, number, "Apache-2.0", terms, "Copyright The OpenSSL Project Authors.")


def _qt(number: str) -> Component:
    terms = {name: _text(TEXTS / f"{name}.txt") for name in ("LGPL-3.0", "GPL-3.0")}
    note = (
        "Used under the GNU Lesser General Public License, version 3, unchanged, as libraries of "
        "their own in the folder PySide6: they may be replaced by others of the same interface. "
        "Its source is published at https://download.qt.io/ and what third parties contributed, "
        "with their licences, is listed at https://doc.qt.io/qt-6/licenses-used-in-qt.html."
    )
    return Component("Qt", number, "LGPL-3.0-only", terms, note)


def _system_package(place: Path) -> str:
    """The package of Debian that a file comes from; empty where there is none."""
    # Packages name files below /lib that lie below /usr/lib by now.
    for path in (str(place), str(place).removeprefix("/usr")):
        try:
            command = ["dpkg", "--search", path]
            asked = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError:
            return ""
        if asked.returncode == 0:
            return asked.stdout.splitlines()[0].partition(": ")[0].split(",")[0]
    return ""


def _system(package: str) -> Component:
    asked = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    name = package.partition(":")[0]
    path = DOCUMENTS / name / "copyright"
    texts = {"copyright": _text(path)} if path.is_file() else {}
    terms = "\n".join(texts.values())
    for common in sorted({part.name for part in COMMON.glob("*")}):
        if re.search(rf"common-licenses/{re.escape(common)}(?![\w-]|\.\d)", terms):
            texts[common] = _text(COMMON / common)
    kinds = sorted(set(re.findall(r"(?m)^License: *(\S.*?)\s*$", terms)))
    return Component(name, asked.stdout, ", ".join(kinds) or "see the text", texts)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").strip()


def listing(components: Sequence[Component]) -> str:
    """The file: first a list of everything, then all texts, each of them once."""
    lines = [
        "What this copy of dpdesk is made of, and the licences of its parts.",
        "",
        *(f"  {part.name} {part.version}".rstrip() + f": {part.licence}" for part in components),
    ]
    if not any("font" in part.note for part in components):
        lines += ["", "It holds no fonts: it writes with those of the system."]
    seen: dict[str, str] = {}
    for part in components:
        lines += ["", "=" * 80, f"{part.name} {part.version}".rstrip(), part.licence]
        lines += ["", part.note] if part.note else []
        for title, text in part.texts.items():
            lines += ["", f"--- {title}", ""]
            earlier = seen.setdefault(text, f"{part.name}, {title}")
            is_first = earlier == f"{part.name}, {title}"
            lines.append(text if is_first else f"The same text as under {earlier}.")
    return "\n".join(lines) + "\n"


def main(words: Sequence[str]) -> int:
    """Write the file for the entries that a JSON file lists.

    Returns:
        The exit status.
    """
    collected, out = map(Path, words)
    entries = [tuple(entry) for entry in json.loads(collected.read_text(encoding="utf-8"))]
    try:
        components = components_of(entries)
    except SetupError as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 1
    out.write_text(listing(components), encoding="utf-8")
    print(f"{len(components)} components")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
