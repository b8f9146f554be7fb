"""Build the bundle for people without Python, and let it test itself.

    python3 packaging/build_bundle.py

Leaves `dist/dpdesk`, one folder that can be copied to another machine of the same kind.
"""

import supported_python

supported_python.insist(__file__)

import ctypes  # noqa: E402 - the version of Python comes first
import os  # noqa: E402
import shutil  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
import sysconfig  # noqa: E402
import tempfile  # noqa: E402
from pathlib import Path  # noqa: E402

import bundle_licences  # noqa: E402
import environment  # noqa: E402
import qt_libraries  # noqa: E402
import system_packages  # noqa: E402
from setup_log import ROOT, SetupError, last_complaint, open_log, run_logged, step  # noqa: E402

SPEC = ROOT / "packaging" / "dpdesk.spec"
BUNDLE = ROOT / "dist" / "dpdesk"


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
    """Build `dist/dpdesk`.

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
    size = sum(path.lstat().st_size for path in BUNDLE.rglob("*") if path.is_file())
    step(f"dist/dpdesk holds {size / 1e6:.0f} MB")


def self_test() -> int:
    """Let the bundle test itself, without a display and without the environment's Python.

    An error inside a slot is printed by Qt's binding and the window goes on: a traceback counts
    as a failure whatever the exit status.

    Returns:
        Its exit status, or 1 where it got stuck or printed a traceback.
    """
    program = BUNDLE / ("dpdesk.exe" if os.name == "nt" else "dpdesk")
    step("testing the bundle")
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "QT_", "VIRTUAL_ENV"))
        }
        surroundings |= {"QT_QPA_PLATFORM": "offscreen", "HOME": folder, "XDG_RUNTIME_DIR": folder}
        try:
            done = subprocess.run(
                [program, "--self-test"],
                cwd=folder,
                env=surroundings,
                timeout=300,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        except subprocess.TimeoutExpired:
            step("the bundle did not come to an end within 300 seconds")
            return 1
    sys.stderr.write(done.stderr)
    if "Traceback" in done.stderr:
        step("the bundle printed a traceback")
        return done.returncode or 1
    step("the bundle passed" if done.returncode == 0 else f"it ended with {done.returncode}")
    return done.returncode


def main() -> int:
    """Build and test.

    Returns:
        The exit status.
    """
    try:
        build(environment.ensure(["dev", "all"]))
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    return self_test() if qt_libraries.ensure() else 1


if __name__ == "__main__":
    sys.exit(main())
