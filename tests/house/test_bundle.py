"""The bundle carries what dpdesk opens."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def values(root: Path) -> dict[str, ast.expr]:
    """The values that the spec file gives to names."""
    tree = ast.parse((root / "packaging" / "dpdesk.spec").read_text(encoding="utf-8"))
    return {
        statement.targets[0].id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }


def test_that_nothing_is_left_out_that_the_source_imports(
    values: dict[str, ast.expr], source: dict[Path, ast.Module]
) -> None:
    left_out = set(ast.literal_eval(values["NOT_NEEDED"]))
    used = set()
    for tree in source.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                used |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    assert "PySide6.QtWidgets" in used
    # Extras of their own, which a bundle does without: `boosting` and `cluster`.
    extras = ("xgboost", "dask", "distributed", "fsspec", "aiohttp", "cryptography")
    used = {name for name in used if name.partition(".")[0] not in extras}
    assert not {
        name for name in used for out in left_out if name == out or name.startswith(f"{out}.")
    }


@pytest.mark.parametrize(
    ("path", "is_carried"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/Qt/plugins/wayland-shell-integration/libxdg-shell.so", True),
        ("PySide6/Qt/plugins/wayland-shell-integration/libwl-shell-plugin.so", False),
        ("PySide6/Qt/plugins/iconengines/libqsvgicon.so", True),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/lib/libQt6Qml.so.6", False),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("pyarrow/libarrow_python.so.2600", True),
        ("pyarrow/libarrow_python.so.2600.1.0", False),
        ("pyarrow/libarrow_flight.so.2600", False),
        ("pyarrow/include/arrow/api.h", False),
        ("resources/themes/light.toml", True),
    ],
)
def test_that_files_are_carried_by_their_use(
    values: dict[str, ast.expr], path: str, is_carried: bool
) -> None:
    pattern = values["NOT_CARRIED"]
    assert isinstance(pattern, ast.Call)
    (alternatives,) = pattern.args
    assert isinstance(alternatives, ast.Call)
    parts = ast.literal_eval(alternatives.args[0])
    assert bool(re.search("|".join(parts), path)) is not is_carried


def test_that_a_bundle_can_be_built_where_its_tools_are(program, monkeypatch) -> None:
    bundle = program("build_bundle")
    monkeypatch.setattr(bundle.sys, "platform", "linux")
    monkeypatch.setattr(bundle.shutil, "which", lambda name: "/bin/" + name)
    monkeypatch.setattr(bundle, "_loads", lambda library: True)
    assert bundle.missing_packages() == []
    monkeypatch.setattr(bundle.shutil, "which", lambda name: None)
    monkeypatch.setattr(bundle, "_loads", lambda library: False)
    binutils, library = bundle.missing_packages()
    assert binutils == "binutils"
    assert re.fullmatch(r"libpython3\.1\d", library)


@pytest.mark.skipif(os.name != "posix", reason="the stand-in is a shell script")
@pytest.mark.parametrize(
    ("script", "passes"),
    [
        ("exit 0", True),
        ("exit 1", False),
        ("echo 'Traceback (most recent call last):' >&2; exit 0", False),
        (
            '[ "$QT_QPA_PLATFORM" = offscreen ] && [ -z "$PYTHONPATH" ] && [ "$1" = --self-test ]',
            True,
        ),
    ],
)
def test_that_a_bundle_passes_by_a_clean_test_of_itself(
    program, tmp_path: Path, monkeypatch, script: str, passes: bool
) -> None:
    bundle = program("build_bundle")
    stand_in = tmp_path / "dpdesk"
    stand_in.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    stand_in.chmod(0o755)
    monkeypatch.setattr(bundle, "BUNDLE", tmp_path)
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    assert (bundle.self_test() == 0) is passes


@pytest.fixture
def packed(program, monkeypatch):
    """The part of the bundle that loads packed libraries, as outside of a bundle."""
    return program("packed_libraries")


def test_that_the_libraries_that_are_packed_are_those_that_are_installed(packed) -> None:
    found = {}
    for name in ("opendp", "typst", "scipy"):
        for path in distribution(name).files or ():
            if (module := packed.module_for(str(path))) is not None:
                found.setdefault(module, []).append(str(path))
    if sys.platform == "linux":
        assert {module: len(paths) for module, paths in found.items()} == dict.fromkeys(
            packed.LIBRARIES.values(), 1
        )
    assert packed.module_for("numpy.libs/libscipy_openblas64_-32a4b2a6.so") is None
    assert packed.module_for("PySide6/Qt/lib/libQt6Core.so.6") is None


def test_that_a_packed_library_is_whole_while_it_is_loaded_and_gone_afterwards(
    packed, tmp_path: Path
) -> None:
    content = bytes(range(256)) * 20_000
    library, place = tmp_path / "libx.so", tmp_path / "run"
    library.write_bytes(content)
    place.mkdir()
    packed.pack(library, tmp_path / "packed" / "libx.so.zst")
    assert (tmp_path / "packed" / "libx.so.zst").stat().st_size < len(content) / 50
    with packed.unpacked(tmp_path / "packed" / "libx.so.zst", [str(place)]) as found:
        assert found.name == "libx.so"
        assert found.read_bytes() == content
        assert found.parent.stat().st_mode & 0o077 == 0
    assert list(place.iterdir()) == []


def test_that_a_folder_where_nothing_may_run_or_fit_is_passed_over(
    packed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, good = tmp_path / "libx.so", tmp_path / "good"
    library.write_bytes(b"x" * 1000)
    good.mkdir()
    file = tmp_path / "p" / "libx.so.zst"
    packed.pack(library, file)
    with packed.unpacked(file, [str(tmp_path / "absent"), str(good)]) as found:
        assert found.is_relative_to(good)
    monkeypatch.setattr(packed, "_can_run_from", lambda place: place == str(good))
    with packed.unpacked(file, [str(tmp_path), str(good)]) as found:
        assert found.is_relative_to(good)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(packed.shutil, "copyfileobj", full)
    with pytest.raises(OSError, match="name one in TMPDIR"), packed.unpacked(file, [str(good)]):
        pass
    assert list(good.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the bundle of Linux")
def test_that_a_packed_module_is_loaded_like_any_other(packed, tmp_path: Path) -> None:
    """In a process of its own: OpenDP, Typst and SciPy from packed copies of what is installed."""
    folder = tmp_path / packed.FOLDER
    sites = {}
    for name in ("typst", "scipy"):
        for path in distribution(name).files or ():
            if (module := packed.module_for(str(path))) is not None:
                origin = Path(str(distribution(name).locate_file(path)))
                packed.pack(origin, folder / module / f"{origin.name}.zst")
                sites[module] = origin
    code = (
        "import sys\n"
        f"sys._MEIPASS = {str(tmp_path)!r}\n"
        "import packed_libraries\n"
        "import typst, scipy.linalg, numpy\n"
        "assert typst.compile(b'= A', format='svg').startswith(b'<svg')\n"
        "assert scipy.linalg.det(numpy.eye(3)) == 1\n"
        "print([line.split()[-2:] for line in open('/proc/self/maps') if '(deleted)' in line])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(packed.__file__).parent)}
    environment["TMPDIR"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    # What is loaded is the copy, which is gone already.
    assert "_typst.abi3.so" in done.stdout
    assert "libscipy_openblas" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == [packed.FOLDER]


def test_that_plots_need_nothing_of_opengl(program, root: Path) -> None:
    pytest.importorskip("PySide6")
    code = (
        "import sys\n"
        "import without_opengl\n"
        "from PySide6.QtWidgets import QApplication\n"
        "import pyqtgraph\n"
        "app = QApplication([])\n"
        "plot = pyqtgraph.PlotWidget()\n"
        "plot.plot([1, 3, 2])\n"
        "assert not plot.grab().isNull()\n"
        "import dpdesk.gui.main_window\n"
        "assert sys.modules['PySide6.QtOpenGL'].__spec__ is None\n"
    )
    places = os.pathsep.join([str(root / "packaging"), str(root)])
    environment = {**os.environ, "PYTHONPATH": places, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces of Linux")
def test_that_a_bundle_tests_itself_without_a_network(
    program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = program("build_bundle")
    if not bundle.without_network():
        pytest.skip("this machine lets nobody take the network away")
    # The loopback alone is left: two lines of head, one of the interface.
    stand_in = tmp_path / "dpdesk"
    stand_in.write_text(
        '#!/bin/sh\n[ "$(wc -l < /proc/net/dev)" -eq 3 ] && grep -q "lo:" /proc/net/dev\n',
        encoding="utf-8",
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr(bundle, "BUNDLE", tmp_path)
    assert bundle.self_test() == 0
    monkeypatch.setattr(bundle, "without_network", list)
    if len(Path("/proc/net/dev").read_text(encoding="utf-8").splitlines()) > 3:
        assert bundle.self_test() != 0
