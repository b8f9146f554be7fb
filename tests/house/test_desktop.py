"""How a bundle appears on a desktop: its icon, its entry in the menu, what it offers to open."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from dpdesk.data.table_format import endings

Program = Callable[[str], ModuleType]

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def desktop(root: Path) -> Path:
    return root / "packaging" / "desktop"


def edge_of(picture: bytes) -> int:
    """The width that a picture in PNG has, which is also its height."""
    assert picture.startswith(PNG)
    width, height = struct.unpack(">II", picture[16:24])
    assert width == height
    return int(width)


def test_that_the_icon_is_there_in_every_size_and_box(
    program: Program, root: Path, tmp_path: Path
) -> None:
    pytest.importorskip("PySide6")
    icon = program("program_icon")
    assert Path(icon.write(root / "resources", tmp_path)).is_file()
    for size in icon.SIZES:
        assert edge_of((tmp_path / f"dpdesk-{size}.png").read_bytes()) == size
    windows = (tmp_path / "dpdesk.ico").read_bytes()
    assert windows[:4] == b"\0\0\1\0"
    for at in range(struct.unpack("<H", windows[4:6])[0]):
        edge, *_, length, place = struct.unpack("<BBBBHHII", windows[6 + 16 * at : 22 + 16 * at])
        assert edge_of(windows[place : place + length]) % 256 == edge
    apple = (tmp_path / "dpdesk.icns").read_bytes()
    name, length = struct.unpack(">4sI", apple[:8])
    assert (name, length) == (b"icns", len(apple))
    at, edges = 8, {}
    while at < len(apple):
        name, length = struct.unpack(">4sI", apple[at : at + 8])
        edges[name] = edge_of(apple[at + 8 : at + length])
        at += length
    assert edges == icon._APPLE


def test_that_the_icon_can_be_seen_on_light_and_dark(program: Program, root: Path) -> None:
    gui = pytest.importorskip("PySide6.QtGui")
    painted = program("program_icon").pictures(root / "resources" / "program" / "dpdesk.svg")
    picture = gui.QImage.fromData(painted[16])
    colours = [picture.pixelColor(x, y) for x in range(16) for y in range(16)]
    assert colours[0].alpha() == 0
    shades = [colour.lightness() for colour in colours if colour.alpha() == 255]
    assert max(shades) - min(shades) > 100


def menu(desktop: Path, bundle: Path, home: Path, word: str) -> subprocess.CompletedProcess[str]:
    """Runs the script of a bundle for a user of its own."""
    place = bundle / "menu"
    place.mkdir(parents=True, exist_ok=True)
    for path in desktop.iterdir():
        shutil.copy(path, place)
    (place / "dpdesk.svg").write_text("<svg/>", encoding="utf-8")
    for size in (16, 24, 32, 48, 64, 128, 256):
        (place / f"dpdesk-{size}.png").write_bytes(PNG)
    return subprocess.run(
        ["sh", place / "menu.sh", word],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        text=True,
    )


needs_sh = pytest.mark.skipif(os.name != "posix", reason="the menu of Linux")


@needs_sh
def test_that_dpdesk_enters_the_menu_and_leaves_nothing_when_it_leaves(
    desktop: Path, tmp_path: Path
) -> None:
    bundle, home = tmp_path / "a folder of mine" / "dpdesk", tmp_path / "home"
    home.mkdir()
    added = menu(desktop, bundle, home, "add")
    assert added.returncode == 0, added.stderr
    entry = configparser.RawConfigParser()
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(home / ".local/share/applications/dpdesk.desktop", encoding="utf-8")
    said = entry["Desktop Entry"]
    assert said["Exec"] == f'"{bundle / "dpdesk"}" %f'
    assert said["Icon"] == "dpdesk"
    icons = home / ".local/share/icons/hicolor"
    assert (icons / "scalable/apps/dpdesk.svg").is_file()
    assert (icons / "256x256/apps/dpdesk.png").is_file()
    removed = menu(desktop, bundle, home, "remove")
    assert removed.returncode == 0, removed.stderr
    assert not [path for path in home.rglob("dpdesk*") if path.is_file()]
    # What was released goes on to count.
    assert "ledger of releases stays" in removed.stdout


@needs_sh
@pytest.mark.parametrize("sign", ['"', "`", "$", "%", "\\"])
def test_that_a_folder_that_a_menu_cannot_name_is_refused(
    desktop: Path, tmp_path: Path, sign: str
) -> None:
    refused = menu(desktop, tmp_path / f"a{sign}b", tmp_path, "add")
    assert refused.returncode == 1
    assert "Rename it" in refused.stderr
    assert not list(tmp_path.rglob("dpdesk.desktop.*"))
    assert not (tmp_path / ".local").exists()


@needs_sh
def test_that_the_script_says_what_it_can_do(desktop: Path, tmp_path: Path) -> None:
    assert menu(desktop, tmp_path / "b", tmp_path, "").returncode == 2


# Types of files as desktops know them, with their endings. Stata's and SAS's have none.
KNOWN = {
    "text/csv": {".csv"},
    "text/tab-separated-values": {".tsv", ".tab"},
    "application/json": {".json"},
    "application/x-ndjson": {".ndjson", ".jsonl"},
    "application/vnd.apache.parquet": {".parquet", ".pq"},
    "application/x-spss-sav": {".sav", ".zsav"},
    "application/x-spss-por": {".por"},
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": {".xlsx"},
    "application/vnd.ms-excel": {".xls"},
    "application/vnd.oasis.opendocument.spreadsheet": {".ods"},
}


def test_that_desktops_are_told_of_files_that_dpdesk_reads(desktop: Path) -> None:
    entry = (desktop / "dpdesk.desktop").read_text(encoding="utf-8")
    (line,) = re.findall("(?m)^MimeType=(.*);$", entry)
    assert set(line.split(";")) == set(KNOWN)
    assert set().union(*KNOWN.values()) <= endings()
    installer = (desktop / "dpdesk.iss").read_text(encoding="utf-8")
    count, listed = re.search(r"#dim Endings\[(\d+)\] \{(.*)\}", installer).groups()
    assert set(re.findall(r'"(\.\w+)"', listed)) == endings()
    assert int(count) == len(endings())


def test_that_no_administrator_is_needed(desktop: Path) -> None:
    installer = (desktop / "dpdesk.iss").read_text(encoding="utf-8")
    assert "PrivilegesRequired=lowest" in installer
    assert "HKLM" not in installer
    assert "sudo" not in (desktop / "menu.sh").read_text(encoding="utf-8")
