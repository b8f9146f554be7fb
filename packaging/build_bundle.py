"""Build the bundle for people without Python, and let it test itself.

    python3 packaging/build_bundle.py               one folder, `dist/dpdesk`
    python3 packaging/build_bundle.py --one-file    besides, one file that runs (Linux alone):
                                                    `dist/dpdesk-one-file`

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
import one_file  # noqa: E402
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


def build(python: Path) -> None:
    """Build `dist/dpdesk`, on macOS `dist/dpdesk.app` besides.

    Args:
        python: Python of an environment with PyInstaller.

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
    if run_logged(command, log, cwd=ROOT) != 0:
        raise SetupError(f"PyInstaller failed. Everything it said is in {log}")
    step(f"listing the licences of what is in it: {BUNDLE.name}/{bundle_licences.NAME}")
    words = [work / "collected.json", BUNDLE / bundle_licences.NAME]
    if run_logged([python, ROOT / "packaging" / "bundle_licences.py", *words], log, cwd=ROOT) != 0:
        # Nobody may pass on what has no licence.
        shutil.rmtree(BUNDLE, ignore_errors=True)
        raise SetupError(last_complaint(log).removeprefix("ERROR: "))
    if sys.platform == "darwin":
        # Before it is signed; what lies beside the program would have to be a program.
        shutil.copy(words[1], BUNDLE.with_suffix(".app") / "Contents" / "Resources")
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


def run_in(home: Path, program: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a bundle as somebody who has just got it: without a display and without a network.

    Args:
        home: An empty folder, this somebody's own.
        program: The program of the bundle.
        words: Its words.

    Returns:
        What it printed, and its exit status, which is not 0 where it got stuck or printed a
        traceback.
    """
    surroundings = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    # The user's folders are those of that home.
    surroundings |= {f"XDG_{name}_HOME": "" for name in ("CACHE", "CONFIG", "DATA", "STATE")}
    command: list[str | Path] = [*without_network(), program, *words]
    try:
        return run_outside(command, home, surroundings, seconds=300)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", "it did not end within 300 seconds\n")


def self_test(program: Path | None = None) -> int:
    """Let the bundle test itself.

    Args:
        program: The program of the bundle; that of `dist/dpdesk` if not given.

    Returns:
        Its exit status.
    """
    program = program or BUNDLE / ("dpdesk.exe" if os.name == "nt" else "dpdesk")
    step(f"testing {program.name}")
    with tempfile.TemporaryDirectory() as home:
        done = run_in(Path(home), program, "--self-test")
    sys.stdout.write(done.stdout)
    sys.stderr.write(done.stderr)
    step("the bundle passed" if done.returncode == 0 else f"it ended with {done.returncode}")
    return done.returncode


def test_one_file(program: Path) -> int:
    """Let the bundle of one file test itself, start once more, and remove itself.

    Args:
        program: The file.

    Returns:
        0 if it passed: only the first start unpacks, and removing leaves nothing unpacked.
    """
    status = self_test(program)
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        starts = [run_in(home, program, "--version") for _ in range(2)]
        added = run_in(home, program, "--menu", "add")
        entries = list((home / ".local").rglob("dpdesk.desktop"))
        removed = run_in(home, program, "--menu", "remove")
        left = list(home.rglob("*dpdesk*"))
    checks = {
        "the first start unpacks it and says so": "unpacks" in starts[0].stderr,
        "the second start says nothing": starts[1].stderr == "",
        "both start dpdesk": starts[0].stdout == starts[1].stdout != "",
        "it enters the menu": added.returncode == 0 and len(entries) == 1,
        "it removes itself": removed.returncode == 0 and not left,
    }
    for check, passes in checks.items():
        step(f"{'ok   ' if passes else 'FAIL '} {check}")
    return status or int(not all(checks.values()))


def main(arguments: Sequence[str]) -> int:
    """Build and test.

    Args:
        arguments: The words after the program's name.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(prog="build_bundle.py", description="Build the bundle.")
    parser.add_argument("--one-file", action="store_true", help="one file that runs besides")
    options = parser.parse_args(arguments)
    if options.one_file and not sys.platform.startswith("linux"):
        parser.error("One file that runs is for Linux; BUNDLES.md says what is passed on here.")
    try:
        build(environment.ensure(["dev", "all"]))
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    if not qt_libraries.ensure():
        return 1
    status = self_test()
    if options.one_file and status == 0:
        step("packing it into one file")
        one_file.write(BUNDLE, ONE_FILE)
        step(f"dist/{ONE_FILE.name} holds {ONE_FILE.stat().st_size / 1e6:.0f} MB")
        status = test_one_file(ONE_FILE)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
