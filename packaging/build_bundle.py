"""Build the bundle for people without Python, and let it test itself.

    python3 packaging/build_bundle.py               one folder, `dist/dpdesk`
    python3 packaging/build_bundle.py --one-file    one file that runs, `dist/dpdesk-one-file`

Either can be copied to another machine of the same kind. BUNDLES.md beside this file says what is
done on Windows and macOS besides.
"""

import supported_python

supported_python.insist(__file__)

import argparse  # noqa: E402 - the version of Python comes first
import ctypes  # noqa: E402
import os  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import sysconfig  # noqa: E402
import tempfile  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from pathlib import Path  # noqa: E402

import bundle_licences  # noqa: E402
import environment  # noqa: E402
import qt_libraries  # noqa: E402
import system_packages  # noqa: E402
from outside_checkout import run_outside  # noqa: E402
from setup_log import ROOT, SetupError, last_complaint, open_log, run_logged, step  # noqa: E402

SPEC = ROOT / "packaging" / "dpdesk.spec"
BUNDLE = ROOT / "dist" / "dpdesk"
ONE_FILE = ROOT / "dist" / "dpdesk-one-file"
DESKTOP = ROOT / "packaging" / "desktop"


def missing_packages() -> list[str]:
    """The packages of Debian without which PyInstaller cannot work here."""
    missing = []
    if sys.platform.startswith("linux"):
        if shutil.which("objdump") is None:
            missing.append("binutils")
        # Debian's own Python is linked without its library; a bundle needs it.
        library = str(sysconfig.get_config_var("INSTSONAME"))
        folder = Path(str(sysconfig.get_config_var("LIBDIR")))
        if not (_loads(library) or _loads(str(folder / library))):
            missing.append(f"libpython{sys.version_info[0]}.{sys.version_info[1]}")
    return missing


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def build(python: Path, *, one_file: bool = False) -> None:
    """Build `dist/dpdesk`, or one file.

    Args:
        python: Python of an environment with PyInstaller.
        one_file: Whether everything is put into one file.

    Raises:
        SetupError: Something is missing, or PyInstaller failed.
    """
    log = open_log()
    missing = missing_packages()
    if missing and not system_packages.install(missing, log):
        raise SetupError(
            "PyInstaller needs packages of the system. Install them with: "
            + system_packages.command_for(missing)
        )
    step("building the bundle")
    work = ROOT / "build" / "bundle"
    folders = ["--distpath", str(BUNDLE.parent), "--workpath", str(work)]
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--clean", *folders, str(SPEC)]
    command += ["--", "--one-file"] if one_file else []
    if run_logged(command, log, cwd=ROOT) != 0:
        raise SetupError(f"PyInstaller failed. Everything it said is in {log}")
    if one_file:
        made = ONE_FILE.with_suffix(".exe" if os.name == "nt" else "")
        step(f"dist/{made.name} holds {made.stat().st_size / 1e6:.0f} MB")
        return
    step(f"listing the licences of what is in it: {BUNDLE.name}/{bundle_licences.NAME}")
    words = [work / "collected.json", BUNDLE / bundle_licences.NAME]
    if run_logged([python, ROOT / "packaging" / "bundle_licences.py", *words], log, cwd=ROOT) != 0:
        # Nobody may pass on what has no licence.
        shutil.rmtree(BUNDLE, ignore_errors=True)
        raise SetupError(last_complaint(log).removeprefix("ERROR: "))
    if sys.platform.startswith("linux"):
        add_menu(work / SPEC.stem)
    size = sum(path.lstat().st_size for path in BUNDLE.rglob("*") if path.is_file())
    step(f"dist/dpdesk holds {size / 1e6:.0f} MB")


def add_menu(icons: Path) -> None:
    """Put into the bundle what enters it into the menu of a user.

    Args:
        icons: The folder of the icon in its sizes.
    """
    folder = BUNDLE / "menu"
    folder.mkdir(exist_ok=True)
    drawing = ROOT / "resources" / "program" / "dpdesk.svg"
    for path in (DESKTOP / "menu.sh", DESKTOP / "dpdesk.desktop", drawing):
        shutil.copy(path, folder)
    for path in icons.glob("dpdesk-*.png"):
        shutil.copy(path, folder)


def without_network() -> list[str]:
    """The words before a command that take the network from it; none where that is not allowed."""
    for words in (["unshare", "--net"], ["unshare", "--net", "--map-root-user"]):
        try:
            tried = subprocess.run([*words, "true"], capture_output=True, check=False)
        except OSError:
            break
        if tried.returncode == 0:
            return words
    return []


def self_test(program: Path | None = None) -> int:
    """Let the bundle test itself: without a display, the environment's Python, and a network.

    Args:
        program: The program of the bundle; that of `dist/dpdesk` if not given.

    Returns:
        Its exit status, which is not 0 where it got stuck or printed a traceback.
    """
    program = program or BUNDLE / ("dpdesk.exe" if os.name == "nt" else "dpdesk")
    step("testing the bundle")
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {"HOME": folder, "XDG_RUNTIME_DIR": folder}
        command: list[str | Path] = [*without_network(), program, "--self-test"]
        try:
            done = run_outside(command, Path(folder), surroundings, seconds=300)
        except subprocess.TimeoutExpired:
            step("the bundle did not come to an end within 300 seconds")
            return 1
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    step("the bundle passed" if done.returncode == 0 else f"it ended with {done.returncode}")
    return done.returncode


def main(arguments: Sequence[str]) -> int:
    """Build and test.

    Args:
        arguments: The words after the program's name.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(prog="build_bundle.py", description="Build the bundle.")
    parser.add_argument("--one-file", action="store_true", help="one file instead of a folder")
    options = parser.parse_args(arguments)
    try:
        build(environment.ensure(["dev", "all"]), one_file=options.one_file)
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    return self_test(ONE_FILE if options.one_file else None) if qt_libraries.ensure() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
