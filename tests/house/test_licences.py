"""The bundle says under which licences its parts may be passed on, or there is no bundle."""

from __future__ import annotations

import json
import re
import sys
import sysconfig
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

import pytest

Program = Callable[[str], ModuleType]


# Of this environment; reading it takes half a second.
INSTALLED: dict[str, object] = {}


@pytest.fixture
def licences(program: Program, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program, on an environment that also holds PyInstaller and is the one of the lock."""
    module = program("bundle_licences")
    monkeypatch.setattr(
        module,
        "_pyinstaller",
        lambda: module.Component("pyinstaller", "6", "GPL", {"COPYING.txt": "Terms of it."}),
    )

    if not INSTALLED:
        INSTALLED.update(module.installed_files())
    monkeypatch.setattr(module, "installed_files", lambda: INSTALLED)

    class Everything:
        def __contains__(self, pair: object) -> bool:
            return True

    monkeypatch.setattr(module, "locked_versions", Everything)
    return module


def entry_of(name: str, ending: str) -> tuple[str, str, str]:
    """A file of an installed distribution, as PyInstaller lists it."""
    installed = distribution(name)
    path = next(path for path in installed.files or () if str(path).endswith(ending))
    return (str(path), str(installed.locate_file(path)), "DATA")


def by_name(components: list) -> dict[str, object]:
    return {part.name: part for part in components}


def test_that_every_part_is_named_with_its_version_and_its_text(
    licences: ModuleType, root: Path
) -> None:
    entries = [
        entry_of("numpy", "numpy/__init__.py"),
        entry_of("tqdm", "tqdm/__init__.py"),
        ("json", str(Path(sysconfig.get_path("stdlib"), "json", "__init__.py")), "PYMODULE"),
        ("dpdesk.cost", str(root / "dpdesk" / "cost" / "__init__.py"), "PYMODULE"),
        ("resources/icons/alert.svg", str(root / "resources" / "icons" / "alert.svg"), "DATA"),
        (
            "resources/samples/affairs/affairs.csv",
            str(root / "resources" / "samples" / "affairs" / "affairs.csv"),
            "DATA",
        ),
    ]
    found = by_name(licences.components_of(entries))
    assert {"numpy", "tqdm", "Python", "OpenSSL", "dpdesk", "Material Design Icons"} <= set(found)
    assert found["numpy"].version == distribution("numpy").version
    assert "BSD" in found["numpy"].licence
    assert any("Redistribution and use" in text for text in found["numpy"].texts.values())
    assert found["tqdm"].licence == "MPL-2.0 AND MIT"
    assert found["Python"].version == ".".join(map(str, sys.version_info[:3]))
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in found["Python"].texts["LICENSE.txt"]
    assert "Apache License" in found["OpenSSL"].texts["Apache-2.0"]
    icons = found["Material Design Icons"].texts
    assert "Pictogrammers" in icons["LICENSE"]
    assert "Apache License" in icons["Apache-2.0"]
    assert "Ray C. Fair" in found["Sample survey"].texts["README.md"]
    assert "MIT License" in found["dpdesk"].texts["LICENSE"]


def test_that_qt_is_told_with_both_its_texts(licences: ModuleType) -> None:
    pytest.importorskip("PySide6")
    found = by_name(licences.components_of([entry_of("PySide6-Essentials", "PySide6/__init__.py")]))
    for name in ("Qt", "PySide6_Essentials"):
        assert "GNU LESSER GENERAL PUBLIC LICENSE" in found[name].texts["LGPL-3.0"]
        assert "GNU GENERAL PUBLIC LICENSE" in found[name].texts["GPL-3.0"]
    assert found["Qt"].version == distribution("PySide6-Essentials").version
    assert "may be replaced" in found["Qt"].note


def test_that_a_file_of_nobody_is_refused(licences: ModuleType, tmp_path: Path) -> None:
    stray = tmp_path / "libstray.so.1"
    stray.write_bytes(b"")
    with pytest.raises(Exception, match=r"under which licence the bundle holds libstray\.so\.1"):
        licences.components_of([("libstray.so.1", str(stray), "BINARY")])


def test_that_links_and_modules_without_a_file_need_no_licence(licences: ModuleType) -> None:
    entries = [("libx.so", "libx.so.1", "SYMLINK"), ("google", "-", "PYMODULE")]
    assert {part.name for part in licences.components_of(entries)} == {
        "OpenSSL",
        "Python",
        "pyinstaller",
    }


def test_that_a_distribution_without_a_text_is_refused(
    licences: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = entry_of("dp-accounting", "dp_accounting/__init__.py")
    found = by_name(licences.components_of([entry]))
    assert "Apache License" in found["dp-accounting"].texts["Apache-2.0"]
    monkeypatch.setattr(licences, "SUPPLIED", {})
    with pytest.raises(Exception, match=r"licence is missing for dp-accounting\. Put it into"):
        licences.components_of([entry])


def test_that_the_names_of_authors_are_no_licence(
    licences: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = licences.Component("x", "1", "MIT", {"x.dist-info/licenses/AUTHORS": "Somebody."})
    monkeypatch.setattr(licences.Owners, "of", lambda self, target, origin: bare)
    with pytest.raises(Exception, match="licence is missing for x"):
        licences.components_of([("x", "/x", "DATA")])


def test_that_a_distribution_that_is_not_in_the_lock_is_refused(
    licences: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = ("numpy", distribution("numpy").version)
    entry = entry_of("numpy", "numpy/__init__.py")
    monkeypatch.setattr(licences, "locked_versions", lambda: {installed})
    assert "numpy" in by_name(licences.components_of([entry]))
    for others in (set(), {("numpy", "1.0")}):
        monkeypatch.setattr(licences, "locked_versions", lambda others=others: others)
        with pytest.raises(Exception, match=r"would hold numpy .*dpdesk\.txt does not name"):
            licences.components_of([entry])


def test_that_the_lock_of_dpdesk_and_all_its_parts_decides(
    program: Program, tmp_path: Path
) -> None:
    lock = "# head\nA_b.c==1.0 ; sys_platform == 'x' \\\n    --hash=x\nd==2 \\\n    --hash=x\n"
    (tmp_path / "dpdesk.txt").write_text(lock, encoding="utf-8")
    (tmp_path / "all.txt").write_text("f==4 \\\n    --hash=x\n", encoding="utf-8")
    (tmp_path / "dev.txt").write_text("e==3 \\\n    --hash=x\n", encoding="utf-8")
    found = program("bundle_licences").locked_versions(tmp_path)
    assert found == {("a-b-c", "1.0"), ("d", "2"), ("f", "4")}


def test_that_a_copy_without_symbols_is_known_by_where_it_goes(
    licences: ModuleType, tmp_path: Path
) -> None:
    target, _, kind = (
        entry_of("opendp", "opendp.abi3.so")
        if sys.platform == "linux"
        else (entry_of("opendp", "opendp/__init__.py"))
    )
    copy = tmp_path / Path(target).name
    copy.write_bytes(b"")
    assert "opendp" in by_name(licences.components_of([(target, str(copy), kind)]))


def test_that_a_library_of_the_system_brings_the_texts_that_its_package_refers_to(
    licences: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    common, documents = tmp_path / "common", tmp_path / "doc"
    (documents / "libz").mkdir(parents=True)
    common.mkdir()
    for name in ("LGPL-2", "LGPL-2.1", "GPL-3"):
        (common / name).write_text(f"All of the {name}.", encoding="utf-8")
    (documents / "libz" / "copyright").write_text(
        "License: LGPL-2.1+\n see /usr/share/common-licenses/LGPL-2.1.\nLicense: Zlib\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(licences, "COMMON", common)
    monkeypatch.setattr(licences, "DOCUMENTS", documents)

    def dpkg(command: list[str], **_: object) -> object:
        answer = {"dpkg": "libz:amd64: /lib/libz.so.1.2\n", "dpkg-query": "1:1.2"}[command[0]]
        status = int(command[0] == "dpkg" and command[-1] != "/lib/libz.so.1.2")
        return licences.subprocess.CompletedProcess(command, status, answer, "")

    monkeypatch.setattr(licences.subprocess, "run", dpkg)
    part = licences._system(licences._system_package(Path("/usr/lib/libz.so.1.2")))
    assert (part.name, part.version, part.licence) == ("libz", "1:1.2", "LGPL-2.1+, Zlib")
    assert set(part.texts) == {"copyright", "LGPL-2.1"}
    assert part.texts["LGPL-2.1"] == "All of the LGPL-2.1."
    assert licences._system_package(Path("/usr/lib/other.so")) == ""


def test_that_the_listing_names_everything_first_and_gives_each_text_once(
    program: Program,
) -> None:
    licences = program("bundle_licences")
    parts = [
        licences.Component("a", "1", "MIT", {"LICENSE": "Terms."}),
        licences.Component("b", "2", "MIT", {"LICENSE": "Terms.", "NOTICE": "More."}, "A note."),
    ]
    text = licences.listing(parts)
    head, *_ = text.split("=" * 80)
    assert "  a 1: MIT\n  b 2: MIT\n" in head
    assert "It holds no fonts" in head
    assert text.count("Terms.") == 1
    assert "The same text as under a, LICENSE." in text
    assert text.index("A note.") < text.index("More.")
    parts[0].note = "It brings the font x.ttf."
    assert "no fonts" not in licences.listing(parts)


def test_that_a_font_is_told_with_the_part_that_brings_it(licences: ModuleType, root: Path) -> None:
    entry = ("resources/themes/Some.TTF", str(root / "resources" / "themes" / "x.ttf"), "DATA")
    assert by_name(licences.components_of([entry]))["dpdesk"].note == (
        "It brings the font resources/themes/Some.TTF."
    )


def test_that_a_bundle_without_its_licences_is_taken_away(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = program("build_bundle")
    made = tmp_path / "dist" / "dpdesk"
    log = tmp_path / "log"
    monkeypatch.setattr(bundle, "BUNDLE", made)
    monkeypatch.setattr(bundle, "missing_packages", list)
    monkeypatch.setattr(bundle, "open_log", lambda: log)
    asked = []

    def run(command: list[object], log: Path, **_: object) -> int:
        asked.append([str(word) for word in command])
        if "PyInstaller" in asked[-1]:
            made.mkdir(parents=True)
            return 0
        log.write_text("ERROR: The text of the licence is missing for x.\n", encoding="utf-8")
        return 1

    monkeypatch.setattr(bundle, "run_logged", run)
    with pytest.raises(bundle.SetupError, match=r"^The text of the licence is missing for x\.$"):
        bundle.build(Path("python"))
    assert not made.exists()
    assert asked[1][1:] == [
        str(bundle.ROOT / "packaging" / "bundle_licences.py"),
        str(bundle.ROOT / "build" / "bundle" / "collected.json"),
        str(made / "THIRD-PARTY-LICENCES"),
    ]


def test_that_the_program_writes_its_file_or_says_why_not(
    licences: ModuleType, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collected, out = tmp_path / "collected.json", tmp_path / "out"
    module = ["dpdesk", str(root / "dpdesk" / "__init__.py"), "PYMODULE"]
    collected.write_text(json.dumps([module]), encoding="utf-8")
    assert licences.main([str(collected), str(out)]) == 0
    assert re.search(r"(?m)^  dpdesk \d", out.read_text(encoding="utf-8"))
    out.unlink()
    collected.write_text(json.dumps([["x", str(tmp_path / "x"), "DATA"]]), encoding="utf-8")
    assert licences.main([str(collected), str(out)]) == 1
    assert capsys.readouterr().err.startswith("ERROR: Nothing says under which licence")
    assert not out.exists()


def test_that_the_texts_that_are_supplied_are_there(program: Program) -> None:
    licences = program("bundle_licences")
    for name in {name for names in licences.SUPPLIED.values() for name in names}:
        assert len((licences.TEXTS / f"{name}.txt").read_text(encoding="utf-8")) > 5000
