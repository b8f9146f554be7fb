"""Renew the lock: which version of every package is installed, and the hashes of its files.

    .venv/bin/python packaging/renew_lock.py            the newest versions that are allowed
    .venv/bin/python packaging/renew_lock.py --keep     only what pyproject.toml asks for anew

Writes `packaging/locks/`: `dpdesk.txt` holds what dpdesk runs on and is built with, and one file
for each extra what that asks for besides. They hold for Python 3.11 to 3.14 on Linux, macOS and
Windows together; pip reads them (see `environment.py`) and refuses every file whose SHA-256 is not
in them. Look at the difference before it is committed.

uv does the work; it is among the tools of `environment.py dev`. It asks the index that it is
configured for, as pip does: no index is named here.
"""

import supported_python

supported_python.insist(__file__)

import argparse  # noqa: E402 - the version of Python comes first
import subprocess  # noqa: E402
import sys  # noqa: E402
import tempfile  # noqa: E402
import tomllib  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from pathlib import Path  # noqa: E402

from lock import BASE, LOCKS, entries  # noqa: E402
from setup_log import ROOT, SetupError, step  # noqa: E402
from supported_python import SUPPORTED  # noqa: E402

HEAD = """\
# What pip installs for {purpose}, each file by its SHA-256.
# Made by packaging/renew_lock.py from pyproject.toml; not edited by hand.
"""

# The machines for which every package must come ready built: nothing is built from source, as a
# build would fetch packages that no hash is known of.
MACHINES = (
    "x86_64-manylinux_2_34",
    "aarch64-manylinux_2_39",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
)


def renew(folder: Path, *, keep: bool) -> None:
    """Write the lock into a folder.

    Args:
        folder: Where the files go; the lock of before is read from it.
        keep: Whether versions of before stay where they are still allowed.

    Raises:
        SetupError: There are no versions that fit together, or not for every machine.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = sorted(project["project"]["optional-dependencies"])
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        builds = work / "build.in"
        builds.write_text("\n".join(project["build-system"]["requires"]), encoding="utf-8")
        everything = work / "everything.txt"
        if keep:
            before = [entry for path in sorted(folder.glob("*.txt")) for entry in entries(path)]
            everything.write_text("".join(sorted(set(before))), encoding="utf-8")
        step("choosing versions")
        _compile(["--all-extras"], builds, everything)
        for machine in MACHINES:
            for major, minor in SUPPORTED:
                step(f"asking for Python {major}.{minor} on {machine}")
                _require_ready_built(everything, machine, f"{major}.{minor}", work)
        parts = {BASE: _entries_for([], builds, everything)}
        for extra in extras:
            wanted = _entries_for(["--extra", extra], builds, everything)
            parts[extra] = [entry for entry in wanted if entry not in parts[BASE]]
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.txt"):
        path.unlink()
    for part, found in parts.items():
        purpose = "dpdesk and its build" if part == BASE else f"the extra '{part}' besides"
        text = HEAD.format(purpose=purpose) + "".join(found)
        (folder / f"{part}.txt").write_text(text, encoding="utf-8")


def _compile(extras: Sequence[str], builds: Path, out: Path, *more: str | Path) -> None:
    oldest = f"{SUPPORTED[0][0]}.{SUPPORTED[0][1]}"
    kind = ["--universal", "--python-version", oldest, "--generate-hashes", "--no-sources"]
    bare = ["--no-header", "--no-annotate", "--output-file", str(out)]
    _uv("compile", "pyproject.toml", builds, *extras, *kind, *bare, *more)


def _entries_for(extras: Sequence[str], builds: Path, everything: Path) -> list[str]:
    out = everything.with_name("part.txt")
    out.unlink(missing_ok=True)
    _compile(extras, builds, out, "--constraints", everything)
    return entries(out)


def _require_ready_built(lock: Path, machine: str, version: str, work: Path) -> None:
    where = ["--python-platform", machine, "--python-version", version, "--target", str(work)]
    how = ["--dry-run", "--require-hashes", "--only-binary", ":all:"]
    _uv("install", *how, *where, "-r", lock)


def _uv(*words: str | Path) -> None:
    command = [sys.executable, "-m", "uv", "pip", *map(str, words), "--quiet"]
    done = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return
    if "No module named uv" in done.stderr:
        raise SetupError(
            "uv is missing. Run '.venv/bin/python packaging/environment.py dev', then this program "
            "with the same Python."
        )
    raise SetupError(f"uv found no lock; the old one stays. It says:\n{done.stderr.strip()}")


def main(arguments: Sequence[str]) -> int:
    """Renew the lock.

    Returns:
        The exit status.
    """
    parser = argparse.ArgumentParser(prog="renew_lock.py", description="Renew packaging/locks.")
    parser.add_argument(
        "--keep", action="store_true", help="keep the versions that pyproject.toml still allows"
    )
    options = parser.parse_args(arguments)
    try:
        renew(LOCKS, keep=options.keep)
    except SetupError as error:
        print(f"dpdesk: {error}", file=sys.stderr)
        return 1
    step("packaging/locks is renewed; look at the difference and run packaging/check.py")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
